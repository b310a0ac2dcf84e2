#pragma once

#include "core/codegen/dialect.hpp"
#include "core/codegen/loop_nest.hpp"

#include <fmt/args.h>
#include <fmt/format.h>

#include <set>
#include <string>
#include <vector>

namespace gst {

/// Values of the loop nest in the words of a language. What they need that is not part of the language is remembered
/// for the head of the module.
class speller {
  public:
    /// C's precedences: a higher number binds tighter.
    enum precedence {
        ternary = 1,
        logical_or = 2,
        logical_and = 3,
        equality = 6,
        relation = 7,
        sum = 9,
        product = 10,
        prefix = 11,
        primary = 12
    };

    /// An expression in a language's words, and what it binds like.
    struct spelling {
        std::string words;
        int binds = primary;
    };

    /// `wide`: indices have 64 bits.
    speller(const dialect& language, bool wide) : language_(language), wide_(wide) {}

    /// The language's word; throws std::logic_error when it has none.
    const std::string& word(const std::string& name) const;
    /// The same with its arguments (fmt::arg) in their places.
    template<class... Args>
    std::string spell(const std::string& name, Args&&... args) const {
        return fmt::format(fmt::runtime(word(name)), std::forward<Args>(args)...);
    }
    std::string spell_type(nest::type t);
    /// The element type of a global array: half as it is stored, without arithmetic.
    std::string array_type(scalar s);
    std::string vector_type(nest::type t, int width);
    spelling expression_text(const nest::expression& e);
    std::string plain(const nest::value& v);
    /// In parentheses unless it binds at least like that.
    std::string at_least(const spelling& t, int binds) const;
    spelling literal_text(double number, nest::type of);
    /// A vector of these.
    std::string composed(const std::string& vector, const std::vector<nest::value>& lanes);
    /// With commas between them.
    std::string values_text(const std::vector<nest::value>& values);
    /// Extensions, types and functions that what was spelled uses.
    std::string head() const;

  protected:
    const dialect& language() const { return language_; }
    void use(const std::string& extra) { extras_used_.insert(extra); }

  private:
    std::string helper_text(const std::string& name) const;
    spelling integer_text(std::int64_t n, nest::type of);
    spelling infix(const nest::value& a, const nest::value& b, const std::string& op, int level);
    /// A vector function's argument: scalars are widened by hand, as only operators do it by themselves.
    std::string widened(const nest::value& v, int width);
    spelling vector_call(const std::string& name, const nest::value& a, const nest::value& b);
    spelling function_call(const std::string& name, const std::vector<nest::value>& arguments);
    /// -a in i32, which wraps around.
    spelling negated(const nest::value& a);
    spelling binary_text(const nest::binary& b);
    spelling convert_text(const nest::convert& c, nest::type to);

    const dialect& language_;
    bool wide_;
    std::set<std::string> extras_used_;
    std::set<std::string> helpers_;
};

} // namespace gst
