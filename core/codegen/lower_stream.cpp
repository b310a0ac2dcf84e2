#include "core/codegen/lower.hpp"
#include "core/codegen/retime.hpp"
#include "core/codegen/stream_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <stdexcept>

/// Streaming kernels (2.5-D blocking): a work-group holds a tile of points across the streaming axis in registers and
/// moves along that axis plane by plane. With temporal blocking every plane passes through several time steps before it
/// is written: tiles overlap by what these steps need (overlapped in space, streamed in one dimension), stage groups of
/// work-items share the steps and hand planes on through local memory (AN5D; FastStencil's warps as time stages).
namespace gst {

namespace {

using namespace nest;
using nest::value; // not the value of an expression over parameters

/// The values of a work-item's points in one plane, x fastest.
using plane = std::vector<value>;

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
    return a >= 0 ? a / b : -((b - 1 - a) / b);
}

value zero(type of) {
    return of == type::i32 ? number(0, of) : real_number(0, of);
}
value greatest(const value& a, const value& b) {
    return binary_value(ir::binary_op::maximum, a, b);
}
value at_least(const value& a, std::int64_t n) {
    return binary_value(ir::binary_op::greater_equal, a, number(n, a->of));
}
value below(const value& a, std::int64_t n) {
    return less(a, number(n, a->of));
}
value clamped(const value& a, std::int64_t low, std::int64_t high) {
    return greatest(least(a, number(high)), number(low));
}
value chosen(const value& condition, const value& a, const value& b) {
    return make(nest::select{condition, a, b}, a->of);
}
value modulo(const value& a, std::int64_t n) {
    return binary_value(ir::binary_op::remainder, a, number(n));
}

value quotient(const value& a, std::int64_t n) {
    return n == 1 ? a : binary_value(ir::binary_op::divide, a, number(n));
}

/// A tile across the streaming axis, along one axis.
struct tile_axis {
    std::size_t axis = 0;
    std::int64_t size = 1;   ///< points of the grid
    std::int64_t group = 1;  ///< work-items of a stage group
    std::int64_t block = 1;  ///< neighbouring points of a work-item: a run
    std::int64_t runs = 1;   ///< of a work-item, group · block apart
    std::int64_t points = 1; ///< per work-item: runs · block
    std::int64_t width = 1;  ///< group · points
    std::int64_t reach = 0;  ///< of one time step
    std::int64_t halo = 0;   ///< points at either end of the tile that are not written
    std::int64_t step = 1;   ///< points that are: tiles lie this far apart
    std::int64_t tiles = 1;
    bool periodic = false; ///< points beyond the grid are computed as the points that they stand for
    value first;           ///< coordinate of the tile's first point
    value own;             ///< of the work-item's first point
    std::string name;

    /// How far a work-item's point i lies from its first one.
    std::int64_t shift(std::int64_t i) const { return i / block * (group * block) + i % block; }
    /// Which of the work-item's points lies so far from its first one; -1: none.
    std::int64_t point(std::int64_t at) const {
        const std::int64_t run = floor_div(at, group * block);
        const std::int64_t i = at - run * (group * block);
        return run >= 0 && run < runs && i < block ? run * block + i : -1;
    }
};

/// An array of which planes pass through the kernel.
struct tracked_array {
    std::uint32_t field = 0;
    int level = 0;
    scalar type = scalar::f32;
    std::string name;
    std::set<int> exchanged_planes; ///< offsets of those of which neighbouring work-items' points are needed
};

class stream_lowering {
  public:
    stream_lowering(const stencil& s, std::vector<std::size_t> updates, const array_layout& layout, const schedule& how)
        : s_(s), updates_(std::move(updates)), layout_(layout), how_(how),
          along_(static_cast<std::size_t>(how.stream_axis)), inner_(along_ == 0 ? 1 : 0), across_(along_ == 2 ? 1 : 2),
          length_(layout.size[along_]), groups_(how.stage_groups()), stages_(how.steps / groups_),
          inputs_(inputs_of(s_, updates_)) {
        collect_reads();
        make_tile(x_, inner_, how.vector_width);
        make_tile(y_, across_, 1);
        if (how.retiming) {
            for (const std::size_t u : updates_) {
                sums_.push_back(*terms_by_plane(s_, s_.updates[u].value, how.stream_axis,
                                                [&](const ir::read& r) { return !is_direct(r); }));
            }
        }
        periodic_ = how.steps > 1 && is_periodic(along_);
        lag_ = reach_[along_];
        for (tracked_array& a : tracked_) {
            if (a.exchanged_planes.empty()) {
                continue;
            }
            const int first = *a.exchanged_planes.begin();
            if (how.retiming) {
                a.exchanged_planes = {static_cast<int>(lag_)}; // whatever plane has just come
            } else if (first < 0 && how.steps > 1 && is_copied(s_.fields[a.field].faces[along_][0])) {
                a.exchanged_planes.insert(-first); // planes before the first are copies of these
            }
        }
        skew_ = how.skewing && stages_ > 1 && is_exchanged() && !exchanges_at_once() ? 1 : 0;
    }

    lowered_kernel lower() {
        lowered_kernel out;
        kernel_ = &out.kernel;
        const field& target = s_.fields[s_.updates[updates_.front()].field];
        out.kernel.name = s_.name + "_" + (how_.steps > 1 ? fmt::format("{}_steps", how_.steps) : target.name);
        out.kernel.about = fmt::format("{}[t+{}] on {} × {} × {} points: {}", how_.steps > 1 ? s_.name : target.name,
                                       how_.steps, layout_.size[0], layout_.size[1], layout_.size[2], to_string(how_));
        out.kernel.work_group = how_.work_group;
        out.kernel.groups_at_once = how_.groups_at_once;
        add_formals(out);
        const std::int64_t chunks = (length_ + chunk() - 1) / chunk();
        out.launch.local = how_.work_group;
        out.launch.global[inner_] = static_cast<std::uint64_t>(x_.tiles * x_.group);
        out.launch.global[across_] = static_cast<std::uint64_t>(y_.tiles * y_.group);
        out.launch.global[along_] = static_cast<std::uint64_t>(chunks * groups_);
        out.launch.kernel = out.kernel.name;
        declare_locals();

        block& body = out.kernel.body;
        value outside;
        for (tile_axis* t : {&x_, &y_}) {
            declare_tile(*t, body);
            if (t->tiles * t->step != t->size || t->halo > 0) {
                outside = either(outside, either(below(t->first, 0), at_least(t->first, t->size - t->width + 1)));
            }
        }
        first_ = named(body, "first", group_index(along_, chunks) * number(chunk()));
        last_ = named(body, "last", least(first_ + number(chunk()), number(length_)));
        group_ = groups_ == 1 ? number(0) : named(body, "stage_group", local_index(along_));
        if (!outside) {
            stream(body, false);
            return out;
        }
        // One of two loops runs once: a barrier may not stand in a branch everywhere. PoCL up to 5 compiles programs
        // wrongly whose loop LLVM has made a branch.
        const value once = make(work_item{id::one}, type::index);
        const value beyond = named(body, "beyond", chosen(outside, once, number(0)));
        body.push_back({comment{"a tile that reaches beyond the grid"}});
        stream(*enter(body, loop{"edge", number(0), beyond, number(1), {}}), true);
        body.push_back({comment{"a tile inside of the grid"}});
        stream(*enter(body, loop{"inner", beyond, once, number(1), {}}), false);
        return out;
    }

  private:
    // ---- what is computed

    bool is_direct(const ir::read& r) const { return s_.fields[r.field].coefficient || !find_tracked(r); }

    template<class Arrays>
    static auto find_in(Arrays& all, std::uint32_t field, int level) -> decltype(&*all.begin()) {
        const auto found =
            std::find_if(all.begin(), all.end(), [&](const auto& a) { return a.field == field && a.level == level; });
        return found == all.end() ? nullptr : &*found;
    }
    const tracked_array* find_tracked(const ir::read& r) const { return find_in(tracked_, r.field, r.level); }
    /// What a result is where it goes on: with temporal blocking the next step's array.
    const tracked_array* result_of(const update& u) const {
        return how_.steps > 1 ? find_in(tracked_, u.field, 0) : &untracked_result_;
    }

    void collect_reads() {
        std::vector<node_id> nodes;
        for (const std::size_t u : updates_) {
            const auto some = reachable(s_, s_.updates[u].value);
            nodes.insert(nodes.end(), some.begin(), some.end());
        }
        for (const auto& [f, level] : streamed_arrays(s_, updates_, how_.steps)) {
            const field& what = s_.fields[f];
            tracked_.push_back({f, level, what.type, array_name(what, level), {}});
        }
        for (const node_id n : nodes) {
            has_coordinates_ = has_coordinates_ || std::holds_alternative<ir::coordinate>(s_.nodes[n].op);
            const auto* r = std::get_if<ir::read>(&s_.nodes[n].op);
            if (!r) {
                continue;
            }
            if (is_direct(*r)) {
                direct_.emplace(r->field, r->level);
                continue;
            }
            for (std::size_t axis = 0; axis < 3; ++axis) {
                reach_[axis] = std::max<std::int64_t>(reach_[axis], std::abs(r->at[axis]));
            }
            tracked_array& a = *find_in(tracked_, r->field, r->level);
            if (how_.local && (r->at[across_] != 0 || (r->at[inner_] != 0 && !how_.shuffle))) {
                a.exchanged_planes.insert(r->at[along_]);
            }
        }
    }

    bool is_periodic(std::size_t axis) const {
        return std::any_of(tracked_.begin(), tracked_.end(), [&](const tracked_array& a) {
            const field& f = s_.fields[a.field];
            return f.halo[axis] > 0 && f.faces[axis][0].kind == boundary_kind::periodic;
        });
    }

    void make_tile(tile_axis& t, std::size_t axis, std::int64_t alignment) {
        t.axis = axis;
        t.size = layout_.size[axis];
        t.group = static_cast<std::int64_t>(how_.work_group[axis]);
        t.block = static_cast<std::int64_t>(how_.block[axis]);
        t.runs = static_cast<std::int64_t>(how_.cyclic[axis]);
        t.points = t.runs * t.block;
        t.width = t.group * t.points;
        t.reach = reach_[axis];
        const bool shares = how_.local || (how_.shuffle && axis == inner_);
        t.halo = shares ? round_up(how_.steps * t.reach, alignment) : 0;
        t.step = t.width - 2 * t.halo;
        if (t.step <= 0) {
            throw std::logic_error("a tile has no point that is written");
        }
        t.tiles = (t.size + t.step - 1) / t.step;
        t.periodic = how_.steps > 1 && is_periodic(axis);
        t.name = std::string(1, "xyz"[axis]);
    }

    std::int64_t chunk() const { return static_cast<std::int64_t>(how_.stream_length); }
    std::size_t points() const { return static_cast<std::size_t>(x_.points * y_.points); }

    // ---- arguments and local memory

    void add_formals(lowered_kernel& out) {
        const auto add = [&](formal f, kernel_argument a) {
            out.kernel.formals.push_back(std::move(f));
            out.launch.arguments.push_back(a);
        };
        for (const std::size_t u : updates_) {
            const std::uint32_t f = s_.updates[u].field;
            add({formal::kind::output, array_name(s_.fields[f], how_.steps), s_.fields[f].type},
                field_argument{f, how_.steps, false});
        }
        for (const tracked_array& a : tracked_) {
            add({formal::kind::input, a.name, a.type}, field_argument{a.field, a.level, false});
        }
        for (const auto& [f, level] : direct_) {
            add({formal::kind::input, array_name(s_.fields[f], level), s_.fields[f].type},
                field_argument{f, level, false});
        }
        for (const auto& [p, type] : inputs_.parameters) {
            add({formal::kind::scalar, s_.parameters[p].name + "_param", type}, parameter_argument{p, type});
        }
        if (inputs_.step) {
            add({formal::kind::scalar, "step_number", scalar::i32}, step_argument{});
        }
    }

    /// Rows of a work-item that its neighbours see.
    std::int64_t shared_rows() const { return how_.shuffle ? std::min(y_.points, 2 * y_.reach) : y_.points; }
    /// Where a row is among them, -1: nowhere.
    std::int64_t row_place(std::int64_t y) const {
        if (shared_rows() == y_.points) {
            return y_.shift(y);
        }
        return y < y_.reach ? y : y >= y_.points - y_.reach ? y - (y_.points - shared_rows()) : -1;
    }
    /// Where the row that lies so far from the work-item's first one is, in shared rows from there.
    std::int64_t tile_row(std::int64_t y) const {
        if (shared_rows() == y_.points) {
            return y;
        }
        const std::int64_t items = floor_div(y, y_.points);
        return items * shared_rows() + row_place(y - items * y_.points);
    }
    std::int64_t tile_elements() const { return round_up(x_.width * y_.group * shared_rows(), 16); }
    /// Elements before and behind every tile, for what work-items at its rim read and do not need.
    std::int64_t guard() const {
        const std::int64_t rows = (y_.reach + y_.points - 1) / y_.points * shared_rows();
        return round_up(rows * x_.width + (how_.shuffle ? 0 : x_.reach), 16);
    }
    bool is_ring(const tracked_array& a) const { return a.exchanged_planes.size() > 1; }
    std::int64_t ring_slots(const tracked_array& a) const {
        return *a.exchanged_planes.rbegin() - *a.exchanged_planes.begin() + 2;
    }
    bool is_exchanged() const {
        return std::any_of(tracked_.begin(), tracked_.end(), [](const auto& a) { return !a.exchanged_planes.empty(); });
    }
    /// Every time step needs neighbours' points of planes only that it has before any step begins: one barrier serves
    /// all steps.
    bool exchanges_at_once() const {
        return is_exchanged() &&
               (skew_ > 0 || std::all_of(tracked_.begin(), tracked_.end(), [&](const tracked_array& a) {
                    return a.exchanged_planes.empty() || *a.exchanged_planes.rbegin() < lag_;
                }));
    }
    /// Planes that the result of a stage group lies behind what comes into it.
    std::int64_t group_lag() const { return stages_ * lag_ + (stages_ - 1) * skew_; }
    /// Barriers per pass for exchanges; tiles take turns, so that one barrier per exchange is enough.
    std::int64_t exchanges() const {
        return !is_exchanged() ? 0 : exchanges_at_once() ? how_.planes : std::int64_t{stages_} * how_.planes;
    }
    std::int64_t turns() const { return exchanges() > 1 && exchanges() % 2 == 1 ? 3 : 2; }
    /// Tiles of an array of which one plane at a time is exchanged.
    std::int64_t turn_slots() const { return turns() * (exchanges_at_once() ? stages_ : 1); }
    bool is_copied_across(const field& f) const {
        return std::any_of(std::begin(tile_axes_), std::end(tile_axes_), [&](const tile_axis* t) {
            return t->reach > 0 && (is_copied(f.faces[t->axis][0]) || is_copied(f.faces[t->axis][1]));
        });
    }
    std::int64_t group_points() const { return x_.width * y_.width; }

    void declare_locals() {
        for (const tracked_array& a : tracked_) {
            const auto add = [&](const char* what, std::int64_t elements) {
                kernel_->locals.push_back({a.type, a.name + what, elements});
            };
            if (!a.exchanged_planes.empty()) {
                const std::int64_t tiles = is_ring(a) ? groups_ * stages_ * ring_slots(a) : groups_ * turn_slots();
                add("_tiles", guard() + tiles * (tile_elements() + guard()));
            }
            if (groups_ > 1) {
                add("_hand_over", (groups_ - 1) * 2 * how_.planes * group_points());
            }
            if (copies_ahead()) {
                add("_ahead", how_.ahead * how_.planes * group_points());
            }
            if (how_.steps > 1 && is_copied_across(s_.fields[a.field])) {
                add("_ghosts", groups_ * group_points());
            }
        }
    }

    // ---- coordinates

    value local_index(std::size_t axis) const {
        return how_.work_group[axis] == 1 ? number(0) : make(work_item{id::local, static_cast<int>(axis)}, type::index);
    }
    static value group_index(std::size_t axis, std::int64_t groups) {
        return groups == 1 ? number(0) : make(work_item{id::group, static_cast<int>(axis)}, type::index);
    }
    void declare_tile(tile_axis& t, block& out) {
        t.first = named(out, t.name + "_tile", group_index(t.axis, t.tiles) * number(t.step) - number(t.halo));
        t.own = named(out, t.name + "0", t.first + local_index(t.axis) * number(t.block));
    }

    /// Rows and columns of the work-item's points in memory, where the tile reaches beyond the grid.
    struct positions {
        plane load;  ///< of an element that exists; the one that the point stands for along a periodic axis
        plane piece; ///< of a vector of elements that exist, per vector; where vectors are loaded
        plane point; ///< of a point of the grid
    };
    /// Whether the edge's tiles load whole vectors: those that reach beyond the grid lie in the padding, as far as
    /// their points are needed.
    bool loads_vectors(const tile_axis& t) const {
        return t.axis == 0 && how_.vector_width > 1 && layout_.kind == layout_kind::padded && !t.periodic;
    }
    positions edge_positions(const tile_axis& t, block& out) {
        positions p;
        const std::int64_t halo = layout_.halo[t.axis];
        const std::int64_t left = layout_.origin % layout_.row; // both are multiples of any vector
        const std::int64_t last = layout_.row - left - how_.vector_width;
        for (std::int64_t i = 0; i < t.points; ++i) {
            const value at = plus(t.own, t.shift(i));
            const auto declared = [&](const char* what, const value& v) {
                return named(out, fmt::format("{}_{}{}", t.name, what, i), v);
            };
            if (t.periodic) {
                p.load.push_back(declared("load", modulo(modulo(at, t.size) + number(t.size), t.size)));
                p.point.push_back(p.load.back());
                continue;
            }
            if (!loads_vectors(t)) {
                p.load.push_back(declared("load", clamped(at, -halo, t.size - 1 + halo)));
            } else if (i % how_.vector_width == 0) {
                p.piece.push_back(declared("piece", clamped(at, -left, last)));
            }
            if (!direct_.empty() || has_coordinates_) {
                p.point.push_back(declared("point", clamped(at, 0, t.size - 1)));
            }
        }
        return p;
    }

    // ---- the streaming loop

    /// What the variables of a time step hold before a plane passes through it.
    struct stage_state {
        std::map<const tracked_array*, std::deque<plane>> queue; ///< the planes that came before, oldest first
        std::vector<std::deque<plane>> sums;        ///< per update: of the planes of the result, oldest first
        std::map<const tracked_array*, plane> late; ///< with skewing: what the step before it has computed last
    };

    plane variables(block* declared, const std::string& words, type of) {
        plane out;
        for (std::size_t k = 0; k < points(); ++k) {
            const std::string one = fmt::format("{}_{}", words, k);
            if (declared) {
                declared->push_back({declare{of, one, zero(of), true}});
            }
            out.push_back(var(one, of));
        }
        return out;
    }

    /// The variables that carry planes or sums from one pass of the loop to the next.
    std::vector<stage_state> carried(block* declared) {
        std::vector<stage_state> all;
        for (int s = 0; s < stages_; ++s) {
            stage_state state;
            if (how_.retiming) {
                for (std::size_t u = 0; u < updates_.size(); ++u) {
                    const update& what = s_.updates[updates_[u]];
                    state.sums.emplace_back();
                    const std::int64_t open = lag_ - std::min(0, sums_[u].begin()->first);
                    for (std::int64_t i = 0; i < open; ++i) {
                        state.sums.back().push_back(
                            variables(declared, fmt::format("{}_sum{}_{}", s_.fields[what.field].name, s, i),
                                      type_of(s_.nodes[what.value].type)));
                    }
                }
            } else {
                for (const tracked_array& a : tracked_) {
                    std::deque<plane>& queue = state.queue[&a];
                    for (std::int64_t i = 0; i < 2 * lag_; ++i) {
                        queue.push_back(
                            variables(declared, fmt::format("{}_queue{}_{}", a.name, s, i), register_type(a.type)));
                    }
                }
            }
            for (const tracked_array& a : tracked_) {
                if (skew_ > 0 && s > 0) {
                    state.late[&a] = variables(declared, fmt::format("{}_late{}", a.name, s), register_type(a.type));
                }
            }
            all.push_back(std::move(state));
        }
        return all;
    }

    std::vector<plane> inputs(block* declared, const tracked_array& a, const char* words) {
        std::vector<plane> out;
        for (int r = 0; r < how_.planes; ++r) {
            out.push_back(variables(declared, fmt::format("{}_{}{}", a.name, words, r), register_type(a.type)));
        }
        return out;
    }

    void stream(block& out, bool edge) {
        edge_ = edge;
        if (edge) {
            x_edge_ = edge_positions(x_, out);
            y_edge_ = edge_positions(y_, out);
        }
        carried(&out);
        const std::int64_t before = how_.steps * lag_; // planes that the first result needs
        const value first_plane = first_ - number(before);
        if (copies_ahead()) {
            block* loading = enter(out, groups_ > 1 ? is_group(0) : value());
            for (int pass = 0; pass < how_.ahead - 1; ++pass) {
                copy_planes(plus(first_plane, pass * how_.planes), number(pass), fmt::format("a{}_", pass), *loading);
            }
        } else if (how_.prefetch) {
            for (const tracked_array& a : tracked_) {
                inputs(&out, a, "next");
            }
            block* loading = enter(out, groups_ > 1 ? is_group(0) : value());
            for (const tracked_array& a : tracked_) {
                const auto next = inputs(nullptr, a, "next");
                for (int r = 0; r < how_.planes; ++r) {
                    load_plane(a, plus(first_plane, r), fmt::format("p{}_", r), *loading,
                               next[static_cast<std::size_t>(r)]);
                }
            }
        }
        if (uses_turn()) {
            out.push_back({declare{type::index, "turn", number(0), true}});
        }
        const value planes = last_ - first_ + number(before + groups_ * group_lag());
        const value passes = plus(quotient(plus(planes, how_.planes - 1), how_.planes), groups_ - 1);
        const value last_pass = named(out, "passes", passes);
        if (!checks_planes()) {
            passes_of(out, number(0), last_pass, first_plane, false);
            return;
        }
        // Passes in which every plane of every stage group lies in the grid need no checks. They are told apart by
        // loops: a barrier may not stand in a branch everywhere.
        const std::int64_t checked = groups_ * group_lag() + (groups_ - 1) * how_.planes + (copies_planes() ? lag_ : 0);
        const value plain_from =
            named(out, "plain_from",
                  least(greatest(quotient(number(checked + how_.planes - 1) - first_plane, how_.planes), number(0)),
                        last_pass));
        const value plain_to =
            named(out, "plain_to",
                  least(greatest(quotient(number(length_) - first_plane, how_.planes), plain_from), last_pass));
        block& phase = *enter(out, loop{"phase", number(0), number(2), number(1), {}});
        const value early = below(var("phase"), 1);
        passes_of(phase, chosen(early, number(0), plain_to), chosen(early, plain_from, last_pass), first_plane, true);
        passes_of(phase, plain_from, chosen(early, plain_to, plain_from), first_plane, false);
    }

    void passes_of(block& out, const value& from, const value& to, const value& first_plane, bool checked) {
        block& pass = *enter(out, loop{"pass", from, to, number(1), {}});
        const value newest = named(pass, "newest", first_plane + var("pass") * number(how_.planes));
        plane_ = groups_ == 1 ? newest : named(pass, "plane", newest - group_ * number(how_.planes + group_lag()));
        one_pass(pass, newest, checked);
    }

    /// Planes beyond an end of the streaming axis are copies of others.
    bool copies_planes() const {
        return std::any_of(tracked_.begin(), tracked_.end(), [&](const tracked_array& a) {
            const auto& faces = s_.fields[a.field].faces[along_];
            return s_.fields[a.field].halo[along_] > 0 && (is_copied(faces[0]) || is_copied(faces[1]));
        });
    }
    bool checks_planes() const { return how_.steps > 1 && lag_ > 0 && !periodic_; }
    bool uses_turn() const {
        return groups_ > 1 || (exchanges() == 1 && std::any_of(tracked_.begin(), tracked_.end(), [&](const auto& a) {
                                   return !a.exchanged_planes.empty() && !is_ring(a);
                               }));
    }
    value is_group(int g) const { return binary_value(ir::binary_op::equal, group_, number(g)); }

    void one_pass(block& out, const value& newest, bool checked) {
        checked_ = checked;
        std::vector<stage_state> state = carried(nullptr);
        std::vector<std::map<const tracked_array*, plane>> rows(static_cast<std::size_t>(how_.planes));
        take_inputs(newest, out, rows);
        for (int r = 0; r < how_.planes; ++r) {
            row_of_steps(out, r, state, rows[static_cast<std::size_t>(r)]);
        }
        if (groups_ == 1) {
            write(out, rows);
        } else {
            out.push_back({branch{is_group(groups_ - 1), {}, {}}});
            branch& split = std::get<branch>(out.back().what);
            write(split.yes, rows);
            hand_over(split.no, rows);
            out.push_back({barrier{}});
        }
        const std::vector<stage_state> variables = carried(nullptr);
        for (std::size_t s = 0; s < state.size(); ++s) {
            for (std::size_t u = 0; u < state[s].sums.size(); ++u) {
                carry(out, variables[s].sums[u], state[s].sums[u]);
            }
            for (const tracked_array& a : tracked_) {
                if (!how_.retiming) {
                    carry(out, variables[s].queue.at(&a), state[s].queue.at(&a));
                }
            }
            for (const auto& [a, late] : state[s].late) { // which the queue may have taken
                set(out, variables[s].late.at(a), late);
            }
        }
        if (uses_turn()) {
            out.push_back({assign{"turn", number(1) - var("turn")}});
        }
    }

    /// Takes a plane through the time steps of the stage group.
    void row_of_steps(block& out, int r, std::vector<stage_state>& state, std::map<const tracked_array*, plane>& now) {
        std::vector<passage> steps;
        for (int s = 0; s < stages_; ++s) {
            passage p;
            p.stage = s;
            p.row = r;
            p.prefix = fmt::format("s{}r{}_", s, r);
            p.come = plus(plane_, r - s * (lag_ + skew_));
            p.result = plus(p.come, -lag_);
            p.state = &state[static_cast<std::size_t>(s)];
            steps.push_back(std::move(p));
        }
        if (skew_ > 0) {
            for (passage& p : steps) {
                p.now = p.stage == 0 ? now : p.state->late;
                begin(p, out);
            }
        }
        if (exchanges_at_once()) {
            for (passage& p : steps) {
                show(p, out);
            }
            out.push_back({barrier{}});
        }
        for (passage& p : steps) {
            if (skew_ == 0) {
                p.now = std::move(now);
                begin(p, out);
            }
            now = time_step(out, p);
            if (skew_ > 0 && p.stage + 1 < stages_) {
                state[static_cast<std::size_t>(p.stage + 1)].late = now;
            }
        }
    }

    /// Variable i never takes what variable i - 1 held, so that ascending order needs no copies.
    static void carry(block& out, const std::deque<plane>& to, const std::deque<plane>& from) {
        for (std::size_t i = 0; i < to.size(); ++i) {
            set(out, to[i], from[i]);
        }
    }
    static void set(block& out, const plane& to, const plane& from) {
        for (std::size_t k = 0; k < to.size(); ++k) {
            const std::string& words = std::get<variable>(to[k]->op).name;
            const auto* same = std::get_if<variable>(&from[k]->op);
            if (!same || same->name != words) {
                out.push_back({assign{words, from[k]}});
            }
        }
    }

    // ---- planes in

    bool copies_ahead() const { return how_.prefetch && how_.ahead > 1; }

    void take_inputs(const value& newest, block& out, std::vector<std::map<const tracked_array*, plane>>& rows) {
        if (groups_ == 1 && !how_.prefetch) {
            for (const tracked_array& a : tracked_) {
                for (int r = 0; r < how_.planes; ++r) {
                    rows[static_cast<std::size_t>(r)][&a] =
                        loaded_plane(a, plus(newest, r), fmt::format("l{}_", r), out);
                }
            }
            return;
        }
        for (const tracked_array& a : tracked_) {
            const std::vector<plane> in = inputs(&out, a, "in");
            for (std::size_t r = 0; r < in.size(); ++r) {
                rows[r][&a] = in[r];
            }
        }
        if (groups_ == 1) {
            take_from_memory(newest, out, rows);
            return;
        }
        out.push_back({branch{is_group(0), {}, {}}});
        branch& split = std::get<branch>(out.back().what);
        take_from_memory(newest, split.yes, rows);
        for (const tracked_array& a : tracked_) {
            for (int r = 0; r < how_.planes; ++r) {
                const value at = hand_over_place(group_ - number(1), number(1) - var("turn"), r);
                set(split.no, rows[static_cast<std::size_t>(r)].at(&a),
                    pieces_at(a, "_hand_over", at, fmt::format("{}_from{}", a.name, r), split.no));
            }
        }
    }

    /// The planes that come into the first stage group.
    void take_from_memory(const value& newest, block& out,
                          const std::vector<std::map<const tracked_array*, plane>>& rows) {
        if (copies_ahead()) {
            const value free = named(out, "free_slot", modulo(plus(var("pass"), how_.ahead - 1), how_.ahead));
            const value slot = named(out, "slot", modulo(var("pass"), how_.ahead));
            copy_planes(plus(newest, (how_.ahead - 1) * how_.planes), free, "c", out);
            out.push_back({await_copies{how_.ahead - 1}});
            for (const tracked_array& a : tracked_) {
                for (int r = 0; r < how_.planes; ++r) {
                    set(out, rows[static_cast<std::size_t>(r)].at(&a),
                        pieces_at(a, "_ahead", ahead_place(slot, r), fmt::format("{}_ahead{}", a.name, r), out));
                }
            }
            return;
        }
        for (const tracked_array& a : tracked_) {
            const std::vector<plane> next = how_.prefetch ? inputs(nullptr, a, "next") : std::vector<plane>{};
            for (std::size_t r = 0; r < next.size(); ++r) {
                set(out, rows[r].at(&a), next[r]);
            }
            for (int r = 0; r < how_.planes; ++r) {
                const auto i = static_cast<std::size_t>(r);
                load_plane(a, plus(newest, how_.prefetch ? how_.planes + r : r), fmt::format("l{}_", r), out,
                           how_.prefetch ? next[i] : rows[i].at(&a));
            }
        }
    }

    /// Starts to copy the planes of a pass to their slot, each work-item what it needs itself.
    void copy_planes(const value& newest, const value& slot, const std::string& words, block& out) {
        for (const tracked_array& a : tracked_) {
            for (int r = 0; r < how_.planes; ++r) {
                copy_plane(a, plus(newest, r), ahead_place(slot, r), fmt::format("{}{}_", words, r), out);
            }
        }
        out.push_back({commit_copies{}});
    }

    void copy_plane(const tracked_array& a, const value& at, const value& place, const std::string& prefix,
                    block& out) {
        const std::string array = a.name + "_ahead";
        const int width = how_.vector_width;
        const auto to = [&](std::int64_t piece) { return place + number(piece * width * x_.group * y_.group); };
        if (a.type == scalar::f16 ||
            (edge_ && width > 1 && !loads_vectors(x_))) { // no copy of whole pieces as they are
            const plane values = loaded_plane(a, at, prefix, out);
            for (std::int64_t piece = 0; piece < pieces(); ++piece) {
                put_local(a, array, to(piece), values, static_cast<std::size_t>(piece * width), out);
            }
            return;
        }
        const value z = named(out, prefix + a.name + "_plane", memory_plane(at)) * number(stride(along_));
        for (std::int64_t y = 0; y < y_.points; ++y) {
            const value row = row_in_memory(a, z, y, prefix, out);
            for (std::int64_t x = 0; x < x_.points; x += width) {
                out.push_back({async_copy{a.type, width, a.name, piece_in_memory(row, x), array,
                                          to((y * x_.points + x) / width), layout_.kind == layout_kind::padded}});
            }
        }
    }

    /// The work-item's first piece of a plane in a slot of the planes that are copied ahead.
    value ahead_place(const value& slot, int r) const {
        return (slot * number(how_.planes) + number(r)) * number(group_points()) + first_piece();
    }

    /// The work-item's points of a plane, which lie in local memory piece by piece.
    plane pieces_at(const tracked_array& a, const char* array, const value& at, const std::string& words, block& out) {
        plane values;
        const int width = how_.vector_width;
        const type of = register_type(a.type);
        for (std::int64_t k = 0; k < x_.points * y_.points; k += width) {
            const value from = at + number(k * x_.group * y_.group);
            if (width == 1) {
                values.push_back(make(load{a.name + array, from, a.type, true}, of));
                continue;
            }
            const std::string piece = fmt::format("{}_{}", words, k / width);
            out.push_back({declare_vector{a.type, width, piece, a.name + array, from, true, true}});
            for (int e = 0; e < width; ++e) {
                values.push_back(make(lane{piece, width, e}, of));
            }
        }
        return values;
    }

    std::int64_t pieces() const { return x_.points * y_.points / how_.vector_width; }

    value hand_over_place(const value& group, const value& turn, int r) const {
        return (group * number(2 * how_.planes) + turn * number(how_.planes) + number(r)) * number(group_points()) +
               first_piece();
    }
    value first_piece() const {
        return (local_index(across_) * number(x_.group) + local_index(inner_)) * number(how_.vector_width);
    }

    void hand_over(block& out, const std::vector<std::map<const tracked_array*, plane>>& rows) {
        for (const tracked_array& a : tracked_) {
            for (int r = 0; r < how_.planes; ++r) {
                const value at = hand_over_place(group_, var("turn"), r);
                const plane& what = rows[static_cast<std::size_t>(r)].at(&a);
                for (std::int64_t c = 0; c < pieces(); ++c) {
                    put_local(a, a.name + "_hand_over", at + number(c * how_.vector_width * x_.group * y_.group), what,
                              static_cast<std::size_t>(c * how_.vector_width), out);
                }
            }
        }
    }

    /// One vector of values into local memory.
    void put_local(const tracked_array& a, const std::string& array, const value& at, const plane& what,
                   std::size_t from, block& out) const {
        const int width = how_.vector_width;
        if (width == 1) {
            out.push_back({store{array, at, what[from], a.type, true}});
            return;
        }
        vector_store v{array, at, {}, width, a.type, true, false, true};
        for (int e = 0; e < width; ++e) {
            v.values.push_back(what[from + static_cast<std::size_t>(e)]);
        }
        out.push_back({std::move(v)});
    }

    void load_plane(const tracked_array& a, const value& at, const std::string& prefix, block& out, const plane& to) {
        set(out, to, loaded_plane(a, at, prefix, out));
    }

    /// The plane of memory that a plane stands for or, beyond what exists, some plane.
    value memory_plane(const value& at) const {
        if (periodic_) {
            return wrapped_plane(at);
        }
        const std::int64_t halo = layout_.halo[along_];
        return clamped(at, -halo, length_ - 1 + halo);
    }
    value wrapped_plane(const value& at) const {
        const std::int64_t farthest =
            how_.steps * lag_ + (how_.ahead + 2) * how_.planes + groups_ * (how_.planes + group_lag());
        if (farthest <= length_) {
            return chosen(below(at, 0), plus(at, length_), chosen(at_least(at, length_), plus(at, -length_), at));
        }
        const std::int64_t turns = round_up(farthest, length_);
        return modulo(plus(at, turns), length_);
    }
    std::int64_t stride(std::size_t axis) const { return axis == 0 ? 1 : axis == 1 ? layout_.row : layout_.plane; }

    /// Where row y of the work-item's points lies in memory.
    value row_in_memory(const tracked_array& a, const value& z, std::int64_t y, const std::string& prefix, block& out) {
        const value row = edge_ ? y_edge_.load[static_cast<std::size_t>(y)] : plus(y_.own, y_.shift(y));
        const value at = number(layout_.origin) + z + row * number(stride(across_));
        return named(out, fmt::format("{}{}_row{}", prefix, a.name, y),
                     edge_ ? at : at + x_.own * number(stride(inner_)));
    }
    value element_in_memory(const value& row, std::int64_t x) const {
        return edge_ ? row + x_edge_.load[static_cast<std::size_t>(x)] * number(stride(inner_))
                     : plus(row, x_.shift(x) * stride(inner_));
    }
    /// Of a vector from point x on.
    value piece_in_memory(const value& row, std::int64_t x) const {
        return edge_ && loads_vectors(x_) ? row + x_edge_.piece[static_cast<std::size_t>(x / how_.vector_width)]
                                          : element_in_memory(row, x);
    }

    plane loaded_plane(const tracked_array& a, const value& at, const std::string& prefix, block& out) {
        const value z = named(out, prefix + a.name + "_plane", memory_plane(at)) * number(stride(along_));
        const int width = edge_ && !loads_vectors(x_) ? 1 : how_.vector_width;
        const type of = register_type(a.type);
        plane values;
        for (std::int64_t y = 0; y < y_.points; ++y) {
            const value row = row_in_memory(a, z, y, prefix, out);
            for (std::int64_t x = 0; x < x_.points; x += width) {
                const std::string words = fmt::format("{}{}_{}", prefix, a.name, y * x_.points + x);
                if (width == 1) {
                    values.push_back(named(out, words, make(load{a.name, element_in_memory(row, x), a.type}, of)));
                    continue;
                }
                out.push_back({declare_vector{a.type, width, words, a.name, piece_in_memory(row, x),
                                              layout_.kind == layout_kind::padded}});
                for (int e = 0; e < width; ++e) {
                    values.push_back(make(lane{words, width, e}, of));
                }
            }
        }
        return values;
    }

    // ---- one time step of one plane

    /// An array, the plane's offset from the result's, column and row from the work-item's first point.
    using fetched_point = std::tuple<const tracked_array*, int, std::int64_t, std::int64_t>;

    /// Where things are while a plane passes through a time step.
    struct passage {
        int stage = 0;
        int row = 0;
        std::string prefix;
        value come;   ///< the plane that has come
        value result; ///< the plane that it completes
        stage_state* state = nullptr;
        std::map<const tracked_array*, plane> now; ///< the plane that has come
        std::map<fetched_point, value> fetched;
        /// This work-item's first element in the tile of the exchanged plane so many planes behind the newest one.
        std::map<std::pair<const tracked_array*, std::int64_t>, value> tiles;
    };

    /// The plane that has come is complete.
    void begin(passage& p, block& out) {
        if (checked_) {
            p.come = named(out, p.prefix + "come", p.come);
            p.result = named(out, p.prefix + "result", p.result);
            copy_end_planes(p, out);
        }
    }

    std::map<const tracked_array*, plane> time_step(block& out, passage& p) {
        out.push_back({comment{fmt::format("time step {}, plane {}", p.stage + 1, p.row + 1)}});
        if (exchanges() > 0 && !exchanges_at_once()) {
            show(p, out);
            out.push_back({barrier{}});
        }
        std::map<const tracked_array*, plane> results;
        for (std::size_t u = 0; u < updates_.size(); ++u) {
            const update& what = s_.updates[updates_[u]];
            plane values = how_.retiming ? add_terms(p, u, out) : evaluate(p, u, out);
            const tracked_array* a = result_of(what);
            if (how_.steps > 1) {
                keep_outside(p, *a, values, out);
            }
            results[a] = std::move(values);
        }
        if (edge_ && !(groups_ == 1 && p.stage == stages_ - 1)) {
            copy_ghosts(p, results, out);
        }
        if (!how_.retiming) {
            for (auto& [a, queue] : p.state->queue) {
                queue.push_back(p.now.at(a));
                queue.pop_front();
            }
        }
        return results;
    }

    /// The work-item's own points of a plane, `offset` from the result's.
    const plane& own(const passage& p, const tracked_array& a, std::int64_t offset) const {
        const auto i = static_cast<std::size_t>(lag_ + offset);
        return i < static_cast<std::size_t>(2 * lag_) && !how_.retiming ? p.state->queue.at(&a)[i] : p.now.at(&a);
    }

    /// Planes beyond a clamped or mirrored end of the streaming axis are copies of planes that have come (beyond the
    /// first plane: when the plane 0 is computed).
    void copy_end_planes(passage& p, block& out) {
        if (how_.retiming) {
            return;
        }
        for (const tracked_array& a : tracked_) {
            const auto& faces = s_.fields[a.field].faces[along_];
            auto& queue = p.state->queue.at(&a);
            if (s_.fields[a.field].halo[along_] == 0) {
                continue;
            }
            if (is_copied(faces[1])) {
                plane copied = p.now.at(&a);
                for (std::int64_t k = 0; k < lag_; ++k) {
                    const std::int64_t back = faces[1].kind == boundary_kind::clamp ? k + 1 : 2 * (k + 1);
                    const plane& source = queue[static_cast<std::size_t>(2 * lag_ - back)];
                    const value beyond = binary_value(ir::binary_op::equal, p.come, number(length_ + k));
                    for (std::size_t i = 0; i < copied.size(); ++i) {
                        copied[i] = chosen(beyond, source[i], copied[i]);
                    }
                }
                p.now[&a] = named_plane(out, fmt::format("{}{}_come", p.prefix, a.name), copied);
            }
            if (is_copied(faces[0])) {
                const value start = binary_value(ir::binary_op::equal, p.result, number(0));
                std::vector<plane> fixed;
                for (std::int64_t k = 1; k <= lag_; ++k) {
                    const std::int64_t from = faces[0].kind == boundary_kind::clamp ? lag_ : lag_ + k;
                    const plane& source = from == 2 * lag_ ? p.now.at(&a) : queue[static_cast<std::size_t>(from)];
                    plane one = queue[static_cast<std::size_t>(lag_ - k)];
                    for (std::size_t i = 0; i < one.size(); ++i) {
                        one[i] = chosen(start, source[i], one[i]);
                    }
                    fixed.push_back(named_plane(out, fmt::format("{}{}_before{}", p.prefix, a.name, k), one));
                }
                for (std::int64_t k = 1; k <= lag_; ++k) {
                    queue[static_cast<std::size_t>(lag_ - k)] = fixed[static_cast<std::size_t>(k - 1)];
                }
            }
        }
    }

    /// Constants: the values no longer depend on variables that are assigned to.
    static plane named_plane(block& out, const std::string& words, const plane& values) {
        plane all;
        for (std::size_t k = 0; k < values.size(); ++k) {
            const std::string one = fmt::format("{}_{}", words, k);
            out.push_back({declare{values[k]->of, one, values[k]}});
            all.push_back(var(one, values[k]->of));
        }
        return all;
    }

    // ---- neighbours

    /// Shows the other work-items what they need of a plane.
    void show(passage& p, block& out) {
        for (const tracked_array& a : tracked_) {
            if (a.exchanged_planes.empty()) {
                continue;
            }
            const int newest = *a.exchanged_planes.rbegin();
            const value tile = named(out, p.prefix + a.name + "_tile", tile_place(p, a, 0));
            p.tiles[{&a, 0}] = tile;
            const plane& what = own(p, a, newest);
            for (std::int64_t y = 0; y < y_.points; ++y) {
                if (row_place(y) < 0) {
                    continue;
                }
                for (std::int64_t x = 0; x < x_.points; x += how_.vector_width) {
                    put_local(a, a.name + "_tiles", plus(tile, row_place(y) * x_.width + x_.shift(x)), what,
                              static_cast<std::size_t>(y * x_.points + x), out);
                }
            }
        }
    }

    /// The work-item's first element in the tile of the exchanged plane that lies `back` planes behind the newest one.
    value tile_place(const passage& p, const tracked_array& a, std::int64_t back) const {
        value slot;
        if (is_ring(a)) {
            const std::int64_t slots = ring_slots(a);
            value counted = var("pass") * number(how_.planes) + number(p.row + slots - back);
            if (checked_ && back > 0) {
                counted = counted - ring_correction(p, a, back);
            }
            slot = (group_ * number(stages_) + number(p.stage)) * number(slots) + modulo(counted, slots);
        } else {
            const std::int64_t i = exchanges_at_once() ? p.row : std::int64_t{p.row} * stages_ + p.stage;
            const value turn = exchanges() == 1                               ? var("turn")
                               : i == exchanges() - 1 && exchanges() % 2 == 1 ? number(2)
                                                                              : number(i % 2);
            const std::int64_t step = exchanges_at_once() ? p.stage : 0;
            slot = group_ * number(turn_slots()) + turn + number(step * turns());
        }
        return number(guard()) + slot * number(tile_elements() + guard()) +
               local_index(across_) * number(shared_rows() / y_.runs * x_.width) +
               local_index(inner_) * number(x_.block);
    }

    /// A plane before the first one is found where the plane lies that it copies: this many planes on.
    value ring_correction(const passage& p, const tracked_array& a, std::int64_t back) const {
        const boundary& low = s_.fields[a.field].faces[along_][0];
        if (how_.retiming || !is_copied(low)) {
            return number(0);
        }
        const value at = plus(p.result, *a.exchanged_planes.rbegin() - back);
        // The plane at is found `at - source` planes further back (a negative number).
        const value behind = low.kind == boundary_kind::clamp ? at : at + at;
        return chosen(both(below(at, 0), at_least(p.result, 0)), behind, number(0));
    }

    /// The point that lies so far from the work-item's first one.
    value fetch(passage& p, const tracked_array& a, std::int64_t offset, std::int64_t x, std::int64_t y, block& out) {
        const std::int64_t column = x_.point(x);
        const std::int64_t own_row = y_.point(y);
        if (column >= 0 && own_row >= 0) {
            return own(p, a, offset)[static_cast<std::size_t>(own_row * x_.points + column)];
        }
        const auto key = std::make_tuple(&a, static_cast<int>(offset), x, y);
        if (const auto found = p.fetched.find(key); found != p.fetched.end()) {
            return found->second;
        }
        const auto sign = [](std::int64_t n) { return fmt::format("{}{}", n < 0 ? "m" : "p", std::abs(n)); };
        const std::string words = fmt::format("{}{}_{}_{}_{}", p.prefix, a.name, sign(x), sign(y), sign(offset));
        value v;
        if (how_.shuffle && (x < 0 || x >= x_.points)) {
            const std::int64_t lanes = floor_div(x, x_.points);
            v = fetch(p, a, offset, x - lanes * x_.points, y, out);
            v = make(shuffle{v, static_cast<int>(lanes)}, v->of);
        } else if (!how_.local && reads_pieces(x)) {
            const std::int64_t first = floor_div(x, how_.vector_width) * how_.vector_width;
            fetch_piece(p, {&a, static_cast<int>(offset), first, y}, a.name, memory_place(p, offset, first, y), words,
                        out);
            return p.fetched.at(key);
        } else if (!how_.local) {
            v = make(load{a.name, memory_place(p, offset, x, y), a.type}, register_type(a.type));
        } else {
            const std::int64_t place = tile_row(y);
            const value row = plus(tile_of(p, a, offset, out), place * x_.width);
            const int width = how_.vector_width;
            if (width > 1 && column >= 0) {
                const std::int64_t first = x / width * width;
                fetch_piece(p, {&a, static_cast<int>(offset), first, y}, a.name + "_tiles", plus(row, first), words,
                            out);
                return p.fetched.at(key);
            }
            v = make(load{a.name + "_tiles", plus(row, x), a.type, true}, register_type(a.type));
        }
        v = named(out, words, v);
        p.fetched.emplace(key, v);
        return v;
    }

    /// Whether neighbours in column x come from memory as a vector: those above and below, and those to the sides where
    /// more than one of a vector is needed.
    bool reads_pieces(std::int64_t x) const {
        return inner_ == 0 && how_.vector_width > 1 && layout_.kind == layout_kind::padded &&
               (!edge_ || loads_vectors(x_)) && (x_.point(x) >= 0 || reach_[inner_] > 1);
    }

    /// The vector from point `from` on, for all of its points.
    void fetch_piece(passage& p, const fetched_point& from, const std::string& array, const value& at,
                     const std::string& words, block& out) const {
        const auto& [a, offset, x, y] = from;
        const int width = how_.vector_width;
        out.push_back({declare_vector{a->type, width, words, array, at, true, how_.local}});
        for (int e = 0; e < width; ++e) {
            p.fetched.emplace(fetched_point{a, offset, x + e, y}, make(lane{words, width, e}, register_type(a->type)));
        }
    }

    /// An element near the work-item's points, or a vector from there on; of one that nobody needs, some other.
    value memory_place(const passage& p, std::int64_t offset, std::int64_t x, std::int64_t y) const {
        const value z = memory_plane(how_.retiming ? p.come : plus(p.result, offset));
        value column = plus(x_.own, x);
        value row = plus(y_.own, y);
        if (edge_ && reads_pieces(x)) {
            const std::int64_t left = layout_.origin % layout_.row;
            column = clamped(column, -left, layout_.row - left - how_.vector_width);
            row = clamped(row, -layout_.halo[across_], y_.size - 1 + layout_.halo[across_]);
        } else if (edge_) {
            column = clamped(column, -layout_.halo[inner_], x_.size - 1 + layout_.halo[inner_]);
            row = clamped(row, -layout_.halo[across_], y_.size - 1 + layout_.halo[across_]);
        }
        return number(layout_.origin) + z * number(stride(along_)) + row * number(stride(across_)) +
               column * number(stride(inner_));
    }

    value tile_of(passage& p, const tracked_array& a, std::int64_t offset, block& out) {
        const std::int64_t back = how_.retiming ? 0 : *a.exchanged_planes.rbegin() - offset;
        value& tile = p.tiles[{&a, back}];
        if (!tile) {
            tile = named(out, fmt::format("{}{}_tile_back{}", p.prefix, a.name, back), tile_place(p, a, back));
        }
        return tile;
    }

    // ---- arithmetic

    point_surroundings surroundings(passage& p, const std::string& words, std::int64_t come_offset, block& out) {
        point_surroundings around;
        around.prefix = p.prefix + words;
        // The plane that is computed lies come_offset behind the one that came (retiming), or is p.result.
        const value at = how_.retiming ? plus(p.come, -come_offset) : p.result;
        around.element = [this, &p, at, &out](const ir::read& r, offset3 point) -> value {
            const std::int64_t x = point[inner_] + r.at[inner_];
            const std::int64_t y = point[across_] + r.at[across_];
            if (const tracked_array* a = find_tracked(r)) {
                return fetch(p, *a, how_.retiming ? lag_ : r.at[along_], x, y, out);
            }
            const field& f = s_.fields[r.field];
            const auto column = static_cast<std::size_t>(x_.point(point[inner_]));
            const auto row = static_cast<std::size_t>(y_.point(point[across_]));
            const value cx = edge_ ? plus(x_edge_.point[column], r.at[inner_]) : plus(x_.own, x);
            const value cy = edge_ ? plus(y_edge_.point[row], r.at[across_]) : plus(y_.own, y);
            const value cz = plus(point_plane(at), r.at[along_]);
            const value where = number(layout_.origin) + cx * number(stride(inner_)) + cy * number(stride(across_)) +
                                cz * number(stride(along_));
            return make(load{array_name(f, r.level), where, f.type, false}, register_type(f.type));
        };
        around.coordinate = [this, at](int axis, int delta) -> value {
            const auto which = static_cast<std::size_t>(axis);
            if (which == along_) {
                return point_plane(at);
            }
            if (edge_) {
                return which == inner_ ? x_edge_.point[static_cast<std::size_t>(x_.point(delta))]
                                       : y_edge_.point[static_cast<std::size_t>(y_.point(delta))];
            }
            return plus(which == inner_ ? x_.own : y_.own, delta);
        };
        around.parameter = [this](std::uint32_t which) {
            return var(s_.parameters[which].name + "_param", type_of(inputs_.parameters.at(which)));
        };
        around.step = [this, &p]() -> value {
            value steps = group_ * number(stages_) + number(p.stage);
            if (literal(steps) == 0) {
                return var("step_number", type::i32);
            }
            steps = literal(steps) ? number(*literal(steps), type::i32) : make(nest::convert{steps}, type::i32);
            return var("step_number", type::i32) + steps;
        };
        if (how_.constant) {
            around.constant = [this](double n, type of) { return constant_element(*kernel_, n, of); };
        }
        return around;
    }

    /// A plane of the grid: the one that this one stands for or, beyond what is needed, some plane.
    value point_plane(const value& at) const { return periodic_ ? wrapped_plane(at) : clamped(at, 0, length_ - 1); }

    std::vector<offset3> all_points() const {
        std::vector<offset3> all;
        for (int y = 0; y < y_.points; ++y) {
            for (int x = 0; x < x_.points; ++x) {
                offset3 p{};
                p[inner_] = static_cast<int>(x_.shift(x));
                p[across_] = static_cast<int>(y_.shift(y));
                all.push_back(p);
            }
        }
        return all;
    }

    value stored_value(const value& v, scalar stored) const {
        const type of = register_type(stored);
        return v->of == of ? v : make(nest::convert{v}, of);
    }

    plane evaluate(passage& p, std::size_t u, block& out) {
        const update& what = s_.updates[updates_[u]];
        const field& target = s_.fields[what.field];
        const auto around = surroundings(p, target.name + "_", 0, out);
        plane values;
        if (edge_ && !direct_.empty()) {
            // Points beyond the grid stand for others: what neighbours read from memory is not the same element.
            for (const offset3& point : all_points()) {
                const std::string words = fmt::format("{}_p{}_", target.name, values.size());
                const auto alone = surroundings(p, words, 0, out);
                values.push_back(lower_points(s_, layout_.size, what.value, alone, {point}, out).front());
            }
        } else {
            values = lower_points(s_, layout_.size, what.value, around, all_points(), out);
        }
        for (value& v : values) {
            v = stored_value(v, target.type);
        }
        return named_plane(out, fmt::format("{}{}_next", p.prefix, target.name), values);
    }

    /// Adds the terms that the plane which came contributes to every plane of the result that is open.
    plane add_terms(passage& p, std::size_t u, block& out) {
        const update& what = s_.updates[updates_[u]];
        const field& target = s_.fields[what.field];
        const type of = type_of(s_.nodes[what.value].type);
        std::deque<plane>& sums = p.state->sums[u];
        const std::vector<offset3> all = all_points();
        plane result;
        for (std::int64_t i = 0; i <= static_cast<std::int64_t>(sums.size()); ++i) {
            const std::int64_t offset = lag_ - i; // of the plane that came from the plane of this sum
            const auto found = sums_[u].find(static_cast<int>(offset));
            const std::size_t terms = found == sums_[u].end() ? 0 : found->second.size();
            plane next;
            for (std::size_t k = 0; k < all.size(); ++k) {
                value sum = i < static_cast<std::int64_t>(sums.size()) ? sums[static_cast<std::size_t>(i)][k] : value();
                for (std::size_t t = 0; t < terms; ++t) {
                    const sum_term& term = found->second[t];
                    const std::string words = fmt::format("{}{}t{}p{}_", target.name, i, t, k);
                    const auto around = surroundings(p, words, offset, out);
                    const value v = lower_points(s_, layout_.size, term.node, around, {all[k]}, out).front();
                    if (!sum) {
                        sum = term.negative ? make(nest::unary{ir::unary_op::negate, v}, of) : v;
                    } else {
                        sum = make(nest::binary{term.negative ? ir::binary_op::subtract : ir::binary_op::add, sum, v},
                                   of);
                    }
                }
                if (!sum) {
                    sum = zero(of);
                }
                const std::string words = fmt::format("{}{}_sum{}_{}", p.prefix, target.name, i, k);
                next.push_back(terms > 0 ? named(out, words, sum) : sum);
            }
            if (i == 0) {
                result = std::move(next);
            } else {
                sums[static_cast<std::size_t>(i - 1)] = std::move(next);
            }
        }
        for (value& v : result) {
            v = stored_value(v, target.type);
        }
        return named_plane(out, fmt::format("{}{}_next", p.prefix, target.name), result);
    }

    // ---- beyond the grid

    /// Points beyond a fixed or constant face keep their value.
    void keep_outside(const passage& p, const tracked_array& a, plane& values, block& out) {
        const field& f = s_.fields[a.field];
        value plane_outside;
        if (checked_ && f.halo[along_] > 0) {
            if (is_frozen(f.faces[along_][0])) {
                plane_outside = below(p.result, 0);
            }
            if (is_frozen(f.faces[along_][1])) {
                plane_outside = either(plane_outside, at_least(p.result, length_));
            }
        }
        std::vector<value> outside;
        bool any = false;
        for (std::int64_t y = 0; y < y_.points; ++y) {
            for (std::int64_t x = 0; x < x_.points; ++x) {
                value here = plane_outside;
                if (edge_) {
                    here = either(here, outside_faces(f, x_, x, is_frozen));
                    here = either(here, outside_faces(f, y_, y, is_frozen));
                }
                any = any || here;
                outside.push_back(here);
            }
        }
        if (!any) {
            return;
        }
        const std::string words = fmt::format("{}{}_kept", p.prefix, a.name);
        if (!how_.retiming) {
            const plane& centre = own(p, a, 0);
            for (std::size_t k = 0; k < values.size(); ++k) {
                if (outside[k]) {
                    values[k] = chosen(outside[k], centre[k], values[k]);
                }
            }
            values = named_plane(out, words, values);
            return;
        }
        // There is no queue of planes: the value is in memory.
        const type of = register_type(a.type);
        const std::int64_t halo_x = layout_.halo[inner_];
        const std::int64_t halo_y = layout_.halo[across_];
        const value z = named(out, words + "_plane", memory_plane(p.result) * number(stride(along_)));
        for (std::size_t k = 0; k < values.size(); ++k) {
            if (!outside[k]) {
                continue;
            }
            const auto x = static_cast<std::int64_t>(k) % x_.points;
            const auto y = static_cast<std::int64_t>(k) / x_.points;
            const std::string one = fmt::format("{}_{}", words, k);
            out.push_back({declare{of, one, values[k], true}});
            block* inside = enter(out, outside[k]);
            const value at_x = edge_ && x_.periodic ? x_edge_.load[static_cast<std::size_t>(x)]
                                                    : clamped(plus(x_.own, x_.shift(x)), -halo_x, x_.size - 1 + halo_x);
            const value at_y = edge_ && y_.periodic ? y_edge_.load[static_cast<std::size_t>(y)]
                                                    : clamped(plus(y_.own, y_.shift(y)), -halo_y, y_.size - 1 + halo_y);
            inside->push_back({assign{one, make(load{a.name,
                                                     number(layout_.origin) + at_x * number(stride(inner_)) +
                                                         at_y * number(stride(across_)) + z,
                                                     a.type},
                                                of)}});
            values[k] = var(one, of);
        }
    }

    /// Whether point i lies beyond a face of this kind; null where it never does or lies farther beyond it than a time
    /// step reaches: what such a point holds is not needed.
    template<class Kind>
    static value outside_faces(const field& f, const tile_axis& t, std::int64_t i, Kind&& of_kind) {
        value out;
        const bool is_read = f.halo[t.axis] > 0;
        if (is_read && of_kind(f.faces[t.axis][0]) && may_lie(t, i, -t.reach)) {
            out = below(plus(t.own, t.shift(i)), 0);
        }
        if (is_read && of_kind(f.faces[t.axis][1]) && may_lie(t, i, t.size)) {
            out = either(out, at_least(plus(t.own, t.shift(i)), t.size));
        }
        return out;
    }
    /// Whether point i of some work-item is one of the `reach` points from `first` on.
    static bool may_lie(const tile_axis& t, std::int64_t i, std::int64_t first) {
        if (t.step % t.block != 0) {
            return t.reach > 0;
        }
        // Every run's first point lies a multiple of `block` from -halo.
        const std::int64_t after = (((i - t.halo - first) % t.block) + t.block) % t.block;
        return after < t.reach;
    }

    /// Points beyond a clamped or mirrored face of the tile's axes take the values of the points that they copy.
    void copy_ghosts(const passage& p, std::map<const tracked_array*, plane>& results, block& out) {
        std::vector<const tracked_array*> copied;
        for (const tracked_array& a : tracked_) {
            if (how_.steps > 1 && is_copied_across(s_.fields[a.field])) {
                copied.push_back(&a);
            }
        }
        if (copied.empty()) {
            return;
        }
        const value base = group_ * number(group_points());
        const value thread =
            base + local_index(across_) * number(y_.block * x_.width) + local_index(inner_) * number(x_.block);
        out.push_back({barrier{}});
        for (const tracked_array* a : copied) {
            const plane& values = results.at(a);
            for (std::int64_t y = 0; y < y_.points; ++y) {
                for (std::int64_t x = 0; x < x_.points; x += how_.vector_width) {
                    put_local(*a, a->name + "_ghosts", plus(thread, y_.shift(y) * x_.width + x_.shift(x)), values,
                              static_cast<std::size_t>(y * x_.points + x), out);
                }
            }
        }
        out.push_back({barrier{}});
        for (const tracked_array* a : copied) {
            const field& f = s_.fields[a->field];
            plane& values = results.at(a);
            const type of = register_type(a->type);
            for (std::int64_t y = 0; y < y_.points; ++y) {
                for (std::int64_t x = 0; x < x_.points; ++x) {
                    const auto k = static_cast<std::size_t>(y * x_.points + x);
                    const value outside =
                        either(outside_faces(f, x_, x, is_copied), outside_faces(f, y_, y, is_copied));
                    if (!outside) {
                        continue;
                    }
                    const std::string one = fmt::format("{}{}_ghost_{}", p.prefix, a->name, k);
                    out.push_back({declare{of, one, values[k], true}});
                    block* inside = enter(out, outside);
                    const value from = base + copied_place(f, x_, x) + copied_place(f, y_, y) * number(x_.width);
                    inside->push_back({assign{one, make(load{a->name + "_ghosts", from, a->type, true}, of)}});
                    values[k] = var(one, of);
                }
            }
        }
    }

    /// Where along an axis of the tile the point lies that point i copies.
    static value copied_place(const field& f, const tile_axis& t, std::int64_t i) {
        const value at = plus(t.own, t.shift(i));
        value source = at;
        if (f.halo[t.axis] > 0) {
            const auto beyond = [&](int face, const value& outside) {
                const boundary& b = f.faces[t.axis][static_cast<std::size_t>(face)];
                if (is_copied(b)) {
                    const value edge = number(face == 0 ? 0 : t.size - 1);
                    source = chosen(outside, b.kind == boundary_kind::clamp ? edge : edge + edge - at, source);
                }
            };
            beyond(1, at_least(at, t.size));
            beyond(0, below(at, 0));
        }
        return clamped(source - t.first, 0, t.width - 1);
    }

    // ---- planes out

    void write(block& out, const std::vector<std::map<const tracked_array*, plane>>& rows) {
        for (int r = 0; r < how_.planes; ++r) {
            const std::string prefix = fmt::format("w{}_", r);
            const value at = named(out, prefix + "plane", plus(plane_, r - group_lag()));
            block* inside = enter(out, both(less_equal(first_, at), less(at, last_)));
            for (std::size_t u = 0; u < updates_.size(); ++u) {
                const update& what = s_.updates[updates_[u]];
                write_plane(s_.fields[what.field], at, prefix, rows[static_cast<std::size_t>(r)].at(result_of(what)),
                            *inside);
            }
        }
    }

    /// Whether the tile's writable part of an axis has the point.
    value writable(const tile_axis& t, std::int64_t i, std::int64_t count) const {
        value inside;
        const value within = plus(local_index(t.axis) * number(t.block), t.shift(i));
        if (t.halo > 0) {
            inside = both(at_least(within, t.halo), below(within, t.halo + t.step));
        }
        const bool cut = edge_ && t.size % t.step != 0; // the last tile writes less than the others
        return cut ? both(inside, below(plus(t.own, t.shift(i) + count - 1), t.size)) : inside;
    }

    void write_plane(const field& f, const value& at, const std::string& prefix, const plane& values, block& out) {
        const std::string array = array_name(f, how_.steps);
        const int width = how_.vector_width;
        for (std::int64_t y = 0; y < y_.points; ++y) {
            block* row = enter(out, writable(y_, y, 1));
            const value to =
                named(*row, fmt::format("{}{}_to{}", prefix, f.name, y),
                      number(layout_.origin) + at * number(stride(along_)) +
                          plus(y_.own, y_.shift(y)) * number(stride(across_)) + x_.own * number(stride(inner_)));
            for (std::int64_t x = 0; x < x_.points; x += width) {
                const auto k = static_cast<std::size_t>(y * x_.points + x);
                const value fits = writable(x_, x, width);
                block* here = row;
                block* rest = nullptr;
                if (fits) {
                    row->push_back({branch{fits, {}, {}}});
                    here = &std::get<branch>(row->back().what).yes;
                    rest = &std::get<branch>(row->back().what).no;
                }
                if (width == 1) {
                    here->push_back({store{array, plus(to, x_.shift(x) * stride(inner_)), values[k], f.type, false}});
                    continue;
                }
                vector_store v{array,
                               plus(to, x_.shift(x)),
                               {},
                               width,
                               f.type,
                               layout_.kind == layout_kind::padded,
                               how_.streaming_stores};
                for (int e = 0; e < width; ++e) {
                    v.values.push_back(values[k + static_cast<std::size_t>(e)]);
                }
                here->push_back({std::move(v)});
                if (edge_ && x_.size % width != 0) { // the end of a row, point by point
                    for (int e = 0; e < width - 1; ++e) {
                        block* one = enter(*rest, writable(x_, x + e, 1));
                        one->push_back(
                            {store{array, plus(to, x_.shift(x) + e), values[k + static_cast<std::size_t>(e)], f.type}});
                    }
                }
            }
        }
    }

    stencil s_; // with the nodes of the partial sums
    std::vector<std::size_t> updates_;
    const array_layout& layout_;
    const schedule& how_;
    std::size_t along_;   ///< the streaming axis
    std::size_t inner_;   ///< the tile's axes: this, x unless streaming runs along it
    std::size_t across_;  ///< and this
    std::int64_t length_; ///< planes of the grid
    int groups_;          ///< stage groups
    int stages_;          ///< time steps of a stage group
    std::vector<tracked_array> tracked_;
    tracked_array untracked_result_;                 ///< stands for the result, where it is not what comes in next
    std::set<std::pair<std::uint32_t, int>> direct_; ///< arrays that are read from memory where they are needed
    kernel_inputs inputs_;
    std::vector<plane_terms> sums_; ///< per update
    bool has_coordinates_ = false;
    std::array<std::int64_t, 3> reach_{};
    std::int64_t lag_ = 0;  ///< planes that a result lies behind what has come
    std::int64_t skew_ = 0; ///< planes more that a time step lies behind the one before it
    bool periodic_ = false;
    tile_axis x_, y_;
    const tile_axis* const tile_axes_[2]{&x_, &y_};
    kernel* kernel_ = nullptr;
    value first_, last_; ///< planes of this work-group
    value group_;        ///< stage group
    value plane_;        ///< that comes into this stage group first in this pass
    bool edge_ = false;
    bool checked_ = false;
    positions x_edge_, y_edge_;
};

} // namespace

lowered_kernel lower_stream(const stencil& s, const std::vector<std::size_t>& updates, const array_layout& layout,
                            const schedule& how) {
    return stream_lowering(s, updates, layout, how).lower();
}

} // namespace gst
