#include "core/stencil/print_names.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <vector>

namespace gst::spelling {

std::string_view symbol(ir::binary_op op) {
    constexpr std::array<std::string_view, 16> symbols{"+", "-",  "*", "/",  "%",  "min", "max", "pow",
                                                       "<", "<=", ">", ">=", "==", "!=",  "and", "or"};
    return symbols[static_cast<std::size_t>(op)];
}

std::string_view function_name(ir::function f) {
    constexpr std::array<std::string_view, 12> names{"abs", "sqrt", "exp",  "log",   "sin",  "cos",
                                                     "tan", "atan", "tanh", "floor", "ceil", "round"};
    return names[static_cast<std::size_t>(f)];
}

std::string number(double value, scalar type) {
    if (!std::isfinite(value)) {
        throw std::logic_error("the language has no spelling for infinity and NaN");
    }
    const bool narrow = type == scalar::f32 || type == scalar::f16;
    return narrow ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
}

const std::string& axis(const stencil& s, int axis) {
    return s.axes[static_cast<std::size_t>(axis)];
}

std::string read(const stencil& s, const ir::read& r) {
    std::vector<std::string> items;
    if (r.level != 0) {
        items.push_back(fmt::format("t{:+}", r.level));
    }
    for (int i = 0; i < 3; ++i) {
        if (const int offset = r.at[static_cast<std::size_t>(i)]; offset != 0) {
            items.push_back(fmt::format("{}{:+}", axis(s, i), offset));
        }
    }
    const std::string& name = s.fields[r.field].name;
    return items.empty() ? name : fmt::format("{}[{}]", name, fmt::join(items, ", "));
}

namespace {

std::string boundary_text(const boundary& b, scalar type) {
    return std::string(name_of(b.kind)) +
           (b.kind == boundary_kind::constant ? fmt::format("({})", number(b.value, type)) : "");
}

std::vector<std::string> faces(const field& f, const stencil& s) {
    std::vector<std::string> out;
    bool alike = true;
    for (int i = 0; i < s.dimensions; ++i) {
        const auto& [low, high] = f.faces[static_cast<std::size_t>(i)];
        alike = alike && low == high && low == f.faces[0][0];
        if (low == high) {
            out.push_back(fmt::format("{}: {}", axis(s, i), boundary_text(low, f.type)));
        } else {
            out.push_back(fmt::format("{}-: {}", axis(s, i), boundary_text(low, f.type)));
            out.push_back(fmt::format("{}+: {}", axis(s, i), boundary_text(high, f.type)));
        }
    }
    if (alike) {
        out = {"all: " + boundary_text(f.faces[0][0], f.type)};
    }
    return out == std::vector<std::string>{"all: fixed"} ? std::vector<std::string>{} : out;
}

} // namespace

std::string declaration(const field& f, const stencil& s) {
    std::string out = fmt::format("{} {} : {}", f.coefficient ? "coef" : "field", f.name, name_of(f.type));
    const scalar usual = f.type == scalar::f16 ? scalar::f32 : f.type;
    if (f.compute != usual && !f.coefficient) {
        out += fmt::format(" compute {}", name_of(f.compute));
    }
    const std::vector<std::string> all = faces(f, s);
    return all.empty() ? out : out + fmt::format(" {{ {} }}", fmt::join(all, "; "));
}

} // namespace gst::spelling
