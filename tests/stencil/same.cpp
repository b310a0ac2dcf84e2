#include "tests/stencil/same.hpp"

#include <fmt/format.h>

#include <cmath>

namespace gst::testing {
namespace {

std::string difference(const stencil& s, const interpreter_state& a, const interpreter_state& b, bool with_halo) {
    for (std::size_t i = 0; i < s.fields.size(); ++i) {
        for (std::size_t age = 0; age < a.levels[i].size(); ++age) {
            const field_values& left = a.levels[i][age];
            const field_values& right = b.levels[i][age];
            offset3 halo = with_halo ? s.fields[i].halo : offset3{};
            for (std::int64_t z = -halo[2]; z < left.size[2] + halo[2]; ++z) {
                for (std::int64_t y = -halo[1]; y < left.size[1] + halo[1]; ++y) {
                    for (std::int64_t x = -halo[0]; x < left.size[0] + halo[0]; ++x) {
                        if (!same(left.at(x, y, z), right.at(x, y, z))) {
                            return fmt::format("{} [{}] at ({}, {}, {}): {} and {}", s.fields[i].name, age, x, y, z,
                                               left.at(x, y, z), right.at(x, y, z));
                        }
                    }
                }
            }
        }
    }
    return "";
}

} // namespace

bool same(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

std::string difference(const stencil& s, const interpreter_state& a, const interpreter_state& b) {
    return difference(s, a, b, true);
}

std::string interior_difference(const stencil& s, const interpreter_state& a, const interpreter_state& b) {
    return difference(s, a, b, false);
}

} // namespace gst::testing
