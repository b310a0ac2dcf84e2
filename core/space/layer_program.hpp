#pragma once

#include "core/space/term.hpp"

#include <cstdint>
#include <vector>

namespace gst {

enum class opcode : std::uint8_t {
    // of operation, undefined operands go through
    add,
    multiply,
    minimum,
    maximum,
    negate,
    divide,
    floor_divide,
    modulo,
    power,
    absolute,
    floor,
    ceiling,
    log2,
    square_root,
    exponential,
    logarithm,
    sine,
    cosine,
    tangent,
    arc_tangent,
    hyperbolic_tangent,
    round,
    divides,
    ceil_divide,
    less,
    less_equal,
    equal,
    not_equal,
    both,   ///< Kleene's and
    either, ///< Kleene's or
    // of conditions: 0, 1, and 0.5 while it is open
    is_less,
    is_less_equal,
    is_equal,
    is_not_equal,
    is_member,     ///< b is the index of a set
    is_not_member, ///< b is the index of a set
    lower,
    upper,
    middle,      ///< the mean
    unless_open, ///< a where a is decided, else b
    while_open,  ///< b where a is open, else 0
};

struct instruction {
    opcode what;
    std::uint32_t out;
    std::uint32_t a;
    std::uint32_t b;
};

/// What is computed when a layer's parameter takes a value. The state before it is in registers 0 … inputs - 1, the
/// value in register `inputs`; instructions are in static single assignment.
struct layer_program {
    std::uint32_t inputs = 0;
    std::uint32_t registers = 1;
    std::vector<std::pair<std::uint32_t, double>> constants;
    std::vector<std::vector<double>> sets; ///< sorted
    std::vector<instruction> code;
    std::vector<std::uint32_t> conditions; ///< zero in one of these: the value is not allowed
    std::vector<std::uint32_t> outputs;    ///< the state behind this layer

    /// Computes `lanes` (a multiple of lane_step) columns of registers, each `stride` long.
    static constexpr std::size_t lane_step = 16;
    void run(double* registers_begin, std::size_t stride, std::size_t lanes) const;
};

/// One program per layer, for a condition that is no constant. While it is neither decided nor untouched the state
/// holds the values of its maximal parts over assigned parameters; what can no longer matter is 0, so that equal states
/// are equal numbers.
std::vector<layer_program> compile_layers(const term& condition, std::size_t layers);

} // namespace gst
