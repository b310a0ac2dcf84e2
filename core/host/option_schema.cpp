#include "core/host/option_schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string_view>

namespace gst {

namespace {

std::invalid_argument broken(const std::string& name, const std::string& why) {
    return std::invalid_argument(fmt::format("its option '{}' is declared wrongly: {}", name, why));
}

option_type type_named(const std::string& option_name, std::string_view type) {
    constexpr std::string_view names[] = {"integer", "real", "boolean", "text", "path"};
    for (std::size_t i = 0; i < std::size(names); ++i) {
        if (type == names[i]) {
            return static_cast<option_type>(i);
        }
    }
    throw broken(option_name, fmt::format("'{}' is none of integer, real, boolean, text and path", type));
}

template<class Number>
Number number(const std::string& option_name, std::string_view text) {
    Number n{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc{} || end != text.data() + text.size()) {
        throw broken(option_name, fmt::format("'{}' is no number of its type", text));
    }
    return n;
}

value parse(const option& o, std::string_view text) {
    switch (o.type) {
    case option_type::integer:
        return number<std::int64_t>(o.name, text);
    case option_type::real:
        return number<double>(o.name, text);
    case option_type::boolean:
        if (text != "true" && text != "false") {
            throw broken(o.name, fmt::format("'{}' is neither true nor false", text));
        }
        return text == "true";
    case option_type::text:
    case option_type::path:
        break;
    }
    return std::string(text);
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    while (true) {
        const std::size_t end = text.find(separator);
        parts.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos) {
            return parts;
        }
        text.remove_prefix(end + 1);
    }
}

option read(const gst_option& declared) {
    if (declared.name == nullptr || declared.type == nullptr || declared.standard == nullptr) {
        throw broken(declared.name == nullptr ? "" : declared.name, "it lacks a name, a type or a default");
    }
    option o;
    o.name = declared.name;
    o.type = type_named(o.name, declared.type);
    o.meaning = declared.meaning == nullptr ? "" : declared.meaning;
    const bool is_number = o.type == option_type::integer || o.type == option_type::real;
    if (!is_number && (declared.low != nullptr || (o.type == option_type::boolean && declared.high != nullptr))) {
        throw broken(o.name, "only numbers have a least value");
    }
    if (is_number && declared.low != nullptr) {
        o.low = parse(o, declared.low);
    }
    if (is_number && declared.high != nullptr) {
        o.high = parse(o, declared.high);
    }
    if (o.type == option_type::text && declared.high != nullptr) {
        o.words = split(declared.high, '|');
    }
    const std::optional<value> standard = accept(o, parse(o, declared.standard));
    if (!standard) {
        throw broken(o.name, fmt::format("its default {} is not {}", declared.standard, domain_text(o)));
    }
    o.standard = *standard;
    return o;
}

} // namespace

std::vector<option> read_schema(const gst_plugin_descriptor& descriptor) {
    std::vector<option> all;
    for (std::uint32_t i = 0; i < descriptor.option_count; ++i) {
        option o = read(descriptor.options[i]);
        if (std::any_of(all.begin(), all.end(), [&](const option& other) { return other.name == o.name; })) {
            throw broken(o.name, "it is declared twice");
        }
        all.push_back(std::move(o));
    }
    return all;
}

std::string domain_text(const option& o) {
    if (o.type == option_type::boolean) {
        return "true or false";
    }
    if (o.type == option_type::path) {
        return "a name or the path of a file";
    }
    if (o.type == option_type::text) {
        std::string out;
        for (std::size_t i = 0; i < o.words.size(); ++i) {
            out += fmt::format("{}'{}'", i == 0 ? "" : i + 1 == o.words.size() ? " or " : ", ", o.words[i]);
        }
        return o.words.empty() ? "a text" : out;
    }
    const std::string type = o.type == option_type::integer ? "an integer" : "a number";
    if (o.low && o.high) {
        return fmt::format("{} from {} to {}", type, to_string(*o.low), to_string(*o.high));
    }
    return o.low    ? fmt::format("{} of at least {}", type, to_string(*o.low))
           : o.high ? fmt::format("{} of at most {}", type, to_string(*o.high))
                    : type;
}

std::optional<value> accept(const option& o, const value& given) {
    value v = given;
    if (o.type == option_type::real && std::holds_alternative<std::int64_t>(v)) {
        v = static_cast<double>(std::get<std::int64_t>(v));
    }
    const auto within = [&](auto n) {
        using number_type = decltype(n);
        return (!o.low || std::get<number_type>(*o.low) <= n) && (!o.high || n <= std::get<number_type>(*o.high));
    };
    bool fits = false;
    switch (o.type) {
    case option_type::integer:
        fits = std::holds_alternative<std::int64_t>(v) && within(std::get<std::int64_t>(v));
        break;
    case option_type::real: // NaN is within no bounds, and no option wants it without
        fits = std::holds_alternative<double>(v) && std::get<double>(v) == std::get<double>(v) &&
               within(std::get<double>(v));
        break;
    case option_type::boolean:
        fits = std::holds_alternative<bool>(v);
        break;
    case option_type::path:
    case option_type::text:
        fits =
            std::holds_alternative<std::string>(v) &&
            (o.words.empty() || std::find(o.words.begin(), o.words.end(), std::get<std::string>(v)) != o.words.end());
        break;
    }
    return fits ? std::optional(v) : std::nullopt;
}

} // namespace gst
