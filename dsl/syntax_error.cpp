#include "dsl/syntax_error.hpp"

#include "dsl/limits.hpp"
#include "dsl/tokens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

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

/// The first token of the line of `at`.
std::string_view first_of_line(std::string_view text, std::size_t at) {
    const std::size_t end = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    const span first = token_at(text, skip_gap(text, end == std::string_view::npos ? 0 : end + 1));
    return text.substr(first.begin, first.end - first.begin);
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// "the '(' in line 3, column 9 is open": the innermost bracket that is not closed before `at`.
std::string open_bracket(std::string_view text, std::size_t at) {
    std::vector<std::size_t> open;
    for (const span& token : tokens_of(text.substr(0, at))) {
        const char c = text[token.begin];
        if (c == '(' || c == '[' || c == '{') {
            open.push_back(token.begin);
        } else if ((c == ')' || c == ']' || c == '}') && !open.empty()) {
            open.pop_back();
        }
    }
    if (open.empty()) {
        return "";
    }
    const position p = locate(text, open.back());
    return fmt::format("the '{}' in line {}, column {} is open", text[open.back()], p.line, p.column);
}

std::string hint_for(std::string_view text, std::string_view expected, span at, std::string_view previous) {
    const std::string_view found = text.substr(at.begin, at.end - at.begin);
    const bool end_of_statement = expected == "expected the end of the statement";
    if (contains(expected, "'in'")) {
        return "write for example sum(r in 1..4)";
    }
    const bool compares = end_of_statement || contains(expected, "argument") || contains(expected, "parenthesis");
    for (const auto& [spelling, remedy] : other_spellings) {
        if (found == spelling && (found != "=" || compares)) {
            return std::string(remedy);
        }
    }
    if (contains(expected, "the name of") && std::find(reserved.begin(), reserved.end(), found) != reserved.end()) {
        return fmt::format("'{}' is a word of the language", found);
    }
    if (!found.empty() && (static_cast<unsigned char>(found[0]) & 0x80) != 0) {
        return "names are made of the letters a to z, digits and '_'";
    }
    if (expected == "expected '='" && is_word(previous)) {
        const std::string meant = nearest(previous, {"param", "const", "field", "coef", "let"});
        return meant.empty() ? "an update is written u[t+1] = …" : fmt::format("did you mean '{}'?", meant);
    }
    if (end_of_statement && found == "[" && previous == "]") {
        return "offsets along several axes stand in one pair of brackets: u[x-1, y+1]";
    }
    const std::string_view first = first_of_line(text, at.begin);
    if (end_of_statement && found == "," && (first == "param" || first == "const" || first == "let")) {
        return fmt::format("each {} has a statement of its own", first);
    }
    if (end_of_statement && begins_value(found)) {
        return "an operator is missing, or a new line";
    }
    if (end_of_statement && (found == ")" || found == "]")) {
        return fmt::format("nothing is open that this '{}' closes", found);
    }
    if (contains(expected, "to close") || contains(expected, "'}'") || contains(expected, "' after the") ||
        contains(expected, "in the list")) {
        return open_bracket(text, at.begin);
    }
    return "";
}

bool is_operator(std::string_view token) {
    return token.size() == 1 && std::string_view("+-*/%<>").find(token[0]) != std::string_view::npos;
}

} // namespace

diagnostic syntax_error(const std::shared_ptr<const source>& text, std::string_view expected, std::size_t at) {
    const std::string_view all = text->text;
    if (contains(expected, "nesting depth")) {
        return {"brackets are nested too deep", text, token_at(all, skip_gap(all, at)),
                fmt::format("at most {} inside each other; give a part its name with let", limits::nesting)};
    }
    const auto word = [&](span s) { return all.substr(s.begin, s.end - s.begin); };
    span found = token_at(all, skip_gap(all, at));
    span previous = token_before(all, found.begin);
    if (previous.end > found.begin) { // the grammar read a part of this token: ** or &&
        found = previous;
        previous = token_before(all, found.begin);
    }
    const auto ends_line = [&](span s, std::size_t next) { return contains(all.substr(s.end, next - s.end), "\n"); };
    if (expected == "expected the end of the statement" && word(found) == "=") {
        // u[t+1] = u +⏎ v[t+1] = …: the mistake is at the end of the line above.
        span first = found;
        span above = previous;
        while (above.end > 0 && !ends_line(above, first.begin) && word(above) != ";" && word(above) != "{") {
            first = above;
            above = token_before(all, first.begin);
        }
        if (is_operator(word(above))) {
            return {"expected a value after the operator, but the line ends", text, {above.end, above.end}, ""};
        }
        if (word(first) == "field" || word(first) == "coef") {
            return {"a field has no value here", text, found, "app.toml says what it begins with: a table [initial.u]"};
        }
    }
    const std::string hint = hint_for(all, expected, found, word(previous));
    const bool new_line = ends_line(previous, found.begin);
    const bool wants_statement = contains(expected, "statement or") || expected == "expected 'stencil'";
    if (word(found).empty() && (wants_statement || !new_line)) {
        return {fmt::format("{}, but the file ends", expected), text, {all.size(), all.size()}, hint};
    }
    if (new_line && !wants_statement) {
        return {fmt::format("{}, but the line ends", expected), text, {previous.end, previous.end}, hint};
    }
    return {fmt::format("{}, but found '{}'", expected, word(found)), text, found, hint};
}

} // namespace gst::dsl
