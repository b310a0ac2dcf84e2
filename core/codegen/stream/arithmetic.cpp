#include "core/codegen/stream/stream_lowering.hpp"

#include <fmt/format.h>

#include <utility>

namespace gst::streaming {

point_surroundings stream_kernel::step_surroundings(const value& s) {
    point_surroundings around;
    around.parameter = [this](std::uint32_t which) {
        return var(s_.parameters[which].name + "_param", type_of(inputs_.parameters.at(which)));
    };
    around.step = [s]() -> value {
        if (literal(s) == 0) {
            return var("step_number", type::i32);
        }
        const value steps = literal(s) ? number(*literal(s), type::i32) : make(nest::convert{s}, type::i32);
        return var("step_number", type::i32) + steps;
    };
    around.constant = [this](double n, type of) { return update_number(*kernel_, how_, n, of); };
    return around;
}

point_surroundings stream_lowering::surroundings(passage& p, const std::string& words, std::int64_t come_offset,
                                                 block& out) {
    point_surroundings around = step_surroundings(group_ * number(stages_) + number(p.stage));
    around.prefix = p.prefix + words;
    // The plane that is computed lies come_offset behind the one that came (retiming), or is p.result.
    const value at = how_.retiming ? plus(p.come, -come_offset) : p.result;
    around.element = [this, &p, at, come_offset, &out](const ir::read& r, offset3 point) -> value {
        const std::int64_t x = point[inner_] + r.at[inner_];
        const std::int64_t y = point[across_] + r.at[across_];
        if (const tracked_array* a = find_tracked(r)) {
            // How far the point's plane is ahead of the result's, where sums are late.
            const std::int64_t ahead = lag_ - come_offset;
            return fetch(p, *a, newest_is_read() ? lag_ : r.at[along_] + (how_.retiming ? ahead : 0), x, y, out);
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
    return around;
}

std::vector<offset3> stream_lowering::all_points() const {
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

void stream_lowering::evaluate(passage& p, std::size_t u, const std::vector<std::size_t>& which, plane& result,
                               block& out) {
    const update& what = s_.updates[updates_[u]];
    const field& target = s_.fields[what.field];
    const std::vector<offset3> all = all_points();
    const evaluation_order order = order_of(s_, what.value);
    std::vector<value> values;
    if (edge_ && reads_neighbours_directly_) {
        // Points beyond the grid stand for others: what neighbours read from memory is not the same element.
        for (const std::size_t k : which) {
            const auto alone = surroundings(p, fmt::format("{}_p{}_", target.name, k), 0, out);
            values.push_back(lower_points(s_, layout_.size, order, alone, {all[k]}, out).front());
        }
    } else if (!which.empty()) {
        std::vector<offset3> points;
        for (const std::size_t k : which) {
            points.push_back(all[k]);
        }
        values = lower_points(s_, layout_.size, order, surroundings(p, target.name + "_", 0, out), points, out);
    }
    for (std::size_t i = 0; i < which.size(); ++i) {
        result[which[i]] = named(out, fmt::format("{}{}_next_{}", p.prefix, target.name, which[i]),
                                 stored_value(values[i], target.type));
    }
}

std::vector<sum_term> stream_lowering::terms_of(const plane_terms& sum, std::int64_t i) const {
    std::vector<sum_term> out;
    for (const auto& [offset, terms] : sum) { // of the plane that they read from the plane of the sum
        if (offset == centre_back() - i || (sums_are_late() && i == 0 && offset > 0)) {
            out.insert(out.end(), terms.begin(), terms.end());
        }
    }
    return out;
}

plane stream_lowering::add_terms(passage& p, std::size_t u, block& out) {
    const update& what = s_.updates[updates_[u]];
    const field& target = s_.fields[what.field];
    const type of = type_of(s_.nodes[what.value].type);
    std::deque<plane>& sums = p.state->sums[u];
    const std::vector<offset3> all = all_points();
    plane result;
    for (std::int64_t i = 0; i <= static_cast<std::int64_t>(sums.size()); ++i) {
        const std::vector<sum_term> added = terms_of(sums_[u], i);
        const std::size_t terms = added.size();
        std::vector<evaluation_order> orders;
        for (const sum_term& term : added) {
            orders.push_back(order_of(s_, term.node));
        }
        point_surroundings around = surroundings(p, "", lag_ - i, out);
        plane next(all.size());
        const auto add = [&](std::size_t k, std::size_t t) {
            const sum_term& term = added[t];
            around.prefix = fmt::format("{}{}{}t{}p{}_", p.prefix, target.name, i, t, k);
            const value v = lower_points(s_, layout_.size, orders[t], around, {all[k]}, out).front();
            if (!next[k]) {
                next[k] = term.negative ? make(nest::unary{ir::unary_op::negate, v}, of) : v;
            } else {
                next[k] =
                    make(nest::binary{term.negative ? ir::binary_op::subtract : ir::binary_op::add, next[k], v}, of);
            }
        };
        const auto name = [&](std::size_t k) {
            if (!next[k]) {
                next[k] = zero(of);
            }
            if (terms > 0) {
                next[k] = named(out, fmt::format("{}{}_sum{}_{}", p.prefix, target.name, i, k), next[k]);
            }
        };
        if (i < static_cast<std::int64_t>(sums.size())) {
            next = sums[static_cast<std::size_t>(i)];
        }
        if (how_.terms == term_order::as_written) {
            for (std::size_t k = 0; k < all.size(); ++k) {
                for (std::size_t t = 0; t < terms; ++t) {
                    add(k, t);
                }
                name(k);
            }
        } else {
            for (std::size_t t = 0; t < terms; ++t) {
                for (std::size_t k = 0; k < all.size(); ++k) {
                    add(k, t);
                }
            }
            for (std::size_t k = 0; k < all.size(); ++k) {
                name(k);
            }
        }
        if (i == 0) {
            result = std::move(next);
        } else {
            sums[static_cast<std::size_t>(i - 1)] = std::move(next);
        }
    }
    if (!completed_.empty()) {
        complete(p, u, result, out);
    }
    for (value& v : result) {
        v = stored_value(v, target.type);
    }
    return named_plane(out, fmt::format("{}{}_next", p.prefix, target.name), result);
}

} // namespace gst::streaming
