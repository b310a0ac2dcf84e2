#pragma once

#include "core/stencil/stencil.hpp"

#include <algorithm>

namespace gst::testing {

/// A node with operators, so that a test's stencil reads like its formula. Numbers take the other operand's type.
struct formula {
    stencil_builder* builder = nullptr;
    node_id id = 0;
    scalar type = scalar::f32;

    formula number(double value) const { return {builder, builder->number(value, type), type}; }
    formula with(ir::binary_op op, formula b) const {
        scalar result = *result_type(op, type);
        return {builder, builder->binary(op, id, b.id), result};
    }
    formula call(ir::function f) const { return {builder, builder->call(f, id), type}; }
    formula convert(scalar to) const { return {builder, builder->convert(id, to), to}; }
    formula choose(formula a, formula b) const { return {builder, builder->select(id, a.id, b.id), a.type}; }
};

inline formula operator+(formula a, formula b) {
    return a.with(ir::binary_op::add, b);
}
inline formula operator-(formula a, formula b) {
    return a.with(ir::binary_op::subtract, b);
}
inline formula operator*(formula a, formula b) {
    return a.with(ir::binary_op::multiply, b);
}
inline formula operator/(formula a, formula b) {
    return a.with(ir::binary_op::divide, b);
}
inline formula operator*(double a, formula b) {
    return b.number(a) * b;
}
inline formula operator/(formula a, double b) {
    return a / a.number(b);
}

/// A stencil under construction.
struct sketch {
    stencil s;
    stencil_builder builder{s};

    sketch(int dimensions, std::vector<field> fields) {
        s.name = "sketch";
        s.dimensions = dimensions;
        s.fields = std::move(fields);
    }
    sketch(const sketch&) = delete;

    formula read(std::uint32_t field, offset3 at = {}, int level = 0) {
        return {&builder, builder.read(field, level, at), s.fields[field].type};
    }
    formula number(double value, scalar type) { return {&builder, builder.number(value, type), type}; }
    formula parameter(std::uint32_t index, scalar type) {
        return {&builder, builder.add({ir::parameter{index}, type}), type};
    }
    formula coordinate(int axis) { return {&builder, builder.add({ir::coordinate{axis}, scalar::i32}), scalar::i32}; }
    formula step() { return {&builder, builder.add({ir::step_number{}, scalar::i32}), scalar::i32}; }
    void update(std::uint32_t field, formula value) { s.updates.push_back({field, value.id}); }
    /// Fields without an update are coefficients.
    stencil done() {
        for (std::uint32_t i = 0; i < s.fields.size(); ++i) {
            s.fields[i].coefficient =
                std::ranges::none_of(s.updates, [i](const gst::update& u) { return u.field == i; });
        }
        infer_reach(s);
        verify(s);
        return s;
    }
};

inline field field_named(std::string name, scalar type = scalar::f32, boundary all = {}) {
    field f;
    f.name = std::move(name);
    f.type = f.compute = type;
    for (auto& axis : f.faces) {
        axis = {all, all};
    }
    return f;
}

} // namespace gst::testing
