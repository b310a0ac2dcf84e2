#include "core/space/value.hpp"

#include "core/space/arithmetic.hpp"

#include <fmt/format.h>

namespace gst {

std::string to_string(const value& v) {
    if (const bool* b = std::get_if<bool>(&v)) {
        return *b ? "true" : "false";
    }
    if (const std::int64_t* i = std::get_if<std::int64_t>(&v)) {
        return fmt::format("{}", *i);
    }
    if (const double* d = std::get_if<double>(&v)) {
        const std::string text = fmt::format("{}", *d);
        return text.find_first_not_of("-0123456789") == std::string::npos ? text + ".0" : text;
    }
    return std::get<std::string>(v);
}

bool same(const value& a, const value& b) {
    if (is_text(a) || is_text(b)) {
        return a == b;
    }
    const std::int64_t* i = std::get_if<std::int64_t>(&a);
    const std::int64_t* j = std::get_if<std::int64_t>(&b);
    return i && j ? *i == *j : number(a) == number(b);
}

} // namespace gst
