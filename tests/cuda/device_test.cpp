#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "core/codegen/emit.hpp"
#include "tests/catch.hpp"
#include "tests/cuda/support.hpp"
#include "tests/device_data.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <iostream>
#include <limits>
#include <numeric>

using namespace gst;
using namespace gst::test;

// These run on the first CUDA device; without one they are skipped, and say so.

namespace {

const std::vector<device_info>& gpus() {
    static const std::vector<device_info> all = [] {
        std::vector<device_info> found;
        try {
            found = cuda().devices();
        } catch (const machine_error& e) {
            std::cout << "skipped: " << e.what() << "\n";
        }
        return found;
    }();
    return all;
}

std::unique_ptr<executable> load(const std::string& text) {
    return opened().load(cuda().compile(gpus().front(), {text, cuda_dialect().compile_options}));
}

using arguments = std::vector<launch_argument>;

launch_command launch_of(executable& from, const std::string& kernel, range3 global, range3 local, arguments all) {
    return {&from, kernel, global, local, {0, 0, 0}, std::move(all)};
}

double run(const command& c) {
    return opened().run({&c, 1});
}

std::string refusal(const command& c) {
    const std::string text = message_of([&] { run(c); });
    const std::string begin = "the backend plugin 'cuda' failed to run a program: ";
    return text.starts_with(begin) ? text.substr(begin.size()) : text;
}

const std::string add =
    "extern \"C\" __global__ void __launch_bounds__(16) add(const float* a, float* b, float by, int at) {\n"
    "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    b[i] = a[i] * by + at;\n"
    "}\n";

/// Every element read from an image over the buffer, as the dialect spells it.
template<class T>
std::vector<T> through_an_image(const std::vector<T>& values, scalar type) {
    nest::kernel k;
    k.name = "k";
    k.work_group = {16, 1, 1};
    k.formals = {{nest::formal::kind::output, "to", type}, {nest::formal::kind::image, "image", type}};
    const nest::value n = nest::make(nest::work_item{nest::id::global, 0}, nest::type::index);
    k.body = {{nest::store{"to", n, nest::make(nest::image_load{"image", n, type, 16}, nest::register_type(type)), type,
                           false}}};
    const auto program = load(emit({k}, cuda_dialect(), false));
    const image_shape shape{16, values.size() / 16, type};
    const auto from = buffer_of(values), to = buffer_of(std::vector<T>(values.size()));
    const auto image = opened().allocate(values.size() * sizeof(T), &shape, from.get());
    CHECK(run(copy_command{from.get(), image.get(), values.size() * sizeof(T)}) == 0); // they are the same bytes
    run(launch_of(*program, "k", {values.size(), 1, 1}, {16, 1, 1}, {to.get(), image.get()}));
    return contents<T>(*to, values.size());
}

} // namespace

device& gst::test::opened() {
    static const std::unique_ptr<device> d = cuda().open(gpus().front());
    return *d;
}

TEST_CASE("a CUDA device is described in full") {
    for (const device_info& d : gpus()) {
        CHECK(d.backend == "cuda");
        CHECK(d.id.rfind("GPU-", 0) == 0);
        CHECK(d.type == "gpu");
        CHECK(d.architecture.rfind("sm_", 0) == 0);
        CHECK(d.driver.find("CUDA ") != std::string::npos);
        CHECK(d.compute_units > 0);
        CHECK(d.memory_bytes > 0);
        CHECK(d.cache_bytes > 0);
        CHECK(d.local_bytes >= 48 * 1024);
        CHECK(d.work_group == 1024);
        CHECK(d.work_items == std::array<std::uint64_t, 3>{1024, 1024, 64});
        CHECK(d.work_groups == std::array<std::uint64_t, 3>{2147483647, 65535, 65535});
        CHECK(d.image_width * d.image_height >= std::uint64_t{1} << 27);
        const device_info published = cuda().architecture(d.architecture);
        CHECK(published.local_bytes == d.local_bytes);
        CHECK(published.work_items == d.work_items);
        std::cout << fmt::format("{}, {}, {}, {} × {} texels\n", d.name, d.architecture, d.driver, d.image_width,
                                 d.image_height);
    }
}

TEST_CASE("a device that is gone is a machine_error") {
    if (gpus().empty()) {
        return;
    }
    device_info gone = gpus().front();
    gone.id = "GPU-0";
    CHECK_THROWS_AS(cuda().open(gone), machine_error);
}

TEST_CASE("launches get buffers and scalars, run in order and are timed") {
    if (gpus().empty()) {
        return;
    }
    std::vector<float> ramp(64);
    std::iota(ramp.begin(), ramp.end(), 0.0f);
    const auto a = buffer_of(ramp), b = buffer_of(std::vector<float>(64));
    const auto program = load(add);
    const command all[] = {
        launch_of(*program, "add", {64, 1, 1}, {16, 1, 1}, {a.get(), b.get(), bytes_of(2.0f), bytes_of(1)}),
        copy_command{b.get(), a.get(), 128},
        launch_of(*program, "add", {64, 1, 1}, {16, 1, 1}, {a.get(), a.get(), bytes_of(1.0f), bytes_of(100)})};
    CHECK(opened().run(all) > 0);
    CHECK(opened().run({}) == 0);
    const std::vector<float> got = contents<float>(*a, 64);
    CHECK(got[3] == 107);
    CHECK(got[40] == 140);
    const named_numbers metrics = program->metrics();
    CHECK(metrics.at("registers") > 0);
    CHECK(metrics.at("work_group_limit") == 16);
    CHECK(metrics.at("occupancy") > 0);
    CHECK(metrics.at("occupancy") <= 1);
}

TEST_CASE("a device tells its clocks, temperature and power right after it has worked") {
    if (gpus().empty()) {
        return;
    }
    const named_numbers state = opened().state();
    CHECK(state.at("clock_mhz") > 100);
    CHECK(state.at("memory_clock_mhz") > 100);
    CHECK(state.at("temperature_c") > 5);
    CHECK(state.at("temperature_c") < 120);
    CHECK(state.at("power_w") > 5);
    CHECK(state.at("throttle_reasons") >= 0);
}

TEST_CASE("a launch that does not fit its kernel or the device is refused with the reason") {
    if (gpus().empty()) {
        return;
    }
    const auto program = load(add);
    const auto a = buffer_of(std::vector<float>(64));
    const arguments right{a.get(), a.get(), bytes_of(1.0f), bytes_of(0)};
    const std::string name = gpus().front().name, begin = "the kernel 'add' cannot be launched: ";
    CHECK(refusal(launch_of(*program, "add", {32, 1, 1}, {32, 1, 1}, right)) ==
          begin + "a work-group of 32 × 1 × 1 is 32 work-items, " + name + " allows 16 for this kernel");
    CHECK(refusal(launch_of(*program, "add", {24, 1, 1}, {16, 1, 1}, right)) ==
          begin + "24 × 1 × 1 work-items are not a multiple of work-groups of 16 × 1 × 1");
    CHECK(refusal(launch_of(*program, "add", {1, 65536, 1}, {1, 1, 1}, right)) ==
          begin + "it needs 65536 work-groups along y, " + name + " allows 65535");
    CHECK(refusal(launch_of(*program, "add", {16, 1, 1}, {16, 1, 1}, {a.get()})) ==
          begin + "it has 4 arguments, not 1");
    CHECK(refusal(launch_of(*program, "plus", {16, 1, 1}, {16, 1, 1}, right)) == "the program has no kernel 'plus'");
    arguments wide = right;
    wide[2] = bytes_of(1.0);
    CHECK(refusal(launch_of(*program, "add", {16, 1, 1}, {16, 1, 1}, wide)) ==
          "argument 2 of the kernel 'add' has 4 bytes, not 8");
    CHECK(refusal(launch_of(*program, "add", {16, 1, 1}, {16, 1, 1}, right)) == ""); // the device goes on
}

TEST_CASE("bytes that are no binary and buffers that are too large are refused") {
    if (gpus().empty()) {
        return;
    }
    CHECK_THROWS_WITH(
        opened().load({"not a binary", "", {}}),
        Catch::Matchers::ContainsSubstring("CUDA cannot load a binary of 12 bytes: CUDA_ERROR_INVALID_IMAGE (200)"));
    CHECK_THROWS_WITH(opened().allocate(gpus().front().memory_bytes + 1, nullptr, nullptr),
                      Catch::Matchers::ContainsSubstring("is too large"));
    CHECK_THROWS_WITH(opened().allocate(gpus().front().memory_bytes, nullptr, nullptr),
                      Catch::Matchers::ContainsSubstring("does not fit"));
}

TEST_CASE("a kernel gets as much local memory as the device has, and no more") {
    if (gpus().empty()) {
        return;
    }
    const std::uint64_t most = gpus().front().local_bytes;
    for (const std::uint64_t bytes : {std::uint64_t{40000}, std::uint64_t{60000}, most, most + 16}) {
        nest::kernel k;
        k.name = "k";
        k.work_group = {32, 1, 1};
        k.formals = {{nest::formal::kind::output, "u", scalar::f32}};
        k.locals = {{scalar::f32, "a", 8}, {scalar::f32, "b", static_cast<std::int64_t>(bytes / 4 - 8)}};
        const nest::value item = nest::make(nest::work_item{nest::id::local, 0}, nest::type::index);
        const nest::value last = nest::number(static_cast<std::int64_t>(bytes / 4 - 9));
        const auto held = [](const char* name, const nest::value& at) {
            return nest::make(nest::load{name, at, scalar::f32, true}, nest::type::f32);
        };
        k.body = {{nest::store{"a", nest::number(7), nest::real_number(1, nest::type::f32), scalar::f32, true}},
                  {nest::store{"b", item, nest::real_number(2, nest::type::f32), scalar::f32, true}},
                  {nest::store{"b", last, nest::real_number(4, nest::type::f32), scalar::f32, true}},
                  {nest::barrier{}},
                  {nest::store{"u", nest::number(0),
                               held("a", nest::number(7)) + held("b", nest::number(31) - item) + held("b", last),
                               scalar::f32, false}}};
        const auto program = load(emit({k}, cuda_dialect(), false));
        const auto u = buffer_of(std::vector<float>(4));
        const std::string text = refusal(launch_of(*program, "k", {32, 1, 1}, {32, 1, 1}, {u.get()}));
        if (bytes > most) {
            CHECK(text == fmt::format("the kernel 'k' cannot be launched: it needs {} bytes of local memory, {} has {}",
                                      bytes, gpus().front().name, most));
        } else {
            CHECK(text == "");
            CHECK(contents<float>(*u, 1)[0] == 7);
            CHECK(program->metrics().at("local_bytes") >= static_cast<double>(bytes - 32)); // `a` may go
        }
    }
}

// ptxas 13.0 forgot the sign, see cuda_text.cpp.
TEST_CASE("the largest of three integers, one of them negated") {
    if (gpus().empty()) {
        return;
    }
    nest::kernel k;
    k.name = "k";
    k.formals = {{nest::formal::kind::output, "to", scalar::i32}, {nest::formal::kind::input, "from", scalar::i32}};
    const auto from = [](int n) {
        return nest::make(nest::load{"from", nest::number(n), scalar::i32, false}, nest::type::i32);
    };
    const auto larger = [](const nest::value& a, const nest::value& b) {
        return nest::binary_value(ir::binary_op::maximum, a, b);
    };
    const auto negated = [](const nest::value& a) {
        return nest::make(nest::unary{ir::unary_op::negate, a}, nest::type::i32);
    };
    const nest::value zero = nest::number(0, nest::type::i32), minus_one = nest::number(-1, nest::type::i32);
    const nest::value forms[] = {negated(from(1)), zero - from(1), from(1) * minus_one};
    for (const nest::value& minus_nine : forms) {
        k.body = {
            {nest::store{"to", nest::number(0), larger(larger(from(0), minus_nine), from(2)), scalar::i32, false}}};
        const auto program = load(emit({k}, cuda_dialect(), false));
        const auto to = buffer_of(std::vector<std::int32_t>(4));
        const auto values = buffer_of(std::vector<std::int32_t>{5, 9, 0, 0});
        run(launch_of(*program, "k", {1, 1, 1}, {1, 1, 1}, {to.get(), values.get()}));
        CHECK(contents<std::int32_t>(*to, 1)[0] == 5);
    }
}

TEST_CASE("the reciprocals of roots of normal numbers, infinity and NaN") {
    if (gpus().empty()) {
        return;
    }
    using limits = std::numeric_limits<double>;
    std::vector<double> values{limits::infinity(), limits::quiet_NaN(), limits::min(), limits::max(), 1, 2, 4, 0.25};
    random_source rng(11);
    while (values.size() < 1 << 16) {
        values.push_back(std::ldexp(1 + rng.uniform(), static_cast<int>(rng.below(2046)) - 1022));
    }
    nest::kernel k;
    k.name = "k";
    k.work_group = {64, 1, 1};
    k.formals = {{nest::formal::kind::output, "to", scalar::f64}, {nest::formal::kind::input, "from", scalar::f64}};
    const nest::value n = nest::make(nest::work_item{nest::id::global, 0}, nest::type::index);
    const nest::value a = nest::make(nest::load{"from", n, scalar::f64, false}, nest::type::f64);
    k.body = {{nest::store{"to", n, nest::make(nest::reciprocal_root{a, true}, nest::type::f64), scalar::f64, false}}};
    const auto program = load(emit({k}, cuda_dialect(), false));
    const auto from = buffer_of(values), to = buffer_of(std::vector<double>(values.size()));
    run(launch_of(*program, "k", {values.size(), 1, 1}, {64, 1, 1}, {to.get(), from.get()}));
    const std::vector<double> roots = contents<double>(*to, values.size());
    CHECK(roots[0] == 0);
    CHECK(std::isnan(roots[1]));
    std::size_t far = 0;
    for (std::size_t i = 2; i < values.size(); ++i) {
        const long double exact = 1 / std::sqrt(static_cast<long double>(values[i]));
        const double near = static_cast<double>(exact);
        const long double unit = std::nextafter(near, limits::infinity()) - near;
        far += std::abs(roots[i] - exact) <= 2 * unit ? 0 : 1; // a NaN is
    }
    CHECK(far == 0);
}

TEST_CASE("elements of every type are read from an image over a buffer") {
    if (gpus().empty()) {
        return;
    }
    std::vector<float> f(160);
    std::vector<double> d(160);
    std::vector<std::int32_t> i(160);
    std::vector<std::uint16_t> h(160);
    for (int k = 0; k < 160; ++k) {
        const auto at = static_cast<std::size_t>(k);
        f[at] = static_cast<float>(k) * -1.37f;
        d[at] = k * 1.23456789e-3;
        i[at] = -7 * k;
        h[at] = static_cast<std::uint16_t>(0x3c00 + k);
    }
    CHECK(through_an_image(f, scalar::f32) == f);
    CHECK(through_an_image(d, scalar::f64) == d);
    CHECK(through_an_image(i, scalar::i32) == i);
    CHECK(through_an_image(h, scalar::f16) == h);
}

// By itself: the process can do nothing with the device afterwards.
TEST_CASE("a fault of a kernel is told as one that the process does not outlive", "[.lost]") {
    if (gpus().empty()) {
        return;
    }
    const auto program = load("extern \"C\" __global__ void k(float* u) { u[1ll << 40] = 1; }");
    const auto u = buffer_of(std::vector<float>(4));
    const std::string text = refusal(launch_of(*program, "k", {1, 1, 1}, {1, 1, 1}, {u.get()}));
    CAPTURE(text);
    CHECK(text.find("CUDA_ERROR_ILLEGAL_ADDRESS (700)") != std::string::npos);
    CHECK(text.find("; this process has lost the device") != std::string::npos);
    CHECK_THROWS(opened().allocate(16, nullptr, nullptr));
}
