#include "core/base/diagnostic.hpp"

#include "core/base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>

namespace gst {

namespace {

/// The byte where character `index` begins.
std::size_t byte_of(std::string_view text, std::size_t index) {
    std::size_t at = 0;
    while (at < text.size() && (index > 0 || continues_character(text[at]))) {
        ++at;
        if (at == text.size() || !continues_character(text[at])) {
            index -= index > 0 ? 1 : 0;
        }
    }
    return at;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    // Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours.
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        d[i][0] = i;
    }
    std::iota(d[0].begin(), d[0].end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t cost = a[i - 1] == b[j - 1] ? 0 : 1;
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + cost});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
            }
        }
    }
    return d[a.size()][b.size()];
}

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
    return out;
}

} // namespace

std::string printable(std::string_view text) {
    constexpr std::string_view replacement = "\uFFFD";
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const auto lead = static_cast<unsigned char>(text[at]);
        const std::size_t bytes = lead < 0x80 ? 1 : lead < 0xC0 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        std::size_t end = at + 1;
        while (end < text.size() && continues_character(text[end])) {
            ++end;
        }
        if (bytes != end - at || lead >= 0xF8 || (lead < 0x20 && lead != '\t' && lead != '\n') || lead == 0x7F) {
            out += replacement;
        } else {
            out += text.substr(at, bytes);
        }
        at = end;
    }
    return out;
}

position locate(std::string_view text, std::size_t at) {
    at = std::min(at, text.size());
    const std::string_view before = text.substr(0, at);
    position p;
    p.line = 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    const std::size_t line_begin = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    p.column = 1 + characters(before.substr(line_begin));
    return p;
}

std::string render(const diagnostic& d) {
    // What was found is named, whatever it is: a terminal does not obey it.
    const std::string message = printable(d.message), remedy = printable(d.hint);
    const std::string hint = remedy.empty() ? "" : "\n  " + remedy;
    if (!d.where) {
        return "error: " + message + hint;
    }
    const std::string_view text = d.where->text;
    const position p = locate(text, d.at.begin);
    const std::size_t begin = std::min(d.at.begin, text.size());
    const std::size_t previous = begin == 0 ? std::string_view::npos : text.rfind('\n', begin - 1);
    const std::size_t line_begin = previous == std::string_view::npos ? 0 : previous + 1;
    std::string_view line = text.substr(line_begin, text.find('\n', line_begin) - line_begin);
    if (!line.empty() && line.back() == '\r') {
        line.remove_suffix(1);
    }
    const std::string head = fmt::format("{}:{}:{}: error: {}", d.where->name, p.line, p.column, message);
    if (d.where->of_machine) {
        std::string line_of_hint;
        for (const char c : remedy) {
            line_of_hint += c == '\n' ? std::string("; ") : std::string(1, c);
        }
        return head + (remedy.empty() ? "" : "; " + line_of_hint);
    }
    if (line.find_first_not_of(" \t") == std::string_view::npos) { // nothing to see, and nothing to point at
        return head + hint;
    }
    // A window of 120 characters around the caret.
    constexpr std::size_t width = 120;
    std::size_t column = p.column - 1;
    std::size_t window = 0;
    if (characters(line) > width) {
        window = column > width / 2 ? column - width / 2 : 0;
        const std::size_t from = byte_of(line, window);
        line = line.substr(from, byte_of(line.substr(from), width));
        column -= window;
    }
    std::string caret;
    for (const char c : line.substr(0, byte_of(line, column))) {
        if (!continues_character(c)) {
            caret += c == '\t' ? '\t' : ' ';
        }
    }
    const std::size_t marked = d.at.end > begin ? characters(text.substr(begin, d.at.end - begin)) : 1;
    const std::size_t room = characters(line) > column ? characters(line) - column : 1;
    caret += '^' + std::string(std::clamp<std::size_t>(marked, 1, room) - 1, '~');
    return fmt::format("{}\n  {}\n  {}{}", head, printable(line), caret, hint);
}

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
    std::string best;
    // A name may be wrong in a third of its letters, and in at least one.
    std::size_t limit = std::max<std::size_t>(1, name.size() / 3) + 1;
    for (const std::string& candidate : candidates) {
        const std::size_t distance = lower(candidate) == lower(name) ? 0 : edit_distance(lower(name), lower(candidate));
        if (distance < limit) {
            limit = distance;
            best = candidate;
        }
    }
    if (best.empty() && name.size() >= 3) {
        const auto begins = [&](const std::string& candidate) { return lower(candidate).starts_with(lower(name)); };
        const auto longer = std::find_if(candidates.begin(), candidates.end(), begins);
        best = longer == candidates.end() ? "" : *longer;
    }
    return best;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
    const std::string candidate = nearest(name, candidates);
    return candidate.empty() ? "" : fmt::format(" – did you mean '{}'?", candidate);
}

std::string enumerate(const std::vector<std::string>& words) {
    std::string out;
    for (std::size_t i = 0; i < words.size(); ++i) {
        out += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
    }
    return out;
}

} // namespace gst
