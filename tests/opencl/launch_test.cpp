#include "tests/catch.hpp"
#include "tests/opencl/support.hpp"

#include <fmt/format.h>

#include <numeric>

using namespace gst;
using namespace gst::test;

namespace {

const std::string add =
    "__kernel __attribute__((reqd_work_group_size(16, 1, 1)))\n"
    "void add(__global const float* a, __global const float* b, __global float* c, float by, int at) {\n"
    "    size_t i = get_global_id(0);\n"
    "    c[i] = a[i] + b[i] * by + at;\n"
    "}\n";

std::vector<float> ramp(std::size_t count, float from) {
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), from);
    return values;
}

launch_command launch_of(executable& from, const std::string& kernel, range3 global, range3 local,
                         std::vector<launch_argument> arguments) {
    return {&from, kernel, global, local, {0, 0, 0}, std::move(arguments)};
}

std::string refusal(const launch_command& c) {
    const command all[] = {c};
    const std::string text = message_of([&] { opened().run(all); });
    const std::string prefix = "the backend plugin 'opencl' failed to run a program: ";
    CHECK(text.substr(0, prefix.size()) == prefix);
    return text.substr(std::min(prefix.size(), text.size()));
}

} // namespace

TEST_CASE("what is written to a buffer is read back, at any place") {
    const auto m = buffer_of(ramp(100, 0));
    const std::vector<float> two = {-1, -2};
    opened().write(*m, 50 * sizeof(float), std::as_bytes(std::span(two)));
    std::vector<float> expected = ramp(100, 0);
    expected[50] = -1;
    expected[51] = -2;
    CHECK(contents<float>(*m, 100) == expected);
    std::vector<float> part(3);
    opened().read(*m, 49 * sizeof(float), std::as_writable_bytes(std::span(part)));
    CHECK(part == std::vector<float>{49, -1, -2});
}

TEST_CASE("a place outside of a buffer is a programmer's mistake") {
    const auto m = buffer_of(ramp(4, 0));
    std::vector<float> two(2);
    CHECK_THROWS(opened().read(*m, 12, std::as_writable_bytes(std::span(two))));
    CHECK_THROWS(opened().write(*m, ~std::uint64_t{0}, std::as_bytes(std::span(two))));
}

TEST_CASE("a launch gets buffers and scalars, and works where its offset says") {
    const auto program = load(add);
    const auto a = buffer_of(ramp(64, 0)), b = buffer_of(ramp(64, 100)), c = buffer_of(std::vector<float>(64, -7));
    launch_command l =
        launch_of(*program, "add", {32, 1, 1}, {16, 1, 1}, {a.get(), b.get(), c.get(), bytes_of(0.5f), bytes_of(3)});
    l.offset = {16, 0, 0};
    const command all[] = {l};
    CHECK(opened().run(all) > 0);
    std::vector<float> expected(64, -7);
    for (std::size_t i = 16; i < 48; ++i) {
        const auto x = static_cast<float>(i);
        expected[i] = x + (100 + x) * 0.5f + 3;
    }
    CHECK(contents<float>(*c, 64) == expected);
}

TEST_CASE("commands run in order, and one kernel may be launched with other arguments each time") {
    const auto program = load(add);
    const auto a = buffer_of(ramp(16, 1)), zero = buffer_of(std::vector<float>(16)),
               b = buffer_of(std::vector<float>(16));
    const auto plus = [&](memory* from, memory* to, int at) {
        return launch_of(*program, "add", {16, 1, 1}, {16, 1, 1}, {from, zero.get(), to, bytes_of(0.0f), bytes_of(at)});
    };
    const command all[] = {plus(a.get(), b.get(), 1), plus(b.get(), a.get(), 10), copy_command{a.get(), b.get(), 32},
                           plus(a.get(), a.get(), 100)};
    const double together = opened().run(all);
    CHECK(together > 0);
    std::vector<float> copied = ramp(16, 12);
    for (std::size_t i = 8; i < 16; ++i) {
        copied[i] -= 10;
    }
    CHECK(contents<float>(*b, 16) == copied);
    CHECK(contents<float>(*a, 16) == ramp(16, 112));
}

TEST_CASE("no commands take no time") {
    CHECK(opened().run({}) == 0);
}

TEST_CASE("a work-group larger than the kernel allows is refused with both sizes") {
    const auto program = load("__kernel void k(__global int* u) { u[get_global_id(0)] = 1; }");
    const auto u = buffer_of(std::vector<int>(16));
    const std::uint64_t most = pocl().work_group;
    CHECK(refusal(launch_of(*program, "k", {most, 2, 1}, {most, 2, 1}, {u.get()})) ==
          fmt::format(
              "the kernel 'k' cannot be launched: a work-group of {0} × 2 × 1 is {1} work-items, {2} allows {0} for "
              "this kernel",
              most, 2 * most, pocl().name));
}

TEST_CASE("a launch that does not fit its kernel is refused with the reason") {
    const auto program = load(add);
    const auto a = buffer_of(ramp(16, 0));
    const std::vector<launch_argument> arguments = {a.get(), a.get(), a.get(), bytes_of(1.0f), bytes_of(0)};
    CHECK(refusal(launch_of(*program, "add", {16, 1, 1}, {8, 1, 1}, arguments)) ==
          "the kernel 'add' cannot be launched: it was compiled for work-groups of 16 × 1 × 1, not 8 × 1 × 1");
    CHECK(refusal(launch_of(*program, "add", {24, 1, 1}, {16, 1, 1}, arguments)) ==
          "the kernel 'add' cannot be launched: 24 × 1 × 1 work-items are not a multiple of work-groups of 16 × 1 × 1");
    CHECK(refusal(launch_of(*program, "add", {0, 1, 1}, {16, 1, 1}, arguments)) ==
          "the kernel 'add' cannot be launched: 0 × 1 × 1 work-items are not a multiple of work-groups of 16 × 1 × 1");
    CHECK(refusal(launch_of(*program, "add", {16, 1, 1}, {16, 1, 1}, {a.get()})) ==
          "the kernel 'add' cannot be launched: it has 5 arguments, not 1");
    CHECK(refusal(launch_of(*program, "plus", {16, 1, 1}, {16, 1, 1}, arguments)) ==
          "the program has no kernel 'plus'; it has add");
    std::vector<launch_argument> wide = arguments;
    wide[3] = bytes_of(1.0);
    CHECK(refusal(launch_of(*program, "add", {16, 1, 1}, {16, 1, 1}, wide)) ==
          "OpenCL cannot set argument 3 of the kernel 'add': CL_INVALID_ARG_SIZE (-51)");
}

TEST_CASE("more local memory than the device has is refused and does not end the process") {
    if (!tells_local_memory()) {
        return;
    }
    const std::uint64_t most = pocl().local_bytes;
    const auto program = load(fmt::format("__kernel void k(__global int* u) {{\n"
                                          "    __local int part[{}];\n"
                                          "    part[get_global_id(0)] = u[0];\n"
                                          "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                                          "    u[get_global_id(0)] = part[0];\n"
                                          "}}\n",
                                          most));
    const auto u = buffer_of(std::vector<int>(16));
    CHECK(refusal(launch_of(*program, "k", {1, 1, 1}, {1, 1, 1}, {u.get()})) ==
          fmt::format("the kernel 'k' cannot be launched: it needs {} bytes of local memory, {} has {}", 4 * most,
                      pocl().name, most));
}

TEST_CASE("a buffer larger than the device allows is refused with both numbers of bytes") {
    const std::uint64_t most = pocl().allocation_bytes;
    CHECK(message_of([&] { opened().allocate(most + 1, nullptr, nullptr); }) ==
          fmt::format(
              "the backend plugin 'opencl' failed to allocate: a buffer of {} bytes is too large: {} allows {} bytes "
              "in one buffer",
              most + 1, pocl().name, most));
}

TEST_CASE("after a refusal the device goes on") {
    const auto program = load(add);
    const auto a = buffer_of(ramp(16, 0)), c = buffer_of(ramp(16, 0));
    const launch_command good =
        launch_of(*program, "add", {16, 1, 1}, {16, 1, 1}, {a.get(), a.get(), c.get(), bytes_of(1.0f), bytes_of(0)});
    launch_command bad = good;
    bad.kernel = "none";
    const command both[] = {good, bad};
    CHECK_THROWS(opened().run(both));
    const command fine[] = {good};
    CHECK(opened().run(fine) > 0);
    CHECK(contents<float>(*c, 16)[15] == 30);
}
