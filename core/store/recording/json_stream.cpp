#include "core/store/recording/json_stream.hpp"

#include "core/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

namespace gst {

namespace {

/// Reads characters and tells how far it has come.
class counting_iterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    counting_iterator(const char* at, const char** furthest) : at_(at), furthest_(furthest) {}
    reference operator*() const { return *at_; }
    counting_iterator& operator++() {
        *furthest_ = ++at_;
        return *this;
    }
    counting_iterator operator++(int) {
        counting_iterator before = *this;
        ++*this;
        return before;
    }
    bool operator==(const counting_iterator& other) const { return at_ == other.at_; }
    bool operator!=(const counting_iterator& other) const { return at_ != other.at_; }

  private:
    const char* at_;
    const char** furthest_;
};

/// The value that comes next behind a key.
span value_after(const std::string& text, std::size_t key_end) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n:", key_end);
    if (text[begin] == '{' || text[begin] == '[') {
        return {begin, begin + 1};
    }
    if (text[begin] != '"') {
        return {begin, text.find_first_of(",]} \t\r\n", begin)};
    }
    std::size_t end = begin + 1;
    while (text[end] != '"') {
        end += text[end] == '\\' ? 2 : 1;
    }
    return {begin, end + 1};
}

diagnostic syntax_error(const std::shared_ptr<const source>& text, std::size_t byte) {
    const std::size_t size = text->text.find_last_not_of(" \t\r\n") + 1;
    const bool end = byte > size;
    const std::size_t at = end ? size : std::max<std::size_t>(byte, 1) - 1;
    return {end ? "the file ends in the middle of its JSON text" : "this is not how JSON goes on here",
            text,
            {at, at + 1},
            end ? "it is cut off: get it again" : "the file is damaged, or of another format"};
}

} // namespace

ordered_json read_json(const std::shared_ptr<const source>& text, const std::string& large, const each_entry& each) {
    using event = ordered_json::parse_event_t;
    const char* at = text->text.data();
    std::size_t begin = 0;
    std::string part;
    const auto refuse = [&](std::string message) {
        const auto here = static_cast<std::size_t>(at - text->text.data());
        throw user_error(diagnostic{std::move(message), text, {here - 1, here}, ""});
    };
    const auto visit = [&](int depth, event what, ordered_json& parsed) {
        const auto here = static_cast<std::size_t>(at - text->text.data());
        if (depth == 1 && what == event::key) {
            part = parsed.get<std::string>();
        }
        if (depth != 2 || part != large || what == event::key) {
            return true;
        }
        if (what == event::object_start) {
            begin = here - 1;
            return each != nullptr;
        }
        if (what != event::object_end) {
            refuse(fmt::format("an entry of '{}' is no object", large));
        }
        try {
            each(parsed);
        } catch (const user_error& e) {
            std::vector<diagnostic> placed = e.diagnostics();
            for (diagnostic& d : placed) {
                d.where = text;
                d.at = {begin, here};
            }
            throw user_error(std::move(placed));
        }
        return false;
    };
    const char* const first = text->text.data();
    const char* const last = first + text->text.size();
    try {
        ordered_json rest = ordered_json::parse(counting_iterator(first, &at), counting_iterator(last, &at), visit);
        if (!rest.is_object()) {
            throw user_error(diagnostic{"a recording is a JSON object", text, {0, 1}, "the file is of another format"});
        }
        return rest;
    } catch (const ordered_json::parse_error& e) {
        throw user_error(syntax_error(text, e.byte));
    } catch (const ordered_json::out_of_range&) { // a number beyond what a double holds
        refuse("this number is beyond what a real can hold");
        throw;
    }
}

std::map<std::string, span> member_places(const std::shared_ptr<const source>& text) {
    using event = ordered_json::parse_event_t;
    struct container {
        bool array = false;
        std::size_t next = 0; ///< element of an array
    };
    std::vector<container> open;
    ordered_json::json_pointer path;
    std::map<std::string, span> places;
    const char* at = text->text.data();
    const auto begins = [&] {
        if (!open.empty() && open.back().array) {
            path.push_back(std::to_string(open.back().next++));
        }
    };
    const auto ends = [&] {
        if (!open.empty()) {
            path.pop_back();
        }
    };
    const auto visit = [&](int, event what, ordered_json& parsed) {
        switch (what) {
        case event::key:
            path.push_back(parsed.get<std::string>());
            places[path.to_string()] = value_after(text->text, static_cast<std::size_t>(at - text->text.data()));
            break;
        case event::object_start:
        case event::array_start:
            begins();
            open.push_back({what == event::array_start});
            break;
        case event::object_end:
        case event::array_end:
            open.pop_back();
            ends();
            break;
        case event::value:
            begins();
            ends();
            break;
        }
        return true;
    };
    const char* const last = at + text->text.size();
    [[maybe_unused]] const ordered_json all =
        ordered_json::parse(counting_iterator(at, &at), counting_iterator(last, &at), visit);
    return places;
}

const ordered_json& member(const ordered_json& object, const std::string& name, ordered_json::value_t type,
                           const std::string& expected) {
    const auto found = object.find(name);
    if (found == object.end()) {
        throw user_error(fmt::format("'{}' is missing", name), fmt::format("it must be {}", expected));
    }
    if (found->type() != type) {
        throw user_error(fmt::format("'{}' must be {}, not {}", name, expected, found->type_name()));
    }
    return *found;
}

value to_value(const ordered_json& j, const std::string& what) {
    switch (j.type()) {
    case ordered_json::value_t::boolean:
        return j.get<bool>();
    case ordered_json::value_t::number_unsigned:
        if (j.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
            return j.get<double>();
        }
        return j.get<std::int64_t>();
    case ordered_json::value_t::number_integer:
        return j.get<std::int64_t>();
    case ordered_json::value_t::number_float:
        return j.get<double>();
    case ordered_json::value_t::string:
        return j.get<std::string>();
    default:
        throw user_error(fmt::format("'{}' must be a boolean, a number or text, not {}", what, j.type_name()));
    }
}

ordered_json from_value(const value& v) {
    return std::visit([](const auto& plain) { return ordered_json(plain); }, v);
}

std::string text_of(const ordered_json& object, const std::string& name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

std::string to_text(const ordered_json& j, const std::string& what) {
    if (!j.is_string()) {
        throw user_error(fmt::format("'{}' must be text, not {}", what, j.type_name()));
    }
    return j.get<std::string>();
}

bool is_set(const ordered_json& object, const std::string& name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_boolean() && found->get<bool>();
}

std::string dumped(const ordered_json& j) {
    return j.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::vector<double> numbers(const ordered_json& object, const std::string& name) {
    std::vector<double> out;
    const auto found = object.find(name);
    if (found == object.end() || found->is_null()) {
        return out;
    }
    if (!found->is_array()) {
        throw user_error(fmt::format("'{}' must be an array of numbers, not {}", name, found->type_name()));
    }
    for (const ordered_json& j : *found) {
        if (j.is_null()) {
            continue;
        }
        if (!j.is_number()) {
            throw user_error(fmt::format("'{}' must hold numbers alone, not {}", name, j.type_name()));
        }
        out.push_back(j.get<double>());
    }
    return out;
}

} // namespace gst
