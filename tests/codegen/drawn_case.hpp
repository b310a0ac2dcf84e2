#pragma once

#include "tests/codegen/device_case.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace gst::testing {

inline constexpr std::int64_t usual_points = 3000;

/// The case of a number, of GST_TEST_SEED: any stencil, any schedule that streams or does not, on a small grid.
program_case make_case(std::uint64_t number, const device_info& device, std::int64_t most_points = usual_points);

/// The case in calls of several steps, and as many steps that one is left over or not.
program_case with_calls(program_case c, int number);

/// Two things that a case exercises, which may interact.
using feature_pair = std::pair<std::string, std::string>;

/// Picks cases so that every pair of features that some candidate has is exercised: of a few candidates at a time the
/// one with the most new pairs (a greedy covering array), at the end one for each pair that is left.
class case_picker {
  public:
    explicit case_picker(const device_info& device) : device_(device) {}

    /// The next case; nothing when `wanted` have been picked and no pair is left.
    std::optional<program_case> next(int wanted);

    std::size_t covered() const { return covered_.size(); }
    bool covers(const std::string& a, const std::string& b) const { return covered_.count(std::minmax(a, b)) > 0; }

  private:
    program_case picked(program_case c);

    const device_info& device_;
    std::uint64_t drawn_ = 0;
    int picked_ = 0;
    std::map<feature_pair, std::uint64_t> seen_; ///< and a case that has it
    std::set<feature_pair> covered_;
};

} // namespace gst::testing
