#pragma once

#include "dsl/pattern.hpp"
#include "dsl/report.hpp"
#include "dsl/symbols.hpp"

#include <memory>
#include <set>
#include <tuple>

namespace gst::dsl {

/// An expression while it is lowered: a constant number, a constant condition, or a node.
using operand = std::variant<double, bool, node_id>;

/// Lowers the expressions of one checked stencil: lets, sums and patterns are expanded, constants folded in double.
///
/// `arithmetic` says how: a real type means that everything is computed in it; i32 means that types follow from the
/// operands (i32 with i32 is i32, with a real number is real). Mistakes are thrown as user_error.
class expander {
  public:
    expander(const checked_stencil& checked, std::shared_ptr<const source> text, stencil& target);

    /// The number as a node of the type. Into i32 only what is i32.
    node_id value(const ast::expression& e, scalar type);
    operand condition(const ast::expression& e, scalar arithmetic);
    double constant(const ast::expression& e);
    /// A number without a fraction, in [low, high].
    std::int64_t whole(double v, span at, std::int64_t low, std::int64_t high, std::string_view what) const;
    std::int64_t whole_constant(const ast::expression& e, std::int64_t low, std::int64_t high, std::string_view what);

    /// Evaluates a const; later expressions may use it. After a mistake in it they give a user_error without
    /// diagnostics.
    void define(const ast::constant& c);
    /// From now on the field may be read at t+1.
    void written(std::uint32_t field) { written_[field] = true; }

    /// select(condition, a, b) of one type.
    node_id select(const operand& condition, node_id a, node_id b);
    node_id current(std::uint32_t field, scalar type); ///< u[t] here

  private:
    struct point_set {
        std::vector<offset3> offsets;
        std::vector<double> weights; ///< of a table
        std::map<std::string, std::vector<double>> generated;
    };
    struct local {
        std::string name;
        std::int64_t number = 0;
        std::shared_ptr<point_set> pattern; ///< null: a number
        std::size_t place = 0;              ///< in the pattern
    };
    struct place {
        offset3 at{};
        int level = 0;
    };
    struct array {
        std::int64_t first = 0;
        std::vector<double> values;
    };

    void evaluate(const ast::constant& c);
    operand lower(const ast::expression& e, scalar arithmetic);
    operand lower(const ast::expression& at, const ast::number& n, scalar arithmetic);
    operand lower(const ast::expression& at, const ast::reference& r, scalar arithmetic);
    operand lower(const ast::expression& at, const ast::unary& u, scalar arithmetic);
    operand lower(const ast::expression& at, const ast::chain& c, scalar arithmetic);
    operand lower(const ast::expression& at, const ast::reduction& r, scalar arithmetic);
    operand lower(const ast::expression& at, const ast::offset_table& t, scalar arithmetic);

    operand named(const ast::expression& at, const ast::reference& r, scalar arithmetic);
    operand call(const ast::expression& at, const ast::reference& r, scalar arithmetic);
    operand choose(const ast::reference& r, scalar arithmetic);
    operand convert(const ast::expression& at, const ast::reference& r, scalar arithmetic);
    node_id converted(const ast::expression& at, const ast::reference& r, scalar arithmetic);
    operand logic(const ast::chain& c, scalar arithmetic);
    operand comparison(const ast::chain& c, scalar arithmetic);
    operand combine(ir::binary_op op, const operand& a, const operand& b, scalar arithmetic, span at_a, span at_b);
    operand apply(ir::function f, const operand& a, scalar arithmetic, span at);
    operand let(const ast::let& l, const offset3& shift, scalar arithmetic);
    operand read(std::uint32_t field, const place& from, scalar arithmetic, span at);
    double weight(const symbol& s, const ast::reference& r);
    double element(const ast::reference& r);
    place place_of(const ast::reference& r);
    std::shared_ptr<point_set> pattern(const ast::expression& e);
    std::shared_ptr<point_set> table(const ast::offset_table& t);

    node_id node(const operand& a, scalar type, span at);
    node_id number(double value, scalar type, span at);
    operand leaf(node_id n, scalar arithmetic);
    scalar type_of(const operand& a) const;
    double finite(double value, span at) const;
    const local* local_named(std::string_view name) const;
    [[noreturn]] void fail(span at, std::string message, std::string hint = "") const;

    const checked_stencil& checked_;
    std::shared_ptr<const source> text_;
    stencil& target_;
    stencil_builder build_;
    std::map<std::string, double> constants_;
    std::map<std::string, array> arrays_;
    std::map<std::string, std::shared_ptr<point_set>> patterns_;
    std::map<std::tuple<shape, int, std::array<bool, 3>, int>, std::shared_ptr<point_set>> shapes_;
    std::map<std::tuple<const ast::let*, offset3, scalar>, operand> lets_;
    std::set<std::string> broken_; ///< consts with a mistake
    std::vector<bool> written_;
    std::vector<local> locals_;
    offset3 shift_{};
    std::size_t depth_ = 0;
    std::size_t work_ = 0;
};

} // namespace gst::dsl
