#include "core/codegen/stage_tiles.hpp"

#include "core/codegen/layout.hpp"
#include "core/codegen/loop_nest.hpp"
#include "core/codegen/lower.hpp"
#include "core/codegen/stream_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace gst {

std::array<stage_items, 2> stage_groups_of(const schedule& how, const offset3& reach) {
    const std::size_t across = how.stream_axis == 2 ? 1 : 2;
    const auto points = static_cast<std::int64_t>(how.block[0]);
    stage_items second{0, 0, static_cast<std::int64_t>(how.work_group[0]),
                       static_cast<std::int64_t>(how.work_group[across])};
    stage_items first{round_up(reach[0], points), reach[across]};
    first.lanes = second.lanes + 2 * first.before_x / points;
    first.rows =
        (static_cast<std::int64_t>(how.tile(static_cast<int>(across))) + 2 * first.before + how.stage_rows - 1) /
        how.stage_rows;
    second.first = round_up(first.count(), stage_alignment);
    return {first, second};
}

range3 launched_work_group(const schedule& how, const offset3& reach) {
    if (!how.stage_tiles) {
        return how.work_group;
    }
    const stage_items second = stage_groups_of(how, reach)[1];
    return {static_cast<std::uint64_t>(second.first + second.count()), 1, 1};
}

std::string first_stage_items(int axis, const offset3& reach) {
    const std::size_t across = axis == 2 ? 1 : 2;
    return fmt::format("(TBx + 2 * (({0} + BMx - 1) // BMx)) * ((TB{1} * BM{1} + {2} + SR - 1) // SR)", reach[0],
                       "xyz"[across], 2 * reach[across]);
}

namespace {

/// All reads of updates.
std::vector<ir::read> reads_of(const stencil& s) {
    std::vector<ir::read> out;
    for (const update& u : s.updates) {
        for (const node_id n : reachable(s, u.value)) {
            if (const auto* r = std::get_if<ir::read>(&s.nodes[n].op)) {
                out.push_back(*r);
            }
        }
    }
    return out;
}

bool is_in_tiles(const stencil& s, const ir::read& r) {
    return r.level == 0 && !s.fields[r.field].coefficient;
}

} // namespace

bool reads_beside_tiles(const stencil& s) {
    return !completing_arrays(s).empty();
}

std::optional<completed_sum> completed_sum_of(stencil& s, std::size_t update, int axis) {
    return sum_to_complete(s, s.updates[update].value, axis, [&](const ir::read& r) { return is_in_tiles(s, r); });
}

std::vector<field_level> completing_arrays(const stencil& s) {
    std::set<field_level> out;
    for (const ir::read& r : reads_of(s)) {
        if (!is_in_tiles(s, r)) {
            out.emplace(r.field, r.level);
        }
    }
    return {out.begin(), out.end()};
}

namespace {

/// The reads of what completes the sums along an axis.
struct completing_reads {
    std::vector<ir::read> scales, others;
    std::uint64_t terms_bytes = 0; ///< of a point, of what is added to the sums of all updates
};

completing_reads reads_to_complete(const stencil& s, int axis) {
    stencil copy = s;
    completing_reads out;
    const auto add = [&](node_id root, std::vector<ir::read>& to) {
        for (const node_id n : reachable(copy, root)) {
            if (const auto* r = std::get_if<ir::read>(&copy.nodes[n].op)) {
                to.push_back(*r);
            }
        }
    };
    for (std::size_t u = 0; u < s.updates.size() && reads_beside_tiles(s); ++u) {
        if (const auto sum = completed_sum_of(copy, u, axis)) {
            for (const completed_sum::scale& one : sum->scales) {
                add(one.by, out.scales);
            }
            for (const sum_term& one : sum->others) {
                add(one.node, out.others);
            }
            out.terms_bytes += sum->others.empty() ? 0 : nest::register_size(s.nodes[s.updates[u].value].type);
        }
    }
    return out;
}

bool any_in_tiles(const stencil& s, const std::vector<ir::read>& reads) {
    return std::any_of(reads.begin(), reads.end(), [&](const ir::read& r) { return is_in_tiles(s, r); });
}

std::set<field_level> arrays_beside(const stencil& s, const std::vector<ir::read>& reads) {
    std::set<field_level> out;
    for (const ir::read& r : reads) {
        if (!is_in_tiles(s, r)) {
            out.emplace(r.field, r.level);
        }
    }
    return out;
}

/// Whether the first time step has what the second one reads of a level before t - 1.
bool has_newer(const std::vector<field_level>& all, const field_level& a) {
    return std::find(all.begin(), all.end(), field_level{a.first, a.second + 1}) != all.end();
}

} // namespace

std::set<field_level> scaling_arrays(const stencil& s, int axis) {
    return arrays_beside(s, reads_to_complete(s, axis).scales);
}

std::set<field_level> added_arrays(const stencil& s, int axis) {
    return arrays_beside(s, reads_to_complete(s, axis).others);
}

std::uint64_t bytes_of_terms(const stencil& s, int axis) {
    return reads_to_complete(s, axis).terms_bytes;
}

std::vector<field_level> arrays_to_leave(const stencil& s, int axis, bool terms) {
    const std::vector<field_level> all = completing_arrays(s);
    std::vector<field_level> out;
    for (const field_level& a : all) { // t, of the second time step's view, is in the first one's tiles
        if (!s.fields[a.first].coefficient && a.second == -1) {
            out.push_back(a);
        }
    }
    for (const field_level& a : all) {
        if (s.fields[a.first].coefficient || (a.second < -1 && has_newer(all, a))) {
            out.push_back(a);
        }
    }
    if (terms) {
        const std::set<field_level> scales = scaling_arrays(s, axis);
        out.erase(std::remove_if(out.begin(), out.end(), [&](const field_level& a) { return !scales.contains(a); }),
                  out.end());
    }
    return out;
}

std::string no_left_arrays(const stencil& s, int axis, bool terms, std::int64_t arrays) {
    const std::int64_t most = std::ssize(arrays_to_leave(s, axis, terms));
    return arrays <= most ? ""
                          : fmt::format("the first time step has points of {} arrays that {} the second one's sums",
                                        most, terms ? "scale" : "complete");
}

std::string no_left_terms(const stencil& s, int axis) {
    const std::vector<field_level> all = completing_arrays(s);
    if (all.empty() || bytes_of_terms(s, axis) == 0) {
        return "nothing is added to sums that are complete";
    }
    for (const field_level& a : added_arrays(s, axis)) {
        if (a.second < -1 && !has_newer(all, a)) {
            return fmt::format("the first time step does not have {} as the second one reads it",
                               s.fields[a.first].name);
        }
    }
    return "";
}

std::int64_t planes_to_complete(const stencil& s, int axis, bool terms) {
    const completing_reads reads = reads_to_complete(s, axis);
    const bool any = any_in_tiles(s, reads.scales) || (!terms && any_in_tiles(s, reads.others));
    return any ? updated_reach(s)[static_cast<std::size_t>(axis)] : 0;
}

std::int64_t planes_behind(const stencil& s, int axis) {
    std::int64_t most = 0;
    for (const ir::read& r : reads_of(s)) {
        most = std::max<std::int64_t>(most, is_in_tiles(s, r) ? -r.at[static_cast<std::size_t>(axis)] : 0);
    }
    return most;
}

std::string stage_tile_bytes(const stencil& s, int axis) {
    const auto along = static_cast<std::size_t>(axis), across = static_cast<std::size_t>(axis == 2 ? 1 : 2);
    const char a = "xyz"[along], c = "xyz"[across];
    const offset3 reach = updated_reach(s);
    const auto tile = [&](int steps) {
        return fmt::format("(TBx * BMx + {}) * (TB{} * BM{} + {})", 2 * steps * reach[0], c, c,
                           2 * steps * reach[across]);
    };
    const std::string passes = fmt::format("(2 + (AR > 0)) * UF{}", a); // whose planes lie between the time steps
    const std::int64_t completing = planes_to_complete(s, axis, false);
    // With partial sums planes of the first time step's tiles are kept that points beyond faces keep, that complete
    // sums or are left.
    const auto keeps_back = [&](std::uint32_t array) { return completing > 0 || has_frozen_faces(s.fields[array]); };
    std::uint64_t copied = 0, kept_back = 0; // bytes of a point
    for (const update& u : s.updates) {
        const std::uint64_t of_field = nest::register_size(s.fields[u.field].type);
        copied += of_field;
        kept_back += keeps_back(u.field) ? of_field : 0;
    }
    std::string back = fmt::format("{}", kept_back);
    std::uint64_t left = 0; // of an array, at least
    const std::vector<field_level> arrays = arrays_to_leave(s, axis, false), scaled = arrays_to_leave(s, axis, true);
    const std::set<field_level> added = added_arrays(s, axis);
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        const auto [array, level] = arrays[i];
        const std::uint64_t of_array = nest::register_size(s.fields[array].type);
        left = left == 0 ? of_array : std::min(left, of_array);
        if (!s.fields[array].coefficient && level == -1 && !keeps_back(array)) {
            const auto scaling = std::find(scaled.begin(), scaled.end(), arrays[i]);
            const std::string with_terms = added.contains(arrays[i]) ? " or useLeftTerms"
                                           : scaling != scaled.end()
                                               ? fmt::format(" or (useLeftTerms and LA > {})", scaling - scaled.begin())
                                               : "";
            back += fmt::format(" + {} * ((not useLeftTerms and LA > {}){})", of_array, i, with_terms);
        }
    }
    // Late sums read all of them from the result's on.
    const char* when = completing == 0                          ? " * (LS > 1)"
                       : planes_to_complete(s, axis, true) == 0 ? " * (LS > 1 or not useLeftTerms)"
                                                                : "";
    const std::string kept = fmt::format("{}{}", reach[along], when);
    std::string out = fmt::format("({0} * PD * UF{1} + max({2}, {0} * (LS > 0)) * {3} * useRetiming) * {4} + {0} * "
                                  "({5} + {6}) * {7}",
                                  copied, a, back, reach[along], tile(2), passes, kept, tile(1));
    if (left > 0) {
        out += fmt::format(" + ({} * LA + {} * useLeftTerms) * ({} + {}) * TBx * BMx * TB{} * BM{}", left,
                           bytes_of_terms(s, axis), passes, reach[along], c, c);
    }
    return out;
}

namespace {

/// Why partial sums along `axis` cannot be completed, or "".
std::string no_completed_sums(const stencil& s, int axis) {
    if (std::string why = no_retiming(s, axis, false); !why.empty()) {
        return why;
    }
    stencil copy = s;
    for (std::size_t u = 0; u < s.updates.size(); ++u) {
        if (!completed_sum_of(copy, u, axis)) {
            return fmt::format("{} is no sum of what tiles hold that the point's own values complete",
                               s.fields[s.updates[u].field].name);
        }
    }
    return "";
}

} // namespace

std::string no_stage_tiles(const stencil& s, int axis) {
    if (s.dimensions < 3) {
        return "tiles of one row are handed on without a halo";
    }
    if (std::string why = no_temporal_blocking(s); !why.empty()) {
        return why;
    }
    if (std::string why = no_tensor_copies(s, axis); !why.empty()) {
        return why;
    }
    const std::vector<ir::read> reads = reads_of(s);
    for (const update& u : s.updates) {
        const field& f = s.fields[u.field];
        if (std::none_of(reads.begin(), reads.end(), [&](const ir::read& r) {
                offset3 beside = r.at;
                beside[static_cast<std::size_t>(axis)] = 0;
                return r.field == u.field && is_in_tiles(s, r) && beside != offset3{};
            })) {
            return fmt::format("no neighbours of {} come through local memory", f.name);
        }
        const auto& ends = f.faces[static_cast<std::size_t>(axis)];
        if (f.halo[static_cast<std::size_t>(axis)] > 0 && (is_copied(ends[0]) || is_copied(ends[1]))) {
            return fmt::format("{} is clamped or mirrored along {}, plane by plane", f.name,
                               s.axes[static_cast<std::size_t>(axis)]);
        }
    }
    for (const ir::read& r : reads) {
        if (!is_in_tiles(s, r) && r.at != offset3{}) {
            return fmt::format("neighbours of {}{} are read, which no tile holds", s.fields[r.field].name,
                               r.level < 0 ? " at time levels before t" : "");
        }
    }
    for (const update& u : s.updates) {
        for (const node_id n : reachable(s, u.value)) {
            if (std::holds_alternative<ir::coordinate>(s.nodes[n].op)) {
                return "updates depend on where a point lies";
            }
        }
    }
    return reads_beside_tiles(s) ? no_completed_sums(s, axis) : "";
}

std::string no_stage_groups(const stencil& s, const schedule& how) {
    if (std::string why = no_stage_tiles(s, how.stream_axis); !why.empty()) {
        return why;
    }
    if (how.steps != 2) {
        return "tiles of their own are for two time steps";
    }
    if (!how.halo_columns || !how.tensor_copies) {
        return "the tiles that the first time step reads are copied as wholes, with their halo";
    }
    if (how.shuffle || how.skewing || how.split_barriers || how.loops || how.group_copies || how.coefficients ||
        how.filtered_lines > 1 || how.cyclic != range3{1, 1, 1} ||
        how.work_group[static_cast<std::size_t>(how.stream_axis)] > 1) {
        return "time steps with tiles of their own begin their passes otherwise, with neighbours from local memory";
    }
    if (!how.retiming && reads_beside_tiles(s)) {
        return "what no tile holds completes partial sums";
    }
    if (how.late_sums < 0 || how.late_sums > 2 || (how.late_sums > 0 && !how.retiming)) {
        return "planes ahead are read for partial sums of one or both time steps";
    }
    if (how.arrival < 0 || how.arrival > 10) {
        return "the first time step arrives after up to ten tenths of its reads";
    }
    if (std::string why = how.left_terms ? no_left_terms(s, how.stream_axis) : ""; !why.empty()) {
        return why;
    }
    if (std::string why = no_left_arrays(s, how.stream_axis, how.left_terms, how.left_arrays); !why.empty()) {
        return why;
    }
    if (stage_groups_of(how, updated_reach(s))[1].count() % stage_alignment != 0) {
        return fmt::format("the second time step's work-items are no multiple of {}", stage_alignment);
    }
    return "";
}

} // namespace gst
