#include "core/stencil/stencil.hpp"

#include <stdexcept>

namespace gst {
namespace {

std::size_t mix(std::size_t seed, std::uint64_t value) {
    std::uint64_t h = (seed ^ value) * 0x9e3779b97f4a7c15U;
    return h ^ (h >> 29);
}

struct payload_hash {
    std::size_t seed;
    std::size_t of() const { return seed; }
    template<class... Rest>
    std::size_t of(std::int64_t first, Rest... rest) const {
        return payload_hash{mix(seed, static_cast<std::uint64_t>(first))}.of(rest...);
    }

    std::size_t operator()(const ir::number& n) const { return of(std::bit_cast<std::int64_t>(n.value)); }
    std::size_t operator()(const ir::parameter& p) const { return of(p.index); }
    std::size_t operator()(const ir::coordinate& c) const { return of(c.axis); }
    std::size_t operator()(const ir::grid_size& g) const { return of(g.axis); }
    std::size_t operator()(const ir::step_number&) const { return of(); }
    std::size_t operator()(const ir::read& r) const { return of(r.field, r.level, r.at[0], r.at[1], r.at[2]); }
    std::size_t operator()(const ir::unary& u) const { return of(static_cast<int>(u.op), u.a); }
    std::size_t operator()(const ir::binary& b) const { return of(static_cast<int>(b.op), b.a, b.b); }
    std::size_t operator()(const ir::call& c) const { return of(static_cast<int>(c.f), c.a); }
    std::size_t operator()(const ir::select& s) const { return of(s.condition, s.a, s.b); }
    std::size_t operator()(const ir::convert& c) const { return of(c.a); }
};

scalar require(std::optional<scalar> type, const char* what) {
    if (!type) {
        throw std::logic_error(what);
    }
    return *type;
}

} // namespace

std::size_t hash_of(const node& n) {
    return std::visit(payload_hash{mix(n.op.index(), static_cast<std::uint64_t>(n.type))}, n.op);
}

std::optional<scalar> result_type(ir::unary_op op, scalar operand) {
    bool fits = (op == ir::unary_op::logical_not) == (operand == scalar::boolean);
    return fits ? std::optional(operand) : std::nullopt;
}

std::optional<scalar> result_type(ir::binary_op op, scalar operand) {
    using enum ir::binary_op;
    switch (op) {
    case add:
    case subtract:
    case multiply:
    case divide:
    case remainder:
    case minimum:
    case maximum:
        return operand != scalar::boolean ? std::optional(operand) : std::nullopt;
    case power:
        return is_real(operand) ? std::optional(operand) : std::nullopt;
    case less:
    case less_equal:
    case greater:
    case greater_equal:
        return operand != scalar::boolean ? std::optional(scalar::boolean) : std::nullopt;
    case equal:
    case not_equal:
        return scalar::boolean;
    case logical_and:
    case logical_or:
        return operand == scalar::boolean ? std::optional(operand) : std::nullopt;
    }
    return std::nullopt;
}

std::optional<scalar> result_type(ir::function f, scalar operand) {
    bool fits = is_real(operand) || (f == ir::function::absolute && operand == scalar::i32);
    return fits ? std::optional(operand) : std::nullopt;
}

node_id stencil_builder::add(const node& n) {
    for (; indexed_ < target_.nodes.size(); ++indexed_) {
        index_.emplace(hash_of(target_.nodes[indexed_]), static_cast<node_id>(indexed_));
    }
    std::size_t hash = hash_of(n);
    auto [first, last] = index_.equal_range(hash);
    for (; first != last; ++first) {
        if (target_.nodes[first->second] == n) {
            return first->second;
        }
    }
    auto id = static_cast<node_id>(target_.nodes.size());
    target_.nodes.push_back(n);
    index_.emplace(hash, id);
    ++indexed_;
    return id;
}

node_id stencil_builder::binary(ir::binary_op op, node_id a, node_id b) {
    scalar type = target_.nodes[a].type;
    if (target_.nodes[b].type != type) {
        throw std::logic_error("the operands of a binary operation differ in type");
    }
    return add(
        {ir::binary{op, a, b}, require(result_type(op, type), "a binary operation on a type that it does not take")});
}

node_id stencil_builder::unary(ir::unary_op op, node_id a) {
    return add({ir::unary{op, a},
                require(result_type(op, target_.nodes[a].type), "a unary operation on a type that it does not take")});
}

node_id stencil_builder::call(ir::function f, node_id a) {
    return add(
        {ir::call{f, a}, require(result_type(f, target_.nodes[a].type), "a function of a type that it does not take")});
}

node_id stencil_builder::select(node_id condition, node_id a, node_id b) {
    scalar type = target_.nodes[a].type;
    if (target_.nodes[condition].type != scalar::boolean || target_.nodes[b].type != type) {
        throw std::logic_error("a select needs a boolean condition and two values of one type");
    }
    return add({ir::select{condition, a, b}, type});
}

node_id stencil_builder::convert(node_id a, scalar to) {
    if (target_.nodes[a].type == to) {
        return a;
    }
    if (to == scalar::boolean) {
        throw std::logic_error("nothing converts to boolean");
    }
    return add({ir::convert{a}, to});
}

} // namespace gst
