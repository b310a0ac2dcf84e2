#include "core/codegen/stream/values.hpp"

#include <fmt/format.h>

namespace gst::streaming {

value zero(type of) {
    return of == type::i32 ? number(0, of) : real_number(0, of);
}
value greatest(const value& a, const value& b) {
    const auto x = literal(a);
    const auto y = literal(b);
    if (x && y) {
        return *x > *y ? a : b;
    }
    return binary_value(ir::binary_op::maximum, a, b);
}
value at_least(const value& a, std::int64_t n) {
    return binary_value(ir::binary_op::greater_equal, a, number(n, a->of));
}
value below(const value& a, std::int64_t n) {
    return less(a, number(n, a->of));
}
value clamped(const value& a, std::int64_t low, std::int64_t high) {
    return greatest(least(a, number(high)), number(low));
}
value chosen(const value& condition, const value& a, const value& b) {
    return make(nest::select{condition, a, b}, a->of);
}
value modulo(const value& a, std::int64_t n) {
    if (const auto known = literal(a)) {
        return number(*known % n, a->of);
    }
    return binary_value(ir::binary_op::remainder, a, number(n));
}
value wrapped(const value& a, std::int64_t n) {
    return modulo(modulo(a, n) + number(n), n);
}

value quotient(const value& a, std::int64_t n) {
    if (const auto known = literal(a)) {
        return number(*known / n, a->of);
    }
    return n == 1 ? a : binary_value(ir::binary_op::divide, a, number(n));
}

value unknown(const value& a) {
    return make(renewed{a}, type::index);
}

value stored_value(const value& v, scalar stored) {
    const type of = register_type(stored);
    return v->of == of ? v : make(nest::convert{v}, of);
}

std::string signed_word(std::int64_t n) {
    return fmt::format("{}{}", n < 0 ? "m" : "", n < 0 ? -n : n);
}

void load_piece(plane& to, const memory_piece& from, const value& at, const std::string& words, block& out) {
    const type of = register_type(from.stored);
    if (from.width == 1) {
        to.push_back(make(load{from.array, at, from.stored, from.local}, of));
        return;
    }
    out.push_back({declare_vector{from.stored, from.width, words, from.array, at, from.aligned, from.local}});
    for (int e = 0; e < from.width; ++e) {
        to.push_back(make(lane{words, from.width, e}, of));
    }
}

plane named_plane(block& out, const std::string& words, const plane& values) {
    plane all;
    for (std::size_t k = 0; k < values.size(); ++k) {
        const std::string one = fmt::format("{}_{}", words, k);
        out.push_back({declare{values[k]->of, one, values[k]}});
        all.push_back(var(one, values[k]->of));
    }
    return all;
}

void set(block& out, const plane& to, const plane& from) {
    for (std::size_t k = 0; k < to.size(); ++k) {
        const std::string& words = std::get<variable>(to[k]->op).name;
        const auto* same = std::get_if<variable>(&from[k]->op);
        if (!same || same->name != words) {
            out.push_back({assign{words, from[k]}});
        }
    }
}

void carry(block& out, const std::deque<plane>& to, const std::deque<plane>& from) {
    for (std::size_t i = 0; i < to.size(); ++i) {
        set(out, to[i], from[i]);
    }
}

} // namespace gst::streaming
