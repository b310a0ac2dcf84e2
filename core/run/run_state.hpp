#pragma once

#include "core/run/field_data.hpp"

#include <cstdint>
#include <vector>

namespace gst {

/// All that a time loop goes on from: for each field the levels that steps read, newest (t) first.
struct run_state {
    std::int64_t step = 0;                       ///< steps done: the stencil's t
    std::vector<std::vector<field_data>> levels; ///< [field][age]: t, t-1 … t-history; a coefficient has one
    bool operator==(const run_state&) const = default;
};

/// Levels of a field that a run_state keeps: history + 1.
inline int kept_levels(const field& f) {
    return f.coefficient ? 1 : f.history + 1;
}

/// Bytes of a run_state of the stencil on the grid.
GST_API std::uint64_t memory_of_state(const stencil& s, extent3 size);

/// To and from the interpreter's form.
GST_API interpreter_state to_interpreter(const run_state& state);
GST_API void from_interpreter(const interpreter_state& values, run_state& state);

} // namespace gst
