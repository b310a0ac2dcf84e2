#include "core/space/expression_lexer.hpp"

#include "core/base/error.hpp"
#include "core/base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace gst {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_word(char c) {
    return is_letter(c) || is_digit(c);
}

class lexer {
  public:
    lexer(const std::shared_ptr<const source>& where, span part) : where_(where), at_(part.begin), end_(part.end) {}

    std::vector<token> all() {
        std::vector<token> tokens;
        do {
            tokens.push_back(next());
        } while (tokens.back().what != token::kind::end);
        return tokens;
    }

  private:
    char peek(std::size_t ahead = 0) const { return at_ + ahead < end_ ? where_->text[at_ + ahead] : '\0'; }

    [[noreturn]] void fail(std::size_t begin, std::string message, std::string hint = "") const {
        throw user_error(diagnostic{std::move(message), where_, {begin, at_}, std::move(hint)});
    }

    token next() {
        while (at_ < end_ && (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')) {
            ++at_;
        }
        const std::size_t begin = at_;
        token found = at_ == end_                                                ? token{}
                      : is_digit(peek()) || (peek() == '.' && is_digit(peek(1))) ? number()
                      : is_letter(peek())                                        ? word()
                      : peek() == '\'' || peek() == '"'                          ? text()
                                                                                 : symbol();
        found.at = {begin, at_};
        return found;
    }

    token number() {
        const std::size_t begin = at_;
        const auto digits = [&] {
            while (is_digit(peek())) {
                ++at_;
            }
        };
        digits();
        bool real = false;
        if (peek() == '.') {
            real = true;
            ++at_;
            digits();
        }
        if ((peek() == 'e' || peek() == 'E') &&
            (is_digit(peek(1)) || ((peek(1) == '+' || peek(1) == '-') && is_digit(peek(2))))) {
            real = true;
            at_ += 2;
            digits();
        }
        if (is_word(peek()) || peek() == '.') {
            while (is_word(peek()) || peek() == '.') {
                ++at_;
            }
            fail(begin, fmt::format("'{}' is not a number", where_->text.substr(begin, at_ - begin)),
                 "write 32, 0.5 or 1e6; a name begins with a letter");
        }
        const char* from = where_->text.data() + begin;
        const char* to = where_->text.data() + at_;
        std::int64_t integer = 0;
        if (!real && std::from_chars(from, to, integer).ec == std::errc{}) {
            return {token::kind::literal, "", integer, {}};
        }
        double number = 0;
        if (std::from_chars(from, to, number).ec != std::errc{}) {
            fail(begin, "this number is beyond what a real can hold");
        }
        return {token::kind::literal, "", number, {}};
    }

    token word() {
        const std::size_t begin = at_;
        while (is_word(peek()) || (peek() == '.' && is_letter(peek(1)))) {
            ++at_;
        }
        std::string found = where_->text.substr(begin, at_ - begin);
        if (found == "true" || found == "True") {
            return {token::kind::literal, "", true, {}};
        }
        if (found == "false" || found == "False") {
            return {token::kind::literal, "", false, {}};
        }
        const bool keyword = found == "and" || found == "or" || found == "not" || found == "in";
        return {keyword ? token::kind::symbol : token::kind::name, std::move(found), {}, {}};
    }

    token text() {
        const std::size_t begin = at_;
        const char quote = peek();
        const std::size_t close = where_->text.find(quote, at_ + 1);
        if (close >= end_) {
            at_ = end_;
            fail(begin, "this text has no end", fmt::format("close it with {}", quote));
        }
        at_ = close + 1;
        return {token::kind::literal, "", where_->text.substr(begin + 1, close - begin - 1), {}};
    }

    token symbol() {
        static constexpr std::array<std::string_view, 25> symbols{"**", "//", "<=", ">=", "==", "!=", "&&", "||", "<",
                                                                  ">",  "+",  "-",  "*",  "/",  "%",  "(",  ")",  "[",
                                                                  "]",  ",",  "!",  "=",  "&",  "|",  "^"};
        const std::string_view rest = std::string_view(where_->text).substr(at_, end_ - at_);
        const auto* found =
            std::find_if(symbols.begin(), symbols.end(), [&](std::string_view s) { return rest.starts_with(s); });
        const std::size_t begin = at_;
        if (found == symbols.end()) {
            do {
                ++at_; // a whole character
            } while (continues_character(peek()));
            fail(begin, fmt::format("'{}' has no meaning in an expression", where_->text.substr(begin, at_ - begin)));
        }
        at_ += found->size();
        if (*found == "=") {
            fail(begin, "'=' does not compare", "write ==");
        }
        if (*found == "&" || *found == "|") {
            fail(begin, fmt::format("'{}' has no meaning in an expression", *found),
                 *found == "&" ? "write and; the last bit of a is a % 2" : "write or");
        }
        if (*found == "^") {
            fail(begin, "'^' has no meaning in an expression", "a power is written **");
        }
        return {token::kind::symbol, std::string(*found == "&&" ? "and" : *found == "||" ? "or" : *found), {}, {}};
    }

    const std::shared_ptr<const source>& where_;
    std::size_t at_;
    std::size_t end_;
};

} // namespace

std::vector<token> expression_tokens(const std::shared_ptr<const source>& where, span part) {
    return lexer(where, part).all();
}

} // namespace gst
