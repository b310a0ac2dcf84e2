#include "core/codegen/stream/stream_lowering.hpp"
#include "core/codegen/stream_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace gst::streaming {

void stream_lowering::stream(block& out, bool edge) {
    edge_ = edge;
    if (edge && !how_.stage_tiles) {
        x_edge_ = edge_positions(x_, out);
        y_edge_ = edge_positions(y_, out);
    }
    if (edge && how_.stage_tiles) {
        enter_stage(0); // places are the same variables in either group
        declare_seams("", out);
    }
    if (how_.stage_tiles) { // variables for either group
        enter_stage(first_y_.points >= second_y_.points ? 0 : 1);
        carried(&out);
        enter_stage(0);
    } else {
        carried(&out);
    }
    const std::int64_t before = how_.steps * lag_; // planes that the first result needs
    const value first_plane = begins_at_face()
                                  ? named(out, "first_plane", greatest(first_ - number(before), number(-lag_)))
                                  : first_ - number(before);
    const value planes = last_ - first_plane + number(groups_ * group_lag());
    const value passes =
        plus(quotient(plus(planes, how_.planes - 1), how_.planes), groups_ - (how_.group_copies ? 0 : 1));
    if (copies_boxes()) {
        passes_ = named(out, "passes", passes);
    } else if (any_copied_together()) {
        declare_halo_pieces(out);
    }
    if (how_.group_copies) {
        declare_written_pieces(out);
    }
    if (copies_ahead()) {
        block* loading = &copying(out);
        for (int pass = 0; pass < how_.ahead - 1; ++pass) {
            copy_planes(plus(first_plane, pass * how_.planes), number(pass), number(pass), fmt::format("a{}_", pass),
                        *loading);
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
    if (!beside_.empty()) {
        begin_beside(first_plane, out);
    }
    if (uses_turn()) {
        out.push_back({declare{type::index, "turn", number(0), true}});
    }
    if (splits_passes()) { // what the first pass is shown reaches no result that is needed
        arrive_in_pass(out);
    }
    const value last_pass = copies_boxes() ? passes_ : named(out, "passes", passes);
    if (!checks_planes()) {
        passes_of(out, number(0), last_pass, first_plane, false);
        return;
    }
    // Passes in which every plane of every stage group lies in the grid need no checks. They are told apart by
    // loops: a barrier may not stand in a branch everywhere.
    const std::int64_t checked = groups_ * group_lag() + (groups_ - 1) * how_.planes + (copies_planes() ? lag_ : 0);
    // A compiler that cannot tell that no pass is negative takes remainders of its number for slots of local memory in
    // more instructions and registers.
    const value plain_from = named(
        out, "plain_from",
        greatest(least(quotient(number(checked + how_.planes - 1) - first_plane, how_.planes), last_pass), number(0)));
    const value plain_end =
        greatest(least(quotient(number(length_) - first_plane, how_.planes), last_pass), plain_from);
    const std::int64_t rest = literal(plain_end - plain_from).value_or(0) % how_.unrolled_passes; // see passes_of
    const value plain_to = named(out, "plain_to", plus(plain_end, -rest));
    block& phase = *enter(out, loop{"phase", number(0), number(2), number(1), {}});
    const value early = below(var("phase"), 1);
    passes_of(phase, chosen(early, number(0), plain_to), chosen(early, plain_from, last_pass), first_plane, true);
    passes_of(phase, plain_from, chosen(early, plain_to, plain_from), first_plane, false);
}

block& stream_lowering::copying(block& out) const {
    if (groups_ == 1 || how_.group_copies || (how_.stage_tiles && copies_boxes())) {
        return out;
    }
    return how_.stage_tiles ? *enter(*enter(out, in_first_stage_), shows_) : *enter(out, is_group(0));
}

void stream_lowering::passes_of(block& out, const value& from, const value& to, const value& first_plane,
                                bool checked) {
    checked_ = checked;
    const int straight = checked ? 1 : how_.unrolled_passes; // there are few that are checked
    // A loop that ends amid straight passes is what nvcc makes of one with a rest, and ptxas 13.0 then takes registers
    // for addresses that the first iterations have not written.
    const std::int64_t rest = literal(to - from).value_or(0) % straight;
    value whole = plus(to, -rest);
    if (how_.rematerialization && !literal(whole)) { // else compilers choose between both phases' ends in each pass
        whole = named(out, checked ? "checked_end" : "plain_end", unknown(whole));
    }
    loop_of_passes(out, {"pass", from, whole, number(1), {}, false, straight}, first_plane);
    if (rest > 0) {
        loop_of_passes(out, {"pass", whole, to, number(1), {}, true}, first_plane);
    }
}

void stream_lowering::loop_of_passes(block& out, loop passes, const value& first_plane) {
    block& pass = *enter(own_code(stage_code::loops, out), std::move(passes));
    const value newest = named(pass, "newest", first_plane + var("pass") * number(how_.planes));
    if (how_.stage_tiles) {
        pass_of_stages(newest, pass);
        return;
    }
    plane_ = groups_ == 1 ? newest : named(pass, "plane", newest - group_ * number(group_distance()));
    one_pass(pass, newest);
}

void stream_lowering::one_pass(block& out, const value& newest) {
    std::vector<stage_state> state = carried(nullptr);
    std::vector<planes_of_arrays> rows(static_cast<std::size_t>(how_.planes));
    const std::size_t begin = out.size();
    if (!joins_barriers()) {
        take_inputs(newest, out, rows);
    }
    for (int r = 0; r < how_.planes; ++r) {
        row_of_steps(out, r, state, newest, rows);
    }
    if (groups_ == 1) {
        write(out, rows);
    } else if (how_.group_copies) { // the next pass begins with a barrier
        hand_on(out, begin, rows);
        write_together(newest, out);
    } else {
        out.push_back({branch{is_group(groups_ - 1), {}, {}}});
        branch& split = std::get<branch>(out.back().what);
        write(split.yes, rows);
        hand_over(split.no, rows);
        out.push_back({barrier{}});
    }
    carry_on(out, state);
    if (uses_turn()) {
        out.push_back({assign{"turn", number(1) - var("turn")}});
    }
}

void stream_lowering::carry_on(block& out, const std::vector<stage_state>& state) {
    const std::vector<stage_state> variables = carried(nullptr);
    for (std::size_t s = state.size(); s-- > 0;) { // what passes on is in the variables of the time step before
        for (std::size_t u = 0; u < state[s].sums.size(); ++u) {
            carry(out, variables[s].sums[u], state[s].sums[u]);
        }
        for (const tracked_array& a : tracked_) {
            if (!how_.retiming && !is_kept(a)) {
                const auto own = own_planes(a, static_cast<int>(s));
                const std::deque<plane>& to = variables[s].queue.at(&a);
                carry(out, {to.begin(), to.begin() + own}, state[s].queue.at(&a));
            }
        }
        for (const auto& [a, late] : state[s].late) { // which the queue may have taken
            set(out, variables[s].late.at(a), late);
        }
        for (std::size_t r = 0; r < state[s].beside.size(); ++r) {
            for (const auto& [array, points] : state[s].beside[r]) {
                set(out, variables[s].beside[r].at(array), points);
            }
        }
    }
}

void stream_lowering::arrive_in_pass(block& out) const {
    await_shared_copies(out);
    out.push_back({arrive{arrivals, ""}});
}

void stream_lowering::row_of_steps(block& out, int r, std::vector<stage_state>& state, const value& newest,
                                   std::vector<planes_of_arrays>& rows) {
    planes_of_arrays& now = rows[static_cast<std::size_t>(r)];
    const bool joins = r == 0 && joins_barriers();
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
    const auto begin_skewed = [&](passage& p) {
        p.now = p.stage == 0 ? now : p.state->late;
        begin(p, out);
    };
    if (skew_ > 0) {
        std::for_each(steps.begin() + (joins ? 1 : 0), steps.end(), begin_skewed);
    }
    if (exchanges_at_once()) {
        for (passage& p : steps) {
            if (!splits_passes()) { // all was shown in the pass before
                show(p, out);
            }
        }
        if (splits_barriers()) {
            const std::string token = fmt::format("arrived{}", r);
            out.push_back({arrive{arrivals, token}});
            compute_meanwhile(steps, now, out);
            out.push_back({await_arrivals{arrivals, token}});
        } else if (joins) {
            take_inputs(newest, out, rows);
            if (skew_ > 0) {
                begin_skewed(steps.front());
            }
        } else {
            out.push_back({barrier{}});
        }
    }
    for (passage& p : steps) {
        if (skew_ == 0) {
            p.now = std::move(now);
        }
        if (skew_ == 0 && !splits_barriers()) {
            begin(p, out);
        }
        now = time_step(out, p);
        if (skew_ > 0 && p.stage + 1 < stages_) {
            state[static_cast<std::size_t>(p.stage + 1)].late = now;
        }
        if (splits_passes() && p.stage + 1 < stages_) {
            show_next(steps[static_cast<std::size_t>(p.stage + 1)], now, out);
        }
        if (splits_passes() && p.stage + 2 == stages_) {
            arrive_in_pass(out);
        }
    }
}

plane stream_lowering::variables(block* declared, const std::string& words, type of, std::size_t count) {
    plane out;
    for (std::size_t k = 0; k < count; ++k) {
        const std::string one = fmt::format("{}_{}", words, k);
        if (declared) {
            declared->push_back({declare{of, one, zero(of), true}});
        }
        out.push_back(var(one, of));
    }
    return out;
}

std::vector<stage_state> stream_lowering::carried(block* declared) {
    std::vector<stage_state> all;
    for (int s = 0; s < stages_; ++s) {
        stage_state state;
        if (how_.retiming) {
            for (std::size_t u = 0; u < updates_.size(); ++u) {
                const update& what = s_.updates[updates_[u]];
                state.sums.emplace_back();
                // Declared as many as either group keeps.
                const std::int64_t ahead = declared && how_.late_sums < 2 ? lag_ : centre_back();
                const std::int64_t open = ahead - std::min(0, sums_[u].begin()->first);
                for (std::int64_t i = 0; i < open; ++i) {
                    state.sums.back().push_back(variables(declared,
                                                          fmt::format("{}_sum{}_{}", s_.fields[what.field].name, s, i),
                                                          type_of(s_.nodes[what.value].type), partial_sums(u)));
                }
            }
        } else {
            for (const tracked_array& a : tracked_) {
                if (is_kept(a)) {
                    continue;
                }
                std::deque<plane>& queue = state.queue[&a];
                for (std::int64_t i = 0; i < own_planes(a, s); ++i) {
                    queue.push_back(variables(declared, fmt::format("{}_queue{}_{}", a.name, s, i),
                                              register_type(a.type), points()));
                }
                if (shares_queue(a, s)) {
                    const std::deque<plane>& before = all.back().queue.at(&a);
                    queue.insert(queue.end(), before.begin(), before.begin() + lag_);
                }
            }
        }
        for (const tracked_array& a : tracked_) {
            if (skew_ > 0 && s > 0 && !is_kept(a)) {
                state.late[&a] =
                    variables(declared, fmt::format("{}_late{}", a.name, s), register_type(a.type), points());
            }
        }
        for (int r = 0; r < how_.planes && !beside_.empty(); ++r) {
            state.beside.emplace_back();
            for (const array_beside& a : beside_) {
                if (!declared && !is_loaded(a)) {
                    continue;
                }
                const field& f = s_.fields[a.field];
                state.beside.back()[{a.field, a.level}] = variables(
                    declared, fmt::format("{}_beside{}", array_name(f, a.level), r), register_type(f.type), points());
            }
        }
        all.push_back(std::move(state));
    }
    return all;
}

std::vector<plane> stream_lowering::inputs(block* declared, const tracked_array& a, const char* words) {
    std::vector<plane> out;
    for (int r = 0; r < how_.planes; ++r) {
        out.push_back(variables(declared, fmt::format("{}_{}{}", a.name, words, r), register_type(a.type), points()));
    }
    return out;
}

bool stream_lowering::copies_planes() const {
    return std::any_of(tracked_.begin(), tracked_.end(), [&](const tracked_array& a) {
        const auto& faces = s_.fields[a.field].faces[along_];
        return has_ghosts(a) && s_.fields[a.field].halo[along_] > 0 && (is_copied(faces[0]) || is_copied(faces[1]));
    });
}

bool stream_lowering::uses_turn() const {
    return (groups_ > 1 && !how_.stage_tiles) ||
           (exchanges() == 1 &&
            std::any_of(tracked_.begin(), tracked_.end(), [&](const auto& a) { return is_shown(a) && !in_ring(a); }));
}

} // namespace gst::streaming
