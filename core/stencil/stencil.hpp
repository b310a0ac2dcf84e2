#pragma once

#include "core/base/visibility.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

/// The stencil IR: what the DSL is lowered to, what the interpreter runs and what the code generator reads.
///
/// A stencil updates its fields on a grid of size[0] × size[1] × size[2] points; axis 0 (x) is contiguous. One time
/// step executes the updates in order; update i may read what earlier updates of the same step wrote. Every let, sum
/// and pattern has been expanded, every conversion is explicit, `where` has become a select.
namespace gst {

/// Points per axis, or an offset per axis: (x, y, z). Axes that a stencil does not have are of size 1, offset 0.
using extent3 = std::array<std::int64_t, 3>;
using offset3 = std::array<int, 3>;

enum class scalar : std::uint8_t { boolean, i32, f16, f32, f64 };

GST_API std::string_view name_of(scalar s); ///< "bool", "i32", "f16", "f32", "f64"
GST_API std::optional<scalar> scalar_named(std::string_view name);
GST_API std::size_t size_of(scalar s); ///< bytes in memory; boolean is not stored: 0
inline bool is_real(scalar s) {
    return s >= scalar::f16;
}
/// The distance from 1 to the next number: 2^-10, 2^-23, 2^-52; 0 for i32 and boolean.
GST_API double epsilon_of(scalar s);

/// How the halo of a field follows from its interior, per face. Faces are applied x, then y, then z, so that corners
/// are defined; equivalently, a halo point is resolved z first, then y, then x.
enum class boundary_kind : std::uint8_t {
    fixed,    ///< keeps the values it was given with the newest initial time level, at every time level
    constant, ///< one value
    clamp,    ///< the nearest interior point
    periodic, ///< the point one grid size away
    mirror,   ///< mirrored at the edge point, which is not repeated: u[-1] = u[1]
};
GST_API std::string_view name_of(boundary_kind k);

struct boundary {
    boundary_kind kind = boundary_kind::fixed;
    double value = 0; ///< of `constant`
    bool operator==(const boundary&) const = default;
};

/// An array over the grid and its halo.
struct field {
    std::string name;
    scalar type = scalar::f32;                      ///< stored
    scalar compute = scalar::f32;                   ///< its update is computed in
    bool coefficient = false;                       ///< given per point, never written
    std::array<std::array<boundary, 2>, 3> faces{}; ///< [axis][0 = low, 1 = high]
    int history = 0;                                ///< oldest level read is t - history
    offset3 halo{};                                 ///< points beyond each face of an axis: as many as the reads need

    /// Time levels kept in memory: t+1, t, …, t - history; 1 for a coefficient.
    int levels() const { return coefficient ? 1 : history + 2; }
    bool operator==(const field&) const = default;
};

/// A run-time value that is a kernel argument: changing it needs no new tuning.
struct parameter_declaration {
    std::string name;
    std::optional<double> value; ///< default; app.toml must give one where this is absent
    bool operator==(const parameter_declaration&) const = default;
};

using node_id = std::uint32_t;

namespace ir {

struct number { ///< a literal of the node's type (i32: integral; boolean: 0 or 1)
    double value = 0;
    /// Bit for bit: -0 and 0 are two literals, a NaN equals itself.
    bool operator==(const number& other) const {
        return std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(other.value);
    }
};
struct parameter { ///< stencil.parameters[index], converted to the node's type
    std::uint32_t index = 0;
    bool operator==(const parameter&) const = default;
};
struct coordinate { ///< i32: 0 … size-1 in the interior along the axis
    int axis = 0;
    bool operator==(const coordinate&) const = default;
};
struct grid_size { ///< i32: points along the axis
    int axis = 0;
    bool operator==(const grid_size&) const = default;
};
struct step_number { ///< i32: t, the number of steps done before this one
    bool operator==(const step_number&) const = default;
};
struct read { ///< fields[field] at time t + level (1, 0, -1, …; a coefficient: 0) and this point + at; of the stored
              ///< type
    std::uint32_t field = 0;
    int level = 0;
    offset3 at{};
    bool operator==(const read&) const = default;
};

enum class unary_op : std::uint8_t { negate, logical_not };
struct unary {
    unary_op op{};
    node_id a = 0;
    bool operator==(const unary&) const = default;
};

/// i32 arithmetic wraps around; i32 divide and remainder truncate and give 0 for a divisor of 0. Real remainder is
/// fmod. Minimum and maximum of a NaN and a number are the number. Comparisons and logic give boolean; both operands
/// have the same type.
enum class binary_op : std::uint8_t {
    add,
    subtract,
    multiply,
    divide,
    remainder,
    minimum,
    maximum,
    power,
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    not_equal,
    logical_and,
    logical_or,
};
struct binary {
    binary_op op{};
    node_id a = 0;
    node_id b = 0;
    bool operator==(const binary&) const = default;
};

/// Real functions of one real; `absolute` also of i32 (the least i32 stays itself).
enum class function : std::uint8_t {
    absolute,
    square_root,
    exponential,
    logarithm,
    sine,
    cosine,
    tangent,
    arc_tangent,
    hyperbolic_tangent,
    floor,
    ceiling,
    round, ///< round: half away from zero
};
struct call {
    function f{};
    node_id a = 0;
    bool operator==(const call&) const = default;
};
struct select { ///< condition ? a : b
    node_id condition = 0;
    node_id a = 0;
    node_id b = 0;
    bool operator==(const select&) const = default;
};
struct convert { ///< to the node's type; real → i32 truncates and saturates (NaN → 0); boolean → 0 or 1
    node_id a = 0;
    bool operator==(const convert&) const = default;
};

} // namespace ir

struct node {
    std::variant<ir::number, ir::parameter, ir::coordinate, ir::grid_size, ir::step_number, ir::read, ir::unary,
                 ir::binary, ir::call, ir::select, ir::convert>
        op;
    scalar type = scalar::f32;
    bool operator==(const node&) const = default;
};

/// fields[field] at t+1 = nodes[value] at every point; the value's type is the field's compute type.
struct update {
    std::uint32_t field = 0;
    node_id value = 0;
    bool operator==(const update&) const = default;
};

/// Operands come before their users in `nodes`; equal nodes are one node (see stencil_builder).
struct stencil {
    std::string name;
    int dimensions = 3; ///< 1 … 3
    std::array<std::string, 3> axes{"x", "y", "z"};
    std::vector<parameter_declaration> parameters;
    std::vector<field> fields;
    std::vector<node> nodes;
    std::vector<update> updates; ///< one for each field that is not a coefficient
    bool operator==(const stencil&) const = default;
};

/// Appends nodes, each distinct node once. Nodes that the stencil has already count. Operands of types that the
/// operation does not take throw std::logic_error.
class GST_API stencil_builder {
  public:
    explicit stencil_builder(stencil& target) : target_(target) {}
    node_id add(const node& n);

    node_id number(double number, scalar type) { return add({ir::number{number}, type}); }
    node_id read(std::uint32_t field, int level, offset3 at) {
        return add({ir::read{field, level, at}, target_.fields[field].type});
    }
    node_id binary(ir::binary_op op, node_id a, node_id b); ///< the type follows from the operands
    node_id unary(ir::unary_op op, node_id a);
    node_id call(ir::function f, node_id a);
    node_id select(node_id condition, node_id a, node_id b);
    node_id convert(node_id a, scalar to); ///< `a` itself when it has the type already

  private:
    stencil& target_;
    std::unordered_multimap<std::size_t, node_id> index_; ///< hash of a node → its id
    std::size_t indexed_ = 0;                             ///< nodes of the target that are in the index
};

/// A hash of the node: equal nodes have equal hashes.
GST_API std::size_t hash_of(const node& n);

/// The type that the operation gives for operands of type `operand`, or nothing where it does not take them.
GST_API std::optional<scalar> result_type(ir::unary_op op, scalar operand);
GST_API std::optional<scalar> result_type(ir::binary_op op, scalar operand);
GST_API std::optional<scalar> result_type(ir::function f, scalar operand);

/// Sets every field's halo and history to what the reads need.
GST_API void infer_reach(stencil& s);

/// The widest halo of any field per axis: the arrays of all fields share one layout with this halo.
GST_API offset3 reach_of(const stencil& s);

/// Throws std::logic_error when an invariant of the IR is broken (types, operand order, indices, read levels): a bug,
/// never the user's mistake.
GST_API void verify(const stencil& s);

/// The stencil in the DSL; parsing it gives an equal stencil.
GST_API std::string to_dsl(const stencil& s);

/// One line per node, for `gst show --stage stencil`.
GST_API std::string dump(const stencil& s);

/// Calls f(id) for every operand of the node.
template<class F>
void for_each_operand(const node& n, F&& f) {
    if (const auto* u = std::get_if<ir::unary>(&n.op)) {
        f(u->a);
    } else if (const auto* b = std::get_if<ir::binary>(&n.op)) {
        f(b->a);
        f(b->b);
    } else if (const auto* c = std::get_if<ir::call>(&n.op)) {
        f(c->a);
    } else if (const auto* s = std::get_if<ir::select>(&n.op)) {
        f(s->condition);
        f(s->a);
        f(s->b);
    } else if (const auto* k = std::get_if<ir::convert>(&n.op)) {
        f(k->a);
    }
}

/// The nodes that `root` depends on, itself included, in ascending order.
GST_API std::vector<node_id> reachable(const stencil& s, node_id root);

} // namespace gst
