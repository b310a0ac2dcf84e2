#pragma once

#include "core/base/visibility.hpp"

#include <cstddef>
#include <vector>

namespace gst {

/// Buffers of a field that keeps so many time levels between calls of so many steps.
constexpr int buffers_for(int kept, bool coefficient, int steps) {
    return coefficient ? 1 : kept + (steps < kept ? steps : kept);
}
/// The same of a field of a program or bound_program.
template<class Program>
int buffers_of(const Program& p, std::size_t field) {
    return buffers_for(p.kept[field], p.coefficient[field] != 0, p.steps);
}

/// Which buffer of one field holds which time level while operation lists run one after the other. At the start buffer
/// i < kept holds t - i; the others are free.
class GST_API rotation {
  public:
    /// kept <= buffers <= 2 * kept
    rotation(int kept, int buffers);

    /// The buffer of a level in a list of so many steps that begins at t: 0, -1 … are kept, and of the levels 1 …
    /// `steps` as many are written as the buffers allow, the last ones. Throws std::out_of_range for any other.
    std::size_t buffer_of(int level, int steps) const;

    /// A list of so many steps has run: t is that many later.
    void advance(int steps);

    /// The buffer of t - age after a list: of the kept levels and, after a list of at most `kept` steps, of those that
    /// it has made free. Throws std::out_of_range for any other.
    std::size_t held(int age) const;

  private:
    int written_by(int steps) const;

    int kept_;
    int held_;                       ///< so many buffers, the first of `order_`, hold t, t-1 … without a gap
    std::vector<std::size_t> order_; ///< buffers of t, t-1 … for the kept levels, then the free ones
};

/// Of every field of a program or bound_program, at the start.
template<class Program>
std::vector<rotation> rotations_of(const Program& p) {
    std::vector<rotation> all;
    for (std::size_t f = 0; f < p.kept.size(); ++f) {
        all.emplace_back(p.kept[f], buffers_of(p, f));
    }
    return all;
}

} // namespace gst
