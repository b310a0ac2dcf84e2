#include "tests/catch.hpp"
#include "tests/opencl/support.hpp"

#include <algorithm>
#include <fstream>

using namespace gst;
using namespace gst::test;

namespace {

/// Resident memory of this process.
std::uint64_t resident_bytes() {
    std::ifstream file("/proc/self/statm");
    std::uint64_t size = 0, resident = 0;
    file >> size >> resident;
    return resident * 4096;
}

} // namespace

TEST_CASE("a source that is wrong is a compile_error with the compiler's message") {
    const module_source wrong{"__kernel void k(__global float* u) { u[0] = undeclared_name; }", ""};
    CHECK_THROWS_AS(opencl().compile(pocl(), wrong), compile_error);
    const std::string text = message_of([&] { opencl().compile(pocl(), wrong); });
    CAPTURE(text);
    CHECK(text.find("use of undeclared identifier 'undeclared_name'") != std::string::npos);
}

TEST_CASE("compile options reach the compiler") {
    const std::string text = "__kernel void k(__global int* u) { u[0] = VALUE; }";
    CHECK_THROWS_AS(opencl().compile(pocl(), {text, ""}), compile_error);
    CHECK_FALSE(opencl().compile(pocl(), {text, "-DVALUE=7"}).bytes.empty());
}

TEST_CASE("a binary tells what its kernels need") {
    const auto program = load("__kernel __attribute__((reqd_work_group_size(8, 1, 1)))\n"
                              "void k(__global int* u) {\n"
                              "    __local int part[256];\n"
                              "    part[get_local_id(0)] = u[get_local_id(0)];\n"
                              "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                              "    u[get_local_id(0)] = part[7 - get_local_id(0)];\n"
                              "}\n");
    const named_numbers metrics = program->metrics();
    if (tells_local_memory()) {
        CHECK(metrics.at("local_bytes") == 1024);
    }
    CHECK(metrics.count("private_bytes") == 1);
    CHECK(metrics.at("work_group_limit") >= 8);
}

TEST_CASE("PoCL's binary holds the code for the work-group size that a kernel requires") {
    const std::vector<std::string> sizes{"8-2-1", "4-4-1", "1024-1-1", "2-1-1"};
    for (const std::string& size : sizes) {
        std::string numbers = size;
        std::ranges::replace(numbers, '-', ',');
        std::string name = "k_" + size; // a kernel that no other test has PoCL's cache filled with
        std::ranges::replace(name, '-', '_');
        const std::string text = "__kernel __attribute__((reqd_work_group_size(" + numbers + "))) void " + name +
                                 "(__global int* u) { u[0] = 1; }";
        const binary built = opencl().compile(pocl(), {text, ""});
        for (const std::string& other : sizes) {
            CAPTURE(size, other);
            CHECK((built.bytes.find("/" + other + "-goffs0-smallgrid") != std::string::npos) == (other == size));
        }
    }
}

TEST_CASE("bytes that are no binary are refused") {
    const binary garbage{"\nnot a binary", "", {}};
    CHECK(message_of([&] { opened().load(garbage); }) ==
          "the backend plugin 'opencl' failed to load a program: OpenCL cannot load a binary of 12 bytes: "
          "CL_INVALID_BINARY (-42)");
    CHECK(message_of([&] {
              opened().load({"not a binary", "", {}});
          }) == "the backend plugin 'opencl' failed to load a program: a binary of 12 bytes has no line of options");
}

TEST_CASE("a program that is loaded many times leaves no memory behind") {
    const binary b = opencl().compile(pocl(), {"__kernel void k(__global int* u) { u[0] = 1; }", ""});
    const auto u = buffer_of(std::vector<int>(4));
    const auto load_and_run = [&] {
        const auto program = opened().load(b);
        const command c = launch_command{program.get(), "k", {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {u.get()}};
        opened().run({&c, 1});
    };
    for (int i = 0; i < 20; ++i) {
        load_and_run();
    }
    const std::uint64_t before = resident_bytes();
    for (int i = 0; i < 200; ++i) {
        load_and_run();
    }
    const std::uint64_t after = resident_bytes();
    CHECK(after < before + 200 * b.bytes.size() / 4); // far less than a copy of the binary per load
}
