#include "core/run/row_formula.hpp"

#include "core/base/error.hpp"
#include "core/space/arithmetic.hpp"
#include "core/space/expression_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace gst {

namespace {

/// Operations on numbers that leave `false and …` false even where another operand has no value.
double compute_any(operation o, const std::vector<double>& x) {
    const bool undecided = std::any_of(x.begin(), x.end(), [](double v) { return std::isnan(v); });
    switch (o) {
    case operation::logical_and:
        return std::find(x.begin(), x.end(), 0.0) != x.end() ? 0 : undecided ? undefined : 1;
    case operation::logical_or:
        return std::any_of(x.begin(), x.end(), [](double v) { return v != 0 && !std::isnan(v); }) ? 1
               : undecided                                                                        ? undefined
                                                                                                  : 0;
    case operation::logical_not:
        return undecided ? undefined : x[0] == 0;
    case operation::member:
        return undecided ? undefined : std::find(x.begin() + 1, x.end(), x[0]) != x.end();
    default:
        return compute(o, x);
    }
}

} // namespace

struct row_formula::row_values {
    bool uniform = true;
    double one = 0;
    std::vector<double> each; ///< when not uniform

    double at(std::size_t i) const { return uniform ? one : each[i]; }
};

row_formula::row_formula(const expression& e, const stencil& s, extent3 size) : expression_(e) {
    std::map<std::string, meaning> known{{"pi", {name_kind::fixed, std::numbers::pi}}};
    for (int axis = 0; axis < s.dimensions; ++axis) {
        known[s.axes[axis]] = {static_cast<name_kind>(axis), 0};
        known["n" + s.axes[axis]] = {name_kind::fixed, static_cast<double>(size[axis])};
    }
    std::vector<std::string> words;
    for (const auto& [name, what] : known) {
        words.push_back(name);
    }
    for (const std::string& name : e.names()) {
        const auto found = known.find(name);
        if (found == known.end()) {
            throw user_error(e.error_here(fmt::format("unknown name '{}'{}", name, did_you_mean(name, words)),
                                          fmt::format("a formula for initial data knows {}", enumerate(words))));
        }
        names_.push_back(found->second);
    }
    check_text(e.root());
}

void row_formula::check_text(const expression::tree& t) const {
    if (const auto* literal = std::get_if<expression::tree::literal>(&t.node)) {
        if (is_text(literal->what)) {
            throw user_error(expression_.error_at(t.at, "a formula for initial data is over numbers"));
        }
    } else if (const auto* call = std::get_if<expression::tree::call>(&t.node)) {
        for (const expression::tree& operand : call->operands) {
            check_text(operand);
        }
    }
}

row_formula::row_values row_formula::value_of(const expression::tree& t, std::int64_t first, std::int64_t y,
                                              std::int64_t z, std::size_t count) const {
    row_values out;
    if (const auto* literal = std::get_if<expression::tree::literal>(&t.node)) {
        out.one = number(literal->what);
        return out;
    }
    if (const auto* name = std::get_if<expression::tree::name>(&t.node)) {
        const meaning& m = names_[name->index];
        if (m.kind == name_kind::x) {
            out.uniform = false;
            out.each.resize(count);
            for (std::size_t i = 0; i < count; ++i) {
                out.each[i] = static_cast<double>(first + static_cast<std::int64_t>(i));
            }
        } else {
            out.one = m.kind == name_kind::y   ? static_cast<double>(y)
                      : m.kind == name_kind::z ? static_cast<double>(z)
                                               : m.value;
        }
        return out;
    }
    const auto& call = std::get<expression::tree::call>(t.node);
    std::vector<row_values> operands;
    for (const expression::tree& operand : call.operands) {
        operands.push_back(value_of(operand, first, y, z, count));
        out.uniform = out.uniform && operands.back().uniform;
    }
    std::vector<double> at_point(operands.size());
    const auto compute_at = [&](std::size_t i) {
        for (std::size_t k = 0; k < operands.size(); ++k) {
            at_point[k] = operands[k].at(i);
        }
        return compute_any(call.what, at_point);
    };
    if (out.uniform) {
        out.one = compute_at(0);
        return out;
    }
    out.each.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        out.each[i] = compute_at(i);
    }
    return out;
}

void row_formula::compute(std::int64_t first, std::int64_t y, std::int64_t z, std::span<double> values) const {
    const row_values row = value_of(expression_.root(), first, y, z, values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = row.at(i);
        if (std::isnan(values[i])) {
            throw user_error(expression_.error_here(
                fmt::format("the formula has no value at ({}, {}, {})", first + static_cast<std::int64_t>(i), y, z),
                "points of the halo count as well: there coordinates are negative, or the size and more"));
        }
    }
}

} // namespace gst
