#pragma once

#include "core/codegen/dialect.hpp"
#include "core/codegen/loop_nest.hpp"

#include <fmt/args.h>
#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
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

    /// `wide`: indices have 64 bits.
    speller(const dialect& language, bool wide) : language_(language), wide_(wide) {}

    /// The language's word; throws std::logic_error when it has none.
    const std::string& word(const std::string& name) const;
    /// The same with its arguments (fmt::arg) in their places.
    template<class... Args>
    std::string spell(const std::string& name, Args&&... args) const {
        return fmt::format(fmt::runtime(word(name)), std::forward<Args>(args)...);
    }
    const std::string& spell_type(nest::type t);
    /// The element type of a global array: half as it is stored, without arithmetic.
    const std::string& array_type(scalar s);
    std::string vector_type(nest::type t, int width);
    /// A value apart from what was written, in parentheses unless it binds at least like that.
    std::string plain(const nest::value& v, int binds = ternary);
    std::string number_text(double number, nest::type of) {
        return apart([&] { literal_text(number, of); });
    }
    /// A vector of these.
    std::string composed(const std::string& vector, const std::vector<nest::value>& lanes);
    /// Extensions, types and functions that what was spelled uses.
    std::string head() const;

  protected:
    const dialect& language() const { return language_; }
    void use(const std::string& extra) { extras_used_.insert(extra); }

    void write(std::string_view words) { out_ += words; }
    void write(std::int64_t number) { fmt::format_to(std::back_inserter(out_), "{}", number); }
    /// In parentheses unless it binds at least like that.
    void write(const nest::value& v, int binds = ternary);
    /// With commas between them.
    void write(const std::vector<nest::value>& values);
    template<class... Parts>
    void add(const Parts&... parts) {
        (write(parts), ...);
    }

    std::string out_;                            ///< what was written
    std::map<std::string, std::set<int>> lanes_; ///< of vector variables, that were written

  private:
    /// Writes an expression in parts; it binds like that.
    template<class... Parts>
    int put(int binds, const Parts&... parts) {
        add(parts...);
        return binds;
    }
    /// What `writing` writes, which is taken out again.
    template<class Writing>
    std::string apart(Writing&& writing) {
        const std::size_t begin = out_.size();
        writing();
        std::string words = out_.substr(begin);
        out_.resize(begin);
        return words;
    }

    std::string helper_text(const std::string& name) const;
    /// A vector function's argument: scalars are widened by hand, as only operators do it by themselves.
    void write_widened(const nest::value& v, int width);
    // Each writes something and tells what it binds like.
    int expression_text(const nest::expression& e);
    int literal_text(double number, nest::type of);
    int integer_text(std::int64_t n, nest::type of);
    int infix(const nest::value& a, const nest::value& b, std::string_view op, int level);
    int vector_call(const std::string& name, const nest::value& a, const nest::value& b);
    int function_call(const std::string& name, const std::vector<nest::value>& arguments);
    int negated(const nest::value& a); ///< -a in i32, which wraps around
    int binary_text(const nest::binary& b);
    int convert_text(const nest::convert& c, nest::type to);

    const dialect& language_;
    bool wide_;
    std::set<std::string> extras_used_;
    std::set<std::string> helpers_;
    std::map<std::pair<nest::type, std::uint64_t>, std::string> numbers_; ///< texts of finite literals, by bits
};

} // namespace gst
