#pragma once

#include "core/base/diagnostic.hpp"
#include "core/stencil/stencil.hpp"

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// A stencil file as written: nothing is resolved, nothing is expanded.
namespace gst::dsl::ast {

struct name {
    std::string text;
    span at;
};

struct expression;
using expression_ptr = std::unique_ptr<expression>;

struct number {
    double value = 0;
};

/// `u`, `u[x+1, t-1]` or `sqrt(u)`.
struct reference {
    enum class kind { plain, indexed, called };
    name id;
    kind form = kind::plain;
    std::vector<expression> arguments;
};

struct unary {
    ir::unary_op op{};
    expression_ptr operand;
};

/// Operators of one precedence, applied from left to right: first op operand op operand …
struct chain {
    struct link {
        ir::binary_op op{};
        expression_ptr operand;
    };
    expression_ptr first;
    std::vector<link> rest;
};

/// `sum(r in 1..4) { body }`, `sum(o in star(1)) { body }`
struct reduction {
    ir::binary_op op{}; ///< add, multiply, minimum or maximum
    name variable;
    expression_ptr domain; ///< the pattern, or the lower end of a range
    expression_ptr last;   ///< the upper end of a range; null for a pattern
    expression_ptr body;
};

/// `offsets [(0, 0), (1, -1): 0.25]`
struct offset_table {
    struct entry {
        std::vector<expression> offset;
        expression_ptr weight; ///< null: none
        span at;
    };
    std::vector<entry> entries;
};

struct expression {
    std::variant<number, reference, unary, chain, reduction, offset_table> form;
    span at;
};

struct parameter {
    name id;
    expression_ptr value; ///< null: none
};

/// `const k = e`, `const w[0..4] = [e, …]`
struct constant {
    name id;
    expression_ptr first; ///< of the indices; null when it has none
    expression_ptr last;
    std::variant<expression_ptr, std::vector<expression>> value;
    span value_at;
};

/// `x: periodic`, `y-: constant(0)`, `all: clamp`
struct face {
    name where;    ///< an axis or "all"
    char side = 0; ///< '-', '+', or 0 for both
    name kind;
    expression_ptr value; ///< of constant(value)
};

struct fields {
    bool coefficient = false;
    std::vector<name> ids;
    std::optional<name> type;
    std::optional<name> compute;
    std::vector<face> faces;
};

struct let {
    name id;
    expression_ptr value;
};

struct update {
    expression_ptr target;
    expression_ptr value;
    expression_ptr where; ///< null: everywhere
};

struct statement {
    std::variant<parameter, constant, fields, let, update> form;
    span at;
};

struct stencil_definition {
    name id;
    std::vector<name> axes;
    std::vector<statement> body;
};

struct file {
    std::shared_ptr<const source> text;
    std::vector<stencil_definition> stencils;
};

} // namespace gst::dsl::ast
