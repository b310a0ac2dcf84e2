#include "core/base/error.hpp"
#include "tests/catch.hpp"
#include "tests/cuda/support.hpp"
#include "tests/device_data.hpp"

using namespace gst;
using namespace gst::test;

TEST_CASE("without a driver or a compiler the user is told in one line what to install") {
    const std::string nowhere = "/nonexistent/library.so";
    const auto no_compiler = make_cuda({{"nvrtc", nowhere}});
    const std::string missing =
        "CUDA's compiler library NVRTC is missing (/nonexistent/library.so: cannot open shared "
        "object file: No such file or directory): install the CUDA toolkit, or set CUDA_HOME to "
        "where it is";
    CHECK_THROWS_AS(no_compiler->architecture("sm_90"), machine_error);
    CHECK(message_of([&] { no_compiler->architecture("sm_90"); }) == missing);
    CHECK(message_of([&] { no_compiler->compile({}, {"", ""}); }) == missing);
    const auto no_driver = make_cuda({{"driver", nowhere}});
    CHECK_THROWS_AS(no_driver->devices(), machine_error);
    CHECK(message_of([&] { no_driver->devices(); }) ==
          "no CUDA driver is installed (/nonexistent/library.so: cannot open shared object file: No such file or "
          "directory): install NVIDIA's driver for your GPU, or take another backend; gst compile needs none with "
          "--arch");
}

TEST_CASE("an architecture is described by its published limits") {
    if (!has_nvrtc()) {
        return;
    }
    const device_info& d = hopper();
    CHECK(d.backend == "cuda");
    CHECK(d.architecture == "sm_90");
    CHECK(d.work_group == 1024);
    CHECK(d.local_bytes == 227 * 1024);
    CHECK(d.f64);
    CHECK(d.language.name == "cuda");
    CHECK(cuda().architecture("sm_80").local_bytes == 163 * 1024);
    CHECK(cuda().architecture("sm_90a").local_bytes == 227 * 1024);
    CHECK_THROWS_AS(cuda().architecture("sm_1"), user_error);
    CHECK_THROWS_AS(cuda().architecture("hopper"), user_error);
    CHECK(message_of([] { cuda().architecture("sm_1"); }).find("does not compile for 'sm_1'") != std::string::npos);
    device_info old = d;
    old.architecture = "sm_20";
    CHECK_THROWS_AS(cuda().compile(old, {"", ""}), machine_error);
}

TEST_CASE("a source that is wrong is a compile_error with the compiler's message") {
    if (!has_nvrtc()) {
        return;
    }
    const module_source wrong{"extern \"C\" __global__ void k(float* u) { u[0] = undeclared_name; }", ""};
    CHECK_THROWS_AS(cuda().compile(hopper(), wrong), compile_error);
    CHECK(message_of([&] { cuda().compile(hopper(), wrong); }).find("identifier \"undeclared_name\" is undefined") !=
          std::string::npos);
}

TEST_CASE("compile options reach the compiler") {
    if (!has_nvrtc()) {
        return;
    }
    const std::string text = "extern \"C\" __global__ void k(int* u) { u[0] = VALUE; }";
    CHECK_THROWS_AS(cuda().compile(hopper(), {text, ""}), compile_error);
    const binary b = cuda().compile(hopper(), {text, "-DVALUE=7"});
    CHECK(b.bytes.substr(1, 3) == "ELF");
    CHECK(b.log.empty());
}

TEST_CASE("a binary tells what its kernels need") {
    if (!has_nvrtc()) {
        return;
    }
    const binary b =
        cuda().compile(hopper(), {"extern \"C\" __global__ void __launch_bounds__(256) k(float* u, int n) {\n"
                                  "    __shared__ float part[256];\n"
                                  "    float own[64];\n"
                                  "    for (int i = 0; i < 64; ++i) own[i] = 0;\n"
                                  "    for (int i = 0; i < n; ++i) own[(int)u[i] & 63] = u[i * n];\n"
                                  "    part[threadIdx.x] = own[n];\n"
                                  "    __syncthreads();\n"
                                  "    u[threadIdx.x] = part[255 - threadIdx.x];\n"
                                  "}\n",
                                  ""});
    CHECK(b.metrics.at("registers") >= 8);
    CHECK(b.metrics.at("registers") <= 255);
    CHECK(b.metrics.at("local_bytes") >= 1024);
    CHECK(b.metrics.at("private_bytes") >= 256);
    CHECK(b.metrics.at("spill_bytes") == 0);
}
