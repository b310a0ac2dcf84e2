#include "core/codegen/emit.hpp"

#include <fmt/args.h>
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

namespace gst {

namespace {

using namespace nest;
using ir::binary_op;

template<class... F>
struct overloaded : F... {
    using F::operator()...;
};
template<class... F>
overloaded(F...) -> overloaded<F...>;

/// C's precedences: a higher number binds tighter.
enum precedence {
    ternary = 1,
    logical_or = 2,
    logical_and = 3,
    equality = 6,
    relation = 7,
    sum = 9,
    product = 10,
    prefix = 11,
    primary = 12
};

struct text {
    std::string words;
    int binds = primary;
};

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

class emitter {
  public:
    emitter(const dialect& language, bool wide) : language_(language), wide_(wide) {}

    std::string module(const std::vector<kernel>& kernels) {
        std::string body;
        for (const kernel& k : kernels) {
            body += (body.empty() ? "" : "\n") + kernel_text(k);
        }
        std::string head;
        for (const std::string& extra : extras_used_) {
            const auto found = language_.words.find("uses " + extra);
            head += found == language_.words.end() ? "" : found->second;
        }
        for (const std::string& helper : helpers_) {
            head += helper_text(helper);
        }
        return head.empty() ? body : head + "\n" + body;
    }

  private:
    const std::string& word(const std::string& name) const {
        const auto found = language_.words.find(name);
        if (found == language_.words.end()) {
            throw std::logic_error("the dialect '" + language_.name + "' has no word for '" + name + "'");
        }
        return found->second;
    }
    template<class... Args>
    std::string spell(const std::string& name, Args&&... args) const {
        return fmt::format(fmt::runtime(word(name)), std::forward<Args>(args)...);
    }
    std::string spell_type(type t) {
        if (t == type::index) {
            return word(wide_ ? "wide index" : "index");
        }
        if (t == type::f64 || t == type::f16) {
            extras_used_.insert(std::string(type_word(t)));
        }
        return word(std::string(type_word(t)));
    }
    /// The element type of a global array: half as it is stored, without arithmetic.
    std::string array_type(scalar s) { return s == scalar::f16 ? word("stored f16") : spell_type(type_of(s)); }

    std::string helper_text(const std::string& name) {
        const std::string prefix = word("device function");
        const std::string i = word("i32");
        const std::string u = word("u32");
        if (name == "gst_divide") {
            return fmt::format("{0} {1} gst_divide({1} a, {1} b) {{ return b == 0 ? 0 : b == -1 ? {2} : a / b; }}\n",
                               prefix, i, spell("negated i32", fmt::arg("a", "a")));
        }
        if (name == "gst_remainder") {
            return fmt::format("{0} {1} gst_remainder({1} a, {1} b) {{ return b == 0 || b == -1 ? 0 : a % b; }}\n",
                               prefix, i);
        }
        if (name == "gst_power") {
            return fmt::format(
                "{0} {1} gst_power({1} a, {1} b) {{\n    {2} base = a, r = 1;\n"
                "    if (b < 0) return a == 1 ? 1 : a == -1 ? (b % 2 ? -1 : 1) : 0;\n"
                "    for (; b > 0; b >>= 1) {{ if (b & 1) r *= base; base *= base; }}\n    return ({1})r;\n}}\n",
                prefix, i, u);
        }
        const std::string real = name == "gst_to_i32_f64"   ? word("f64")
                                 : name == "gst_to_i32_f16" ? word("f16")
                                                            : word("f32");
        // Truncates, saturates, and gives 0 for a NaN, as the IR says.
        return fmt::format(
            "{0} {1} {2}({3} v) {{\n    return v != v ? 0 : v >= 2147483647 ? 2147483647 : v <= -2147483647 - 1 ? "
            "-2147483647 - 1 : ({1})v;\n}}\n",
            prefix, i, name, real);
    }

    // ---- expressions

    std::string at_least(const text& t, int binds) const { return t.binds >= binds ? t.words : "(" + t.words + ")"; }
    std::string plain(const value& v) { return expression_text(*v).words; }

    text literal_text(double number, type of) {
        if (of == type::boolean) {
            return {number != 0 ? "true" : "false", primary};
        }
        if (std::isnan(number) || std::isinf(number)) {
            const std::string magnitude =
                fmt::format("(({}){})", spell_type(of), word(std::isnan(number) ? "not a number" : "infinity"));
            return number < 0 ? text{"-" + magnitude, prefix} : text{magnitude, primary};
        }
        // The shortest text that reads back as the same number of the type.
        std::string digits =
            of == type::f64 ? fmt::format("{}", number) : fmt::format("{}", static_cast<float>(number));
        if (digits.find_first_of(".e") == std::string::npos) {
            digits += ".0";
        }
        spell_type(of);
        const bool negative = digits.front() == '-';
        return {spell("literal " + std::string(type_word(of)), fmt::arg("number", digits)),
                negative ? prefix : primary};
    }

    text integer_text(std::int64_t n, type of) {
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

    text infix(const value& a, const value& b, const std::string& op, int level) {
        // The right operand of a non-associative chain needs parentheses at the same level.
        return {at_least(expression_text(*a), level) + " " + op + " " + at_least(expression_text(*b), level + 1),
                level};
    }

    /// A vector function's argument: scalars are widened by hand, as only operators do it by themselves.
    std::string widened(const value& v, int width) {
        return v->width == width ? plain(v) : fmt::format("({})({})", vector_type(v->of, width), plain(v));
    }
    text vector_call(const std::string& name, const value& a, const value& b) {
        const int width = std::max(a->width, b->width);
        return {fmt::format("{}({}, {})", name, widened(a, width), widened(b, width)), primary};
    }

    text function_call(const std::string& name, const std::vector<value>& arguments) {
        std::string inside;
        for (const value& a : arguments) {
            inside += (inside.empty() ? "" : ", ") + plain(a);
        }
        return {name + "(" + inside + ")", primary};
    }

    /// -a in i32, which wraps around.
    text negated(const value& a) {
        extras_used_.insert("i32 negation");
        return {spell("negated i32", fmt::arg("a", at_least(expression_text(*a), prefix))), prefix};
    }

    text binary_text(const nest::binary& b) {
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
                return {fmt::format("({})({}{} {} {}{})", word("i32"), u, at_least(expression_text(*b.a), prefix), op,
                                    u, at_least(expression_text(*b.b), prefix)),
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
            const text left = expression_text(*b.a);
            return {(left.binds == logical_or ? left.words : at_least(left, equality)) + " || " +
                        at_least(expression_text(*b.b), equality),
                    logical_or};
        }
        }
        throw std::logic_error("no such operator");
    }

    text convert_text(const nest::convert& c, type to) {
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

    text expression_text(const expression& e) {
        return std::visit(
            overloaded{
                [&](const integer& n) { return integer_text(n.number, e.of); },
                [&](const real& n) { return literal_text(n.number, e.of); },
                [&](const variable& v) {
                    return text{v.name, primary};
                },
                [&](const nest::unary& u) {
                    if (u.op == ir::unary_op::negate && e.of == type::i32) {
                        return negated(u.a);
                    }
                    const text inner = expression_text(*u.a);
                    // - -x must not become --x.
                    const bool sign_follows = inner.words.starts_with("-");
                    return text{(u.op == ir::unary_op::negate ? "-" : "!") +
                                    (sign_follows ? "(" + inner.words + ")" : at_least(inner, prefix)),
                                prefix};
                },
                [&](const nest::binary& b) { return binary_text(b); },
                [&](const nest::call& c) {
                    if (c.f == ir::function::absolute && e.of == type::i32) {
                        const std::string a = at_least(expression_text(*c.a), prefix);
                        return text{fmt::format("({0} < 0 ? ({1})(0 - ({2}){0}) : {0})", a, word("i32"), word("u32")),
                                    primary};
                    }
                    return function_call(word(std::string(function_word(c.f))), {c.a});
                },
                [&](const reciprocal_root& r) { return function_call(word("reciprocal square root"), {r.a}); },
                [&](const nest::select& s) {
                    return text{fmt::format("{} ? {} : {}", at_least(expression_text(*s.condition), logical_or),
                                            at_least(expression_text(*s.a), logical_or),
                                            at_least(expression_text(*s.b), logical_or)),
                                ternary};
                },
                [&](const nest::convert& c) { return convert_text(c, e.of); },
                [&](const load& l) {
                    if (l.stored == scalar::f16 && !l.local) {
                        extras_used_.insert("stored f16");
                        return text{spell("load f16", fmt::arg("array", l.array), fmt::arg("at", plain(l.at))),
                                    primary};
                    }
                    return text{l.array + "[" + plain(l.at) + "]", primary};
                },
                [&](const image_load& l) {
                    const std::string at = at_least(expression_text(*l.at), prefix);
                    int shift = 0;
                    while ((std::uint64_t{1} << shift) < l.width) {
                        ++shift;
                    }
                    spell_type(register_type(l.stored));
                    extras_used_.insert(fmt::format("{} images", name_of(l.stored)));
                    if (l.stored == scalar::f16) {
                        extras_used_.insert("stored f16");
                    }
                    return text{spell("image load " + std::string(name_of(l.stored)), fmt::arg("image", l.image),
                                      fmt::arg("at", plain(l.at)),
                                      fmt::arg("x", fmt::format("{} & {}", at, l.width - 1)),
                                      fmt::arg("y", fmt::format("{} >> {}", at, shift))),
                                primary};
                },
                [&](const lane& l) {
                    return text{spell("lane", fmt::arg("vector", l.vector),
                                      fmt::arg("hex", fmt::format("{:x}", l.index)), fmt::arg("index", l.index)),
                                primary};
                },
                [&](const compose& c) {
                    return text{composed(vector_type(e.of, e.width), c.lanes), primary};
                },
                [&](const shuffle& u) {
                    return text{spell(u.by > 0 ? "shuffle down" : "shuffle up", fmt::arg("a", plain(u.a)),
                                      fmt::arg("by", std::abs(u.by))),
                                primary};
                },
                [&](const work_item& w) {
                    if (w.which == id::one) {
                        return text{spell("one"), primary};
                    }
                    const std::string which = w.which == id::local   ? "local id"
                                              : w.which == id::group ? "group id"
                                                                     : "global id";
                    return text{"(" + spell_type(type::index) + ")" +
                                    spell(which, fmt::arg("axis", w.axis), fmt::arg("letter", "xyz"[w.axis])),
                                prefix};
                },
            },
            e.op);
    }

    // ---- statements

    void line(int depth, const std::string& words) {
        out_ += std::string(static_cast<std::size_t>(depth) * 4, ' ') + words + "\n";
    }

    std::string vector_type(type t, int width) {
        if (width == 1) {
            return spell_type(t);
        }
        extras_used_.insert("vectors");
        return spell("vector", fmt::arg("type", spell_type(t)), fmt::arg("width", width));
    }

    std::string composed(const std::string& vector, const std::vector<value>& lanes) {
        return spell("compose", fmt::arg("vector", vector), fmt::arg("lanes", values_text(lanes)));
    }

    std::string values_text(const std::vector<value>& values) {
        std::string all;
        for (const value& v : values) {
            all += (all.empty() ? "" : ", ") + plain(v);
        }
        return all;
    }

    void statement_text(const statement& s, int depth) {
        std::visit(
            overloaded{
                [&](const declare& d) {
                    line(depth, fmt::format("{}{} {} = {};", d.varies ? "" : "const ", vector_type(d.of, d.init->width),
                                            d.name, plain(d.init)));
                },
                [&](const assign& a) { line(depth, fmt::format("{} = {};", a.name, plain(a.what))); },
                [&](const declare_vector& d) {
                    const bool half = d.stored == scalar::f16 && !d.local;
                    const std::string load_word = fmt::format("{}{}vector load{}", d.local ? "local " : "",
                                                              d.aligned ? "" : "unaligned ", half ? " f16" : "");
                    if (half) {
                        extras_used_.insert("stored f16");
                    }
                    const std::string vector = vector_type(register_type(d.stored), d.width);
                    line(depth, fmt::format("const {} {} = {};", vector, d.name,
                                            spell(load_word, fmt::arg("vector", vector), fmt::arg("array", d.array),
                                                  fmt::arg("at", plain(d.at)), fmt::arg("width", d.width))));
                },
                [&](const store& t) {
                    if (t.stored == scalar::f16 && !t.local) {
                        extras_used_.insert("stored f16");
                        line(depth, spell("store f16", fmt::arg("what", plain(t.what)), fmt::arg("at", plain(t.at)),
                                          fmt::arg("array", t.array)) +
                                        ";");
                    } else {
                        line(depth, fmt::format("{}[{}] = {};", t.array, plain(t.at), plain(t.what)));
                    }
                },
                [&](const vector_store& t) {
                    const bool half = t.stored == scalar::f16 && !t.local;
                    const bool streaming = t.streaming && t.aligned && !half;
                    const std::string store_word = fmt::format("{}vector store{}",
                                                               t.local      ? "local "
                                                               : !t.aligned ? "unaligned "
                                                               : streaming  ? "streaming "
                                                                            : "",
                                                               half ? " f16" : "");
                    if (half) {
                        extras_used_.insert("stored f16");
                    } else if (streaming) {
                        extras_used_.insert("streaming stores");
                    }
                    const std::string vector = vector_type(register_type(t.stored), t.width);
                    const std::string what = t.values.size() == 1 && t.values[0]->width == t.width
                                                 ? plain(t.values[0])
                                                 : composed(vector, t.values);
                    line(depth, spell(store_word, fmt::arg("vector", vector), fmt::arg("array", t.array),
                                      fmt::arg("at", plain(t.at)), fmt::arg("what", what), fmt::arg("width", t.width)) +
                                    ";");
                },
                [&](const loop& l) {
                    const std::string step =
                        literal(l.step) == 1 ? "++" + l.name : fmt::format("{} += {}", l.name, plain(l.step));
                    line(depth, fmt::format("for ({} {} = {}; {} < {}; {}) {{", spell_type(type::index), l.name,
                                            plain(l.begin), l.name, at_least(expression_text(*l.end), sum), step));
                    block_text(l.body, depth + 1);
                    line(depth, "}");
                },
                [&](const branch& b) {
                    line(depth, "if (" + plain(b.condition) + ") {");
                    block_text(b.yes, depth + 1);
                    const branch* last = &b;
                    while (last->no.size() == 1 && std::holds_alternative<branch>(last->no.front().what)) {
                        last = &std::get<branch>(last->no.front().what);
                        line(depth, "} else if (" + plain(last->condition) + ") {");
                        block_text(last->yes, depth + 1);
                    }
                    if (!last->no.empty()) {
                        line(depth, "} else {");
                        block_text(last->no, depth + 1);
                    }
                    line(depth, "}");
                },
                [&](const barrier&) { line(depth, word("barrier") + ";"); },
                [&](const async_copy& a) { copy_text(a, depth); },
                [&](const cache_prefetch& p) {
                    extras_used_.insert("cache prefetches");
                    line(depth, spell("cache prefetch", fmt::arg("array", p.array), fmt::arg("at", plain(p.at))) + ";");
                },
                [&](const commit_copies&) {
                    if (language_.words.contains("commit copies")) {
                        extras_used_.insert("asynchronous copies");
                        line(depth, word("commit copies") + ";");
                    }
                },
                [&](const await_copies& a) {
                    if (language_.words.contains("await copies")) {
                        extras_used_.insert("asynchronous copies");
                        line(depth, spell("await copies", fmt::arg("pending", a.pending)) + ";");
                    }
                },
                [&](const comment& c) { line(depth, "// " + c.text); },
                [&](const atomic& a) {
                    const std::string which = a.op == atomic_op::add       ? "atomic add"
                                              : a.op == atomic_op::minimum ? "atomic minimum"
                                                                           : "atomic maximum";
                    line(depth, spell(which, fmt::arg("array", a.array), fmt::arg("at", plain(a.at)),
                                      fmt::arg("what", plain(a.what))) +
                                    ";");
                },
            },
            s.what);
    }

    void copy_text(const async_copy& a, int depth) {
        const std::string element = spell_type(type_of(a.stored));
        const std::string vector = vector_type(type_of(a.stored), a.width);
        const auto spelled = [&](const std::string& words, const std::string& array, const std::string& at,
                                 const std::string& what) {
            return spell(words, fmt::arg("vector", vector), fmt::arg("array", array), fmt::arg("at", at),
                         fmt::arg("what", what), fmt::arg("width", a.width));
        };
        if (language_.words.contains("asynchronous copy")) {
            extras_used_.insert("asynchronous copies");
            line(depth, spell("asynchronous copy", fmt::arg("vector", a.aligned ? vector : element),
                              fmt::arg("width", a.aligned ? 1 : a.width), fmt::arg("local", a.local),
                              fmt::arg("to", plain(a.to)), fmt::arg("array", a.array), fmt::arg("at", plain(a.at))) +
                            ";");
        } else if (a.width == 1) {
            line(depth, fmt::format("{}[{}] = {}[{}];", a.local, plain(a.to), a.array, plain(a.at)));
        } else {
            const std::string what =
                spelled(a.aligned ? "vector load" : "unaligned vector load", a.array, plain(a.at), "");
            line(depth, spelled("local vector store", a.local, plain(a.to), what) + ";");
        }
    }

    void block_text(const block& b, int depth) {
        for (const statement& s : b) {
            statement_text(s, depth);
        }
    }

    std::string formal_text(const formal& f) {
        switch (f.what) {
        case formal::kind::input:
            return spell("input", fmt::arg("type", array_type(f.type)), fmt::arg("name", f.name));
        case formal::kind::output:
            return spell("output", fmt::arg("type", array_type(f.type)), fmt::arg("name", f.name));
        case formal::kind::in_out:
            return spell("in_out", fmt::arg("type", array_type(f.type)), fmt::arg("name", f.name));
        case formal::kind::counters:
            return spell("in_out", fmt::arg("type", word("u32")), fmt::arg("name", f.name));
        case formal::kind::image:
            return spell("image", fmt::arg("name", f.name));
        case formal::kind::scalar:
            return "const " + spell_type(type_of(f.type)) + " " + f.name;
        }
        throw std::logic_error("no such formal");
    }

    static std::string launch_bounds(const kernel& k) {
        const std::uint64_t threads = k.work_group[0] * k.work_group[1] * k.work_group[2];
        return k.groups_at_once > 1 ? fmt::format("{}, {}", threads, k.groups_at_once) : std::to_string(threads);
    }

    std::string constants_text(const kernel& k) {
        std::string out;
        for (const constant_table& t : k.constants) {
            std::string all;
            for (const double n : t.elements) {
                all += (all.empty() ? "" : ", ") + literal_text(n, type_of(t.stored)).words;
            }
            out += spell("constant table", fmt::arg("type", spell_type(type_of(t.stored))), fmt::arg("name", t.name),
                         fmt::arg("elements", t.elements.size()), fmt::arg("numbers", all)) +
                   ";\n";
        }
        return out;
    }

    std::string kernel_text(const kernel& k) {
        out_.clear();
        if (!k.about.empty()) {
            line(0, "// " + k.about);
        }
        std::string formals;
        for (const formal& f : k.formals) {
            formals += (formals.empty() ? "" : ",\n    ") + formal_text(f);
        }
        const auto& g = k.work_group;
        line(0, spell("kernel", g[0], g[1], g[2], fmt::arg("name", k.name), fmt::arg("bounds", launch_bounds(k))) +
                    "\n    " + formals + ")");
        line(0, "{");
        const std::vector<std::uint64_t> begins = local_places(k);
        const std::uint64_t local_bytes = begins.back();
        const bool one_block = language_.static_local_bytes > 0 && local_bytes > language_.static_local_bytes;
        if (one_block) {
            out_ = spell("size of local block", fmt::arg("name", k.name), fmt::arg("bytes", local_bytes)) + out_;
            line(1, word("local block") + ";");
        }
        for (std::size_t i = 0; i < k.locals.size(); ++i) {
            const local_array& a = k.locals[i];
            line(1, spell(one_block ? "local array in block" : "local array",
                          fmt::arg("type", spell_type(register_type(a.stored))), fmt::arg("name", a.name),
                          fmt::arg("elements", a.elements), fmt::arg("begin", begins[i])) +
                        ";");
        }
        block_text(k.body, 1);
        line(0, "}");
        return constants_text(k) + out_;
    }

    const dialect& language_;
    bool wide_;
    std::string out_;
    std::set<std::string> extras_used_;
    std::set<std::string> helpers_;
};

} // namespace

bool needs_wide_index(std::uint64_t elements) {
    return elements > 0x7fff0000;
}

std::string emit(const std::vector<kernel>& kernels, const dialect& language, bool wide_index) {
    return emitter(language, wide_index).module(kernels);
}

} // namespace gst
