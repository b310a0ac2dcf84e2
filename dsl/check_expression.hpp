#pragma once

#include "dsl/report.hpp"
#include "dsl/symbols.hpp"

namespace gst::dsl {

/// What an expression gives; unknown after an error, and then it fits everywhere.
enum class value_kind : std::uint8_t { number, condition, unknown };

/// Checks the expressions of one stencil against the names declared so far.
class expression_checker {
  public:
    expression_checker(const std::map<std::string, symbol>& symbols, const std::map<std::string, span>& later,
                       report& out)
        : symbols_(symbols), later_(later), report_(out) {}

    void number(const ast::expression& e);
    void condition(const ast::expression& e);
    /// A number that is known when the stencil is compiled.
    void constant(const ast::expression& e);
    void pattern(const ast::expression& e);
    void table(const ast::offset_table& t);
    value_kind kind_of(const ast::expression& e);

    /// "unknown field 'v' – did you mean 'u'?"
    void unknown(std::string_view what, const ast::name& id, std::vector<std::string> more = {});

  private:
    struct local {
        std::string name;
        bool pattern = false;
    };

    value_kind of(const ast::expression& at, const ast::number& n);
    value_kind of(const ast::expression& at, const ast::reference& r);
    value_kind of(const ast::expression& at, const ast::unary& u);
    value_kind of(const ast::expression& at, const ast::chain& c);
    value_kind of(const ast::expression& at, const ast::reduction& r);
    value_kind of(const ast::expression& at, const ast::offset_table& t);
    value_kind plain(const ast::reference& r);
    value_kind indexed(const ast::expression& at, const ast::reference& r);
    value_kind called(const ast::expression& at, const ast::reference& r);
    value_kind indexed_symbol(const ast::expression& at, const ast::reference& r, const symbol& s);
    void index(const ast::reference& r, bool time);
    void weight_index(const ast::reference& r);
    value_kind selected(const ast::reference& r);
    bool known_when_compiled(const ast::name& id, std::string_view what);
    const local* local_named(std::string_view name) const;
    std::vector<std::string> axes() const;
    std::vector<std::string> names_of(std::initializer_list<symbol::kind> kinds) const;

    const std::map<std::string, symbol>& symbols_;
    const std::map<std::string, span>& later_;
    report& report_;
    std::vector<local> locals_;
    bool constant_ = false;
};

} // namespace gst::dsl
