#pragma once

#include "core/base/diagnostic.hpp"
#include "core/space/value.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gst {

struct parsed_expression; ///< core/space/expression_tree.hpp

/// An expression over named values: constraints, activity conditions, specification files, pragmas.
///
/// Python's operators and precedences: or and not, comparisons (chained: 1 <= a <= 8), `in` (a, b) or [a, b], + - * /
/// // % **, unary -, parentheses, numbers, true/false/True/False, 'text', names, and C's && || ! as well. `/` is real
/// division, `//` and `%` round down. Functions: min, max (two or more), abs, floor, ceil, round, log2, log, exp, sqrt,
/// sin, cos, tan, atan, tanh, divides(a, b), ceil_div(a, b). Numbers are doubles, so that integers are exact up to
/// 2^53; beyond, a result is real.
///
/// An operation that has no result (a division by zero) leaves its expression without one, except that `false and …` is
/// false and `true or …` is true in whatever order the operands stand.
class GST_API expression {
  public:
    /// Throws user_error with the place.
    static expression parse(const std::string& text, const std::string& source_name = "expression");
    static expression parse(std::shared_ptr<const source> where, span part);
    /// The values of a list without names, as Python writes it: [16, 2**5], ('a', 'b'). Throws user_error with the
    /// place.
    static std::vector<value> parse_values(const std::shared_ptr<const source>& where, span part);
    static std::vector<value> parse_values(const std::string& text, const std::string& source_name = "expression");

    /// Names used, each once, in the order of their first appearance.
    const std::vector<std::string>& names() const;
    /// The value; `lookup` gives the value of a name. Throws user_error (text for a number, no result) with the place.
    value evaluate(const std::function<value(const std::string&)>& lookup) const;
    /// The expression as written.
    const std::string& text() const;
    diagnostic error_here(std::string message, std::string hint = "") const;
    diagnostic error_at(span part, std::string message, std::string hint = "") const;

    struct tree; ///< core/space/expression_tree.hpp
    const tree& root() const;

  private:
    expression(parsed_expression parsed, std::shared_ptr<const source> where, span part);

    struct content;
    std::shared_ptr<const content> content_; ///< shared by copies: spaces have many of them
};

} // namespace gst
