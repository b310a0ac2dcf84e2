#include "dsl/expand.hpp"

#include "dsl/fold.hpp"
#include "dsl/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gst::dsl {

namespace {

bool is_whole(double v) {
    return v == std::trunc(v) && v >= -0x1p31 && v < 0x1p31;
}

/// The type that e.g. `i32(a)`, `int(a)` or `f64(a)` has whatever stands around it.
std::optional<scalar> explicit_type(const ast::expression& e) {
    const auto* r = std::get_if<ast::reference>(&e.form);
    if (r == nullptr || r->form != ast::reference::kind::called) {
        return std::nullopt;
    }
    return r->id.text == "int" ? std::optional(scalar::i32) : conversion_named(r->id.text);
}

} // namespace

expander::expander(const checked_stencil& checked, std::shared_ptr<const source> text, stencil& target)
    : checked_(checked), text_(std::move(text)), target_(target), build_(target), written_(target.fields.size()) {}

void expander::fail(span at, std::string message, std::string hint) const {
    throw user_error(diagnostic{std::move(message), text_, at, std::move(hint)});
}

node_id expander::value(const ast::expression& e, scalar type) {
    const operand v = lower(e, type);
    if (type == scalar::i32 && std::holds_alternative<node_id>(v) && is_real(type_of(v))) {
        fail(e.at, "a real number where an i32 is needed", "write int(…) to cut off the fraction");
    }
    return node(v, type, e.at);
}

operand expander::condition(const ast::expression& e, scalar arithmetic) {
    return lower(e, arithmetic);
}

double expander::constant(const ast::expression& e) {
    return finite(std::get<double>(lower(e, scalar::f64)), e.at);
}

std::int64_t expander::whole_constant(const ast::expression& e, std::int64_t low, std::int64_t high,
                                      std::string_view what) {
    return whole(constant(e), e.at, low, high, what);
}

std::int64_t expander::whole(double v, span at, std::int64_t low, std::int64_t high, std::string_view what) const {
    if (v != std::trunc(v)) {
        fail(at, fmt::format("{} is a whole number, not {}", what, v));
    }
    if (v < static_cast<double>(low) || v > static_cast<double>(high)) {
        fail(at, fmt::format("{} is {}", what, v), fmt::format("it lies between {} and {}", low, high));
    }
    return static_cast<std::int64_t>(v);
}

operand expander::lower(const ast::expression& e, scalar arithmetic) {
    if (++work_ > limits::work || target_.nodes.size() > limits::nodes) {
        fail(e.at, fmt::format("the stencil '{}' grows too large when it is expanded", target_.name),
             fmt::format("a stencil has at most {} operations", limits::nodes));
    }
    if (depth_ == limits::depth) {
        fail(e.at, "expressions and lets are nested too deep",
             fmt::format("at most {} inside each other, counted with every let replaced by what it stands for",
                         limits::depth));
    }
    ++depth_;
    const operand out = std::visit([&](const auto& form) { return lower(e, form, arithmetic); }, e.form);
    --depth_;
    return out;
}

operand expander::lower(const ast::expression&, const ast::number& n, scalar) {
    return n.value;
}

operand expander::lower(const ast::expression&, const ast::offset_table&, scalar) {
    throw std::logic_error("a table of offsets has no value");
}

operand expander::lower(const ast::expression&, const ast::unary& u, scalar arithmetic) {
    const operand a = lower(*u.operand, arithmetic);
    if (const auto* n = std::get_if<node_id>(&a)) {
        return build_.unary(u.op, *n);
    }
    if (const auto* holds = std::get_if<bool>(&a)) {
        return !*holds;
    }
    return -std::get<double>(a);
}

operand expander::lower(const ast::expression&, const ast::chain& c, scalar arithmetic) {
    const ir::binary_op op = c.rest.front().op;
    if (op == ir::binary_op::logical_and || op == ir::binary_op::logical_or) {
        return logic(c, arithmetic);
    }
    if (op >= ir::binary_op::less && op <= ir::binary_op::not_equal) {
        return comparison(c, arithmetic);
    }
    operand sum = lower(*c.first, arithmetic);
    span so_far = c.first->at;
    for (const auto& link : c.rest) {
        const span at = link.operand->at;
        sum = combine(link.op, sum, lower(*link.operand, arithmetic), arithmetic, so_far, at);
        so_far.end = at.end;
    }
    return sum;
}

operand expander::logic(const ast::chain& c, scalar arithmetic) {
    const ir::binary_op op = c.rest.front().op;
    const bool deciding = op == ir::binary_op::logical_or; // true decides an or, false an and
    operand out = lower(*c.first, arithmetic);
    for (const auto& link : c.rest) {
        const auto* left = std::get_if<bool>(&out);
        if (left != nullptr && *left == deciding) {
            return out;
        }
        const operand right = lower(*link.operand, arithmetic);
        if (left != nullptr) {
            out = right;
        } else if (const auto* holds = std::get_if<bool>(&right)) {
            out = *holds == deciding ? right : out;
        } else {
            out = build_.binary(op, std::get<node_id>(out), std::get<node_id>(right));
        }
    }
    return out;
}

operand expander::comparison(const ast::chain& c, scalar arithmetic) {
    const ast::expression& left = *c.first;
    const ast::expression& right = *c.rest.front().operand;
    const ir::binary_op op = c.rest.front().op;
    const auto type = explicit_type(left);
    if (type && type == explicit_type(right)) {
        return build_.binary(op, converted(left, std::get<ast::reference>(left.form), arithmetic),
                             converted(right, std::get<ast::reference>(right.form), arithmetic));
    }
    const operand a = lower(left, arithmetic);
    const operand b = lower(right, arithmetic);
    if (std::holds_alternative<double>(a) && std::holds_alternative<double>(b)) {
        return fold_comparison(op, std::get<double>(a), std::get<double>(b));
    }
    if (std::holds_alternative<bool>(a) && std::holds_alternative<bool>(b)) {
        return (a == b) == (op == ir::binary_op::equal);
    }
    return combine(op, a, b, arithmetic, left.at, right.at);
}

operand expander::combine(ir::binary_op op, const operand& a, const operand& b, scalar arithmetic, span at_a,
                          span at_b) {
    if (std::holds_alternative<double>(a) && std::holds_alternative<double>(b)) {
        return finite(fold(op, std::get<double>(a), std::get<double>(b)), {at_a.begin, at_b.end});
    }
    scalar type = std::max(type_of(a), type_of(b));
    if (is_real(arithmetic) && type != scalar::boolean) {
        type = arithmetic;
    } else if (op == ir::binary_op::power) {
        type = std::max(type, scalar::f32);
    }
    const node_id left = node(a, type, at_a);
    return build_.binary(op, left, node(b, type, at_b));
}

operand expander::lower(const ast::expression&, const ast::reduction& r, scalar arithmetic) {
    std::optional<operand> sum;
    const auto add = [&] {
        const operand term = lower(*r.body, arithmetic);
        sum = sum ? combine(r.op, *sum, term, arithmetic, r.body->at, r.body->at) : term;
    };
    if (r.last) {
        constexpr std::int64_t bound = 1'000'000;
        const std::int64_t first = whole_constant(*r.domain, -bound, bound, "the first index");
        const std::int64_t last = whole_constant(*r.last, -bound, bound, "the last index");
        const span range{r.domain->at.begin, r.last->at.end};
        if (last < first) {
            fail(range, fmt::format("the range {}..{} is empty", first, last),
                 "the smaller number comes first; both ends are included");
        }
        if (last - first >= static_cast<std::int64_t>(limits::range_length)) {
            fail(range, fmt::format("the range {}..{} is too long", first, last),
                 fmt::format("it has at most {} numbers", limits::range_length));
        }
        locals_.push_back({r.variable.text, first, nullptr, 0});
        for (std::int64_t i = first; i <= last; ++i) {
            locals_.back().number = i;
            add();
        }
    } else {
        const auto points = pattern(*r.domain);
        locals_.push_back({r.variable.text, 0, points, 0});
        for (std::size_t i = 0; i < points->offsets.size(); ++i) {
            locals_.back().place = i;
            add();
        }
    }
    locals_.pop_back();
    return *sum;
}

operand expander::lower(const ast::expression& at, const ast::reference& r, scalar arithmetic) {
    return r.form == ast::reference::kind::called ? call(at, r, arithmetic) : named(at, r, arithmetic);
}

operand expander::call(const ast::expression& at, const ast::reference& r, scalar arithmetic) {
    const std::string& name = r.id.text;
    if (name == "select") {
        return choose(r, arithmetic);
    }
    if (name == "int" || name == "real" || conversion_named(name)) {
        return convert(at, r, arithmetic);
    }
    if (name == "size") {
        const symbol& axis = checked_.symbols.at(std::get<ast::reference>(r.arguments[0].form).id.text);
        return leaf(build_.add({ir::grid_size{static_cast<int>(axis.index)}, scalar::i32}), arithmetic);
    }
    if (const auto f = unary_function_named(name)) {
        return apply(*f, lower(r.arguments[0], arithmetic), arithmetic, at.at);
    }
    const ir::binary_op op = name == "min"   ? ir::binary_op::minimum
                             : name == "max" ? ir::binary_op::maximum
                                             : ir::binary_op::power;
    operand out = lower(r.arguments[0], arithmetic);
    for (std::size_t i = 1; i < r.arguments.size(); ++i) {
        const span next = r.arguments[i].at;
        out = combine(op, out, lower(r.arguments[i], arithmetic), arithmetic, r.arguments[0].at, next);
    }
    return out;
}

operand expander::apply(ir::function f, const operand& a, scalar, span at) {
    if (const auto* constant = std::get_if<double>(&a)) {
        return finite(fold(f, *constant), at);
    }
    const scalar type = type_of(a);
    const bool takes = f == ir::function::absolute || is_real(type);
    return build_.call(f, node(a, takes ? type : scalar::f32, at));
}

operand expander::choose(const ast::reference& r, scalar arithmetic) {
    const operand condition = lower(r.arguments[0], arithmetic);
    if (const auto* holds = std::get_if<bool>(&condition)) {
        return lower(r.arguments[*holds ? 1 : 2], arithmetic);
    }
    const operand a = lower(r.arguments[1], arithmetic);
    const operand b = lower(r.arguments[2], arithmetic);
    scalar type = std::max(type_of(a), type_of(b));
    if (is_real(arithmetic) && type != scalar::boolean) {
        type = arithmetic;
    }
    const node_id yes = node(a, type, r.arguments[1].at);
    return build_.select(std::get<node_id>(condition), yes, node(b, type, r.arguments[2].at));
}

operand expander::convert(const ast::expression& at, const ast::reference& r, scalar arithmetic) {
    const ast::expression& argument = r.arguments[0];
    if (r.id.text == "real" || r.id.text == "int") {
        if (r.id.text == "real" || !explicit_type(argument)) {
            const operand a = lower(argument, arithmetic);
            if (const auto* constant = std::get_if<double>(&a)) {
                return r.id.text == "int" ? std::trunc(*constant) : *constant;
            }
            if (r.id.text == "real") {
                return node(a, is_real(arithmetic) ? arithmetic : std::max(type_of(a), scalar::f32), argument.at);
            }
        }
    }
    return leaf(converted(at, r, arithmetic), arithmetic);
}

/// `int(e)`, `f32(e)` … in the type that it names.
node_id expander::converted(const ast::expression&, const ast::reference& r, scalar arithmetic) {
    const ast::expression& argument = r.arguments[0];
    if (r.id.text == "int") {
        if (explicit_type(argument)) {
            return build_.convert(converted(argument, std::get<ast::reference>(argument.form), arithmetic),
                                  scalar::i32);
        }
        const operand a = lower(argument, arithmetic);
        if (const auto* constant = std::get_if<double>(&a)) {
            return number(std::trunc(*constant), scalar::i32, argument.at);
        }
        return build_.convert(node(a, type_of(a), argument.at), scalar::i32);
    }
    const scalar type = *conversion_named(r.id.text);
    const operand a = lower(argument, type);
    if (type_of(a) == scalar::boolean) {
        return build_.convert(node(a, scalar::boolean, argument.at), type);
    }
    if (type == scalar::i32 && std::holds_alternative<node_id>(a) && is_real(type_of(a))) {
        fail(argument.at, "a real number where an i32 is needed", "write int(…) to cut off the fraction");
    }
    return node(a, type, argument.at);
}

node_id expander::select(const operand& condition, node_id a, node_id b) {
    if (const auto* holds = std::get_if<bool>(&condition)) {
        return *holds ? a : b;
    }
    return build_.select(std::get<node_id>(condition), a, b);
}

node_id expander::number(double value, scalar type, span at) {
    const double near = rounded(value, type);
    if (!std::isfinite(near) || (type == scalar::i32 && !is_whole(value))) {
        const bool fraction = type == scalar::i32 && value != std::trunc(value);
        fail(at,
             fmt::format("{} {} {}", value, fraction ? "is not a whole number, as needed in" : "is too large for",
                         name_of(type)),
             fraction ? "write int(…) to cut off the fraction" : "");
    }
    return build_.number(near, type);
}

/// The operand as a node of the type.
node_id expander::node(const operand& a, scalar type, span at) {
    if (const auto* n = std::get_if<node_id>(&a)) {
        return build_.convert(*n, type);
    }
    if (const auto* holds = std::get_if<bool>(&a)) {
        const node_id n = build_.number(*holds ? 1 : 0, scalar::boolean);
        return type == scalar::boolean ? n : build_.convert(n, type);
    }
    return number(std::get<double>(a), type, at);
}

/// A value of its own type, in the arithmetic around it.
operand expander::leaf(node_id n, scalar arithmetic) {
    return is_real(arithmetic) ? build_.convert(n, arithmetic) : n;
}

scalar expander::type_of(const operand& a) const {
    if (const auto* n = std::get_if<node_id>(&a)) {
        return target_.nodes[*n].type;
    }
    if (const auto* v = std::get_if<double>(&a)) {
        return *v == std::trunc(*v) ? scalar::i32 : scalar::f32;
    }
    return scalar::boolean;
}

double expander::finite(double value, span at) const {
    if (!std::isfinite(value)) {
        fail(at, std::isnan(value) ? "this constant is not a number" : "this constant is infinite",
             "constants are computed when the stencil is compiled");
    }
    return value;
}

const expander::local* expander::local_named(std::string_view name) const {
    const auto found = std::find_if(locals_.begin(), locals_.end(), [&](const local& l) { return l.name == name; });
    return found == locals_.end() ? nullptr : &*found;
}

} // namespace gst::dsl
