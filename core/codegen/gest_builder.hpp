#pragma once

#include "core/codegen/parameters.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gst {

/// Puts the gest space or, with more sizes and parameters, the full one together. What only the full one has is in
/// full_space.cpp. The order of parameters is that of the search, and of conditions that in which the space is cut.
class gest_builder {
  public:
    gest_builder(const stencil& s, extent3 size, bool full);
    space build();

  private:
    // ---- of either space: gest_space.cpp

    void add_optimizations();
    void add_blocks(); ///< of planes, and work-groups
    /// Sizes along an axis, and what they need where it is the streaming axis, and where it is an axis of the tile.
    void add_axis(std::size_t axis);

    // ---- of the full one: full_space.cpp

    void add_full();
    void add_numbers();
    void add_ways_of_time_steps();
    void add_decompositions();
    void add_sums();
    void add_copies_ahead();
    void add_stage_tiles();
    void add_group_copies();
    void add_coefficient_planes();
    void add_cache_options();
    /// A condition that begins with `along` is for the streaming axis, with `across` for an axis of the tile.
    void constrain_full_axis(std::size_t axis, const std::string& along, const std::string& across);
    /// Of tiles that are copied as wholes.
    void constrain_boxes();

    void need(const std::string& condition, std::string reason);
    static std::vector<value> values(std::initializer_list<std::int64_t> all) { return {all.begin(), all.end()}; }
    static parameter numbers(const char* name, std::vector<value> domain, role purpose, const char* active,
                             std::string meaning);
    /// An optimization that is on only where `active`; `why` it never is, or "".
    static parameter option(const char* name, role purpose, const char* active, const std::string& why,
                            std::string meaning);
    /// Why an optimization applies along no axis (`why` for one: "" where it does), or "".
    template<class Why>
    std::string along_no_axis(Why&& why) const {
        std::string first;
        for (int axis = s_.dimensions - 1; axis >= 0; --axis) {
            const std::string one = why(axis);
            if (one.empty()) {
                return "";
            }
            first = first.empty() ? one : first;
        }
        return first;
    }

    const stencil& s_;
    const extent3 size_;
    const bool full_;
    const offset3 reach_;
    const std::string no_streams_; ///< why nothing streams, or ""
    const std::string no_blocks_;  ///< why there is no temporal blocking, or ""
    std::vector<parameter> parameters_;
    std::vector<constraint> constraints_;
    std::map<std::string, value> constants_;
};

} // namespace gst
