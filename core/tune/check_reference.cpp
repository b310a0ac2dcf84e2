#include "core/tune/check_reference.hpp"

#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "core/codegen/generate.hpp"
#include "core/stencil/interpreter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gst {

namespace {

bool same(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

/// Noise in every level of the stencil's own fields; the error fields are zero.
interpreter_state noise_state(const stencil& companion, std::size_t own_fields, extent3 size, std::uint64_t seed) {
    interpreter_state state = make_state(companion, size);
    for (std::size_t f = 0; f < own_fields; ++f) {
        for (std::size_t age = 0; age < state.levels[f].size(); ++age) {
            std::uint64_t i = 0;
            for (double& v : state.levels[f][age].data) {
                const double r = noise(seed + 31 * f + age, i++);
                v = companion.fields[f].type == scalar::i32 ? std::floor(r * 4)
                                                            : static_cast<double>(static_cast<float>(r));
            }
        }
    }
    return state;
}

} // namespace

extent3 reference_grid(const stencil& s, extent3 size) {
    const offset3 reach = reach_of(s);
    extent3 small{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        small[axis] = std::min<std::int64_t>(size[axis], 2 * reach[axis] + 13);
    }
    return small;
}

void check_reference(const tuning_request& r, const device_info& device, compile_pool& compilers,
                     device_session& session) {
    const error_companion companion = with_error_bounds(r.stencil, summation_of(r.space));
    const stencil& s = companion.program;
    const extent3 size = reference_grid(r.stencil, r.size);
    int steps = 2;
    for (const field& f : s.fields) {
        steps = std::max(steps, f.levels());
    }
    interpreter_state expected = noise_state(s, r.stencil.fields.size(), size, r.data_seed);
    interpret(s, expected, r.parameters, 0); // fills the halos and rounds to the stored types
    const built_program built =
        build(compilers, generate(s, size, layout_of(r, device).alignment, default_schedule(size), device.language));
    const interpreter_state got = session.execute(s, built, r.parameters, expected, steps);
    interpret(s, expected, r.parameters, steps);

    for (std::size_t f = 0; f < r.stencil.fields.size(); ++f) {
        const int e = companion.error_field[f];
        for (std::size_t age = 0; age < expected.levels[f].size(); ++age) {
            const field_values& want = expected.levels[f][age];
            const field_values& have = got.levels[f][age];
            for (std::size_t i = 0; i < want.data.size(); ++i) {
                // The device's own bound must admit the interpreter's value, and must be a bound of the same size.
                const double bound = e < 0 ? 0 : expected.levels[static_cast<std::size_t>(e)][age].data[i];
                const double device_bound = e < 0 ? 0 : got.levels[static_cast<std::size_t>(e)][age].data[i];
                if (!std::isfinite(bound)) {
                    continue;
                }
                const bool right =
                    same(want.data[i], have.data[i]) || std::abs(want.data[i] - have.data[i]) <= 2 * bound;
                const bool bounded = device_bound <= 4 * bound + 1e-300 || !(std::abs(bound) > 0);
                if (!right || !bounded) {
                    throw machine_error(fmt::format("the device '{}' computes the plain program of '{}' wrong: "
                                                    "{}[t-{}] element {} is {} (bound {}) instead of {} "
                                                    "(bound {}) on a grid of {} × {} × {}; its compiler or driver "
                                                    "cannot be trusted, choose another device",
                                                    device.name, r.stencil.name, r.stencil.fields[f].name, age, i,
                                                    have.data[i], device_bound, want.data[i], bound, size[0], size[1],
                                                    size[2]));
                }
            }
        }
    }
}

} // namespace gst
