#include "dsl/dsl.hpp"
#include "dsl/limits.hpp"
#include "dsl/messages.hpp"
#include "dsl/syntax_error.hpp"

#include <fmt/format.h>
#include <tao/pegtl/contrib/limit_depth.hpp>
#include <tao/pegtl/contrib/parse_tree.hpp>

#include <cmath>
#include <cstdlib>

// The grammar's parse tree, and from it the AST.
namespace gst::dsl {

namespace {

namespace pt = tao::pegtl::parse_tree;
using tree = pt::node;

/// A level of precedence without an operator is its only operand.
struct collapse : pt::apply<collapse> {
    static void transform(std::unique_ptr<tree>& n) {
        if (n->children.size() == 1) {
            n = std::move(n->children.front());
        }
    }
};

template<class Rule>
using selector = pt::selector<
    Rule,
    collapse::on<grammar::expression, grammar::right_conjunction, grammar::conjunction, grammar::right_negated,
                 grammar::negated, grammar::comparison, grammar::right_total, grammar::total, grammar::right_term,
                 grammar::term, grammar::right_operand, grammar::signed_operand>,
    pt::store_content::on<grammar::name, grammar::number, grammar::sum_word, grammar::product_word,
                          grammar::minimum_word, grammar::maximum_word, grammar::operator_minus, grammar::operator_not,
                          grammar::times, grammar::over, grammar::modulo, grammar::added, grammar::subtracted,
                          grammar::less_equal, grammar::greater_equal, grammar::equal, grammar::not_equal,
                          grammar::less, grammar::greater, grammar::operator_and, grammar::operator_or,
                          grammar::reference, grammar::target, grammar::index, grammar::arguments, grammar::reduction,
                          grammar::offset, grammar::weighted_offset, grammar::offset_table, grammar::bare_offset_table,
                          grammar::array, grammar::face_side, grammar::face, grammar::coefficient_word,
                          grammar::field_word, grammar::type, grammar::compute, grammar::parameter, grammar::constant,
                          grammar::fields, grammar::let, grammar::update, grammar::stencil>>;

template<class Rule>
struct action : tao::pegtl::nothing<Rule> {};
template<>
struct action<grammar::expression> : tao::pegtl::limit_depth<limits::nesting> {};
template<>
struct action<grammar::balanced> : tao::pegtl::limit_depth<limits::nesting> {};

class ast_builder {
  public:
    explicit ast_builder(std::shared_ptr<const source> text) : text_(std::move(text)) {}

    ast::stencil_definition stencil(const tree& n) const {
        ast::stencil_definition out;
        for (std::size_t i = 0; i < n.children.size(); ++i) {
            const tree& child = *n.children[i];
            if (i == 0) {
                out.id = name(child);
            } else if (child.is_type<grammar::name>()) {
                out.axes.push_back(name(child));
            } else {
                out.body.push_back(statement(child));
            }
        }
        return out;
    }

  private:
    using expression_ptr = ast::expression_ptr;

    [[noreturn]] void fail(span at, std::string message, std::string hint) const {
        throw user_error(diagnostic{std::move(message), text_, at, std::move(hint)});
    }

    static span whole(const tree& n) { return {n.m_begin.byte, n.m_end.byte}; }

    ast::name name(const tree& n) const {
        if (n.string_view().size() > limits::name_length) {
            fail(whole(n), fmt::format("this name has {} characters", n.string_view().size()),
                 fmt::format("a name has at most {}", limits::name_length));
        }
        return {n.string(), whole(n)};
    }

    expression_ptr child(const tree& n, std::size_t i) const {
        return i < n.children.size() ? pointer(*n.children[i]) : nullptr;
    }
    expression_ptr pointer(const tree& n) const { return std::make_unique<ast::expression>(expression(n)); }
    std::vector<ast::expression> list(const tree& n) const {
        std::vector<ast::expression> out;
        for (const auto& c : n.children) {
            out.push_back(expression(*c));
        }
        return out;
    }

    ast::expression expression(const tree& n) const {
        if (n.is_type<grammar::number>()) {
            return {number(n), whole(n)};
        }
        if (n.is_type<grammar::reference>() || n.is_type<grammar::target>()) {
            return {reference(n), whole(n)};
        }
        if (n.is_type<grammar::reduction>()) {
            return {reduction(n), whole(n)};
        }
        if (n.is_type<grammar::offset_table>()) {
            return {table(n), whole(n)};
        }
        const tree& first = *n.children.front();
        if (first.is_type<grammar::operator_minus>() || first.is_type<grammar::operator_not>()) {
            return prefixed(n);
        }
        return operators(n);
    }

    ast::number number(const tree& n) const {
        const double value = std::strtod(n.string().c_str(), nullptr);
        if (!std::isfinite(value)) {
            fail(whole(n), "this number is too large", "the largest is about 1.8e308");
        }
        return {value};
    }

    ast::reference reference(const tree& n) const {
        ast::reference out{name(*n.children[0]), ast::reference::kind::plain, {}};
        if (n.children.size() > 1) {
            const tree& list_of = *n.children[1];
            out.form = list_of.is_type<grammar::index>() ? ast::reference::kind::indexed : ast::reference::kind::called;
            out.arguments = list(list_of);
        }
        return out;
    }

    static ir::binary_op reduction_operator(const tree& n) {
        return n.is_type<grammar::sum_word>()       ? ir::binary_op::add
               : n.is_type<grammar::product_word>() ? ir::binary_op::multiply
               : n.is_type<grammar::minimum_word>() ? ir::binary_op::minimum
                                                    : ir::binary_op::maximum;
    }

    ast::reduction reduction(const tree& n) const {
        const bool range = n.children.size() == 5;
        return {reduction_operator(*n.children[0]), name(*n.children[1]), child(n, 2), range ? child(n, 3) : nullptr,
                child(n, range ? 4 : 3)};
    }

    ast::offset_table table(const tree& n) const {
        if (n.children.size() > limits::array_values) {
            fail(whole(n), fmt::format("this table has {} offsets", n.children.size()),
                 fmt::format("a table has at most {}", limits::array_values));
        }
        ast::offset_table out;
        for (const auto& c : n.children) {
            out.entries.push_back({list(*c->children[0]), child(*c, 1), whole(*c)});
        }
        return out;
    }

    ast::expression prefixed(const tree& n) const {
        const std::size_t signs = n.children.size() - 1;
        const span first = whole(*n.children.front());
        if (signs > limits::nesting) {
            fail(first, fmt::format("{} signs in a row", signs), fmt::format("at most {} are read", limits::nesting));
        }
        ast::expression out = expression(*n.children.back());
        for (std::size_t i = signs; i-- > 0;) {
            const tree& op = *n.children[i];
            const span at{whole(op).begin, out.at.end};
            const ir::unary_op which =
                op.is_type<grammar::operator_minus>() ? ir::unary_op::negate : ir::unary_op::logical_not;
            out = {ast::unary{which, std::make_unique<ast::expression>(std::move(out))}, at};
        }
        return out;
    }

    static ir::binary_op binary_operator(const tree& n) {
        using enum ir::binary_op;
        return n.is_type<grammar::times>()           ? multiply
               : n.is_type<grammar::over>()          ? divide
               : n.is_type<grammar::modulo>()        ? remainder
               : n.is_type<grammar::added>()         ? add
               : n.is_type<grammar::subtracted>()    ? subtract
               : n.is_type<grammar::less_equal>()    ? less_equal
               : n.is_type<grammar::greater_equal>() ? greater_equal
               : n.is_type<grammar::equal>()         ? equal
               : n.is_type<grammar::not_equal>()     ? not_equal
               : n.is_type<grammar::less>()          ? less
               : n.is_type<grammar::greater>()       ? greater
               : n.is_type<grammar::operator_and>()  ? logical_and
                                                     : logical_or;
    }

    ast::expression operators(const tree& n) const {
        ast::chain out{child(n, 0), {}};
        for (std::size_t i = 1; i + 1 < n.children.size(); i += 2) {
            out.rest.push_back({binary_operator(*n.children[i]), child(n, i + 1)});
        }
        const span at{out.first->at.begin, out.rest.back().operand->at.end};
        return {std::move(out), at};
    }

    ast::statement statement(const tree& n) const {
        if (n.is_type<grammar::parameter>()) {
            return {ast::parameter{name(*n.children[0]), child(n, 1)}, whole(n)};
        }
        if (n.is_type<grammar::constant>()) {
            return {constant(n), whole(n)};
        }
        if (n.is_type<grammar::fields>()) {
            return {fields(n), whole(n)};
        }
        if (n.is_type<grammar::let>()) {
            return {ast::let{name(*n.children[0]), child(n, 1)}, whole(n)};
        }
        return {ast::update{child(n, 0), child(n, 1), child(n, 2)}, whole(n)};
    }

    ast::constant constant(const tree& n) const {
        const bool indexed = n.children.size() == 4;
        const tree& value = *n.children.back();
        ast::constant out{
            name(*n.children[0]), indexed ? child(n, 1) : nullptr, indexed ? child(n, 2) : nullptr, {}, {}};
        if (value.is_type<grammar::array>()) {
            out.value = list(value);
            out.value_at = whole(value);
        } else if (value.is_type<grammar::bare_offset_table>()) {
            out.value = std::make_unique<ast::expression>(ast::expression{table(value), whole(value)});
        } else {
            out.value = pointer(value);
        }
        if (const auto* e = std::get_if<expression_ptr>(&out.value)) {
            out.value_at = (*e)->at;
        }
        return out;
    }

    ast::face face(const tree& n) const {
        ast::face out{name(*n.children[0]), 0, {}, nullptr};
        std::size_t i = 1;
        if (n.children[i]->is_type<grammar::face_side>()) {
            out.side = n.children[i++]->string_view().front();
        }
        out.kind = name(*n.children[i]);
        out.value = child(n, i + 1);
        return out;
    }

    ast::fields fields(const tree& n) const {
        ast::fields out;
        out.coefficient = n.children[0]->is_type<grammar::coefficient_word>();
        for (std::size_t i = 1; i < n.children.size(); ++i) {
            const tree& c = *n.children[i];
            if (c.is_type<grammar::type>()) {
                out.type = name(*c.children[0]);
            } else if (c.is_type<grammar::compute>()) {
                out.compute = name(*c.children[0]);
            } else if (c.is_type<grammar::face>()) {
                out.faces.push_back(face(c));
            } else {
                out.ids.push_back(name(c));
            }
        }
        return out;
    }

    std::shared_ptr<const source> text_;
};

} // namespace

ast::file parse(std::shared_ptr<const source> text) {
    if (text->text.size() > limits::source_bytes) {
        throw user_error(fmt::format("{} has {} bytes", text->name, text->text.size()),
                         fmt::format("a stencil file has at most {}", limits::source_bytes));
    }
    tao::pegtl::memory_input<tao::pegtl::tracking_mode::eager> in(text->text, text->name);
    std::unique_ptr<tree> root;
    try {
        root = pt::parse<grammar::file, tree, selector, action, tao::pegtl::must_if<messages>::control>(in);
    } catch (const tao::pegtl::parse_error& e) {
        throw user_error(syntax_error(text, e.message(), e.positions().front().byte));
    }
    ast::file out{text, {}};
    const ast_builder build(text);
    for (const auto& n : root->children) {
        out.stencils.push_back(build.stencil(*n));
    }
    return out;
}

} // namespace gst::dsl
