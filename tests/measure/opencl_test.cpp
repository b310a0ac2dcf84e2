#include "core/base/error.hpp"
#include "core/codegen/generate.hpp"
#include "core/codegen/presets.hpp"
#include "core/measure/choose_device.hpp"
#include "core/measure/device_evaluator.hpp"
#include "core/measure/list_devices.hpp"
#include "core/tune/workload.hpp"
#include "tests/catch.hpp"
#include "tests/several_steps.hpp"

using namespace gst;

/// The real thing on the OpenCL device of this machine, through worker processes.
namespace {

struct machine {
    backend_choice backend{GST_BINARY_DIR "/lib/gst/backend_opencl.so", {}};
    device_info device = choose_device(list_devices(backend), "cpu");
};

const machine& here() {
    static const machine m;
    return m;
}

/// u[t+1] = u + alpha * (u[x-1] + u[x+1] + u[y-1] + u[y+1] - 4*u) - 0.01*(u - u[t-1]), with every kind of boundary.
stencil waves() {
    using enum ir::binary_op;
    stencil s;
    s.name = "waves";
    s.dimensions = 2;
    s.parameters = {{"alpha", 0.1}};
    field u{"u", scalar::f32, scalar::f32, false, {}, 0, {}};
    u.faces[0] = {boundary{boundary_kind::periodic, 0}, boundary{boundary_kind::periodic, 0}};
    u.faces[1] = {boundary{boundary_kind::constant, 0.5}, boundary{boundary_kind::fixed, 0}};
    s.fields = {u};
    stencil_builder b(s);
    const node_id here = b.read(0, 0, {0, 0, 0});
    node_id sum = b.binary(add, b.read(0, 0, {-1, 0, 0}), b.read(0, 0, {1, 0, 0}));
    sum = b.binary(add, sum, b.binary(add, b.read(0, 0, {0, -1, 0}), b.read(0, 0, {0, 1, 0})));
    sum = b.binary(subtract, sum, b.binary(multiply, b.number(4, scalar::f32), here));
    const node_id alpha = b.add({ir::parameter{0}, scalar::f32});
    const node_id damped =
        b.binary(multiply, b.number(0.01, scalar::f32), b.binary(subtract, here, b.read(0, -1, {0, 0, 0})));
    s.updates = {{0, b.binary(subtract, b.binary(add, here, b.binary(multiply, alpha, sum)), damped)}};
    infer_reach(s);
    verify(s);
    return s;
}

workload work_on(extent3 size) {
    const stencil s = waves();
    return make_workload({s, size, layout_kind::padded, {0.1}, make_space("garvey", s, size), 1}, here().device);
}

measuring quick() {
    measuring m;
    m.timing.min_repetitions = 2;
    m.timing.max_repetitions = 2;
    m.timing.repetition_ms = 0.1;
    return m;
}

} // namespace

TEST_CASE("generated programs are verified and timed on the OpenCL device") {
    const std::uint64_t seed = 17;
    INFO("seed " << seed);
    const workload w = work_on({67, 45, 1});
    device_evaluator evaluator(w, here().backend, here().device, quick());
    const setup_report& setup = evaluator.prepare();
    CHECK(setup.unchecked == 0);
    random_source rng(seed);
    std::vector<configuration> batch;
    for (int i = 0; i < 12; ++i) {
        batch.push_back(w.space.sample(rng));
    }
    const auto got = evaluator.measure(batch);
    for (std::size_t i = 0; i < batch.size(); ++i) {
        INFO(w.space.to_string(batch[i]) << ": " << got[i].message);
        CHECK(name_of(got[i].outcome) == name_of(status::correct));
        CHECK(got[i].time > 0);
        CHECK(got[i].metrics.at("error_of_bound") <= 1);
    }
}

TEST_CASE("a generated program with a changed coefficient, offset or bound is caught") {
    const workload w = work_on({67, 45, 1});
    const program right = generate(w.stencil, w.size, padded_rows, default_schedule(w.size), here().device.language);
    device_evaluator evaluator(w, here().backend, here().device, quick());
    CHECK(evaluator.measure_program(right).outcome == status::correct);
    program wrong = right;
    std::string& text = wrong.modules.at(0).text;
    const std::size_t at = text.find("0.01f");
    REQUIRE(at != std::string::npos);
    text.replace(at, 5, "0.01001f");
    const measurement m = evaluator.measure_program(wrong);
    CHECK(m.outcome == status::correctness);
    CHECK_THAT(m.message, Catch::Matchers::ContainsSubstring(" wrong points; the first: u at ("));
}

TEST_CASE("a program of two steps per call is verified, with what is left over, and timed") {
    const workload w = work_on({67, 45, 1});
    const program single = generate(w.stencil, w.size, padded_rows, default_schedule(w.size), here().device.language);
    const program right = several_steps(single, 2);
    device_evaluator evaluator(w, here().backend, here().device, quick());
    const measurement m = evaluator.measure_program(right);
    CHECK(m.message == "");
    CHECK(m.outcome == status::correct);
    CHECK(m.time > 0);
    CHECK(m.metrics.at("error_of_bound") <= 1);
    program wrong = right; // no halo is filled after the single step
    REQUIRE(wrong.remainder.size() == 2);
    wrong.remainder.pop_back();
    CHECK(evaluator.measure_program(wrong).outcome == status::correctness);
    wrong = right;
    wrong.remainder.erase(wrong.remainder.begin());
    CHECK(evaluator.measure_program(wrong).outcome == status::correctness);
    wrong = right; // nor after the first step of a call
    wrong.call.erase(wrong.call.begin() + 1);
    CHECK(evaluator.measure_program(wrong).outcome == status::correctness);
    CHECK(evaluator.measure_program(single).outcome == status::correct);
}

TEST_CASE("a program that does not compile has its log as message") {
    const workload w = work_on({67, 45, 1});
    program broken = generate(w.stencil, w.size, padded_rows, default_schedule(w.size), here().device.language);
    broken.modules.at(0).text += "\nthis is no C\n";
    device_evaluator evaluator(w, here().backend, here().device, quick());
    const measurement m = evaluator.measure_program(broken);
    CHECK(m.outcome == status::compile);
    CHECK_THAT(m.message, Catch::Matchers::ContainsSubstring("error"));
}

TEST_CASE("a time loop on the device gives what the interpreter gives") {
    const stencil s = waves();
    const extent3 size{33, 21, 1};
    compile_pool compilers(here().backend, here().device, {}, 1);
    device_session session(here().backend, here().device, {});
    interpreter_state state = make_state(s, size);
    random_source rng(4);
    for (auto& level : state.levels[0]) {
        for (double& v : level.data) {
            v = static_cast<double>(static_cast<float>(rng.uniform()));
        }
    }
    const int per_call = GENERATE(1, 2);
    const int steps = GENERATE(20, 21);
    INFO(steps << " steps, " << per_call << " per call");
    const program p =
        several_steps(generate(s, size, padded_rows, default_schedule(size), here().device.language), per_call);
    const interpreter_state got = session.execute(s, build(compilers, p), std::vector{0.1}, state, steps);
    interpret(s, state, std::vector{0.1}, steps);
    CHECK(got.step == state.step);
    for (std::size_t age = 0; age < 2; ++age) {
        for (std::int64_t y = 0; y < size[1]; ++y) {
            for (std::int64_t x = 0; x < size[0]; ++x) {
                REQUIRE(got.levels[0][age].at(x, y) == Approx(state.levels[0][age].at(x, y)).margin(1e-5));
            }
        }
    }
}
