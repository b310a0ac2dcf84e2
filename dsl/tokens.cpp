#include "dsl/tokens.hpp"

#include "core/base/utf8.hpp"

#include <algorithm>
#include <array>

namespace gst::dsl {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

std::size_t number_length(std::string_view text) {
    std::size_t n = 0;
    const auto digits = [&] {
        while (n < text.size() && is_digit(text[n])) {
            ++n;
        }
    };
    digits();
    if (n < text.size() && text[n] == '.' && text.substr(n, 2) != "..") {
        ++n;
        digits();
    }
    if (n < text.size() && (text[n] == 'e' || text[n] == 'E')) {
        const std::size_t sign = n + 1 < text.size() && (text[n + 1] == '+' || text[n + 1] == '-') ? 2 : 1;
        if (n + sign < text.size() && is_digit(text[n + sign])) {
            n += sign;
            digits();
        }
    }
    return n;
}

std::size_t length(std::string_view text) {
    constexpr std::array<std::string_view, 13> pairs{"..", "<=", ">=", "==", "!=", "&&", "||",
                                                     "**", "+=", "-=", "*=", "/=", "//"};
    const char c = text.front();
    if (is_digit(c) || (c == '.' && text.size() > 1 && is_digit(text[1]))) {
        return number_length(text);
    }
    if (is_word(c)) {
        return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_word) - text.begin());
    }
    if (std::find(pairs.begin(), pairs.end(), text.substr(0, 2)) != pairs.end()) {
        return 2;
    }
    std::size_t n = 1;
    while (n < text.size() && (static_cast<unsigned char>(c) & 0x80) != 0 && continues_character(text[n])) {
        ++n;
    }
    return n;
}

} // namespace

span token_at(std::string_view text, std::size_t at) {
    at = std::min(at, text.size());
    return {at, at == text.size() ? at : at + length(text.substr(at))};
}

std::size_t skip_gap(std::string_view text, std::size_t at) {
    while (at < text.size()) {
        if (text[at] == '#') {
            at = std::min(text.find('\n', at), text.size());
        } else if (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' || text[at] == '\n') {
            ++at;
        } else {
            break;
        }
    }
    return at;
}

std::vector<span> tokens_of(std::string_view text) {
    std::vector<span> all;
    for (std::size_t at = skip_gap(text, 0); at < text.size(); at = skip_gap(text, all.back().end)) {
        all.push_back(token_at(text, at));
    }
    return all;
}

} // namespace gst::dsl
