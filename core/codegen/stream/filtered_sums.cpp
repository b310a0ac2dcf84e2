#include "core/codegen/stream/stream_lowering.hpp"
#include "core/codegen/stream_rules.hpp"

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
    const minimal_filter& f = *filtered_[u].filter;
    return points() / static_cast<std::size_t>(f.outputs()) * static_cast<std::size_t>(f.products());
}

value stream_lowering::scaled(double c, const value& v) {
    if (c == 1) {
        return v;
    }
    const value factor = how_.constant ? constant_element(*kernel_, c, v->of) : real_number(c, v->of);
    return make(nest::binary{ir::binary_op::multiply, factor, v}, v->of);
}

plane stream_lowering::add_products(passage& p, std::size_t u, block& out) {
    const update& what = s_.updates[updates_[u]];
    const field& target = s_.fields[what.field];
    const type of = type_of(s_.nodes[what.value].type);
    const filtered_update& how = filtered_[u].how;
    const auto products = static_cast<std::size_t>(filtered_[u].filter->products());
    const auto columns = static_cast<std::size_t>(x_.points);
    std::deque<plane>& sums = p.state->sums[u];
    plane result;
    for (std::int64_t i = 0; i <= static_cast<std::int64_t>(sums.size()); ++i) {
        const bool open = i < static_cast<std::int64_t>(sums.size());
        const auto found = how.planes.find(static_cast<int>(lag_ - i));
        plane next;
        for (std::size_t k = 0; k < partial_sums(u); ++k) {
            const auto group = static_cast<std::int64_t>(k / (products * columns));
            const std::size_t product = k / columns % products;
            const std::int64_t x = x_.shift(static_cast<std::int64_t>(k % columns));
            value sum = open ? sums[static_cast<std::size_t>(i)][k] : value();
            bool added = false;
            if (found != how.planes.end()) {
                for (const auto& [where, weights] : found->second) {
                    if (weights[product] == 0) {
                        continue;
                    }
                    const auto& [field, level, beside] = where;
                    const plane& rows =
                        filtered_rows(p, u, *find_array(tracked_, field, level), group, x + beside, out);
                    sum = sum_of(sum, scaled(weights[product], rows[product]));
                    added = true;
                }
            }
            if (!sum) {
                sum = zero(of);
            }
            next.push_back(added ? named(out, fmt::format("{}{}_sum{}_{}", p.prefix, target.name, i, k), sum) : sum);
        }
        if (i == 0) {
            result = sums_of_products(p, u, next, out);
        } else {
            sums[static_cast<std::size_t>(i - 1)] = std::move(next);
        }
    }
    return named_plane(out, fmt::format("{}{}_next", p.prefix, target.name), result);
}

const plane& stream_lowering::filtered_rows(passage& p, std::size_t u, const tracked_array& a, std::int64_t group,
                                            std::int64_t x, block& out) {
    const auto key = std::make_tuple(u, &a, group, x);
    if (const auto found = p.filtered.find(key); found != p.filtered.end()) {
        return found->second;
    }
    const minimal_filter& f = *filtered_[u].filter;
    const std::string words = fmt::format("{}{}_{}filtered{}_{}", p.prefix, a.name,
                                          filtered_.size() > 1 ? fmt::format("u{}_", u) : "", group, signed_word(x));
    plane made;
    if (how_.shuffle && tiles_overlap(how_, inner_) && (x < 0 || x >= x_.points)) {
        const std::int64_t lanes = floor_div(x, x_.points);
        for (const value& theirs : filtered_rows(p, u, a, group, x - lanes * x_.points, out)) {
            made.push_back(make(shuffle{theirs, static_cast<int>(lanes)}, theirs->of));
        }
        return p.filtered.emplace(key, named_plane(out, words, made)).first->second;
    }
    const std::int64_t first = group * f.outputs() - f.taps() / 2;
    plane rows;
    for (int i = 0; i < f.products(); ++i) {
        rows.push_back(fetch(p, a, lag_, x, first + i, out));
    }
    // The terms of a polynomial: every second row, from `from` on, the last one with the factor 1 first.
    const auto polynomial = [&](const std::vector<double>& c, std::size_t from) {
        value sum = rows[from + 2 * (c.size() - 1)];
        for (std::size_t k = c.size() - 1; k-- > 0;) {
            const value& row = rows[from + 2 * k];
            sum = c[k] < 0 ? difference_of(sum, scaled(-c[k], row)) : sum_of(sum, scaled(c[k], row));
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
    made.push_back(polynomial(f.at_ends(), 1));
    return p.filtered.emplace(key, named_plane(out, words, made)).first->second;
}

plane stream_lowering::sums_of_products(const passage& p, std::size_t u, const plane& products, block& out) {
    const minimal_filter& f = *filtered_[u].filter;
    const std::string& target = s_.fields[s_.updates[updates_[u]].field].name;
    const auto columns = static_cast<std::size_t>(x_.points);
    const auto per_group = static_cast<std::size_t>(f.products()) * columns;
    plane result(points());
    for (std::size_t group = 0; group * per_group < products.size(); ++group) {
        for (std::size_t x = 0; x < columns; ++x) {
            const auto product = [&](std::size_t q) { return products[group * per_group + q * columns + x]; };
            plane sums, differences;
            for (std::size_t i = 0; i < f.pairs().size(); ++i) {
                const std::string words = fmt::format("{}{}_group{}_{}_pair{}", p.prefix, target, group, x, i);
                const value plus_p = product(1 + 2 * i);
                const value minus_p = product(2 + 2 * i);
                sums.push_back(named(out, words + "_sum", sum_of(plus_p, minus_p)));
                differences.push_back(named(out, words + "_difference", difference_of(plus_p, minus_p)));
            }
            for (int y = 0; y < f.outputs(); ++y) {
                value sum = y == 0 ? product(0) : value();
                for (std::size_t i = 0; i < f.pairs().size(); ++i) {
                    sum = sum_of(sum, scaled(std::pow(f.pairs()[i], y), y % 2 == 0 ? sums[i] : differences[i]));
                }
                if (y == f.outputs() - 1) {
                    sum = sum_of(sum, product(static_cast<std::size_t>(f.products() - 1)));
                }
                result[(group * static_cast<std::size_t>(f.outputs()) + static_cast<std::size_t>(y)) * columns + x] =
                    sum;
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
