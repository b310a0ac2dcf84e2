#include "core/codegen/loop_nest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace gst::nest {

type type_of(scalar s) {
    switch (s) {
    case scalar::boolean:
        return type::boolean;
    case scalar::i32:
        return type::i32;
    case scalar::f16:
        return type::f16;
    case scalar::f32:
        return type::f32;
    case scalar::f64:
        return type::f64;
    }
    throw std::logic_error("no such scalar type");
}

std::uint64_t register_size(scalar stored) {
    return size_of(stored == scalar::f16 ? scalar::f32 : stored);
}

type register_type(scalar stored) {
    return stored == scalar::f16 ? type::f32 : type_of(stored);
}

value number(std::int64_t n, type of) {
    return make(integer{n}, of);
}
value real_number(double n, type of) {
    return make(real{n}, of);
}
value var(std::string name, type of) {
    return make(variable{std::move(name)}, of);
}

std::optional<std::int64_t> literal(const value& v) {
    const auto* n = std::get_if<integer>(&v->op);
    return n ? std::optional(n->number) : std::nullopt;
}

value binary_value(ir::binary_op op, value a, value b) {
    const bool comparison = op >= ir::binary_op::less;
    const type of = comparison ? type::boolean : a->of;
    return make(binary{op, std::move(a), std::move(b)}, of);
}

value operator+(const value& a, const value& b) {
    const auto x = literal(a);
    const auto y = literal(b);
    if (x && y) {
        return number(*x + *y, a->of);
    }
    if (y == 0) {
        return a;
    }
    if (x == 0) {
        return b;
    }
    if (y && *y < 0) {
        return binary_value(ir::binary_op::subtract, a, number(-*y, b->of));
    }
    return binary_value(ir::binary_op::add, a, b);
}

value operator-(const value& a, const value& b) {
    if (const auto y = literal(b)) {
        return a + number(-*y, b->of);
    }
    return binary_value(ir::binary_op::subtract, a, b);
}

value operator*(const value& a, const value& b) {
    const auto x = literal(a);
    const auto y = literal(b);
    if (x && y) {
        return number(*x * *y, a->of);
    }
    if (x == 1 || y == 0) {
        return b;
    }
    if (y == 1 || x == 0) {
        return a;
    }
    return binary_value(ir::binary_op::multiply, a, b);
}

value plus(const value& a, std::int64_t n) {
    return a + number(n, a->of);
}

value least(const value& a, const value& b) {
    const auto x = literal(a);
    const auto y = literal(b);
    if (x && y) {
        return *x < *y ? a : b;
    }
    return binary_value(ir::binary_op::minimum, a, b);
}

value less(const value& a, const value& b) {
    return binary_value(ir::binary_op::less, a, b);
}
value less_equal(const value& a, const value& b) {
    return binary_value(ir::binary_op::less_equal, a, b);
}
value both(const value& a, const value& b) {
    if (!a || !b) {
        return a ? a : b;
    }
    return binary_value(ir::binary_op::logical_and, a, b);
}
bool is_short(double n) {
    return (std::bit_cast<std::uint64_t>(n) & 0xffffffff) == 0;
}
value constant_element(kernel& k, double n, type of, int most) {
    if (of == type::f64 && is_short(n)) {
        return real_number(n, of);
    }
    const scalar stored = of == type::f64 ? scalar::f64 : scalar::f32;
    auto table = std::find_if(k.constants.begin(), k.constants.end(),
                              [&](const constant_table& t) { return t.stored == stored; });
    if (table == k.constants.end()) {
        const std::string name = k.name + (stored == scalar::f64 ? "_f64_constants" : "_f32_constants");
        table = k.constants.insert(table, {stored, name, {}});
    }
    const auto bits = [](double a) { return std::bit_cast<std::uint64_t>(a); };
    const auto found = std::find_if(table->elements.begin(), table->elements.end(),
                                    [&](double element) { return bits(element) == bits(n); });
    const auto place = found - table->elements.begin();
    if (found == table->elements.end()) {
        if (most > 0 && place >= most) {
            return real_number(n, of);
        }
        table->elements.push_back(n);
    }
    return make(load{table->name, number(place), stored, false}, of);
}

block copied_by_all(const copy_box& c, const std::array<std::uint64_t, 3>& work_group) {
    const auto& box = c.shape.box;
    const auto local = [](int axis) { return make(work_item{id::local, axis}, type::index); };
    const auto items = [&](std::size_t axis) { return number(static_cast<std::int64_t>(work_group[axis])); };
    const value item = (local(2) * items(1) + local(1)) * items(0) + local(0);
    const std::int64_t all = static_cast<std::int64_t>(work_group[0] * work_group[1] * work_group[2]);
    block out;
    block& copying = *enter(out, loop{"piece", item, number(box[0] * box[1] * box[2]), number(all), {}, true});
    const value piece = var("piece");
    const auto over = [](const value& a, std::int64_t n) { return binary_value(ir::binary_op::divide, a, number(n)); };
    const auto rest = [](const value& a, std::int64_t n) {
        return binary_value(ir::binary_op::remainder, a, number(n));
    };
    const std::array within{rest(piece, box[0]), rest(over(piece, box[0]), box[1]), over(piece, box[0] * box[1])};
    std::array<value, 3> at;
    value exists;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        at[axis] = named(copying, fmt::format("piece_{}", "xyz"[axis]), c.at[axis] + within[axis]);
        exists = both(exists, both(less_equal(number(0), at[axis]), less(at[axis], number(c.shape.size[axis]))));
    }
    const value from =
        number(c.shape.first) + at[0] + at[1] * number(c.shape.stride[0]) + at[2] * number(c.shape.stride[1]);
    const auto stored = [&](const value& what) {
        return block{{store{c.local, c.to + piece, what, c.shape.type, true}}};
    };
    const type of = type_of(c.shape.type);
    copying.push_back({branch{exists, stored(make(load{c.tensor, from, c.shape.type}, of)),
                              stored(of == type::i32 ? number(0, of) : real_number(0, of))}});
    return out;
}

std::vector<std::uint64_t> local_places(const kernel& k) {
    std::vector<std::uint64_t> out{0};
    std::uint64_t end = 0;
    for (const local_array& a : k.locals) {
        out.back() = (end + a.alignment - 1) / a.alignment * a.alignment;
        end = out.back() + static_cast<std::uint64_t>(a.elements) * register_size(a.stored);
        out.push_back((end + 15) / 16 * 16);
    }
    return out;
}

value named(block& out, const std::string& name, const value& init) {
    if (literal(init)) {
        return init;
    }
    out.push_back({declare{init->of, name, init}});
    return var(name, init->of);
}
block* enter(block& out, loop l) {
    out.push_back({std::move(l)});
    return &std::get<loop>(out.back().what).body;
}
block* enter(block& out, const value& condition) {
    if (!condition) {
        return &out;
    }
    out.push_back({branch{condition, {}, {}}});
    return &std::get<branch>(out.back().what).yes;
}
value either(const value& a, const value& b) {
    if (!a || !b) {
        return a ? a : b;
    }
    return binary_value(ir::binary_op::logical_or, a, b);
}

value opposite(const value& condition) {
    const auto* b = std::get_if<binary>(&condition->op);
    return b != nullptr && b->op == ir::binary_op::equal
               ? make(binary{ir::binary_op::not_equal, b->a, b->b}, type::boolean)
               : make(unary{ir::unary_op::logical_not, condition}, type::boolean);
}

} // namespace gst::nest
