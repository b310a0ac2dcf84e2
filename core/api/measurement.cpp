#include "core/api/measurement.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace gst {

namespace {
constexpr std::array<std::string_view, 7> names{"correct",     "compile",     "runtime", "timeout",
                                                "correctness", "constraints", "not_run"};
}

std::string_view name_of(status s) {
    return names[static_cast<std::size_t>(s)];
}

status status_named(std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
        throw std::invalid_argument("no outcome of a measurement is called '" + std::string(name) + "'");
    }
    return static_cast<status>(found - names.begin());
}

} // namespace gst
