#include "core/codegen/spell.hpp"

#include "core/base/overloaded.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace gst {

namespace {

using namespace nest;
using ir::binary_op;

std::string_view function_word(ir::function f) {
    constexpr std::string_view names[] = {"absolute", "square_root", "exponential", "logarithm",          "sine",
                                          "cosine",   "tangent",     "arc_tangent", "hyperbolic_tangent", "floor",
                                          "ceiling",  "round"};
    return names[static_cast<std::size_t>(f)];
}

std::string_view type_word(type t) {
    constexpr std::string_view names[] = {"boolean", "i32", "f16", "f32", "f64", "index", "u32"};
    return names[static_cast<std::size_t>(t)];
}

bool is_real_type(type t) {
    return t == type::f16 || t == type::f32 || t == type::f64;
}

} // namespace

std::string speller::head() const {
    std::string out;
    for (const std::string& extra : extras_used_) {
        const auto found = language_.words.find("uses " + extra);
        out += found == language_.words.end() ? "" : found->second;
    }
    for (const std::string& helper : helpers_) {
        out += helper_text(helper);
    }
    return out;
}

const std::string& speller::word(const std::string& name) const {
    const auto found = language_.words.find(name);
    if (found == language_.words.end()) {
        throw std::logic_error("the dialect '" + language_.name + "' has no word for '" + name + "'");
    }
    return found->second;
}

std::string speller::spell_type(type t) {
    if (t == type::index) {
        return word(wide_ ? "wide index" : "index");
    }
    if (t == type::f64 || t == type::f16) {
        extras_used_.insert(std::string(type_word(t)));
    }
    return word(std::string(type_word(t)));
}

std::string speller::array_type(scalar s) {
    return s == scalar::f16 ? word("stored f16") : spell_type(type_of(s));
}

std::string speller::helper_text(const std::string& name) const {
    const std::string begin = word("device function");
    const std::string i = word("i32");
    const std::string u = word("u32");
    if (name == "gst_divide") {
        return fmt::format("{0} {1} gst_divide({1} a, {1} b) {{ return b == 0 ? 0 : b == -1 ? {2} : a / b; }}\n", begin,
                           i, spell("negated i32", fmt::arg("a", "a")));
    }
    if (name == "gst_remainder") {
        return fmt::format("{0} {1} gst_remainder({1} a, {1} b) {{ return b == 0 || b == -1 ? 0 : a % b; }}\n", begin,
                           i);
    }
    if (name == "gst_power") {
        return fmt::format(
            "{0} {1} gst_power({1} a, {1} b) {{\n    {2} base = a, r = 1;\n"
            "    if (b < 0) return a == 1 ? 1 : a == -1 ? (b % 2 ? -1 : 1) : 0;\n"
            "    for (; b > 0; b >>= 1) {{ if (b & 1) r *= base; base *= base; }}\n    return ({1})r;\n}}\n",
            begin, i, u);
    }
    const std::string real = name == "gst_to_i32_f64"   ? word("f64")
                             : name == "gst_to_i32_f16" ? word("f16")
                                                        : word("f32");
    // Truncates, saturates, and gives 0 for a NaN, as the IR says.
    return fmt::format(
        "{0} {1} {2}({3} v) {{\n    return v != v ? 0 : v >= 2147483647 ? 2147483647 : v <= -2147483647 - 1 ? "
        "-2147483647 - 1 : ({1})v;\n}}\n",
        begin, i, name, real);
}

std::string speller::at_least(const spelling& t, int binds) const {
    return t.binds >= binds ? t.words : "(" + t.words + ")";
}

std::string speller::plain(const value& v) {
    return expression_text(*v).words;
}

speller::spelling speller::literal_text(double number, type of) {
    if (of == type::boolean) {
        return {number != 0 ? "true" : "false", primary};
    }
    if (std::isnan(number) || std::isinf(number)) {
        const std::string magnitude =
            fmt::format("(({}){})", spell_type(of), word(std::isnan(number) ? "not a number" : "infinity"));
        return number < 0 ? spelling{"-" + magnitude, prefix} : spelling{magnitude, primary};
    }
    // The shortest text that reads back as the same number of the type.
    std::string digits = of == type::f64 ? fmt::format("{}", number) : fmt::format("{}", static_cast<float>(number));
    if (digits.find_first_of(".e") == std::string::npos) {
        digits += ".0";
    }
    spell_type(of);
    const bool negative = digits.front() == '-';
    return {spell("literal " + std::string(type_word(of)), fmt::arg("number", digits)), negative ? prefix : primary};
}

speller::spelling speller::integer_text(std::int64_t n, type of) {
    if (of == type::i32 && n == std::numeric_limits<std::int32_t>::min()) {
        return {"(-2147483647 - 1)", primary};
    }
    if (of == type::u32) {
        return {fmt::format("{}u", n), primary};
    }
    if (of == type::index && wide_) {
        return {fmt::format("{}L", n), n < 0 ? prefix : primary};
    }
    const bool large = n > std::numeric_limits<std::int32_t>::max() || n < std::numeric_limits<std::int32_t>::min();
    return {fmt::format("{}{}", n, large ? "L" : ""), n < 0 ? prefix : primary};
}

speller::spelling speller::infix(const value& a, const value& b, const std::string& op, int level) {
    // The right operand of a non-associative chain needs parentheses at the same level.
    return {at_least(expression_text(*a), level) + " " + op + " " + at_least(expression_text(*b), level + 1), level};
}

std::string speller::widened(const value& v, int width) {
    return v->width == width ? plain(v) : fmt::format("({})({})", vector_type(v->of, width), plain(v));
}

speller::spelling speller::vector_call(const std::string& name, const value& a, const value& b) {
    const int width = std::max(a->width, b->width);
    return {fmt::format("{}({}, {})", name, widened(a, width), widened(b, width)), primary};
}

speller::spelling speller::function_call(const std::string& name, const std::vector<value>& arguments) {
    std::string inside;
    for (const value& a : arguments) {
        inside += (inside.empty() ? "" : ", ") + plain(a);
    }
    return {name + "(" + inside + ")", primary};
}

speller::spelling speller::negated(const value& a) {
    extras_used_.insert("i32 negation");
    return {spell("negated i32", fmt::arg("a", at_least(expression_text(*a), prefix))), prefix};
}

speller::spelling speller::binary_text(const nest::binary& b) {
    const type of = b.a->of;
    const bool real = is_real_type(of);
    switch (b.op) {
    case binary_op::add:
    case binary_op::subtract:
    case binary_op::multiply: {
        const std::string op = b.op == binary_op::add ? "+" : b.op == binary_op::subtract ? "-" : "*";
        const int level = b.op == binary_op::multiply ? product : sum;
        if (of == type::i32 && b.op == binary_op::subtract && literal(b.a) == 0) {
            return negated(b.b);
        }
        if (of == type::i32 && b.op == binary_op::multiply && (literal(b.a) == -1 || literal(b.b) == -1)) {
            return negated(literal(b.a) == -1 ? b.b : b.a);
        }
        if (of == type::i32) { // wraps around: in unsigned arithmetic
            const std::string u = "(" + word("u32") + ")";
            return {fmt::format("({})({}{} {} {}{})", word("i32"), u, at_least(expression_text(*b.a), prefix), op, u,
                                at_least(expression_text(*b.b), prefix)),
                    prefix};
        }
        return infix(b.a, b.b, op, level);
    }
    case binary_op::divide:
        if (of == type::i32) {
            helpers_.insert("gst_divide");
            extras_used_.insert("i32 negation");
            return function_call("gst_divide", {b.a, b.b});
        }
        return infix(b.a, b.b, "/", product);
    case binary_op::remainder:
        if (of == type::i32) {
            helpers_.insert("gst_remainder");
            return function_call("gst_remainder", {b.a, b.b});
        }
        return real ? vector_call(word("real remainder"), b.a, b.b) : infix(b.a, b.b, "%", product);
    case binary_op::minimum:
        return vector_call(word(real ? "real minimum" : "index minimum"), b.a, b.b);
    case binary_op::maximum:
        return vector_call(word(real ? "real maximum" : "index maximum"), b.a, b.b);
    case binary_op::power:
        if (of == type::i32) {
            helpers_.insert("gst_power");
            return function_call("gst_power", {b.a, b.b});
        }
        return vector_call(word("power"), b.a, b.b);
    case binary_op::less:
        return infix(b.a, b.b, "<", relation);
    case binary_op::less_equal:
        return infix(b.a, b.b, "<=", relation);
    case binary_op::greater:
        return infix(b.a, b.b, ">", relation);
    case binary_op::greater_equal:
        return infix(b.a, b.b, ">=", relation);
    case binary_op::equal:
        return infix(b.a, b.b, "==", equality);
    case binary_op::not_equal:
        return infix(b.a, b.b, "!=", equality);
    case binary_op::logical_and:
        return infix(b.a, b.b, "&&", logical_and);
    case binary_op::logical_or: {
        // GCC and clang warn of && inside || without parentheses, and readers thank them.
        const spelling left = expression_text(*b.a);
        return {(left.binds == logical_or ? left.words : at_least(left, equality)) + " || " +
                    at_least(expression_text(*b.b), equality),
                logical_or};
    }
    }
    throw std::logic_error("no such operator");
}

speller::spelling speller::convert_text(const nest::convert& c, type to) {
    const type from = c.a->of;
    if (to == type::i32 && is_real_type(from)) {
        const std::string helper = "gst_to_i32_" + std::string(type_word(from));
        helpers_.insert(helper);
        return function_call(helper, {c.a});
    }
    if (to == type::u32 && from == type::f32) {
        return {spell("bits of f32", fmt::arg("a", plain(c.a))), primary};
    }
    return {"(" + spell_type(to) + ")" + at_least(expression_text(*c.a), prefix), prefix};
}

speller::spelling speller::expression_text(const expression& e) {
    return std::visit(
        overloaded{
            [&](const integer& n) { return integer_text(n.number, e.of); },
            [&](const real& n) { return literal_text(n.number, e.of); },
            [&](const variable& v) {
                return spelling{v.name, primary};
            },
            [&](const nest::unary& u) {
                if (u.op == ir::unary_op::negate && e.of == type::i32) {
                    return negated(u.a);
                }
                const spelling inner = expression_text(*u.a);
                // - -x must not become --x.
                const bool sign_follows = inner.words.starts_with("-");
                return spelling{(u.op == ir::unary_op::negate ? "-" : "!") +
                                    (sign_follows ? "(" + inner.words + ")" : at_least(inner, prefix)),
                                prefix};
            },
            [&](const nest::binary& b) { return binary_text(b); },
            [&](const nest::call& c) {
                if (c.f == ir::function::absolute && e.of == type::i32) {
                    const std::string a = at_least(expression_text(*c.a), prefix);
                    return spelling{fmt::format("({0} < 0 ? ({1})(0 - ({2}){0}) : {0})", a, word("i32"), word("u32")),
                                    primary};
                }
                return function_call(word(std::string(function_word(c.f))), {c.a});
            },
            [&](const reciprocal_root& r) { return function_call(word("reciprocal square root"), {r.a}); },
            [&](const nest::select& s) {
                return spelling{fmt::format("{} ? {} : {}", at_least(expression_text(*s.condition), logical_or),
                                            at_least(expression_text(*s.a), logical_or),
                                            at_least(expression_text(*s.b), logical_or)),
                                ternary};
            },
            [&](const nest::convert& c) { return convert_text(c, e.of); },
            [&](const load& l) {
                if (l.stored == scalar::f16 && !l.local) {
                    extras_used_.insert("stored f16");
                    return spelling{spell("load f16", fmt::arg("array", l.array), fmt::arg("at", plain(l.at))),
                                    primary};
                }
                return spelling{l.array + "[" + plain(l.at) + "]", primary};
            },
            [&](const image_load& l) {
                const std::string at = at_least(expression_text(*l.at), prefix);
                int shift = 0;
                while ((std::uint64_t{1} << shift) < l.width) {
                    ++shift;
                }
                spell_type(register_type(l.stored));
                extras_used_.insert("images");
                extras_used_.insert(fmt::format("{} images", name_of(l.stored)));
                if (l.stored == scalar::f16) {
                    extras_used_.insert("stored f16");
                }
                return spelling{spell("image load " + std::string(name_of(l.stored)), fmt::arg("image", l.image),
                                      fmt::arg("at", plain(l.at)),
                                      fmt::arg("x", fmt::format("{} & {}", at, l.width - 1)),
                                      fmt::arg("y", fmt::format("{} >> {}", at, shift))),
                                primary};
            },
            [&](const lane& l) {
                return spelling{spell("lane", fmt::arg("vector", l.vector),
                                      fmt::arg("hex", fmt::format("{:x}", l.index)), fmt::arg("index", l.index)),
                                primary};
            },
            [&](const compose& c) {
                return spelling{composed(vector_type(e.of, e.width), c.lanes), primary};
            },
            [&](const shuffle& u) {
                return spelling{spell(u.by > 0 ? "shuffle down" : "shuffle up", fmt::arg("a", plain(u.a)),
                                      fmt::arg("by", std::abs(u.by))),
                                primary};
            },
            [&](const work_item& w) {
                if (w.which == id::one) {
                    return spelling{spell("one"), primary};
                }
                const std::string which = w.which == id::local   ? "local id"
                                          : w.which == id::group ? "group id"
                                                                 : "global id";
                return spelling{"(" + spell_type(type::index) + ")" +
                                    spell(which, fmt::arg("axis", w.axis), fmt::arg("letter", "xyz"[w.axis])),
                                prefix};
            },
        },
        e.op);
}

std::string speller::vector_type(type t, int width) {
    if (width == 1) {
        return spell_type(t);
    }
    extras_used_.insert("vectors");
    return spell("vector", fmt::arg("type", spell_type(t)), fmt::arg("width", width));
}

std::string speller::composed(const std::string& vector, const std::vector<value>& lanes) {
    return spell("compose", fmt::arg("vector", vector), fmt::arg("lanes", values_text(lanes)));
}

std::string speller::values_text(const std::vector<value>& values) {
    std::string all;
    for (const value& v : values) {
        all += (all.empty() ? "" : ", ") + plain(v);
    }
    return all;
}

} // namespace gst
