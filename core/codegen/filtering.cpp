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
constexpr std::size_t many_products = 6; ///< of a sum whose bound tells of the lines around its own

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
    int reach = 0; ///< across the filtered lines
    std::size_t products = 0;
    double magnitude = 0; ///< of all weights together
    double greatest = 0;
    std::string no; ///< why they are not of a kind whose lines can be filtered, else ""
};

weighted_reads weighted_reads_of(const stencil& s, const update& u, const plane_terms& terms, const line_axes& lines) {
    const std::size_t across = lines.axis;
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
    std::map<std::pair<std::uint32_t, int>, std::pair<std::set<offset3>, bool>> arrays; // offsets, beyond the own line
    for (const auto& [plane, sum] : terms) {
        std::optional<linear_form> form = linear_form_of(s, sum, target.type);
        if (!form) {
            return no(fmt::format("{} is no sum of what it reads, of one type, with numbers as weights", target.name));
        }
        out.planes[plane] = std::move(*form);
        for (const auto& [read, weight] : out.planes[plane]) {
            const field& read_field = s.fields[std::get<0>(read)];
            if (read_field.halo[across] != halo[across]) { // there is nothing in the lines beyond
                return no(
                    fmt::format("{} has fewer {} beyond the grid than other fields", read_field.name, lines.name));
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
    for (const auto& [array, read] : arrays) { // of others work-items do not show each other lines
        if (out.reach > 0 && (!read.second || read.first.size() < 2)) {
            return no(fmt::format("{} is not read in several {}", s.fields[array.first].name, lines.name));
        }
    }
    return out;
}

} // namespace

line_axes filtered_lines_of(const stencil& s, int stream_axis) {
    const std::size_t inner = stream_axis == 0 ? 1 : 0;
    const std::size_t across = stream_axis == 2 ? 1 : 2;
    const line_axes along_inner{inner, across, inner == 0 ? "columns" : "rows"};
    return s.dimensions == 2 ? along_inner : line_axes{across, inner, "rows"};
}

filtering filter_lines(const stencil& s, const update& u, const plane_terms& terms, int axis, int outputs) {
    const line_axes lines = filtered_lines_of(s, axis);
    const std::string& target = s.fields[u.field].name;
    const auto no = [](std::string why) { return filtering{{}, {}, std::move(why)}; };
    const weighted_reads reads = weighted_reads_of(s, u, terms, lines);
    if (!reads.no.empty()) {
        return no(reads.no);
    }
    const int taps = 2 * reads.reach + 1;
    if (!decomposed_filter::exists(outputs, taps)) {
        return no(fmt::format("{} reads no neighbouring {}", target, lines.name));
    }
    filtering out{decomposed_filter(outputs, taps), {}, {}};
    std::size_t filtered = 0; // products of all lines together
    std::size_t sums = 0;     // that are added up to one point's
    double amplified = 0;
    // Lines that are not the point's own, in products that cancel out: two sums have none where one of them has what
    // the first line is in, and the other one, of infinity, the last.
    bool sees_others = outputs > 2 || std::ranges::any_of(out.filter->parts(), [](const decomposed_filter::part& p) {
                           return !p.filter.has_infinity();
                       });
    for (const auto& [plane, form] : reads.planes) {
        std::map<filtered_reads, std::vector<double>> weights;
        for (const auto& [read, weight] : form) {
            const auto& [field, level, at] = read;
            std::vector<double>& of_lines = weights[{field, level, at[lines.beside]}];
            of_lines.resize(static_cast<std::size_t>(taps));
            of_lines[static_cast<std::size_t>(at[lines.axis] + reads.reach)] = weight;
        }
        for (const auto& [where, w] : weights) {
            sees_others = sees_others || std::ranges::find(w, 0.0) != w.end();
            std::vector<std::vector<double>>& parts = out.how.planes[plane][where];
            for (const decomposed_filter::part& p : out.filter->parts()) {
                std::vector<double>& here = parts.emplace_back(p.transformed(w));
                if (!here.empty()) {
                    amplified += p.filter.amplification(here);
                    filtered += here.size() - static_cast<std::size_t>(std::ranges::count(here, 0.0));
                    ++sums;
                }
            }
        }
    }
    if (filtered >= reads.products * static_cast<std::size_t>(outputs)) {
        return no(fmt::format("it would take {} no fewer products", target));
    }
    double around = 0; // about what the transformations take
    for (const decomposed_filter::part& p : out.filter->parts()) {
        around += p.filter.products() * (p.filter.products() - 2);
        if (out.filter->shares_inputs()) { // what the others make is there
            break;
        }
    }
    out.how.operations = (2 * static_cast<double>(filtered) + around) / outputs;
    // Half an ulp per rounding on the longest path through the filter; the plain sum's bound counts an ulp of every
    // partial sum.
    const double roundings = static_cast<double>(sums) + out.filter->sums();
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
