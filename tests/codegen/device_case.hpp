#pragma once

#include "core/codegen/generate.hpp"
#include "tests/codegen/execute.hpp"

#include <string>

namespace gst::testing {

/// A program and the data that it starts from.
struct program_case {
    std::uint64_t number = 0;
    stencil s;
    extent3 size{};
    std::vector<double> parameters;
    schedule how;
    std::int64_t alignment = padded_rows; ///< of rows
    std::uint64_t noise = 0;              ///< seed of the initial data
    std::int64_t first_step = 0;
    int steps = 1;
    int per_call = 1;  ///< steps that a call of plain kernels advances
    std::string drawn; ///< the environment in which the test "one random program" draws it again
};

/// Its initial data, halo included.
interpreter_state start_of(const program_case& c);

program program_of(const program_case& c, const dialect& language);

/// Runs the program on the device, compiled with more options, or another one that should do the same, and compares
/// every level of every field, halo included, with the interpreter's: the first point that is wrong, in words, or "".
std::string wrong_of(test_device& on, const program_case& c, const std::string& options = "");
std::string wrong_of(test_device& on, const program_case& c, const program& p);

/// Requires that nothing is wrong, and shows stencil and program otherwise. What is generated is what is to be right:
/// unless `optimized` it is compiled quickly.
void check_case(test_device& on, const program_case& c, bool optimized = false);

} // namespace gst::testing
