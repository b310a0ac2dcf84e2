#include "core/codegen/stream_rules.hpp"

#include "core/codegen/filtering.hpp"
#include "core/codegen/lower.hpp"
#include "core/codegen/retime.hpp"
#include "core/codegen/stage_tiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <utility>
#include <vector>

namespace gst {

bool is_frozen(const boundary& b) {
    return b.kind == boundary_kind::fixed || b.kind == boundary_kind::constant;
}
bool is_copied(const boundary& b) {
    return b.kind == boundary_kind::clamp || b.kind == boundary_kind::mirror;
}

namespace {

/// Whether points that are read beyond some face of a field are of that kind.
bool has_faces(const field& f, bool (*of_kind)(const boundary&)) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (f.halo[axis] > 0 && (of_kind(f.faces[axis][0]) || of_kind(f.faces[axis][1]))) {
            return true;
        }
    }
    return false;
}

} // namespace

bool has_frozen_faces(const field& f) {
    return has_faces(f, is_frozen);
}
bool has_periodic_faces(const field& f) {
    return has_faces(f, [](const boundary& b) { return b.kind == boundary_kind::periodic; });
}

std::set<std::pair<std::uint32_t, int>> streamed_arrays(const stencil& s, const std::vector<std::size_t>& updates,
                                                        int steps, bool coefficients) {
    std::set<std::pair<std::uint32_t, int>> out;
    for (const std::size_t u : updates) {
        const std::uint32_t field = s.updates[u].field;
        for (int level = -s.fields[field].history; steps > 1 && level <= 0; ++level) {
            out.emplace(field, level);
        }
        for (const source_array& a : cached_arrays(s, u)) {
            if (steps == 1 && !s.fields[a.field].coefficient) {
                out.emplace(a.field, a.level);
            }
        }
    }
    for (const source_array& a : inputs_of(s, updates).arrays) {
        const field& f = s.fields[a.field];
        if (coefficients && f.coefficient && (steps > 1 || f.halo != offset3{})) {
            out.emplace(a.field, 0);
        }
    }
    return out;
}

offset3 updated_reach(const stencil& s) {
    offset3 reach{};
    for (const update& u : s.updates) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            reach[axis] = std::max(reach[axis], s.fields[u.field].halo[axis]);
        }
    }
    return reach;
}

std::string no_temporal_blocking(const stencil& s) {
    if (s.dimensions == 1) {
        return "a stencil of one axis has nothing to stream along";
    }
    bool diagonal[3][3] = {};
    for (const update& u : s.updates) {
        for (const node_id n : reachable(s, u.value)) {
            const auto* r = std::get_if<ir::read>(&s.nodes[n].op);
            if (!r || s.fields[r->field].coefficient) {
                continue;
            }
            if (r->level > 0) {
                return "the updates depend on each other within a time step";
            }
            for (std::size_t a = 0; a < 3; ++a) {
                for (std::size_t b = 0; b < 3; ++b) {
                    diagonal[a][b] = diagonal[a][b] || (a != b && r->at[a] != 0 && r->at[b] != 0);
                }
            }
        }
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        int periodic = 0, faces = 0;
        for (const update& u : s.updates) {
            const field& f = s.fields[u.field];
            for (std::size_t face = 0; face < 2 && f.halo[axis] > 0; ++face) {
                ++faces;
                periodic += f.faces[axis][face].kind == boundary_kind::periodic ? 1 : 0;
            }
        }
        if (periodic != 0 && periodic != faces) {
            return fmt::format("only some faces along {} are periodic", s.axes[axis]);
        }
    }
    for (const update& u : s.updates) {
        const field& f = s.fields[u.field];
        for (std::size_t a = 0; a < 3; ++a) {
            for (std::size_t b = 0; b < 3; ++b) {
                for (std::size_t face = 0; face < 4; ++face) {
                    if (diagonal[a][b] && f.halo[a] > 0 && f.halo[b] > 0 && is_frozen(f.faces[a][face % 2]) &&
                        !is_frozen(f.faces[b][face / 2])) {
                        return fmt::format("{} is read at corners between a face that keeps its values and one that "
                                           "does not",
                                           f.name);
                    }
                }
            }
        }
    }
    return "";
}

std::string no_coefficient_planes(const stencil& s, bool several_steps) {
    const offset3 reach = updated_reach(s);
    const auto is_periodic = [](const field& f, std::size_t axis) {
        return f.halo[axis] > 0 && f.faces[axis][0].kind == boundary_kind::periodic &&
               f.faces[axis][1].kind == boundary_kind::periodic;
    };
    // Between time steps points beyond such faces are those that they stand for; so are their neighbours.
    std::array<bool, 3> wraps{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        wraps[axis] = several_steps && std::any_of(s.updates.begin(), s.updates.end(), [&](const update& u) {
                          return is_periodic(s.fields[u.field], axis);
                      });
    }
    bool any = false;
    for (const field& coefficient : s.fields) {
        for (std::size_t axis = 0; coefficient.coefficient && axis < 3; ++axis) {
            if (coefficient.halo[axis] > reach[axis]) {
                return fmt::format("{} is read farther along {} than what is updated", coefficient.name, s.axes[axis]);
            }
            if (coefficient.halo[axis] > 0 && wraps[axis] && !is_periodic(coefficient, axis)) {
                return fmt::format("{} is not periodic along {} as what is updated is", coefficient.name, s.axes[axis]);
            }
            any = any || several_steps || coefficient.halo[axis] > 0;
        }
    }
    for (const update& u : s.updates) {
        for (const node_id n : reachable(s, u.value)) {
            const auto* r = std::get_if<ir::read>(&s.nodes[n].op);
            for (std::size_t a = 0; r && s.fields[r->field].coefficient && a < 3; ++a) {
                for (std::size_t b = a + 1; r->at[a] != 0 && wraps[a] && b < 3; ++b) {
                    const auto& faces = s.fields[r->field].faces[b];
                    // A corner there has a value of its own (resolve_halo).
                    if (r->at[b] != 0 &&
                        (faces[0].kind == boundary_kind::fixed || faces[1].kind == boundary_kind::fixed)) {
                        return fmt::format("{} is read at corners between a periodic face and a fixed one",
                                           s.fields[r->field].name);
                    }
                }
            }
        }
    }
    return any ? "" : several_steps ? "no coefficient is read" : "no neighbours are read of a coefficient";
}

namespace {

/// terms_by_plane of an update in a kernel of one time step or of several; appends nodes to `s`.
std::optional<plane_terms> retimed_terms(stencil& s, std::size_t update, int axis, bool several_steps) {
    const auto arrays = streamed_arrays(s, {update}, several_steps ? 2 : 1, false);
    return terms_by_plane(s, s.updates[update].value, axis, [&](const ir::read& r) {
        return !s.fields[r.field].coefficient && (several_steps || arrays.contains({r.field, r.level}));
    });
}

} // namespace

std::string no_retiming(const stencil& s, int along, bool several_steps) {
    const auto axis = static_cast<std::size_t>(along);
    for (std::size_t i = 0; i < s.updates.size(); ++i) {
        const update& u = s.updates[i];
        stencil copy = s;
        if (!retimed_terms(copy, i, along, several_steps)) {
            return fmt::format("{} is no sum of terms that each read one plane", s.fields[u.field].name);
        }
        const field& f = s.fields[u.field];
        if (several_steps && f.history > 0) {
            return fmt::format("partial sums keep no planes, and {} is read at time levels before t", f.name);
        }
        if (several_steps && f.halo[axis] > 0 && (is_copied(f.faces[axis][0]) || is_copied(f.faces[axis][1]))) {
            return fmt::format("{} is clamped or mirrored along {}", f.name, s.axes[axis]);
        }
    }
    return "";
}

std::string no_term_order(const stencil& s, int axis, term_order order) {
    if (std::string why = no_retiming(s, axis, false); !why.empty()) {
        return why;
    }
    const std::size_t inner = axis == 0 ? 1 : 0, across = axis == 2 ? 1 : 2;
    std::set<std::vector<std::pair<node_id, bool>>> seen; // of all updates and planes
    for (const term_order o :
         {term_order::as_written, term_order::own_row_first, term_order::own_row_last, term_order::last_row_first}) {
        std::vector<std::pair<node_id, bool>> all;
        for (std::size_t i = 0; i < s.updates.size(); ++i) {
            stencil copy = s;
            std::vector<plane_terms> sums{*retimed_terms(copy, i, axis, false)};
            if (auto completed = reads_beside_tiles(s) ? completed_sum_of(copy, i, axis) : std::nullopt) {
                sums.push_back(std::move(completed->sum));
            }
            for (plane_terms& sum : sums) {
                order_terms(copy, o, inner, across, sum);
                for (const auto& [plane, terms] : sum) {
                    for (const sum_term& t : terms) {
                        all.emplace_back(t.node, t.negative);
                    }
                }
            }
        }
        if (const bool is_new = seen.insert(std::move(all)).second; o == order) {
            return is_new ? "" : "a plane's terms come in this order otherwise, too";
        }
    }
    return "";
}

namespace {

filtering filtered(const stencil& s, std::size_t update, int axis, int outputs, bool several_steps) {
    stencil copy = s;
    const auto terms = retimed_terms(copy, update, axis, several_steps);
    return terms ? filter_lines(copy, s.updates[update], *terms, axis, outputs)
                 : filtering{{}, {}, no_retiming(s, axis, several_steps)};
}

} // namespace

std::string no_filtering(const stencil& s, int axis, int outputs, bool several_steps) {
    for (std::size_t i = 0; i < s.updates.size(); ++i) {
        if (std::string why = filtered(s, i, axis, outputs, several_steps).why_not; !why.empty()) {
            return why;
        }
    }
    return "";
}

int groups_beyond(const stencil& s, int axis, int outputs) {
    int beyond = 0;
    const bool columns = outputs > 1 && filtered_lines_of(s, axis).axis == 0;
    for (std::size_t i = 0; columns && i < s.updates.size(); ++i) {
        const filtering f = filtered(s, i, axis, outputs, true);
        beyond = std::max(beyond, f.filter ? f.filter->beyond() - updated_reach(s)[0] : 0);
    }
    return beyond;
}

std::optional<filtered_point> filtered_point_of(const stencil& s, int axis, int outputs) {
    filtered_point out{0, 0, groups_beyond(s, axis, outputs)};
    for (std::size_t i = 0; i < s.updates.size(); ++i) {
        const filtering f = filtered(s, i, axis, outputs, false);
        if (!f.filter) {
            return std::nullopt;
        }
        out.operations += f.how.operations;
        out.sums = std::max(out.sums, static_cast<double>(f.filter->sums()) / outputs);
    }
    return out;
}

namespace {
constexpr const char* no_neighbours = "no neighbours come through local memory";
} // namespace

std::string no_split_barriers(const stencil& s, int along, bool shuffle) {
    const auto axis = static_cast<std::size_t>(along);
    const int newest = updated_reach(s)[axis];
    bool waits = false;
    for (const update& u : s.updates) {
        for (const node_id n : reachable(s, u.value)) {
            const auto* r = std::get_if<ir::read>(&s.nodes[n].op);
            if (!r || s.fields[r->field].coefficient) {
                continue;
            }
            offset3 across = r->at;
            across[axis] = 0;
            if (across != offset3{} && r->at[axis] == newest) {
                return "neighbours in the newest plane are of the time step before";
            }
            across[0] = shuffle ? 0 : across[0];
            waits = waits || across != offset3{};
        }
    }
    return waits ? "" : no_neighbours;
}

std::string no_split_passes(const stencil& s, int along) {
    if (along == 0) {
        return "lanes are neighbours along x";
    }
    if (std::string why = no_halo_tiles(s, along, true); !why.empty()) {
        return why;
    }
    for (const field& f : s.fields) {
        for (std::size_t axis = 0; !f.coefficient && axis < static_cast<std::size_t>(s.dimensions); ++axis) {
            if (f.halo[axis] > 0 && (is_copied(f.faces[axis][0]) || is_copied(f.faces[axis][1]))) {
                return fmt::format("points of {} beyond a clamped or mirrored face are copied between time steps",
                                   f.name);
            }
        }
    }
    return "";
}

halo_reads read_with_halo(const stencil& s, std::size_t update, int along, bool shuffle) {
    halo_reads out;
    const auto arrays = streamed_arrays(s, {update}, 1, false);
    std::set<std::pair<std::uint32_t, int>> exchanged;
    for (const node_id n : reachable(s, s.updates[update].value)) {
        const auto* r = std::get_if<ir::read>(&s.nodes[n].op);
        if (!r || !arrays.contains({r->field, r->level})) {
            continue;
        }
        offset3 across = r->at;
        across[static_cast<std::size_t>(along)] = 0;
        across[0] = shuffle ? 0 : across[0];
        if (across != offset3{} && exchanged.emplace(r->field, r->level).second) {
            out.bytes += size_of(s.fields[r->field].type);
        }
        for (std::size_t axis = 0; axis < 3; ++axis) {
            out.reach[axis] = std::max(out.reach[axis], std::abs(r->at[axis]));
        }
    }
    return out;
}

std::string no_halo_tiles(const stencil& s, int along, bool shuffle) {
    for (std::size_t i = 0; i < s.updates.size(); ++i) {
        if (read_with_halo(s, i, along, shuffle).bytes > 0) {
            return "";
        }
    }
    return no_neighbours;
}

std::string no_tensor_copies(const stencil& s, int along) {
    if (along == 0) {
        return "rows of boxes lie along x";
    }
    for (const field& f : s.fields) {
        if (f.type == scalar::f16) {
            return fmt::format("{} is f16, which local memory holds as f32", f.name);
        }
    }
    return "";
}

std::int64_t tensor_alignment(const stencil& s) {
    std::uint64_t narrowest = tensor_bytes;
    for (const field& f : s.fields) {
        narrowest = std::min<std::uint64_t>(narrowest, size_of(f.type));
    }
    return tensor_bytes / static_cast<std::int64_t>(narrowest);
}

std::int64_t columns_before_box(const stencil& s, const array_layout& layout, std::int64_t first) {
    const std::int64_t alignment = tensor_alignment(s);
    const std::int64_t beyond = (layout.origin + first) % alignment;
    return beyond < 0 ? beyond + alignment : beyond;
}

} // namespace gst
