#include "core/codegen/filtering.hpp"

#include "core/codegen/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace gst {

namespace {

/// Weights by read: terms that are linear in what they read.
using linear_form = std::map<std::tuple<std::uint32_t, int, offset3>, double>;

class linear_forms {
  public:
    explicit linear_forms(const stencil& s) : s_(s) {}

    /// Adds factor · node; false: it is not linear, with numbers as weights, in reads of the update's type.
    bool add(node_id n, double factor, scalar type, linear_form& out) const {
        const node& here = s_.nodes[n];
        if (const auto* r = std::get_if<ir::read>(&here.op)) {
            out[{r->field, r->level, r->at}] += factor;
            return s_.fields[r->field].type == type && !s_.fields[r->field].coefficient;
        }
        if (const auto* u = std::get_if<ir::unary>(&here.op)) {
            return u->op == ir::unary_op::negate && add(u->a, -factor, type, out);
        }
        const auto* b = std::get_if<ir::binary>(&here.op);
        if (b == nullptr || here.type != type) {
            return false;
        }
        switch (b->op) {
        case ir::binary_op::add:
            return add(b->a, factor, type, out) && add(b->b, factor, type, out);
        case ir::binary_op::subtract:
            return add(b->a, factor, type, out) && add(b->b, -factor, type, out);
        case ir::binary_op::multiply:
            if (const auto weight = constant(b->a)) {
                return add(b->b, factor * *weight, type, out);
            }
            if (const auto weight = constant(b->b)) {
                return add(b->a, factor * *weight, type, out);
            }
            return false;
        case ir::binary_op::divide: {
            const auto weight = constant(b->b);
            return weight && *weight != 0 && add(b->a, factor / *weight, type, out);
        }
        default:
            return false;
        }
    }

  private:
    std::optional<double> constant(node_id n) const {
        const node& here = s_.nodes[n];
        if (const auto* literal = std::get_if<ir::number>(&here.op)) {
            return literal->value;
        }
        if (const auto* u = std::get_if<ir::unary>(&here.op); u != nullptr && u->op == ir::unary_op::negate) {
            const auto a = constant(u->a);
            return a ? std::optional(-*a) : std::nullopt;
        }
        return std::nullopt;
    }

    const stencil& s_;
};

} // namespace

filtering filter_rows(const stencil& s, const update& u, const plane_terms& terms, int axis, int rows) {
    const auto inner = static_cast<std::size_t>(axis == 0 ? 1 : 0);
    const auto across = static_cast<std::size_t>(axis == 2 ? 1 : 2);
    const field& target = s.fields[u.field];
    const auto no = [](std::string why) { return filtering{{}, {}, std::move(why)}; };
    if (target.type != s.nodes[u.value].type || (target.type != scalar::f32 && target.type != scalar::f64)) {
        return no(fmt::format("{} is not stored in the type that it is computed in, f32 or f64", target.name));
    }
    const offset3 halo = reach_of(s);
    std::map<int, linear_form> planes;
    int reach = 0;
    std::size_t products = 0;
    double magnitude = 0;
    const linear_forms forms(s);
    for (const auto& [plane, sum] : terms) {
        for (const sum_term& t : sum) {
            if (!forms.add(t.node, t.negative ? -1 : 1, target.type, planes[plane])) {
                return no(
                    fmt::format("{} is no sum of what it reads, of one type, with numbers as weights", target.name));
            }
        }
        for (const auto& [read, weight] : planes[plane]) {
            const field& read_field = s.fields[std::get<0>(read)];
            if (read_field.halo[across] != halo[across]) { // there is nothing in the rows beyond
                return no(fmt::format("{} has fewer rows beyond the grid than other fields", read_field.name));
            }
            reach = std::max(reach, std::abs(std::get<2>(read)[across]));
            products += weight != 0 ? 1 : 0;
            magnitude += std::abs(weight);
        }
    }
    const int taps = 2 * reach + 1;
    if (!minimal_filter::exists(rows, taps)) {
        return no(reach == 0 ? fmt::format("{} reads no neighbouring rows", target.name)
                             : fmt::format("{} reads {} rows, of which {} are not filtered together", target.name, taps,
                                           rows));
    }
    filtering out{minimal_filter(rows, taps), {}, {}};
    std::size_t filtered = 0; // products of all rows together
    double amplified = 0;
    for (const auto& [plane, form] : planes) {
        filtered_columns weights;
        for (const auto& [read, weight] : form) {
            const auto& [field, level, at] = read;
            std::vector<double>& rows_of = weights[{field, level, at[inner]}];
            rows_of.resize(static_cast<std::size_t>(taps));
            rows_of[static_cast<std::size_t>(at[across] + reach)] = weight;
        }
        for (auto& [where, w] : weights) {
            w = out.filter->transformed(w);
            amplified += out.filter->amplification(w);
            filtered += static_cast<std::size_t>(std::count_if(w.begin(), w.end(), [](double n) { return n != 0; }));
        }
        out.how.planes.emplace(plane, std::move(weights));
    }
    if (filtered >= products * static_cast<std::size_t>(rows)) {
        return no(fmt::format("it would take {} no fewer products", target.name));
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
    const double plain = static_cast<double>(products) / 2 * magnitude;
    out.how.error_factor = std::max(1, static_cast<int>(std::ceil(roundings / 2 * amplified / plain)));
    return out;
}

} // namespace gst
