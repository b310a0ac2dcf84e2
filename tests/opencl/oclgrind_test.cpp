#include "tests/catch.hpp"
#include "tests/opencl/support.hpp"

#include <filesystem>
#include <iostream>

using namespace gst;
using namespace gst::test;

namespace {

const char* const oclgrind = "/usr/lib/oclgrind/liboclgrind-rt-icd.so";

} // namespace

// Run by the next test in a process of its own: Oclgrind must be the only driver there.
TEST_CASE("add on the first device", "[.apart]") {
    const device_info target = opencl().devices().at(0);
    const auto device = opencl().open(target);
    const auto program = device->load(
        opencl().compile(target, {"__kernel void k(__global int* u, int by) { u[get_global_id(0)] += by; }", ""}));
    const auto u = device->allocate(32, nullptr, nullptr);
    std::vector<int> values = {1, 2, 3, 4, 5, 6, 7, 8};
    device->write(*u, 0, std::as_bytes(std::span(values)));
    const command c = launch_command{program.get(), "k", {4, 1, 1}, {2, 1, 1}, {4, 0, 0}, {u.get(), bytes_of(10)}};
    const double ms = device->run({&c, 1});
    device->read(*u, 0, std::as_writable_bytes(std::span(values)));
    std::cout << "platform " << target.platform << ", time " << (ms > 0 ? "told" : "missing") << ", values";
    for (const int v : values) {
        std::cout << " " << v;
    }
    std::cout << "." << std::endl;
}

TEST_CASE("another vendor's driver works the same") {
    if (!std::filesystem::exists(oclgrind)) {
        WARN("Oclgrind is not installed: this driver was not tested");
        return;
    }
    const std::string out = run_apart("add on the first device", {{"OCL_ICD_VENDORS", oclgrind}});
    CAPTURE(out);
    CHECK(out.find("platform Oclgrind, time told, values 1 2 3 4 15 16 17 18.") != std::string::npos);
}
