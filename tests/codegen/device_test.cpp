#include "core/base/random.hpp"
#include "core/codegen/generate.hpp"
#include "tests/catch.hpp"
#include "tests/codegen/execute.hpp"
#include "tests/stencil/random_stencil.hpp"
#include "tests/stencil/same.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>

using namespace gst;
using namespace gst::testing;

namespace {

/// Programs to try; the long version (GST_TEST_LONG) tries more.
int cases() {
    return std::getenv("GST_TEST_LONG") ? 2000 : 200;
}

/// A schedule that both the grid and the device allow, often with work-groups that the grid does not fill.
schedule random_schedule(random_source& rng, extent3 size, const device_info& device) {
    schedule s;
    std::uint64_t work_items = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto power = [&](std::uint64_t most) {
            std::uint64_t v = 1;
            while (v * 2 <= most && rng.below(2) == 1) {
                v *= 2;
            }
            return v;
        };
        const auto n = static_cast<std::uint64_t>(size[axis]);
        s.work_group[axis] = power(std::min<std::uint64_t>(n, 64 / work_items));
        work_items *= s.work_group[axis];
        s.block[axis] = power(n / s.work_group[axis]);
        s.cyclic[axis] = power(n / (s.work_group[axis] * s.block[axis]));
    }
    while (s.vector_width * 2 <= 16 && static_cast<std::uint64_t>(s.vector_width) * 2 <= s.block[0] &&
           rng.below(3) > 0) {
        s.vector_width *= 2;
    }
    s.local = rng.below(3) == 0;
    s.image = device.images && rng.below(4) == 0;
    s.image_width = 8192;
    s.vector_arithmetic = rng.below(2) == 0;
    s.streaming_stores = rng.below(2) == 0;
    return s;
}

bool has_half_arithmetic(const stencil& s) {
    for (const node& n : s.nodes) {
        if (n.type == scalar::f16 && !std::holds_alternative<ir::read>(n.op)) {
            return true;
        }
    }
    return false;
}

/// A field that no update writes but that is read at earlier times: programs hold one level of it.
bool has_unwritten_history(const stencil& s) {
    for (std::size_t f = 0; f < s.fields.size(); ++f) {
        const bool written =
            std::any_of(s.updates.begin(), s.updates.end(), [&](const update& u) { return u.field == f; });
        if (!written && s.fields[f].history > 0) {
            return true;
        }
    }
    return false;
}

/// The first point where a program's result is farther from the interpreter's than the error bound, in words; "" when
/// none is.
std::string wrong_point(const stencil& s, const error_companion& bounds, const interpreter_state& expected,
                        const interpreter_state& got) {
    for (std::size_t f = 0; f < s.fields.size(); ++f) {
        for (std::size_t age = 0; age < got.levels[f].size(); ++age) {
            const field_values& want = expected.levels[f][age];
            const field_values& have = got.levels[f][age];
            const int e = bounds.error_field[f];
            for (std::size_t i = 0; i < want.data.size(); ++i) {
                const double bound = e < 0 ? 0 : 2 * expected.levels[static_cast<std::size_t>(e)][age].data[i];
                if (!same(want.data[i], have.data[i]) && !(std::abs(want.data[i] - have.data[i]) <= bound) &&
                    std::isfinite(bound)) {
                    return fmt::format("{} at t-{}, element {}: {} instead of {}, bound {}", s.fields[f].name, age, i,
                                       have.data[i], want.data[i], bound);
                }
            }
        }
    }
    return "";
}

} // namespace

TEST_CASE("random programs compute what the interpreter computes") {
    test_device on = open_test_device();
    const std::uint64_t first = first_seed();
    std::cout << "device property test: GST_TEST_SEED=" << first << " on " << on.info.name << "\n";
    int ran = 0;
    for (int i = 0; ran < cases(); ++i) {
        random_source rng(first * 1000003 + static_cast<std::uint64_t>(i));
        const stencil s = random_stencil(rng);
        if ((has_half_arithmetic(s) && !on.info.f16) || has_unwritten_history(s)) {
            continue;
        }
        ++ran;
        const extent3 size = random_grid(s, rng, 3000);
        const std::vector<double> parameters = random_parameters(s, rng);
        schedule how = random_schedule(rng, size, on.info);
        const bool has_half =
            std::any_of(s.fields.begin(), s.fields.end(), [](const field& f) { return f.type == scalar::f16; });
        how.image = how.image && !has_half; // PoCL has no half images that can be relied on
        const layout_kind kind = rng.below(4) == 0 ? layout_kind::raw : layout_kind::padded;
        interpreter_state start = random_state(s, size, rng.next());
        interpret(s, start, parameters, 0);
        start.step = static_cast<std::int64_t>(rng.below(5));
        const int steps = 1 + static_cast<int>(rng.below(4));

        const error_companion bounds = with_error_bounds(s);
        interpreter_state expected = make_state(bounds.program, size);
        for (std::size_t f = 0; f < s.fields.size(); ++f) {
            expected.levels[f] = start.levels[f];
        }
        expected.step = start.step;
        interpret(bounds.program, expected, parameters, steps);

        const program p = generate(s, size, kind, how, on.info.language);
        INFO("case " << i << ", " << steps << " steps, " << to_string(how) << "\n"
                     << dump(s) << p.modules[0].text << (p.modules.size() > 1 ? p.modules[1].text : ""));
        const interpreter_state got = execute(on, p, s, start, parameters, steps);
        const std::string wrong = wrong_point(s, bounds, expected, got);
        CHECK(wrong == "");
        if (!wrong.empty()) {
            break;
        }
    }
}
