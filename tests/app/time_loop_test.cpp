#include "core/app/time_loop.hpp"
#include "core/run/checkpoint.hpp"
#include "tests/catch.hpp"
#include "tests/several_steps.hpp"
#include "tests/temporary_folder.hpp"

#include <cmath>
#include <fstream>

using namespace gst;

namespace {

/// u keeps two levels and v one, which is the level before it after a single step alone; v changes most.
constexpr const char* stencil_text = R"(
stencil pair(x, y) {
    field u { x: periodic; y-: fixed; y+: constant(0.5) }
    field v
    u[t+1] = 1.2*u - 0.2*u[t-1] + 0.05*(u[x-1] + u[x+1] + u[y-1] + u[y+1] - 4*u)
    v[t+1] = 10*(u[t+1] - u)
}
)";

constexpr const char* app_text = R"(
[stencil]
file = "pair.gst"
[grid]
size = [37, 23]
[run]
output = "output"
every = 3
residual = 1e-30
residual_every = 4
checkpoint = "state"
)";

struct result {
    loop_outcome outcome;
    std::map<std::string, std::string> files;
};

std::string contents(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Runs up to each number of steps, from one checkpoint to the next.
result run(int steps_per_call, const std::vector<int>& ends) {
    const temporary_folder folder;
    folder.write("pair.gst", stencil_text);
    const auto file = folder.write("app.toml", app_text);
    result r;
    for (const int end : ends) {
        const config c = read_config(file, {"run.steps=" + std::to_string(end), "run.resume=true"});
        const tuning_request request = read_request(c, read_stencil(c));
        const target t = find_target(c);
        const program p = several_steps(default_program(request, t.device), steps_per_call);
        r.outcome = run_time_loop(c, request, t, p, true, [] { return false; });
        for (const auto& path : r.outcome.written) {
            r.files[path.filename().string()] = contents(path);
        }
    }
    return r;
}

} // namespace

TEST_CASE("a run whose values are no longer finite ends where somebody looks") {
    const temporary_folder folder;
    folder.write("growing.gst", "stencil growing(x) {\n    field u\n    u[t+1] = u*u + u\n}\n");
    const auto run_with = [&](const std::string& more) {
        const auto file = folder.write(
            "app.toml", "[stencil]\nfile = \"growing.gst\"\n[grid]\nsize = [9]\n[run]\nsteps = 1000\n" + more);
        const config c = read_config(file);
        const tuning_request request = read_request(c, read_stencil(c));
        const target t = find_target(c);
        return run_time_loop(c, request, t, default_program(request, t.device), true, [] { return false; });
    };
    const loop_outcome shown = run_with("residual = 1e-3\nresidual_every = 50\n");
    CHECK(shown.diverged);
    CHECK(!shown.converged);
    CHECK(shown.steps == 50);

    const std::filesystem::path kept = folder.path() / "state.gst";
    const std::string saves = "checkpoint = \"" + kept.string() + "\"\ncheckpoint_every = ";
    CHECK(run_with(saves + "2\n").diverged);
    const run_state last = load_checkpoint(kept, read_stencil(read_config(folder.path() / "app.toml")), {9, 1, 1}, {});
    CHECK(last.step > 0);
    for (const double v : to_values(last.levels[0][0]).data) {
        CHECK(std::isfinite(v));
    }

    const loop_outcome nobody_looks = run_with("");
    CHECK(nobody_looks.diverged);
    CHECK(nobody_looks.steps == 1000);

    // Infinity is a value where the problem says so.
    const loop_outcome from_infinity = run_with("[initial.u]\nkind = \"constant\"\nvalue = inf\n");
    CHECK(!from_infinity.diverged);
    CHECK(from_infinity.steps == 1000);
}

TEST_CASE("outputs, residuals and checkpoints are the same whatever number of steps a call advances") {
    const result single = run(1, {12});
    REQUIRE(single.files.size() == 9); // two fields after 3, 6, 9 and 12 steps, and the checkpoint
    REQUIRE(single.outcome.residual);
    for (const std::vector<int>& ends : {std::vector{12}, std::vector{5, 12}, std::vector{1, 2, 8, 12}}) {
        const result several = run(2, ends);
        CHECK(several.outcome.residual == single.outcome.residual);
        for (const auto& [name, bytes] : single.files) {
            INFO(name);
            CHECK((several.files.at(name) == bytes));
        }
    }
}
