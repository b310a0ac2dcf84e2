#include "core/api/model_text.hpp"

#include "core/base/error.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace gst {

namespace {

constexpr std::string_view blanks = " \t\r\n";

/// Where the word that begins at `at` ends; one in quotes ends with its line at the latest.
std::size_t end_of_word(std::string_view text, std::size_t at) {
    if (at >= text.size() || text[at] != '"') {
        return std::min(text.find_first_of(blanks, at), text.size());
    }
    for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at) {
        at += text[at] == '\\' ? 1 : 0;
    }
    return std::min(at + 1, text.size());
}

} // namespace

void model_reader::skip_blanks() {
    at_ = std::min(text_->text.find_first_not_of(blanks, at_), text_->text.size());
}

std::string_view model_reader::peek() {
    skip_blanks();
    return std::string_view(text_->text).substr(at_, end_of_word(text_->text, at_) - at_);
}

std::string_view model_reader::word(std::string_view what) {
    const std::string_view next = peek();
    last_ = {at_, at_ + next.size()};
    at_ = last_.end;
    if (next.empty()) {
        fail(fmt::format("the model ends where {} should be: it was cut off", what));
    }
    return next;
}

bool model_reader::accept(std::string_view expected) {
    if (peek() != expected) {
        return false;
    }
    word(expected);
    return true;
}

void model_reader::expect(std::string_view expected) {
    const std::string quoted = fmt::format("'{}'", expected);
    if (const std::string_view found = word(quoted); found != expected) {
        fail(fmt::format("{} should be here", quoted));
    }
}

std::string model_reader::text(std::string_view what) {
    const std::string_view quoted = word(what);
    if (quoted.size() < 2 || quoted.front() != '"' || quoted.back() != '"') {
        fail(fmt::format("{} should be here, in quotes", what));
    }
    std::string out;
    for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
        if (quoted[i] == '\\') {
            ++i;
            out += quoted[i] == 'n' ? '\n' : quoted[i];
        } else {
            out += quoted[i];
        }
    }
    return out;
}

std::int64_t model_reader::integer(std::string_view what, std::int64_t low, std::int64_t high) {
    const std::string_view digits = word(what);
    std::int64_t v = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), v);
    if (error != std::errc() || end != digits.data() + digits.size() || v < low || v > high) {
        fail(fmt::format("{} should be here, an integer from {} to {}", what, low, high));
    }
    return v;
}

double model_reader::number(std::string_view what) {
    const std::string_view digits = word(what);
    double v = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), v);
    if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(v)) {
        fail(fmt::format("{} should be here, a number", what));
    }
    return v;
}

bool model_reader::at_end() {
    return peek().empty();
}

void model_reader::fail(const std::string& message) const {
    throw user_error(diagnostic{message, text_, last_, "train the model again"});
}

std::string write_number(double v) {
    return fmt::format("{}", v);
}

std::string write_text(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
        }
        out += c == '\n' ? std::string("\\n") : std::string(1, c);
    }
    return out + "\"";
}

} // namespace gst
