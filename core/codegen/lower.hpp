#pragma once

#include "core/codegen/kernel_inputs.hpp"
#include "core/codegen/loop_nest.hpp"
#include "core/codegen/program.hpp"
#include "core/codegen/schedule.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace gst {

/// A kernel with the launch that runs it.
struct lowered_kernel {
    nest::kernel kernel;
    gst::launch launch;
    int error_factor = 1; ///< of program
};

/// The kernel that computes s.updates[index] under a schedule.
lowered_kernel lower_update(const stencil& s, std::size_t index, const array_layout& layout, const schedule& how);

/// The kernel that computes `updates` of a stencil (one of them; with temporal blocking all) under a schedule with
/// streaming (stream/).
lowered_kernel lower_stream(const stencil& s, const std::vector<std::size_t>& updates, const array_layout& layout,
                            const schedule& how);

/// The kernel that fills the halo of a field at level 1 beyond the faces that `filled` holds for, where it changes from
/// step to step, if it does; each point is a pure function of interior points and of halo points that never change, so
/// that their order does not matter. `name`: of the kernel, behind the field's.
std::optional<lowered_kernel> lower_halo(const stencil& s, std::size_t field, const array_layout& layout,
                                         const std::string& name, bool (*filled)(const boundary&));

/// How lower_points gets at its surroundings.
struct point_surroundings {
    /// The element that `read` needs at point `at` (relative to the base point).
    std::function<nest::value(const ir::read& read, offset3 at)> element;
    /// The interior coordinate along the axis, `at` points from the base point.
    std::function<nest::value(int axis, int at)> coordinate;
    std::function<nest::value(std::uint32_t parameter)> parameter; ///< of its kernel type
    std::function<nest::value()> step;
    /// A number of type f32 or f64 that the update has; null: a literal.
    std::function<nest::value(double number, nest::type of)> constant;
    std::string prefix; ///< of the names that are declared
};

/// A number of an update, of type f32 or f64, as the schedule has it: in the kernel's constant memory or a literal.
nest::value update_number(nest::kernel& k, const schedule& how, double n, nest::type of);

/// Whether an update can be computed on vectors: real arithmetic in one type, which is also the register type of what
/// is stored, no conditions, conversions or coordinates.
bool is_vectorizable(const stencil& s, const update& u);

/// How a node is computed: all it needs, operands before what uses them and itself last, and how often each is used.
struct evaluation_order {
    std::vector<node_id> nodes;
    std::vector<std::size_t> places; ///< per node of the stencil up to the last one: where it is among them, or 0
    std::vector<int> uses;           ///< likewise
};
evaluation_order order_of(const stencil& s, node_id root);

/// Appends the computation of the order's last node at each of `points` (relative to a base point) to `out`; the
/// results, in its type. Where elements are vectors, so are the results. Values used more than once become named
/// constants, elements that several points share are loaded once.
std::vector<nest::value> lower_points(const stencil& s, extent3 size, const evaluation_order& order,
                                      const point_surroundings& around, const std::vector<offset3>& points,
                                      nest::block& out);

} // namespace gst
