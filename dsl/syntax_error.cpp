#include "dsl/syntax_error.hpp"

#include "dsl/limits.hpp"
#include "dsl/tokens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace gst::dsl {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 12> other_spellings{{
    {"&&", "write 'and'"},
    {"||", "write 'or'"},
    {"!", "write 'not'"},
    {"**", "write pow(a, b)"},
    {"^", "write pow(a, b)"},
    {"?", "write select(condition, a, b)"},
    {"//", "a comment begins with '#'; '/' divides"},
    {"+=", "write u[t+1] = u + …"},
    {"-=", "write u[t+1] = u - …"},
    {"*=", "write u[t+1] = u * …"},
    {"/=", "write u[t+1] = u / …"},
    {"=", "write '==' to compare"},
}};

constexpr std::array<std::string_view, 17> reserved{"stencil", "param",   "const", "field",   "coef",    "compute",
                                                    "let",     "where",   "sum",   "product", "minimum", "maximum",
                                                    "in",      "offsets", "and",   "or",      "not"};

bool is_word(std::string_view token) {
    return !token.empty() &&
           ((token[0] >= 'a' && token[0] <= 'z') || (token[0] >= 'A' && token[0] <= 'Z') || token[0] == '_');
}
bool begins_value(std::string_view token) {
    return is_word(token) || token == "(" || (!token.empty() && token[0] >= '0' && token[0] <= '9');
}

/// The last token before `at`.
span token_before(std::string_view text, std::size_t at) {
    span last;
    for (std::size_t from = skip_gap(text, 0); from < at;) {
        last = token_at(text, from);
        from = skip_gap(text, last.end);
    }
    return last;
}

std::string hint_for(std::string_view expected, std::string_view found, std::string_view previous) {
    for (const auto& [spelling, remedy] : other_spellings) {
        if (found == spelling) {
            return std::string(remedy);
        }
    }
    if (expected.find("the name of") != std::string_view::npos &&
        std::find(reserved.begin(), reserved.end(), found) != reserved.end()) {
        return fmt::format("'{}' is a word of the language", found);
    }
    if (expected == "expected '='" && is_word(previous)) {
        const std::string meant = nearest(previous, {"param", "const", "field", "coef", "let"});
        return meant.empty() ? "an update is written u[t+1] = …" : fmt::format("did you mean '{}'?", meant);
    }
    if (expected == "expected the end of the statement" && begins_value(found)) {
        return "an operator is missing, or a new line";
    }
    if (expected == "expected the end of the statement" && (found == ")" || found == "]")) {
        return fmt::format("nothing is open that this '{}' closes", found);
    }
    return "";
}

} // namespace

diagnostic syntax_error(const std::shared_ptr<const source>& text, std::string_view expected, std::size_t at) {
    const std::string_view all = text->text;
    if (expected.find("nesting depth") != std::string_view::npos) {
        return {"brackets are nested too deep", text, token_at(all, skip_gap(all, at)),
                fmt::format("at most {} inside each other; give a part its name with let", limits::nesting)};
    }
    const std::size_t next = skip_gap(all, at);
    const span found = token_at(all, next);
    const span previous = token_before(all, next);
    const std::string_view word = all.substr(found.begin, found.end - found.begin);
    const std::string_view before = all.substr(previous.begin, previous.end - previous.begin);
    const std::string hint = hint_for(expected, word, before);
    const bool new_line = all.substr(previous.end, next - previous.end).find('\n') != std::string_view::npos;
    const bool wants_statement =
        expected.find("statement or") != std::string_view::npos || expected == "expected 'stencil'";
    if (word.empty() && (wants_statement || !new_line)) {
        return {fmt::format("{} but the file ends", expected), text, {all.size(), all.size()}, hint};
    }
    if (new_line && !wants_statement) {
        return {fmt::format("{} but the line ends", expected), text, {previous.end, previous.end}, hint};
    }
    return {fmt::format("{} but found '{}'", expected, word), text, found, hint};
}

} // namespace gst::dsl
