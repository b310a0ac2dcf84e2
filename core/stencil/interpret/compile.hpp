#pragma once

#include "core/stencil/interpret/kernels.hpp"
#include "core/stencil/stencil.hpp"

#include <span>
#include <vector>

namespace gst {

/// One operation over a chunk of a row. Operands and result are byte offsets into the register file.
struct instruction {
    kernel run = nullptr;
    std::size_t out = 0;
    std::array<std::size_t, 3> operands{};
    int load = -1; ///< index into chunk_program::loads when the operand is in memory
};

/// A row of a field that an instruction reads: fields[field] at t + level, shifted by `at`.
struct row_load {
    std::uint32_t field = 0;
    int level = 0;
    offset3 at{};
};

/// A value that a register holds before the program runs.
struct preset {
    std::size_t at = 0;
    scalar type = scalar::f32;
    double value = 0;
};

/// One update, ready to run over chunks of rows: each value is computed once per chunk, values that are the same along
/// the row once for all its points, registers are used again as soon as their value is dead.
struct chunk_program {
    std::uint32_t field = 0;
    std::vector<instruction> uniform; ///< run with one point
    std::vector<instruction> varying;
    std::vector<row_load> loads;
    std::vector<preset> presets;
    std::array<std::size_t, 3> coordinates{}; ///< registers that hold the chunk's first x, its y and its z
    std::size_t step = 0;                     ///< register that holds the step number
    kernel store = nullptr;
    std::size_t value = 0; ///< register that is stored
    std::size_t register_bytes = 0;
};

chunk_program compile(const stencil& s, const update& u, extent3 size, std::span<const double> parameters);

} // namespace gst
