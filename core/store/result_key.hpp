#pragma once

#include "core/codegen/program.hpp"
#include "core/stencil/stencil.hpp"

#include <string>

namespace gst {

/// Everything that a measurement depends on: two measurements with equal keys are of the same thing.
///
/// The values of parameters are not part of it: they are kernel arguments, so neither the program nor its time depends
/// on them, and a new value needs no tuning. The data that programs are verified with does depend on them, but a
/// program that computes the right numbers for one value does for another; the winner is verified again, with the
/// values at hand, when it is re-measured.
struct GST_API result_key {
    std::string stencil; ///< its name, to read
    std::string problem; ///< what is computed: problem_text
    std::string grid;    ///< grid_text: "512x512x256", x first
    std::string program; ///< how: program_text
    std::string backend; ///< plugin name
    std::string device;  ///< its name
    std::string driver;  ///< versions of driver and compiler
    std::string method;  ///< how it is measured and verified, e.g. "median 5..30, noise seed 1"

    bool operator==(const result_key&) const = default;
};

/// 32 hexadecimal digits over all parts.
GST_API std::string digest_of(const result_key& key);

/// The stencil in the DSL, without the default values of its parameters.
GST_API std::string problem_text(const stencil& s);

/// "512x512x256": as many sizes as the stencil has dimensions, x first.
GST_API std::string grid_text(int dimensions, extent3 size);

/// All that a program's work and time follow from: source texts, compile options, layout, buffers, images, launches.
/// Equal programs have equal texts, different ones different texts.
GST_API std::string program_text(const program& p);

} // namespace gst
