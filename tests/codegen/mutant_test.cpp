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
constexpr const char* text = R"(
stencil mutants(x, y, z) {
    field u { x-: periodic; x+: fixed; y-: mirror; y+: constant(0.25); z-: clamp; z+: mirror }
    field v { x-: mirror; x+: constant(-0.5); y-: clamp; y+: fixed; z: periodic }
    coef  k
    u[t+1] = 0.31*u + k*(0.07*u[x-1] + 0.11*u[x+1] + 0.13*u[y-1] + 0.05*u[y+1] + 0.17*u[z-1] + 0.03*u[z+1, x+1]) + 0.09*v[x+2]
    v[t+1] = 0.4*v[x-1] + 0.2*v[y+1, z-1] + max(0.3*u[t+1, x+1], 0.1*u[t+1, y-1])
}
)";

struct scheme {
    const char* name;
    schedule how;
};

std::vector<scheme> schemes() {
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
    return {{"local memory", local}, {"vectors", vector}, {"images", image}};
}

/// Halo kernels are the same in every scheme: their faults are tried in the first one.
bool is_of_halo(const mutant& m) {
    return m.what.find("_halo: ") != std::string::npos;
}

/// Where two programs do not compute the same bits, halo included, from several random states; "" when they do. Each
/// begins in a process that no other program has written to.
std::string unlike_results(device_evaluator& on, const stencil& s, extent3 size, const program& a, const program& b) {
    const auto results = [&](const program& p) {
        const built_program built = build(on.compilers(), p);
        on.session().restart();
        std::vector<interpreter_state> all;
        for (std::uint64_t seed = 100; seed < 103; ++seed) {
            all.push_back(on.session().execute(s, built, {}, random_state(s, size, seed), 3));
        }
        return all;
    };
    const std::vector<interpreter_state> expected = results(a);
    try {
        const std::vector<interpreter_state> got = results(b);
        std::string first;
        for (std::size_t i = 0; i < got.size() && first.empty(); ++i) {
            first = difference(s, expected[i], got[i]);
        }
        return first;
    } catch (const worker_fault& fault) {
        return fault.what();
    }
}

} // namespace

TEST_CASE("verification catches the faults that a generator could have", "[mutants]") {
    const backend_choice backend{test_backend().file.string(), check_options(test_backend(), {}).all()};
    const device_info device = open_test_device().info;
    const stencil s = dsl::compile(std::make_shared<source>(source{"mutants.gst", text})).front();
    const extent3 size{23, 7, 6};
    // The short version takes every n-th mutant; GST_TEST_LONG=1 all of them.
    const std::size_t stride = std::getenv("GST_TEST_LONG") ? 1 : 16;
    std::size_t tried = 0;
    std::map<std::string_view, std::size_t> outcomes_of_all;
    std::vector<std::string> survivors, missed;
    for (const scheme& scheme : schemes()) {
        const lowered_program right = lower(s, size, layout_kind::padded, scheme.how);
        std::vector<mutant> mutants;
        std::vector<mutant> all = mutants_of(right);
        if (tried > 0) {
            std::erase_if(all, is_of_halo);
        }
        for (std::size_t i = 0; i < all.size(); i += stride) {
            mutants.push_back(all[i]);
        }
        // A space whose only parameter says which mutant; 0 is the right program.
        parameter which;
        which.name = "mutant";
        for (std::size_t i = 0; i <= mutants.size(); ++i) {
            which.domain.emplace_back(static_cast<std::int64_t>(i));
        }
        which.neutral = std::int64_t{0};
        const space numbers({which}, {});
        workload w{s, size, {}, numbers, {}, {}, make_verification(s, size, layout_kind::padded, device.language), 1};
        w.generate = [&](const configuration& c) {
            return spell(c[0] == 0 ? right : mutants[c[0] - 1u].program, device.language);
        };
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
        INFO(scheme.name << ": " << outcomes[0].message);
        REQUIRE(outcomes[0].outcome == status::correct);
        for (std::size_t i = 0; i < mutants.size(); ++i) {
            ++tried;
            ++outcomes_of_all[name_of(outcomes[i + 1].outcome)];
            if (outcomes[i + 1].outcome == status::correct) {
                survivors.push_back(fmt::format("{}: {}", scheme.name, mutants[i].what));
                const std::string unlike = unlike_results(evaluator, s, size, spell(right, device.language),
                                                          spell(mutants[i].program, device.language));
                if (!unlike.empty()) {
                    missed.push_back(fmt::format("{}: {}", survivors.back(), unlike));
                }
            }
        }
    }
    std::cout << fmt::format("{} mutants, {} caught ({:.1f} %)\n", tried, tried - survivors.size(),
                             100.0 * static_cast<double>(tried - survivors.size()) / static_cast<double>(tried));
    for (const auto& [outcome, count] : outcomes_of_all) {
        std::cout << fmt::format("  {}: {}\n", outcome, count);
    }
    for (const std::string& one : survivors) {
        std::cout << "  survives: " << one << "\n";
    }
    CHECK(missed == std::vector<std::string>{});
    CHECK(static_cast<double>(tried - survivors.size()) >= 0.95 * static_cast<double>(tried));
}
