#include "tests/codegen/device_case.hpp"

#include "core/base/random.hpp"
#include "tests/catch.hpp"
#include "tests/several_steps.hpp"
#include "tests/stencil/random_stencil.hpp"
#include "tests/stencil/same.hpp"

#include <fmt/format.h>

#include <cmath>

namespace gst::testing {

namespace {

/// The first point where a program's result is farther from the interpreter's than the error bound, in words; "" when
/// none is.
std::string wrong_point(const stencil& s, const error_companion& bounds, const interpreter_state& expected,
                        const interpreter_state& got, int error_factor) {
    for (std::size_t f = 0; f < s.fields.size(); ++f) {
        for (std::size_t age = 0; age < got.levels[f].size(); ++age) {
            const field_values& want = expected.levels[f][age];
            const field_values& have = got.levels[f][age];
            const int e = bounds.error_field[f];
            for (std::size_t i = 0; i < want.data.size(); ++i) {
                const double bound =
                    e < 0 ? 0 : (1 + error_factor) * expected.levels[static_cast<std::size_t>(e)][age].data[i];
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

interpreter_state start_of(const program_case& c) {
    interpreter_state start = random_state(c.s, c.size, c.noise);
    interpret(c.s, start, c.parameters, 0); // fills the halo
    start.step = c.first_step;
    return start;
}

program program_of(const program_case& c, const dialect& language) {
    return several_steps(generate(c.s, c.size, c.alignment, c.how, language), c.per_call);
}

std::string wrong_of(test_device& on, const program_case& c, const program& p) {
    const stencil& s = c.s;
    const interpreter_state start = start_of(c);
    const error_companion bounds = with_error_bounds(s, c.how.retiming ? summation::any_order : summation::as_written);
    interpreter_state expected = make_state(bounds.program, c.size);
    for (std::size_t f = 0; f < s.fields.size(); ++f) {
        expected.levels[f] = start.levels[f];
    }
    expected.step = start.step;
    interpret(bounds.program, expected, c.parameters, c.steps);

    return wrong_point(s, bounds, expected, execute(on, p, s, start, c.parameters, c.steps), p.error_factor);
}

std::string wrong_of(test_device& on, const program_case& c, const std::string& options) {
    return wrong_of(on, c, with_options(program_of(c, on.info.language), options));
}

void check_case(test_device& on, const program_case& c, bool optimized) {
    INFO("GST_TEST_SEED=" << first_seed() << " " << c.drawn << ": " << c.steps << " steps, " << c.per_call
                          << " per call, " << to_string(c.how) << "\n"
                          << dump(c.s));
    for (const module_source& m : program_of(c, on.info.language).modules) {
        UNSCOPED_INFO(m.text);
    }
    const std::string wrong = wrong_of(on, c, optimized ? "" : quick_to_compile(on.info));
    REQUIRE(wrong == "");
}

} // namespace gst::testing
