#include "core/codegen/filtering.hpp"

#include "core/codegen/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <set>

namespace gst {

namespace {

/// Weights by read: terms that are linear in what they read.
using linear_form = std::map<std::tuple<std::uint32_t, int, offset3>, double>;

constexpr int most_error_factor = 10;
constexpr double most_uneven = 4;        ///< a weight's magnitude, of the mean one
constexpr std::size_t many_products = 6; ///< of a sum whose bound tells of the rows around its own

std::optional<double> constant(const stencil& s, node_id n) {
    const node& here = s.nodes[n];
    if (const auto* literal = std::get_if<ir::number>(&here.op)) {
        return literal->value;
    }
    const auto* u = std::get_if<ir::unary>(&here.op);
    const auto a = u != nullptr && u->op == ir::unary_op::negate ? constant(s, u->a) : std::nullopt;
    return a ? std::optional(-*a) : std::nullopt;
}

/// The sum of the terms; nothing: it is not linear, with numbers as weights, in reads of one type.
std::optional<linear_form> linear_form_of(const stencil& s, const std::vector<sum_term>& terms, scalar type) {
    linear_form out;
    std::map<node_id, double, std::greater<>> weights; // of nodes whose users are all done: these come later
    for (const sum_term& t : terms) {
        weights[t.node] += t.negative ? -1 : 1;
    }
    while (!weights.empty()) {
        const auto [n, weight] = *weights.begin();
        weights.erase(weights.begin());
        const node& here = s.nodes[n];
        if (here.type != type) {
            return std::nullopt;
        }
        if (const auto* r = std::get_if<ir::read>(&here.op)) {
            if (s.fields[r->field].coefficient) {
                return std::nullopt;
            }
            out[{r->field, r->level, r->at}] += weight;
            continue;
        }
        if (const auto* u = std::get_if<ir::unary>(&here.op); u != nullptr && u->op == ir::unary_op::negate) {
            weights[u->a] -= weight;
            continue;
        }
        const auto* b = std::get_if<ir::binary>(&here.op);
        const bool adds = b != nullptr && (b->op == ir::binary_op::add || b->op == ir::binary_op::subtract);
        const bool multiplies = b != nullptr && b->op == ir::binary_op::multiply;
        if (adds) {
            weights[b->a] += weight;
            weights[b->b] += b->op == ir::binary_op::add ? weight : -weight;
        } else if (const auto factor = multiplies ? constant(s, b->a) : std::nullopt) {
            weights[b->b] += weight * *factor;
        } else if (const auto other = multiplies ? constant(s, b->b) : std::nullopt) {
            weights[b->a] += weight * *other;
        } else if (const auto divisor =
                       b != nullptr && b->op == ir::binary_op::divide ? constant(s, b->b) : std::nullopt;
                   divisor && *divisor != 0) {
            weights[b->a] += weight / *divisor;
        } else {
            return std::nullopt;
        }
    }
    return out;
}

/// An update's sums as weights of what it reads.
struct weighted_reads {
    std::map<int, linear_form> planes;
    int reach = 0; ///< along the rows
    std::size_t products = 0;
    double magnitude = 0; ///< of all weights together
    double greatest = 0;
    std::string no; ///< why they are not of a kind whose rows can be filtered, else ""
};

weighted_reads weighted_reads_of(const stencil& s, const update& u, const plane_terms& terms, std::size_t across) {
    const field& target = s.fields[u.field];
    weighted_reads out;
    const auto no = [](std::string why) {
        weighted_reads none;
        none.no = std::move(why);
        return none;
    };
    if (target.type != s.nodes[u.value].type || (target.type != scalar::f32 && target.type != scalar::f64)) {
        return no(fmt::format("{} is not stored in the type that it is computed in, f32 or f64", target.name));
    }
    const offset3 halo = reach_of(s);
    std::map<std::pair<std::uint32_t, int>, std::pair<std::set<offset3>, bool>> arrays; // offsets, beyond the own rows
    for (const auto& [plane, sum] : terms) {
        std::optional<linear_form> form = linear_form_of(s, sum, target.type);
        if (!form) {
            return no(fmt::format("{} is no sum of what it reads, of one type, with numbers as weights", target.name));
        }
        out.planes[plane] = std::move(*form);
        for (const auto& [read, weight] : out.planes[plane]) {
            const field& read_field = s.fields[std::get<0>(read)];
            if (read_field.halo[across] != halo[across]) { // there is nothing in the rows beyond
                return no(fmt::format("{} has fewer rows beyond the grid than other fields", read_field.name));
            }
            out.reach = std::max(out.reach, std::abs(std::get<2>(read)[across]));
            out.products += weight != 0 ? 1 : 0;
            out.magnitude += std::abs(weight);
            out.greatest = std::max(out.greatest, std::abs(weight));
            auto& [offsets, beyond] = arrays[{std::get<0>(read), std::get<1>(read)}];
            offsets.insert(std::get<2>(read));
            beyond = beyond || std::get<2>(read)[across] != 0;
        }
    }
    for (const auto& [array, read] : arrays) { // of others work-items do not show each other rows
        if (out.reach > 0 && (!read.second || read.first.size() < 2)) {
            return no(fmt::format("{} is not read in several rows", s.fields[array.first].name));
        }
    }
    return out;
}

} // namespace

filtering filter_rows(const stencil& s, const update& u, const plane_terms& terms, int axis, int rows) {
    const auto inner = static_cast<std::size_t>(axis == 0 ? 1 : 0);
    const auto across = static_cast<std::size_t>(axis == 2 ? 1 : 2);
    const std::string& target = s.fields[u.field].name;
    const auto no = [](std::string why) { return filtering{{}, {}, std::move(why)}; };
    const weighted_reads reads = weighted_reads_of(s, u, terms, across);
    if (!reads.no.empty()) {
        return no(reads.no);
    }
    const int taps = 2 * reads.reach + 1;
    if (!minimal_filter::exists(rows, taps)) {
        return no(reads.reach == 0
                      ? fmt::format("{} reads no neighbouring rows", target)
                      : fmt::format("{} reads {} rows, of which {} are not filtered together", target, taps, rows));
    }
    filtering out{minimal_filter(rows, taps), {}, {}};
    std::size_t filtered = 0; // products of all rows together
    double amplified = 0;
    bool sees_others = rows > 2; // rows that are not the point's own, in products that cancel out
    for (const auto& [plane, form] : reads.planes) {
        filtered_columns weights;
        for (const auto& [read, weight] : form) {
            const auto& [field, level, at] = read;
            std::vector<double>& rows_of = weights[{field, level, at[inner]}];
            rows_of.resize(static_cast<std::size_t>(taps));
            rows_of[static_cast<std::size_t>(at[across] + reads.reach)] = weight;
        }
        for (auto& [where, w] : weights) {
            sees_others = sees_others || std::ranges::find(w, 0.0) != w.end();
            w = out.filter->transformed(w);
            amplified += out.filter->amplification(w);
            filtered += static_cast<std::size_t>(std::count_if(w.begin(), w.end(), [](double n) { return n != 0; }));
        }
        out.how.planes.emplace(plane, std::move(weights));
    }
    if (filtered >= reads.products * static_cast<std::size_t>(rows)) {
        return no(fmt::format("it would take {} no fewer products", target));
    }
    const double around = out.filter->products() * (out.filter->products() - 2); // about what the transformations take
    out.how.operations = (2 * static_cast<double>(filtered) + around) / rows;
    // Half an ulp per rounding on the longest path through the filter; the plain sum's bound counts an ulp of every
    // partial sum.
    std::size_t columns = 0;
    for (const auto& [plane, weights] : out.how.planes) {
        columns += weights.size();
    }
    const double roundings = static_cast<double>(columns) + out.filter->products();
    const double plain = static_cast<double>(reads.products) / 2 * reads.magnitude;
    out.how.error_factor = std::max(1, static_cast<int>(std::ceil(roundings / 2 * amplified / plain)));
    // The bound of a plain sum is that of the point's own values. It tells of those around it where many of like weight
    // are added up.
    if (out.how.error_factor > most_error_factor || (sees_others && reads.products < many_products) ||
        reads.greatest > most_uneven * reads.magnitude / static_cast<double>(reads.products)) {
        return no(fmt::format("the sums of {} would be too inexact", target));
    }
    return out;
}

} // namespace gst
