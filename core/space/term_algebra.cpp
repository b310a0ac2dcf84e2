#include "core/space/arithmetic.hpp"
#include "core/space/term.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace gst {

namespace {

bool is_constant(const term& t) {
    return t.what == term::kind::constant;
}
bool is_call(const term& t, operation o) {
    return t.what == term::kind::call && t.call == o;
}

/// Kleene's and, or: undefined unless one operand decides.
double decided(operation o, const std::vector<double>& x) {
    const double decisive = o == operation::logical_or ? 1 : 0;
    double outcome = 1 - decisive;
    for (const double v : x) {
        if (v == decisive) {
            return decisive;
        }
        outcome = std::isnan(v) ? undefined : outcome;
    }
    return outcome;
}

double computed(operation o, const std::vector<double>& x) {
    switch (o) {
    case operation::logical_and:
    case operation::logical_or:
        return decided(o, x);
    default:
        return compute(o, x);
    }
}

bool bounded(const term& t) {
    return std::abs(t.low) <= largest_exact_integer && std::abs(t.high) <= largest_exact_integer;
}

void set_corners(term& t, double (*f)(double, double)) {
    const term& a = t.operands[0];
    const term& b = t.operands[1];
    const double corners[] = {f(a.low, b.low), f(a.low, b.high), f(a.high, b.low), f(a.high, b.high)};
    t.low = *std::min_element(std::begin(corners), std::end(corners));
    t.high = *std::max_element(std::begin(corners), std::end(corners));
}

/// Bounds, integer and total from those of the operands.
void set_range(term& t) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::vector<term>& x = t.operands;
    const bool integers = std::all_of(x.begin(), x.end(), [](const term& o) { return o.integer; });
    const bool nonzero_divisor = x.size() == 2 && (x[1].low > 0 || x[1].high < 0);
    t.total = std::all_of(x.begin(), x.end(), [](const term& o) { return o.total; });
    t.integer = integers;
    t.low = -infinity;
    t.high = infinity;
    switch (t.call) {
    case operation::add:
        t.low = t.high = 0;
        for (const term& o : x) {
            t.low += o.low;
            t.high += o.high;
        }
        break;
    case operation::multiply: {
        double low = 1;
        double high = 1;
        for (const term& o : x) {
            const double corners[] = {low * o.low, low * o.high, high * o.low, high * o.high};
            low = *std::min_element(std::begin(corners), std::end(corners));
            high = *std::max_element(std::begin(corners), std::end(corners));
        }
        t.low = low;
        t.high = high;
        break;
    }
    case operation::minimum:
    case operation::maximum: {
        const auto choose = t.call == operation::minimum ? minimum : maximum;
        t.low = x[0].low;
        t.high = x[0].high;
        for (const term& o : x) {
            t.low = choose(t.low, o.low);
            t.high = choose(t.high, o.high);
        }
        break;
    }
    case operation::negate:
        t.low = -x[0].high;
        t.high = -x[0].low;
        break;
    case operation::floor_divide:
    case operation::ceil_divide:
        t.total = t.total && nonzero_divisor;
        if (integers && nonzero_divisor) {
            set_corners(t, t.call == operation::floor_divide ? floor_divide : ceil_divide);
        }
        break;
    case operation::modulo:
        t.total = t.total && nonzero_divisor;
        if (integers) {
            t.low = std::min(0.0, x[1].low);
            t.high = std::max(0.0, x[1].high);
        }
        break;
    case operation::power:
        t.total = false;
        t.integer = integers && x[1].low >= 0;
        if (t.integer && x[0].low >= 0) {
            t.total = true;
            t.low = 0;
            t.high = std::max(1.0, std::pow(x[0].high, x[1].high));
        }
        break;
    case operation::absolute:
        t.low = 0;
        t.high = std::max(std::abs(x[0].low), std::abs(x[0].high));
        break;
    case operation::floor:
    case operation::ceiling:
    case operation::round:
        t.integer = true;
        t.low = std::floor(x[0].low);
        t.high = std::ceil(x[0].high);
        break;
    case operation::divide:
    case operation::log2:
    case operation::square_root:
    case operation::exponential:
    case operation::logarithm:
    case operation::sine:
    case operation::cosine:
    case operation::tangent:
    case operation::arc_tangent:
    case operation::hyperbolic_tangent:
        t.total = t.integer = false;
        break;
    case operation::divides:
        t.total = t.total && (x[0].low > 0 || x[0].high < 0);
        [[fallthrough]];
    default: // comparisons, and, or, member
        t.integer = true;
        t.low = 0;
        t.high = 1;
    }
    t.integer = t.integer && bounded(t);
}

/// Integers whose sum or product stays within 2^53 in whatever order it is taken.
bool exact_in_any_order(operation o, const std::vector<term>& operands) {
    double reached = o == operation::add ? 0 : 1;
    for (const term& t : operands) {
        const double most = std::max(std::abs(t.low), std::abs(t.high));
        reached = o == operation::add ? reached + most : reached * std::max(1.0, most);
        if (!t.integer || !(reached <= largest_exact_integer)) {
            return false;
        }
    }
    return true;
}

/// The operands of operands with the same operation take its place; constants become one, at the end.
std::vector<term> flattened(operation o, std::vector<term> operands) {
    std::vector<term> flat;
    std::vector<double> constants;
    for (term& t : operands) {
        if (is_call(t, o) && t.folds) {
            for (term& inner : t.operands) {
                (is_constant(inner) ? constants.push_back(inner.number) : flat.push_back(std::move(inner)));
            }
        } else if (is_constant(t)) {
            constants.push_back(t.number);
        } else {
            flat.push_back(std::move(t));
        }
    }
    if (!constants.empty()) {
        const double merged = constants.size() == 1 ? constants[0] : computed(o, constants);
        const bool neutral = (o == operation::add && merged == 0) || (o == operation::multiply && merged == 1);
        if (!neutral || flat.empty()) {
            flat.push_back(constant_term(merged));
        }
    }
    return flat;
}

term call_term(operation o, std::vector<term> operands) {
    term t;
    t.what = term::kind::call;
    t.call = o;
    t.operands = std::move(operands);
    set_range(t);
    return t;
}

/// The factors of a product of products.
void collect_factors(const term& t, std::vector<term>& factors) {
    if (!is_call(t, operation::multiply)) {
        factors.push_back(t);
        return;
    }
    for (const term& o : t.operands) {
        collect_factors(o, factors);
    }
}

/// A product of whole numbers ≥ 0 that passes 2^53, where it is compared with a number that does not: in any order of
/// its factors. What passes 2^53 is rounded, but stays beyond, and what does not never passed it but for a factor 0. It
/// is an operand of this comparison only: no value_term may be made of it.
std::optional<term> compared_product(const term& t, const term& with) {
    constexpr double most = 1e300; // far from infinity, which times 0 is none
    const bool small = is_constant(with) && with.integer && std::abs(with.number) < largest_exact_integer;
    if (!is_call(t, operation::multiply) || t.folds || !small) {
        return std::nullopt;
    }
    std::vector<term> factors;
    collect_factors(t, factors);
    bool whole = true;
    double reached = 1; // at the most, by any of the factors, in any order
    for (const term& f : factors) {
        whole = whole && f.integer && f.low >= 0;
        reached *= std::max(1.0, f.high);
    }
    if (!whole || !(reached < most)) {
        return std::nullopt;
    }
    term product = call_term(operation::multiply, flattened(operation::multiply, std::move(factors)));
    product.folds = product.integer = true;
    return product;
}

} // namespace

term constant_term(double number) {
    term t;
    t.number = number;
    t.total = !std::isnan(number);
    t.low = t.high = t.total ? number : 0;
    t.integer = !t.total || is_exact_integer(number);
    return t;
}

term parameter_term(std::size_t parameter, const std::vector<double>& domain) {
    term t;
    t.what = term::kind::parameter;
    t.parameter = parameter;
    t.low = *std::min_element(domain.begin(), domain.end());
    t.high = *std::max_element(domain.begin(), domain.end());
    t.integer = std::all_of(domain.begin(), domain.end(), is_exact_integer);
    return t;
}

term value_term(operation o, std::vector<term> operands) {
    if (std::all_of(operands.begin(), operands.end(), is_constant)) {
        std::vector<double> numbers;
        for (const term& t : operands) {
            numbers.push_back(t.number);
        }
        return constant_term(computed(o, numbers));
    }
    switch (o) {
    case operation::negate:
        if (is_call(operands[0], operation::add) && operands[0].folds) { // so that a - (b + c) is one sum
            std::vector<term> negated;
            for (term& t : operands[0].operands) {
                negated.push_back(value_term(operation::negate, {std::move(t)}));
            }
            return value_term(operation::add, std::move(negated));
        }
        return call_term(o, std::move(operands));
    case operation::add:
    case operation::multiply: {
        std::vector<term> flat = flattened(o, operands);
        const bool exact = exact_in_any_order(o, flat);
        if (exact && flat.size() == 1) {
            return std::move(flat.front());
        }
        term t = call_term(o, exact ? std::move(flat) : std::move(operands));
        t.folds = exact;
        return t;
    }
    case operation::minimum:
    case operation::maximum:
    case operation::logical_and:
    case operation::logical_or: {
        term t = call_term(o, flattened(o, std::move(operands)));
        t.folds = true;
        return t;
    }
    default:
        return call_term(o, std::move(operands));
    }
}

term comparison_term(operation o, std::vector<term> operands, bool negated) {
    if (o == operation::member) {
        std::vector<term> items(operands.begin() + 1, operands.end());
        const bool listed =
            std::all_of(items.begin(), items.end(), [](const term& t) { return is_constant(t) && t.total; });
        if (!listed || is_constant(operands[0])) {
            std::vector<term> pairs;
            for (term& item : items) {
                pairs.push_back(comparison_term(operation::equal, {operands[0], std::move(item)}, negated));
            }
            if (negated) { // x not in () still needs a value of x
                pairs.push_back(comparison_term(operation::equal, {operands[0], operands[0]}, false));
            }
            return joined_term(negated ? operation::logical_and : operation::logical_or, std::move(pairs));
        }
        term t = call_term(o, std::move(operands));
        t.condition = true;
        t.negated = negated;
        return t;
    }
    if (negated) {
        const bool ordered = o == operation::less || o == operation::less_equal;
        if (ordered) {
            std::swap(operands[0], operands[1]);
        }
        o = o == operation::less         ? operation::less_equal
            : o == operation::less_equal ? operation::less
            : o == operation::equal      ? operation::not_equal
                                         : operation::equal;
    }
    if (is_constant(operands[0]) && is_constant(operands[1])) {
        return constant_term(compute(o, {operands[0].number, operands[1].number}) == 1 ? 1 : 0);
    }
    const auto sum = [](const term& t) { return is_call(t, operation::add) && t.folds; };
    if ((sum(operands[0]) || sum(operands[1])) && !is_constant(operands[0]) && !is_constant(operands[1])) {
        // All on one side, so that what is assigned folds into one number.
        std::vector<term> difference{operands[0], value_term(operation::negate, {operands[1]})};
        term one_side = value_term(operation::add, std::move(difference));
        if (one_side.folds) {
            operands = {std::move(one_side), constant_term(0)};
        }
    }
    for (std::size_t i = 0; i < 2; ++i) {
        if (std::optional<term> product = compared_product(operands[i], operands[1 - i])) {
            operands[i] = std::move(*product);
        }
    }
    term t = call_term(o, std::move(operands));
    t.condition = true;
    return t;
}

term joined_term(operation o, std::vector<term> operands) {
    const double decisive = o == operation::logical_or ? 1 : 0;
    std::vector<term> flat;
    for (term& t : operands) {
        if (is_call(t, o) && t.condition) {
            std::move(t.operands.begin(), t.operands.end(), std::back_inserter(flat));
        } else if (!is_constant(t)) {
            flat.push_back(std::move(t));
        } else if (t.number == decisive) {
            return constant_term(decisive);
        }
    }
    if (flat.size() <= 1) {
        return flat.empty() ? constant_term(1 - decisive) : std::move(flat.front());
    }
    term t = call_term(o, std::move(flat));
    t.condition = true;
    t.folds = true;
    return t;
}

void collect_parameters(const term& t, std::vector<std::size_t>& parameters) {
    if (t.what == term::kind::parameter &&
        std::find(parameters.begin(), parameters.end(), t.parameter) == parameters.end()) {
        parameters.push_back(t.parameter);
    }
    for (const term& o : t.operands) {
        collect_parameters(o, parameters);
    }
}

void set_layers(term& t, const std::vector<int>& layer) {
    t.first = term::never;
    t.last = -1;
    if (t.what == term::kind::parameter) {
        t.first = t.last = layer[t.parameter];
    }
    for (term& o : t.operands) {
        set_layers(o, layer);
        t.first = std::min(t.first, o.first);
        t.last = std::max(t.last, o.last);
    }
}

} // namespace gst
