#include "core/base/error.hpp"
#include "tests/catch.hpp"
#include "tests/opencl/support.hpp"

#include <fstream>
#include <iostream>
#include <iterator>

using namespace gst;
using namespace gst::test;

TEST_CASE("PoCL's device is described in full") {
    const device_info& d = pocl();
    CHECK(d.backend == "opencl");
    CHECK(d.id.find('.') != std::string::npos);
    CHECK_FALSE(d.name.empty());
    CHECK_FALSE(d.vendor.empty());
    CHECK(d.driver.find("PoCL") != std::string::npos);
    CHECK(d.type == "cpu");
    CHECK(d.compute_units > 0);
    CHECK(d.memory_bytes >= d.allocation_bytes);
    CHECK(d.allocation_bytes > 0);
    CHECK(d.local_bytes >= 32768);
    CHECK(d.work_group >= 256);
    CHECK(d.work_items[0] >= 256);
    CHECK(d.f64);
    CHECK(d.images);
    CHECK(d.image_width >= 2048);
    CHECK(d.image_height >= 2048);
    CHECK(d.language.name == "opencl");
}

TEST_CASE("devices come in the same order every time, with ids of their own") {
    const std::vector<device_info> first = opencl().devices(), second = opencl().devices();
    REQUIRE(first.size() == second.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
        CHECK(first[i].id == second[i].id);
        CHECK(first[i].driver == second[i].driver);
        for (std::size_t j = 0; j < i; ++j) {
            CHECK(first[i].id != first[j].id);
        }
    }
}

TEST_CASE("a device that is gone is a machine_error") {
    device_info gone = pocl();
    gone.id = "99.0";
    gone.name = "Unplugged";
    CHECK_THROWS_AS(opencl().open(gone), machine_error);
    CHECK_THROWS_WITH(opencl().open(gone),
                      "the OpenCL device 99.0 'Unplugged' is gone; `gst devices` lists what is there");
}

// Run by the next test in a process of its own.
TEST_CASE("list devices", "[.apart]") {
    const std::string error = message_of([] {
        for (const device_info& d : opencl().devices()) {
            std::cout << "device " << d.id << " of " << d.platform << "\n";
        }
    });
    std::cout << "error <" << error << ">" << std::endl;
}

namespace {

/// Whether the ICD loader looks for drivers where OCL_ICD_VENDORS says. That of CUDA's toolkit does not.
bool loader_takes_folders() {
    opencl().devices();
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        if (line.find("libOpenCL.so") != std::string::npos) {
            std::ifstream loader(line.substr(line.find('/')), std::ios::binary);
            const std::string bytes{std::istreambuf_iterator<char>(loader), {}};
            return bytes.find("OCL_ICD_VENDORS") != std::string::npos;
        }
    }
    return true;
}

} // namespace

TEST_CASE("without a driver the user is told what to install") {
    if (!loader_takes_folders()) {
        std::cout << "skipped: this ICD loader always finds the machine's drivers\n";
        return;
    }
    const std::string out = run_apart("list devices", {{"OCL_ICD_VENDORS", "/nonexistent"}});
    CAPTURE(out);
    CHECK(
        out.find("error <no OpenCL driver is installed: install the one of your device's vendor, or pocl-opencl-icd to "
                 "compute on the processor>") != std::string::npos);
    CHECK(out.find("device ") == out.rfind("device ", out.find("device's"))); // none is listed
}
