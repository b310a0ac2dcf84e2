#include "core/base/toml_document.hpp"

#include "core/base/error.hpp"
#include "core/base/utf8.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace gst::toml_document {

namespace {

/// The byte at a line and column (both from 1, columns in characters).
std::size_t byte_at(std::string_view text, toml::source_position p) {
    std::size_t at = 0;
    for (toml::source_index line = 1; line < p.line && at < text.size(); ++line) {
        const std::size_t end = text.find('\n', at);
        at = end == std::string_view::npos ? text.size() : end + 1;
    }
    for (toml::source_index column = 1; column < p.column && at < text.size(); ++column) {
        ++at;
        while (at < text.size() && continues_character(text[at])) {
            ++at;
        }
    }
    return at;
}

place place_of(const std::shared_ptr<const source>& where, const toml::source_region& region) {
    const std::size_t begin = byte_at(where->text, region.begin);
    return {where, {begin, std::max(byte_at(where->text, region.end), begin + 1)}};
}

item convert(const toml::node& from, const std::shared_ptr<const source>& where);

item::table convert_table(const toml::table& from, const std::shared_ptr<const source>& where) {
    item::table entries;
    for (const auto& [key, value] : from) {
        entries.push_back({std::string(key.str()), place_of(where, key.source()), convert(value, where)});
    }
    std::stable_sort(entries.begin(), entries.end(), [](const entry& a, const entry& b) {
        return a.written.at.begin < b.written.at.begin; // toml++ sorts by name
    });
    return entries;
}

item convert(const toml::node& from, const std::shared_ptr<const source>& where) {
    item to;
    to.written = place_of(where, from.source());
    if (const auto* b = from.as_boolean()) {
        to.what = b->get();
    } else if (const auto* i = from.as_integer()) {
        to.what = i->get();
    } else if (const auto* f = from.as_floating_point()) {
        to.what = f->get();
    } else if (const auto* s = from.as_string()) {
        to.what = s->get();
    } else if (const auto* a = from.as_array()) {
        item::array elements;
        for (const toml::node& element : *a) {
            elements.push_back(convert(element, where));
        }
        to.what = std::move(elements);
    } else if (const auto* t = from.as_table()) {
        to.what = convert_table(*t, where);
    } else {
        throw user_error(mistake(to.written, "dates and times mean nothing here"));
    }
    return to;
}

/// Copies `value` onto `target`: tables are merged, everything else is replaced.
/// Tables of the first `levels` keys are those of the target with other entries; what lies deeper replaces it.
void overlay(item& target, const item& value, std::ptrdiff_t levels) {
    const auto* from = std::get_if<item::table>(&value.what);
    auto* to = std::get_if<item::table>(&target.what);
    if (from == nullptr || to == nullptr || levels == 0) {
        target = value;
        return;
    }
    for (const entry& e : *from) {
        const auto same_key = [&](const entry& other) { return other.key == e.key; };
        const auto found = std::find_if(to->begin(), to->end(), same_key);
        if (found == to->end()) {
            to->push_back(e);
        } else {
            found->written = e.written;
            overlay(found->value, e.value, levels - 1);
        }
    }
}

/// Whether the text is a TOML value.
bool is_value(const std::string& text) {
    try {
        (void)toml::parse("v = " + text);
        return true;
    } catch (const toml::parse_error&) {
        return false;
    }
}

/// Whether it is text without quotes: no value of TOML, nor the beginning of one.
bool is_bare_text(const std::string& text) {
    return !text.empty() && std::string_view("\"'[{").find(text.front()) == std::string_view::npos && !is_value(text);
}

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        out += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
    }
    return out + '"';
}

/// Lets every place point into another text, which may be shorter.
void move_places(item& n, const std::shared_ptr<const source>& to) {
    const auto move = [&](place& p) { p = {to, {p.at.begin, std::min(p.at.end, to->text.size())}}; };
    move(n.written);
    if (auto* elements = std::get_if<item::array>(&n.what)) {
        for (item& element : *elements) {
            move_places(element, to);
        }
    } else if (auto* entries = std::get_if<item::table>(&n.what)) {
        for (entry& e : *entries) {
            move(e.written);
            move_places(e.value, to);
        }
    }
}

} // namespace

const item* item::find(const std::string& key) const {
    if (const auto* entries = std::get_if<table>(&what)) {
        for (const entry& e : *entries) {
            if (e.key == key) {
                return &e.value;
            }
        }
    }
    return nullptr;
}

bool is_typed(const place& written) {
    return written.where && written.where->name == command_line;
}

std::string kind_of(const item& n) {
    static constexpr const char* names[] = {"a boolean", "an integer", "a number", "text", "an array", "a table"};
    return names[n.what.index()];
}

diagnostic mistake(const place& at, std::string message, std::string hint) {
    return {std::move(message), at.where, at.at, std::move(hint)};
}

item parse(std::shared_ptr<const source> text) {
    try {
        const toml::table parsed = toml::parse(std::string_view(text->text), std::string_view(text->name));
        item root;
        root.written = {text, {0, 0}};
        root.what = convert_table(parsed, text);
        return root;
    } catch (const toml::parse_error& e) {
        throw user_error(mistake(place_of(text, e.source()), fmt::format("not TOML: {}", e.description()),
                                 "a line is key = value or [table], and words are in quotes: https://toml.io"));
    }
}

void assign(item& document, const std::string& assignment) {
    const auto where = std::make_shared<const source>(source{command_line, assignment});
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0) {
        throw user_error(mistake({where, {0, assignment.size()}}, "an assignment has the form key=value",
                                 "for example --set grid.size=[64,64,64]"));
    }
    const std::size_t begin = std::min(assignment.find_first_not_of(' ', equals + 1), assignment.size());
    const std::string value = assignment.substr(begin, assignment.find_last_not_of(' ') + 1 - begin);
    const std::string text = is_bare_text(value) ? assignment.substr(0, begin) + quoted(value) : assignment;
    item root = parse(std::make_shared<const source>(source{command_line, text}));
    move_places(root, where);
    const auto keys_end = assignment.begin() + static_cast<std::ptrdiff_t>(equals);
    overlay(document, root, std::count(assignment.begin(), keys_end, '.') + 1);
}

} // namespace gst::toml_document
