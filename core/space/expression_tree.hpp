#pragma once

#include "core/space/expression.hpp"

#include <string_view>
#include <variant>
#include <vector>

namespace gst {

enum class operation : std::uint8_t {
    add,         ///< two or more; a - b is add(a, negate(b))
    multiply,    ///< two or more
    minimum,     ///< two or more
    maximum,     ///< two or more
    logical_and, ///< two or more
    logical_or,  ///< two or more
    member,      ///< the first is one of the others
    negate,
    logical_not,
    divide,
    floor_divide,
    modulo,
    power,
    less, ///< a > b is less(b, a)
    less_equal,
    equal,
    not_equal,
    absolute,
    floor,
    ceiling,
    log2,
    square_root,
    exponential,
    logarithm, ///< natural
    sine,
    cosine,
    tangent,
    arc_tangent,
    hyperbolic_tangent,
    round, ///< half away from zero
    divides,
    ceil_divide,
};

/// As it is written: "//", "min".
std::string_view name_of(operation o);

/// A parsed expression. 1 <= a <= 8 is logical_and(less_equal(1, a), less_equal(a, 8)).
struct expression::tree {
    struct literal {
        value what;
    };
    struct name {
        std::size_t index; ///< in names()
    };
    struct call {
        operation what;
        std::vector<tree> operands;
    };
    std::variant<literal, name, call> node;
    span at; ///< in the source
};

/// The result of one operation that is not and, or, not, member, equal or not_equal on numbers; NaN where it does not
/// exist.
double compute(operation o, const std::vector<double>& operands);

/// A parsed expression and the names in it.
struct parsed_expression {
    expression::tree root;
    std::vector<std::string> names;
};

/// Throws user_error with the place.
parsed_expression parse_expression(const std::shared_ptr<const source>& where, span part);

/// A list of expressions in brackets or parentheses, as the operands of `member`. Throws user_error with the place.
parsed_expression parse_expression_list(const std::shared_ptr<const source>& where, span part);

} // namespace gst
