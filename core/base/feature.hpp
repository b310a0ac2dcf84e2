#pragma once

#include <string>
#include <vector>

namespace gst {

/// A number that predictors learn from, and what it means. Each is declared once, where it is computed: help,
/// documentation and training tables take name, unit and definition from there.
struct feature {
    std::string name; ///< what expressions may be called: letters, digits, underscores
    std::string unit; ///< "1" for a ratio
    std::string definition;
    std::string source; ///< short name of the paper (docs/training.md) and its section; "gst": our own
    double value = 0;   ///< finite
};
using features = std::vector<feature>;

/// Rises when a definition changes: what was learnt from others is not comparable.
inline constexpr int features_version = 1;

} // namespace gst
