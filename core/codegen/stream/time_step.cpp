#include "core/codegen/stream/stream_lowering.hpp"
#include "core/codegen/stream_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace gst::streaming {

void stream_lowering::begin(passage& p, block& out) {
    if (checked_) {
        p.come = named(out, p.prefix + "come", p.come);
        p.result = named(out, p.prefix + "result", p.result);
        copy_end_planes(p, out);
    }
}

planes_of_arrays stream_lowering::time_step(block& out, passage& p) {
    out.push_back({comment{fmt::format("time step {}, plane {}", p.stage + 1, p.row + 1)}});
    if (exchanges() > 0 && !exchanges_at_once() && p.stage >= first_shown()) {
        show(p, out);
        out.push_back({barrier{}});
    }
    compute(p, points_in_half(1), out);
    if (edge_ && !how_.stage_tiles && !is_last(p)) {
        copy_ghosts(p, p.results, out);
    }
    if (!how_.retiming) {
        for (auto& [a, queue] : p.state->queue) {
            queue.push_back(p.now.at(a));
            queue.pop_front();
        }
    }
    return std::move(p.results);
}

bool stream_lowering::is_last(const passage& p) const {
    return (groups_ == 1 || reads_stage()) && p.stage == stages_ - 1;
}

void stream_lowering::compute(passage& p, const std::vector<std::size_t>& which, block& out) {
    if (!beside_.empty()) { // loaded in the pass before
        p.beside = p.state->beside[static_cast<std::size_t>(p.row)];
    }
    for (std::size_t u = 0; u < updates_.size(); ++u) {
        const tracked_array* a = result_of(s_.updates[updates_[u]]);
        plane& values = p.results[a];
        values.resize(points());
        if (how_.retiming) {
            values = is_filtered() ? add_products(p, u, out) : add_terms(p, u, out);
        } else {
            evaluate(p, u, which, values, out);
        }
        if (how_.steps > 1 && !is_last(p)) {
            keep_outside(p, *a, which, values, out);
        }
    }
    if (emitted_ == 0 && (!left_.empty() || how_.left_terms)) {
        leave_points(p, out);
    }
    if (!beside_.empty()) {
        const value next = plus(p.come, how_.planes - lag_); // the result of the pass that follows
        const bool exists = !checked_ && checks_planes() && how_.planes <= lag_ + layout_.halo[along_];
        p.state->beside[static_cast<std::size_t>(p.row)] =
            load_beside(exists ? next : memory_plane(next), p.prefix, out);
    }
    for (const tracked_array& a : tracked_) {
        if (const tracked_array* next = passed_on(a)) {
            p.results[&a] = own(p, *next, is_last(p) ? 0 : -delay(a));
        }
    }
}

void stream_lowering::compute_meanwhile(std::vector<passage>& steps, const planes_of_arrays& now, block& out) {
    const std::vector<std::size_t> inner = points_in_half(0);
    const planes_of_arrays* come = &now;
    for (passage& p : steps) {
        p.now = *come;
        out.push_back(
            {comment{fmt::format("time step {}, plane {}: what needs no neighbours", p.stage + 1, p.row + 1)}});
        begin(p, out);
        std::string rest = std::exchange(p.prefix, "meanwhile_" + p.prefix);
        compute(p, inner, out);
        p.prefix = std::move(rest);
        come = &p.results;
    }
}

bool stream_lowering::splits_barriers() const {
    return counts_arrivals() && !how_.halo && !(checked_ && copies_planes()) &&
           !(edge_ &&
             std::any_of(tracked_.begin(), tracked_.end(), [&](const auto& a) { return is_copied_across(a); }));
}

bool stream_lowering::awaits_nobody(const offset3& point) const {
    for (std::int64_t d = -reach_[across_]; d <= reach_[across_]; ++d) {
        if (y_.point(point[across_] + d) < 0) {
            return false;
        }
    }
    for (std::int64_t d = -reach_[inner_]; !how_.shuffle && d <= reach_[inner_]; ++d) {
        if (x_.point(point[inner_] + d) < 0) {
            return false;
        }
    }
    return true;
}

std::vector<std::size_t> stream_lowering::points_in_half(int half) const {
    const std::vector<offset3> all = all_points();
    const bool split = splits_barriers();
    std::vector<std::size_t> out;
    for (std::size_t k = 0; k < all.size(); ++k) {
        if ((split && awaits_nobody(all[k]) ? 0 : 1) == half) {
            out.push_back(k);
        }
    }
    return out;
}

const plane& stream_lowering::own(const passage& p, const tracked_array& a, std::int64_t offset) const {
    const auto i = static_cast<std::size_t>(lag_ + offset);
    return i < static_cast<std::size_t>(2 * lag_) && !how_.retiming && delay(a) == 0 ? p.state->queue.at(&a)[i]
                                                                                     : p.now.at(&a);
}

void stream_lowering::copy_end_planes(passage& p, block& out) {
    if (how_.retiming) {
        return;
    }
    for (const tracked_array& a : tracked_) {
        const auto& faces = s_.fields[a.field].faces[along_];
        if (!has_ghosts(a) || s_.fields[a.field].halo[along_] == 0) {
            continue;
        }
        auto& queue = p.state->queue.at(&a);
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

} // namespace gst::streaming
