#include "core/host/check_options.hpp"
#include "core/measure/device_evaluator.hpp"
#include "core/tune/workload.hpp"
#include "dsl/dsl.hpp"
#include "tests/catch.hpp"
#include "tests/codegen/execute.hpp"
#include "tests/codegen/mutate.hpp"
#include "tests/stencil/random_stencil.hpp"
#include "tests/stencil/same.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <iostream>
#include <map>

using namespace gst;
using namespace gst::testing;

namespace {

/// Distinct weights, every kind of boundary, a coefficient and a second stage, so that no fault hides behind a
/// symmetry; halos that never change where rows and planes end, so that no kernel covers up what another wrote there.
constexpr const char* staged = R"(
stencil mutants(x, y, z) {
    field u { x-: periodic; x+: fixed; y-: mirror; y+: constant(0.25); z-: clamp; z+: mirror }
    field v { x-: mirror; x+: constant(-0.5); y-: clamp; y+: fixed; z: periodic }
    coef  k
    u[t+1] = 0.31*u + k*(0.07*u[x-1] + 0.11*u[x+1] + 0.13*u[y-1] + 0.05*u[y+1] + 0.17*u[z-1] + 0.03*u[z+1, x+1]) + 0.09*v[x+2]
    v[t+1] = 0.4*v[x-1] + 0.2*v[y+1, z-1] + max(0.3*u[t+1, x+1], 0.1*u[t+1, y-1])
}
)";

// For temporal blocking, which has rules of its own for each kind of boundary across the streaming axis and along it.
constexpr const char* star = R"(
stencil mutants(x, y) {
    field u { x-: clamp; x+: mirror; y-: constant(0.25); y+: fixed }
    coef  k
    u[t+1] = 0.31*u + k*(0.07*u[x-1] + 0.11*u[x+1]) + 0.13*u[y-1] + 0.05*u[y+1]
}
)";
constexpr const char* wave = R"(
stencil mutants(x, y) {
    field u { x-: clamp; x+: mirror; y-: constant(0.25); y+: fixed }
    coef  k
    u[t+1] = 0.31*u - 0.4*u[t-1] + k*(0.07*u[x-1] + 0.11*u[x+1]) + 0.13*u[y-1] + 0.05*u[y+1]
}
)";
constexpr const char* turned = R"(
stencil mutants(x, y) {
    field u { x: fixed; y-: mirror; y+: clamp }
    u[t+1] = 0.31*u + 0.07*u[x-1] + 0.11*u[x+1] + 0.13*u[y-1] + 0.05*u[y+1]
}
)";
constexpr const char* box = R"(
stencil mutants(x, y) {
    field u { all: periodic }
    u[t+1] = 0.31*u + 0.07*u[x-1] + 0.11*u[x+1, y-1] + 0.13*u[x-1, y+1] + 0.05*u[y+1]
}
)";
constexpr const char* mirrored = R"(
stencil mutants(x, y) {
    field u { all: mirror }
    u[t+1] = 0.31*u + 0.07*u[x-1] + 0.11*u[x+1, y-1] + 0.13*u[x-1, y+1] + 0.05*u[y+1]
}
)";

constexpr const char* rows = R"(
stencil mutants(x, y, z) {
    field u { x: fixed; y-: constant(0.25); y+: fixed; z: fixed }
    u[t+1] = 0.31*u + 0.07*u[y-1] - 0.11*u[y+1] + 0.13*u[x-1] + 0.05*u[x-1, y-1] + 0.06*u[x-1, y+1]
           + 0.03*u[x+1, z-1] + 0.04*u[x+1, y-1, z-1] - 0.08*u[x+1, y+1, z-1] + 0.09*u[z+1]
}
)";

constexpr const char* completed = R"(
stencil mutants(x, y, z) {
    field u { x: fixed; y-: constant(0.25); y+: fixed; z: fixed }
    coef  k
    u[t+1] = 0.31*u - 0.4*u[t-1] + k*(0.07*u[y-1] - 0.11*u[y+1] + 0.13*u[x-1] + 0.03*u[x+1, z-1] + 0.09*u[z+1])
}
)";

constexpr const char* completed_at_copies = R"(
stencil mutants(x, y, z) {
    field u { x: periodic; y-: mirror; y+: clamp; z: periodic }
    coef  k
    u[t+1] = 0.31*u - 0.4*u[t-1] + k*(0.07*u[y-1] - 0.11*u[y+1] + 0.13*u[x-1] + 0.03*u[x+1, z-1] + 0.09*u[z+1])
}
)";

struct scheme {
    const char* name;
    const char* text;
    extent3 size;
    schedule how;
};

std::vector<scheme> single_steps() {
    schedule local;
    local.work_group = {4, 2, 2};
    local.cyclic = {2, 2, 1};
    local.local = true;
    schedule vector;
    vector.work_group = {2, 2, 1};
    vector.block = {4, 2, 1};
    vector.cyclic = {1, 1, 2};
    vector.vector_width = 4;
    schedule image;
    image.work_group = {4, 1, 2};
    image.image = true;
    image.image_width = 8192;
    const extent3 size{23, 7, 6};
    return {{"local memory", staged, size, local}, {"vectors", staged, size, vector}, {"images", staged, size, image}};
}

constexpr const char* long_rows = R"(
stencil mutants(x, y) {
    field u { x-: constant(0.25); x+: fixed; y: periodic }
    u[t+1] = 0.031*u[x-4] + 0.042*u[x-3] + 0.053*u[x-2] + 0.064*u[x-1] + 0.075*u + 0.066*u[x+1] + 0.057*u[x+2]
           + 0.048*u[x+3] + 0.039*u[x+4] + 0.032*u[x-4, y-1] + 0.043*u[x-3, y-1] + 0.054*u[x-2, y-1]
           + 0.065*u[x-1, y-1] + 0.076*u[y-1] + 0.067*u[x+1, y-1] + 0.058*u[x+2, y-1] + 0.049*u[x+3, y-1]
           + 0.038*u[x+4, y-1]
}
)";

std::vector<scheme> streaming() {
    schedule tiles;
    tiles.stream_axis = 1;
    tiles.stream_length = 7;
    tiles.steps = 2;
    tiles.local = true;
    tiles.work_group = {8, 1, 1};
    tiles.block = {2, 1, 1};
    tiles.vector_width = 2;
    schedule groups = tiles;
    groups.work_group = {4, 2, 1};
    groups.block = {4, 1, 1};
    groups.prefetch = groups.split_barriers = true;
    groups.vector_width = 1;
    schedule sums = tiles;
    sums.retiming = sums.skewing = sums.prefetch = true;
    sums.ahead = 2;
    schedule along_x = tiles;
    along_x.stream_axis = 0;
    along_x.work_group = {1, 8, 1};
    along_x.block = {1, 2, 1};
    along_x.vector_width = 1;
    schedule loops = tiles;
    loops.loops = true;
    loops.steps = 3;
    loops.work_group = {1, 1, 1};
    loops.block = {16, 1, 1};
    schedule halo = tiles;
    halo.steps = 1;
    halo.prefetch = halo.halo = true;
    halo.ahead = 2;
    schedule wholes = halo;
    wholes.tensor_copies = true;
    schedule kept = tiles;
    kept.prefetch = kept.coefficients = true;
    kept.ahead = 2;
    schedule together = groups;
    together.prefetch = together.group_copies = true;
    together.ahead = 2;
    schedule filtered = sums;
    filtered.stream_axis = 2;
    filtered.stream_length = 4;
    filtered.tapering = true;
    filtered.filtered_lines = 2;
    filtered.work_group = {4, 4, 1};
    filtered.block = {2, 2, 1};
    schedule columns = sums;
    columns.filtered_lines = 2;
    columns.work_group = {16, 1, 1};
    schedule stages = wholes;
    stages.stream_axis = 2;
    stages.stream_length = 4;
    stages.steps = 2;
    stages.work_group = {4, 8, 1};
    stages.block = {4, 1, 1};
    stages.halo_columns = stages.stage_tiles = true;
    stages.stage_rows = 2;
    stages.arrival = 8;
    stages.code = stage_code::loops;
    stages.retiming = true;
    stages.terms = term_order::own_row_last;
    return {{"stage groups with tiles of their own", rows, {23, 11, 6}, stages},
            {"sums that are completed", completed, {23, 11, 6}, stages},
            {"sums that are completed at faces that copy", completed_at_copies, {23, 11, 6}, stages},
            {"filtered rows", rows, {11, 7, 6}, filtered},
            {"filtered columns", long_rows, {39, 11, 1}, columns},
            {"tiles", star, {39, 11, 1}, tiles},
            {"tiles with their halo", star, {39, 11, 1}, halo},
            {"loops", star, {39, 11, 1}, loops},
            {"stage groups", turned, {39, 11, 1}, groups},
            {"shared copies", turned, {39, 11, 1}, together},
            {"partial sums", box, {39, 11, 1}, sums},
            {"along x", mirrored, {11, 39, 1}, along_x},
            {"earlier level", wave, {39, 11, 1}, kept},
            {"tiles copied as wholes", star, {39, 11, 1}, wholes}};
}

/// Halo kernels, and the single steps that end temporal blocking, are the same in every scheme: their faults are tried
/// in the first one of single steps.
bool is_of_others(const mutant& m) {
    const bool of_blocks =
        m.what.find("_steps: ") != std::string::npos || m.what.find("_copies: ") != std::string::npos;
    return m.what.find("_halo: ") != std::string::npos || (m.program.rest.steps > 1 && !of_blocks);
}

/// What a program computes from several random states, halo included, in a process that no other one has written to.
std::vector<interpreter_state> results_of(device_evaluator& on, const stencil& s, extent3 size, const program& p) {
    const built_program built = build(on.compilers(), p);
    on.session().restart();
    std::vector<interpreter_state> all;
    for (std::uint64_t seed = 100; seed < 103; ++seed) {
        all.push_back(on.session().execute(s, built, {}, random_state(s, size, seed), 2 * p.steps + 1));
    }
    return all;
}

/// Where the results are not the same bits; "" when they are.
std::string first_difference(const stencil& s, const std::vector<interpreter_state>& a,
                             const std::vector<interpreter_state>& b) {
    std::string first;
    for (std::size_t i = 0; i < a.size() && first.empty(); ++i) {
        first = difference(s, a[i], b[i]);
    }
    return first;
}

/// Where two results are not the same, those of `otherwise` take their place.
void keep_same(std::vector<interpreter_state>& a, const std::vector<interpreter_state>& b,
               const std::vector<interpreter_state>& otherwise) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t field = 0; field < a[i].levels.size(); ++field) {
            for (std::size_t age = 0; age < a[i].levels[field].size(); ++age) {
                std::vector<double>& kept = a[i].levels[field][age].data;
                for (std::size_t n = 0; n < kept.size(); ++n) {
                    if (!same(kept[n], b[i].levels[field][age].data[n])) {
                        kept[n] = otherwise[i].levels[field][age].data[n];
                    }
                }
            }
        }
    }
}

/// How a program differs from the right one; both "" when they compute the same bits.
struct unlike_results {
    std::string once;      ///< in the first of several tries
    std::string each_time; ///< in the same way in all of them: what races does something else each time
};

unlike_results compare(device_evaluator& on, const stencil& s, extent3 size, const program& right,
                       const program& other) {
    constexpr int tries = 8;
    const std::vector<interpreter_state> expected = results_of(on, s, size, right);
    std::vector<interpreter_state> kept;
    int faults = 0;
    unlike_results found;
    for (int i = 0; i < tries && (i == 0 || !found.each_time.empty()); ++i) {
        try {
            std::vector<interpreter_state> got = results_of(on, s, size, other);
            if (kept.empty()) {
                kept = std::move(got);
            } else {
                keep_same(kept, got, expected);
            }
            found.each_time = faults == 0 ? first_difference(s, expected, kept) : "";
        } catch (const worker_fault& fault) {
            found.each_time = ++faults == i + 1 ? fault.what() : "";
        }
        if (i == 0) {
            found.once = found.each_time;
        }
    }
    return found;
}

/// Whether verification catches the mutant now: what one that races does depends on what the work-group beside it does
/// at that time.
bool is_caught_again(device_evaluator& on, const configuration& mutant) {
    constexpr int tries = 8;
    for (int i = 0; i < tries; ++i) {
        if (on.measure(std::vector<configuration>{mutant}).front().outcome != status::correct) {
            return true;
        }
    }
    return false;
}

/// Tries mutants of programs under the schemes, all of launches and every so many-th one of kernels (GST_TEST_LONG=1:
/// more); those that verification does not catch must compute the same bits, and be few.
void check_mutants(const std::vector<scheme>& schemes, std::size_t every, std::size_t every_of_long,
                   double least_caught) {
    const backend_choice backend{test_backend().file.string(), check_options(test_backend(), {}).all()};
    const device_info device = open_test_device().info;
    const std::size_t stride = std::getenv("GST_TEST_LONG") ? every_of_long : every;
    const auto spelled = [&](const lowered_program& p) {
        return with_options(spell(p, device.language), quick_to_compile(device)); // of them there are thousands
    };
    std::size_t tried = 0, not_compiled = 0;
    std::map<std::string_view, std::size_t> outcomes_of_all;
    std::vector<std::string> survivors, missed;
    for (const scheme& scheme : schemes) {
        const stencil s = dsl::compile(std::make_shared<source>(source{"mutants.gst", scheme.text})).front();
        const lowered_program right = lower(s, scheme.size, padded_rows, scheme.how);
        std::vector<mutant> mutants;
        std::vector<mutant> all = mutants_of(right);
        if (tried > 0 || scheme.how.steps > 1) {
            std::erase_if(all, [](const mutant& m) { return is_of_others(m) && !m.of_launches; });
        }
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (i % stride == first_seed() % stride || all[i].of_launches) {
                mutants.push_back(all[i]);
            }
        }
        // A space whose only parameter says which mutant; 0 is the right program.
        parameter which;
        which.name = "mutant";
        for (std::size_t i = 0; i <= mutants.size(); ++i) {
            which.domain.emplace_back(static_cast<std::int64_t>(i));
        }
        which.neutral = std::int64_t{0};
        const space numbers({which}, {});
        workload w{s,
                   scheme.size,
                   {},
                   numbers,
                   {},
                   {},
                   make_verification(s, scheme.size, padded_rows, device.language,
                                     scheme.how.retiming ? summation::any_order : summation::as_written),
                   1};
        w.generate = [&](const configuration& c) { return spelled(c[0] == 0 ? right : mutants[c[0] - 1u].program); };
        measuring how;
        how.timing.min_repetitions = 1;
        how.timing.max_repetitions = 1;
        how.timing.repetition_ms = 0;
        how.limits.configuration_seconds = 5;
        how.limits.compile_seconds = 600; // a busy machine catches no mutant
        device_evaluator evaluator(w, backend, device, how);
        std::vector<configuration> batch;
        for (std::size_t i = 0; i <= mutants.size(); ++i) {
            batch.push_back({static_cast<std::uint16_t>(i)});
        }
        const std::vector<measurement> outcomes = evaluator.measure(batch);
        // LLVM 18 and 19 as PoCL 6 calls them give up on some programs: "did not reach a fixpoint".
        if (outcomes[0].outcome == status::compile &&
            outcomes[0].message.find("the compiler was ended by signal") != std::string::npos) {
            std::cout << fmt::format("{}: not tried: {}\n", scheme.name, outcomes[0].message);
            ++not_compiled;
            continue;
        }
        INFO(scheme.name << ": " << outcomes[0].message);
        REQUIRE(outcomes[0].outcome == status::correct);
        const std::size_t before = survivors.size();
        for (std::size_t i = 0; i < mutants.size(); ++i) {
            ++tried;
            ++outcomes_of_all[name_of(outcomes[i + 1].outcome)];
            if (outcomes[i + 1].outcome == status::correct) {
                survivors.push_back(fmt::format("{}: {}", scheme.name, mutants[i].what));
                const unlike_results unlike =
                    compare(evaluator, s, scheme.size, spelled(right), spelled(mutants[i].program));
                if (!unlike.once.empty() && is_caught_again(evaluator, batch[i + 1])) {
                    std::cout << fmt::format("  caught when it was tried again: {}\n", survivors.back());
                    survivors.pop_back();
                } else if (!unlike.each_time.empty()) { // verification is blind
                    missed.push_back(fmt::format("{}: {}", survivors.back(), unlike.each_time));
                } else if (!unlike.once.empty()) { // it races: Oclgrind's
                    survivors.back() += fmt::format(" (not each time: {})", unlike.once);
                }
            }
        }
        std::cout << fmt::format("{}: {} of {} mutants, {} caught\n", scheme.name, mutants.size(), all.size(),
                                 mutants.size() - (survivors.size() - before));
        for (std::size_t i = before; i < survivors.size(); ++i) {
            std::cout << "  survives: " << survivors[i] << std::endl;
        }
    }
    std::cout << fmt::format("{} mutants, {} caught ({:.1f} %)\n", tried, tried - survivors.size(),
                             100.0 * static_cast<double>(tried - survivors.size()) / static_cast<double>(tried));
    for (const auto& [outcome, count] : outcomes_of_all) {
        std::cout << fmt::format("  {}: {}\n", outcome, count);
    }
    CHECK(not_compiled <= schemes.size() / 4);
    CHECK(missed == std::vector<std::string>{});
    CHECK(static_cast<double>(tried - survivors.size()) >= least_caught * static_cast<double>(tried));
}

} // namespace

TEST_CASE("verification catches the faults that a generator could have", "[mutants]") {
    check_mutants(single_steps(), 1, 1, 0.95); // a sample would be on the other side by chance
}

TEST_CASE("verification catches the faults that a generator of streaming could have", "[mutants]") {
    // Tiles overlap: what they compute of each other's points is thrown away, and faults there are none.
    check_mutants(streaming(), 96, 8, 0.5); // seconds each to compile; few, of which many may change nothing
}
