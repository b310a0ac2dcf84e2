#include "core/codegen/spell.hpp"

#include "core/base/overloaded.hpp"

#include <bit>
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

const std::string& speller::spell_type(type t) {
    if (t == type::index) {
        return word(wide_ ? "wide index" : "index");
    }
    if (t == type::f64 || t == type::f16) {
        extras_used_.insert(std::string(type_word(t)));
    }
    return word(std::string(type_word(t)));
}

const std::string& speller::array_type(scalar s) {
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

void speller::write(const value& v, int binds) {
    const std::size_t begin = out_.size();
    if (expression_text(*v) < binds) {
        out_.insert(begin, 1, '(');
        out_ += ')';
    }
}

std::string speller::plain(const value& v, int binds) {
    return apart([&] { write(v, binds); });
}

int speller::literal_text(double number, type of) {
    if (of == type::boolean) {
        return put(primary, number != 0 ? "true" : "false");
    }
    if (std::isnan(number) || std::isinf(number)) {
        return put(number < 0 ? prefix : primary, number < 0 ? "-" : "", "((", spell_type(of), ")",
                   word(std::isnan(number) ? "not a number" : "infinity"), ")");
    }
    const int binds = std::signbit(number) ? prefix : primary;
    const auto [known, is_new] = numbers_.try_emplace({of, std::bit_cast<std::uint64_t>(number)});
    if (is_new) {
        // The shortest text that reads back as the same number of the type.
        std::string digits =
            of == type::f64 ? fmt::format("{}", number) : fmt::format("{}", static_cast<float>(number));
        if (digits.find_first_of(".e") == std::string::npos) {
            digits += ".0";
        }
        spell_type(of);
        known->second = spell("literal " + std::string(type_word(of)), fmt::arg("number", digits));
    }
    return put(binds, known->second);
}

int speller::integer_text(std::int64_t n, type of) {
    if (of == type::i32 && n == std::numeric_limits<std::int32_t>::min()) {
        return put(primary, "(-2147483647 - 1)");
    }
    if (of == type::u32) {
        return put(primary, n, "u");
    }
    const bool large = n > std::numeric_limits<std::int32_t>::max() || n < std::numeric_limits<std::int32_t>::min();
    return put(n < 0 ? prefix : primary, n, large || (of == type::index && wide_) ? "L" : "");
}

int speller::infix(const value& a, const value& b, std::string_view op, int level) {
    write(a, level);
    add(" ", op, " ");
    write(b, level + 1); // the right operand of a non-associative chain needs parentheses at the same level
    return level;
}

void speller::write_widened(const value& v, int width) {
    if (v->width == width) {
        write(v);
    } else {
        add("(", vector_type(v->of, width), ")(", v, ")");
    }
}

int speller::vector_call(const std::string& name, const value& a, const value& b) {
    const int width = std::max(a->width, b->width);
    add(name, "(");
    write_widened(a, width);
    add(", ");
    write_widened(b, width);
    return put(primary, ")");
}

int speller::function_call(const std::string& name, const std::vector<value>& arguments) {
    add(name, "(");
    write(arguments);
    return put(primary, ")");
}

int speller::negated(const value& a) {
    extras_used_.insert("i32 negation");
    return put(prefix, spell("negated i32", fmt::arg("a", plain(a, prefix))));
}

int speller::binary_text(const nest::binary& b) {
    const type of = b.a->of;
    const bool real = is_real_type(of);
    switch (b.op) {
    case binary_op::add:
    case binary_op::subtract:
    case binary_op::multiply: {
        const std::string_view op = b.op == binary_op::add ? "+" : b.op == binary_op::subtract ? "-" : "*";
        const int level = b.op == binary_op::multiply ? product : sum;
        if (of == type::i32 && b.op == binary_op::subtract && literal(b.a) == 0) {
            return negated(b.b);
        }
        if (of == type::i32 && b.op == binary_op::multiply && (literal(b.a) == -1 || literal(b.b) == -1)) {
            return negated(literal(b.a) == -1 ? b.b : b.a);
        }
        if (of == type::i32) { // wraps around: in unsigned arithmetic
            const std::string& u = word("u32");
            add("(", word("i32"), ")((", u, ")");
            write(b.a, prefix);
            add(" ", op, " (", u, ")");
            write(b.b, prefix);
            return put(prefix, ")");
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
        const auto* left = std::get_if<nest::binary>(&b.a->op);
        write(b.a, left != nullptr && left->op == binary_op::logical_or ? logical_or : equality);
        add(" || ");
        write(b.b, equality);
        return logical_or;
    }
    }
    throw std::logic_error("no such operator");
}

int speller::convert_text(const nest::convert& c, type to) {
    const type from = c.a->of;
    if (to == type::i32 && is_real_type(from)) {
        const std::string helper = "gst_to_i32_" + std::string(type_word(from));
        helpers_.insert(helper);
        return function_call(helper, {c.a});
    }
    if (to == type::u32 && from == type::f32) {
        return put(primary, spell("bits of f32", fmt::arg("a", plain(c.a))));
    }
    add("(", spell_type(to), ")");
    write(c.a, prefix);
    return prefix;
}

int speller::expression_text(const expression& e) {
    return std::visit(
        overloaded{
            [&](const integer& n) { return integer_text(n.number, e.of); },
            [&](const real& n) { return literal_text(n.number, e.of); },
            [&](const variable& v) {
                for (int k = 0; k < e.width && e.width > 1; ++k) {
                    lanes_[v.name].insert(k);
                }
                return put(primary, v.name);
            },
            [&](const nest::unary& u) {
                if (u.op == ir::unary_op::negate && e.of == type::i32) {
                    return negated(u.a);
                }
                const std::string inner = plain(u.a, prefix);
                const bool sign_follows = inner.starts_with("-"); // - -x must not become --x
                return put(prefix, u.op == ir::unary_op::negate ? "-" : "!", sign_follows ? "(" : "", inner,
                           sign_follows ? ")" : "");
            },
            [&](const nest::binary& b) { return binary_text(b); },
            [&](const nest::call& c) {
                if (c.f == ir::function::absolute && e.of == type::i32) {
                    const std::string a = plain(c.a, prefix);
                    return put(primary, "(", a, " < 0 ? (", word("i32"), ")(0 - (", word("u32"), ")", a, ") : ", a,
                               ")");
                }
                return function_call(word(std::string(function_word(c.f))), {c.a});
            },
            [&](const reciprocal_root& r) {
                if (!r.is_normal) {
                    return function_call(word("reciprocal square root"), {r.a});
                }
                extras_used_.insert("roots of normal f64");
                return function_call(word("reciprocal square root of normal f64"), {r.a});
            },
            [&](const nest::select& s) -> int {
                write(s.condition, logical_or);
                add(" ? ");
                write(s.a, logical_or);
                add(" : ");
                write(s.b, logical_or);
                return ternary;
            },
            [&](const renewed& r) {
                extras_used_.insert("renewed values");
                return put(primary, spell("renewed", fmt::arg("a", plain(r.a))));
            },
            [&](const nest::convert& c) { return convert_text(c, e.of); },
            [&](const load& l) {
                if (l.stored == scalar::f16 && !l.local) {
                    extras_used_.insert("stored f16");
                    return put(primary, spell("load f16", fmt::arg("array", l.array), fmt::arg("at", plain(l.at))));
                }
                return put(primary, l.array, "[", l.at, "]");
            },
            [&](const image_load& l) {
                const std::string at = plain(l.at, prefix);
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
                return put(primary,
                           spell("image load " + std::string(name_of(l.stored)), fmt::arg("image", l.image),
                                 fmt::arg("at", plain(l.at)), fmt::arg("x", fmt::format("{} & {}", at, l.width - 1)),
                                 fmt::arg("y", fmt::format("{} >> {}", at, shift))));
            },
            [&](const lane& l) {
                lanes_[l.vector].insert(l.index);
                return put(primary, spell("lane", fmt::arg("vector", l.vector),
                                          fmt::arg("hex", fmt::format("{:x}", l.index)), fmt::arg("index", l.index)));
            },
            [&](const compose& c) { return put(primary, composed(vector_type(e.of, e.width), c.lanes)); },
            [&](const shuffle& u) {
                extras_used_.insert("shuffles");
                if (e.of == type::f64) {
                    extras_used_.insert("shuffles of f64"); // made of the others
                }
                return put(primary, spell(u.by > 0 ? "shuffle down" : "shuffle up", fmt::arg("a", plain(u.a)),
                                          fmt::arg("by", std::abs(u.by))));
            },
            [&](const work_item& w) {
                if (w.which == id::one) {
                    return put(primary, spell("one"));
                }
                const std::string which = w.which == id::local   ? "local id"
                                          : w.which == id::group ? "group id"
                                                                 : "global id";
                return put(prefix, "(", spell_type(type::index), ")",
                           spell(which, fmt::arg("axis", w.axis), fmt::arg("letter", "xyz"[w.axis])));
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
    return spell("compose", fmt::arg("vector", vector), fmt::arg("lanes", apart([&] { write(lanes); })));
}

void speller::write(const std::vector<value>& values) {
    for (const value& v : values) {
        add(&v == values.data() ? "" : ", ", v);
    }
}

} // namespace gst
