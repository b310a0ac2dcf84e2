#pragma once

#include "core/app/config.hpp"
#include "core/run/initial_state.hpp"

namespace gst {

/// What app.toml says of the fields' beginning, for make_initial_state. Throws user_error: a field that the stencil
/// does not have, more levels than it keeps, a centre with another number of axes, a formula that cannot be read,
/// and what check_initial throws.
std::map<std::string, std::vector<initial_data>> read_initial_data(const config& c, const stencil& s);

} // namespace gst
