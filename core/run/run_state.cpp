#include "core/run/run_state.hpp"

namespace gst {

std::uint64_t memory_of_state(const stencil& s, extent3 size) {
    std::uint64_t bytes = 0;
    for (const field& f : s.fields) {
        std::uint64_t points = 1;
        for (int axis = 0; axis < 3; ++axis) {
            points *= static_cast<std::uint64_t>(size[axis] + 2 * f.halo[axis]);
        }
        bytes += points * size_of(f.type) * static_cast<std::uint64_t>(kept_levels(f));
    }
    return bytes;
}

interpreter_state to_interpreter(const run_state& state) {
    interpreter_state out;
    out.step = state.step;
    for (const auto& levels : state.levels) {
        auto& of_field = out.levels.emplace_back();
        for (const field_data& d : levels) {
            of_field.push_back(to_values(d));
        }
    }
    return out;
}

void from_interpreter(const interpreter_state& values, run_state& state) {
    state.step = values.step;
    for (std::size_t f = 0; f < state.levels.size(); ++f) {
        for (std::size_t age = 0; age < state.levels[f].size(); ++age) {
            from_values(values.levels.at(f).at(age), state.levels[f][age]);
        }
    }
}

} // namespace gst
