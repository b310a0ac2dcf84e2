#include "core/codegen/stream/stream_lowering.hpp"
#include "core/codegen/tile_overlap.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace gst::streaming {

namespace {

value sum_of(const value& a, const value& b) {
    return a ? make(nest::binary{ir::binary_op::add, a, b}, a->of) : b;
}
value difference_of(const value& a, const value& b) {
    return make(nest::binary{ir::binary_op::subtract, a, b}, a->of);
}

} // namespace

std::size_t stream_lowering::partial_sums(std::size_t u) const {
    if (!is_filtered()) {
        return points();
    }
    const decomposed_filter& f = *filtered_[u].filter;
    return points() / static_cast<std::size_t>(f.outputs()) * static_cast<std::size_t>(f.sums());
}

value stream_lowering::scaled(double c, const value& v) {
    if (c == 1) {
        return v;
    }
    return make(nest::binary{ir::binary_op::multiply, update_number(*kernel_, how_, c, v->of), v}, v->of);
}

plane stream_lowering::add_products(passage& p, std::size_t u, block& out) {
    const update& what = s_.updates[updates_[u]];
    const field& target = s_.fields[what.field];
    const type of = type_of(s_.nodes[what.value].type);
    const filtered_update& how = filtered_[u].how;
    const decomposed_filter& f = *filtered_[u].filter;
    const auto places = static_cast<std::size_t>(beside_axis().points);
    const std::size_t per_group = static_cast<std::size_t>(f.sums()) * places;
    std::deque<plane>& sums = p.state->sums[u];
    plane result;
    for (std::int64_t i = 0; i <= static_cast<std::int64_t>(sums.size()); ++i) {
        const bool open = i < static_cast<std::int64_t>(sums.size());
        plane next = open ? sums[static_cast<std::size_t>(i)] : plane(partial_sums(u));
        std::vector<bool> added(next.size());
        const auto add = [&](const filtered_reads& reads, std::size_t part, const std::vector<double>& weights,
                             std::size_t first) {
            const auto& [field, level, offset] = reads;
            const auto group = static_cast<std::int64_t>(first / per_group);
            const std::int64_t beside = beside_axis().shift(static_cast<std::int64_t>(first % per_group)) + offset;
            const plane& values = filtered_values(p, u, *find_array(tracked_, field, level), part, group, beside, out);
            for (std::size_t q = 0; q < weights.size(); ++q) {
                if (weights[q] != 0) {
                    const auto sum = static_cast<std::size_t>(f.sum_of(f.parts()[part], static_cast<int>(q)));
                    const std::size_t k = first + sum * places;
                    next[k] = sum_of(next[k], scaled(weights[q], values[q]));
                    added[k] = true;
                }
            }
        };
        const auto found = how.planes.find(static_cast<int>(lag_ - i));
        for (std::size_t group = 0; group < next.size(); group += per_group) {
            for (std::size_t place = 0; found != how.planes.end() && place < places; ++place) {
                for (const auto& [reads, parts] : found->second) {
                    for (std::size_t part = 0; part < parts.size(); ++part) {
                        if (!parts[part].empty()) {
                            add(reads, part, parts[part], group + place);
                        }
                    }
                }
            }
            for (std::size_t k = group; k < group + per_group; ++k) {
                if (!next[k]) {
                    next[k] = zero(of);
                } else if (added[k]) {
                    next[k] = named(out, fmt::format("{}{}_sum{}_{}", p.prefix, target.name, i, k), next[k]);
                }
            }
        }
        if (i == 0) {
            result = sums_of_products(p, u, next, out);
        } else {
            sums[static_cast<std::size_t>(i - 1)] = std::move(next);
        }
    }
    return named_plane(out, fmt::format("{}{}_next", p.prefix, target.name), result);
}

const plane& stream_lowering::filtered_values(passage& p, std::size_t u, const tracked_array& a, std::size_t part,
                                              std::int64_t group, std::int64_t beside, block& out) {
    const decomposed_filter& all = *filtered_[u].filter;
    if (part > 0 && all.shares_inputs()) {
        return filtered_values(p, u, a, 0, group + all.parts()[part].first / all.outputs(), beside, out);
    }
    const auto key = std::make_tuple(u, &a, part, group, beside);
    if (const auto found = p.filtered.find(key); found != p.filtered.end()) {
        return found->second;
    }
    const minimal_filter& f = all.parts()[part].filter;
    const std::string words =
        fmt::format("{}{}_{}filtered{}{}_{}", p.prefix, a.name, filtered_.size() > 1 ? fmt::format("u{}_", u) : "",
                    group, all.parts().size() > 1 ? fmt::format("_part{}", part) : "", signed_word(beside));
    const bool is_column = filters_columns();
    const std::int64_t own_groups = filtered_axis().points / all.outputs();
    const std::int64_t lanes = is_column ? floor_div(group, own_groups) : floor_div(beside, x_.points);
    plane made;
    if (how_.shuffle && tiles_overlap(how_, inner_) && lanes != 0) {
        const plane& theirs = filtered_values(p, u, a, part, is_column ? group - lanes * own_groups : group,
                                              is_column ? beside : beside - lanes * x_.points, out);
        for (const value& v : theirs) {
            made.push_back(make(shuffle{v, static_cast<int>(lanes)}, v->of));
        }
        return p.filtered.emplace(key, named_plane(out, words, made)).first->second;
    }
    const std::int64_t first = group * f.outputs() - all.taps() / 2 + all.parts()[part].first;
    // A group beyond its own is the last part's alone: lines that have weight 0 there count as 0.
    const int zeros = all.shares_inputs() && group >= own_groups ? f.taps() - all.parts().back().taps : 0;
    plane lines(static_cast<std::size_t>(f.products()));
    for (int i = 0; i < f.products() - zeros; ++i) {
        lines[static_cast<std::size_t>(i)] =
            is_column ? fetch(p, a, lag_, first + i, beside, out) : fetch(p, a, lag_, beside, first + i, out);
    }
    // The terms of a polynomial: every second line, from `from` on, the last one first, whose factor is 1.
    const auto polynomial = [&](const std::vector<double>& c, std::size_t from) {
        value sum;
        for (std::size_t k = c.size(); k-- > 0;) {
            if (const value& line = lines[from + 2 * k]) {
                sum = !sum       ? scaled(c[k], line)
                      : c[k] < 0 ? difference_of(sum, scaled(-c[k], line))
                                 : sum_of(sum, scaled(c[k], line));
            }
        }
        return sum;
    };
    made.push_back(polynomial(f.at_ends(), 0));
    for (std::size_t i = 0; i < f.pairs().size(); ++i) {
        const value even = named(out, fmt::format("{}_even{}", words, i), polynomial(f.at_pair(i), 2));
        const value odd = named(out, fmt::format("{}_odd{}", words, i), polynomial(f.at_pair(i), 1));
        made.push_back(sum_of(even, scaled(f.pairs()[i], odd)));
        made.push_back(difference_of(even, scaled(f.pairs()[i], odd)));
    }
    if (f.has_infinity()) {
        made.push_back(polynomial(f.at_ends(), 1));
    }
    return p.filtered.emplace(key, named_plane(out, words, made)).first->second;
}

plane stream_lowering::sums_of_products(const passage& p, std::size_t u, const plane& products, block& out) {
    const decomposed_filter& f = *filtered_[u].filter;
    const std::string& target = s_.fields[s_.updates[updates_[u]].field].name;
    const auto places = static_cast<std::size_t>(beside_axis().points);
    const auto per_group = static_cast<std::size_t>(f.sums()) * places;
    const bool is_column = filters_columns();
    plane result(points());
    for (std::size_t group = 0; group * per_group < products.size(); ++group) {
        for (std::size_t place = 0; place < places; ++place) {
            const auto product = [&](std::size_t q) { return products[group * per_group + q * places + place]; };
            plane sums, differences;
            for (std::size_t i = 0; i < f.pairs().size(); ++i) {
                const std::string words = fmt::format("{}{}_group{}_{}_pair{}", p.prefix, target, group, place, i);
                const value plus_p = product(1 + 2 * i);
                const value minus_p = product(2 + 2 * i);
                sums.push_back(named(out, words + "_sum", sum_of(plus_p, minus_p)));
                differences.push_back(named(out, words + "_difference", difference_of(plus_p, minus_p)));
            }
            for (int i = 0; i < f.outputs(); ++i) {
                value sum = i == 0 ? product(0) : value();
                for (std::size_t k = 0; k < f.pairs().size(); ++k) {
                    sum = sum_of(sum, scaled(std::pow(f.pairs()[k], i), i % 2 == 0 ? sums[k] : differences[k]));
                }
                if (i == f.outputs() - 1 && f.has_infinity()) {
                    sum = sum_of(sum, product(static_cast<std::size_t>(f.sums() - 1)));
                }
                const std::size_t line = group * static_cast<std::size_t>(f.outputs()) + static_cast<std::size_t>(i);
                result[is_column ? place * static_cast<std::size_t>(x_.points) + line : line * places + place] = sum;
            }
        }
    }
    return result;
}

void stream_lowering::clear_tiles(block& out) {
    value item = number(0);
    std::uint64_t items = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (how_.work_group[axis] > 1) {
            item = item + local_index(axis) * number(static_cast<std::int64_t>(items));
        }
        items *= how_.work_group[axis];
    }
    bool any = false;
    for (const tracked_array& a : tracked_) {
        if (is_exchanged() && a.is_exchanged()) { // tiles with their halo are copied whole
            block& each = *enter(
                out, loop{"cleared", item, number(tile_elements(a)), number(static_cast<std::int64_t>(items)), {}});
            each.push_back({store{a.name + "_tiles", var("cleared"), zero(register_type(a.type)), a.type, true}});
            any = true;
        }
    }
    if (any) {
        out.push_back({barrier{}});
    }
}

} // namespace gst::streaming
