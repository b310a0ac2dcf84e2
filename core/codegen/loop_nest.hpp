#pragma once

#include "core/codegen/tensor_shape.hpp"
#include "core/stencil/stencil.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// The loop nest: an imperative kernel, before it is spelled in a dialect. Schedules make it, emit.cpp prints it.
namespace gst::nest {

/// What a variable or an expression holds. `index` is a signed integer wide enough for every element of an array.
enum class type : std::uint8_t { boolean, i32, f16, f32, f64, index, u32 };
type type_of(scalar s);
/// The type that an element of this stored type has in a register: f32 for f16, which needs no half arithmetic.
type register_type(scalar stored);
/// Its bytes, in local memory as well.
std::uint64_t register_size(scalar stored);

struct expression;
using value = std::shared_ptr<const expression>;

struct integer { ///< of the expression's type: index, i32 or u32
    std::int64_t number = 0;
};
struct real {
    double number = 0;
};
struct variable {
    std::string name;
};
struct unary {
    ir::unary_op op{};
    value a;
};
/// i32 operations have the IR's semantics (wrap around, safe division); those of type index are plain.
struct binary {
    ir::binary_op op{};
    value a, b;
};
struct call {
    ir::function f{};
    value a;
};
struct reciprocal_root { ///< 1 / sqrt(a), within 2 units in the last place
    value a;
    bool is_normal = false; ///< a is an f64 that is at least the least normal number, or a NaN
};
struct select {
    value condition, a, b;
};
/// a, of type index, which compilers take for another value each time, so that what follows from it in a loop is not
/// computed before and kept in registers; in OpenCL a itself.
struct renewed {
    value a;
};
struct convert {
    value a;
};
struct load { ///< array[at]; f16 arrays load as f32
    std::string array;
    value at;
    scalar stored = scalar::f32;
    bool local = false;
};
struct image_load { ///< texel (at mod width, at / width); the width is a power of two
    std::string image;
    value at;
    scalar stored = scalar::f32;
    std::uint64_t width = 1;
};
struct lane { ///< element of a vector variable
    std::string vector;
    int width = 1;
    int index = 0;
};
/// `one` is 1, which a compiler that makes branches of short loops does not know.
enum class id : std::uint8_t { local, group, global, one };
struct compose { ///< a vector of these scalars, mostly lanes of two neighbouring loads
    std::vector<value> lanes;
};
struct shuffle { ///< what `a` is in the work-item that is `by` later in the sub-group, whose rows run along x
    value a;
    int by = 0;
};
struct work_item { ///< of type index
    id which{};
    int axis = 0;
};
enum class atomic_op : std::uint8_t { add, minimum, maximum };

struct expression {
    std::variant<integer, real, variable, unary, binary, call, reciprocal_root, select, renewed, convert, load,
                 image_load, lane, compose, shuffle, work_item>
        op;
    type of = type::index;
    int width = 1; ///< lanes; a scalar operand of a vector operation stands for all of its lanes
};

struct statement;
using block = std::vector<statement>;

struct declare { ///< const <type> name = init;
    type of{};
    std::string name;
    value init;
    bool varies = false; ///< not const: `assign` gives it other values
};
struct assign { ///< name = what;
    std::string name;
    value what;
};
struct declare_vector { ///< a load of `width` elements from array[at …]
    scalar stored = scalar::f32;
    int width = 1;
    std::string name;
    std::string array;
    value at;
    bool aligned = true; ///< `at` is known to be a multiple of `width`
    bool local = false;
};
struct store {
    std::string array;
    value at;
    value what;
    scalar stored = scalar::f32;
    bool local = false;
};
struct vector_store { ///< array[at … at + width - 1] = one vector, or `width` scalars
    std::string array;
    value at;
    std::vector<value> values;
    int width = 1;
    scalar stored = scalar::f32;
    bool aligned = true;
    bool streaming = false; ///< past the caches: the values are not read again soon
    bool local = false;
};
struct loop { ///< for (name = begin; name < end; name += step)
    std::string name;
    value begin, end, step;
    block body;
    bool seldom = false; ///< of so few points that compilers should not spend time on it
    int unrolled = 1;    ///< iterations that compilers should make straight code
};
struct branch {
    value condition;
    block yes, no;
};
struct barrier {}; ///< of the work-group, ordering local memory
/// A barrier in two halves: what a work-item wrote to local memory before it arrived, all that have awaited the
/// arrivals see. In between nobody writes to local memory or reads what others wrote. Where the language has no
/// halves the second one is a whole barrier.
struct prepare_arrivals { ///< once, in the outermost block, before the first arrival
    std::string counter;  ///< a local array of two i32
    std::uint64_t work_items = 1;
};
struct arrive {
    std::string counter, token; ///< the token is what the same work-item awaits the arrivals with; "" with a phase
};
struct await_arrivals {
    std::string counter, token;
    value phase{}; ///< instead of a token 0 where arrivals are awaited for the first time, 1 the next time, then 0 …
};
/// A barrier with a number at which a part of the work-group awaits the others, who arrive there and go on: what these
/// wrote before they see (PTX ISA, "bar"). Where the language has none it is a barrier of the whole work-group, if all
/// of which pass the statement that awaits, and nothing otherwise.
struct arrive_at {
    int barrier = 1;
    std::uint64_t work_items = 1; ///< of both parts
};
struct await_at {
    value barrier;
    std::uint64_t work_items = 1; ///< the same
    bool all_pass = true;
};
/// What two parts of a work-group do, the first one's work-items being those for which `first` holds, which does not
/// change here. Where the language has barriers at which one part may await the other from another place, each has code
/// of its own, in which a branch on `first`, the same expression, goes one way only, and registers for that alone; it
/// passes barriers of the whole work-group at its place. Of the boxes below the first part begins all copies then; they
/// are prepared elsewhere, and no parts stand in a part.
struct in_parts {
    value first;
    block body;
};
/// Ends the work-items for which the condition holds, where the language counts arrivals at barriers by sub-groups that
/// have not ended as a whole (PTX ISA, "barrier"), and does nothing elsewhere: nobody sees what they do, and others of
/// their sub-group go on.
struct end_idle {
    value condition;
};
/// local[to …] = array[at …], `width` elements of one type, at the latest when it is awaited; only the work-item that
/// copies sees them then. Where the language has no such copies they are done at once.
struct async_copy {
    scalar stored = scalar::f32; ///< not f16
    int width = 1;
    std::string array;
    value at;
    std::string local;
    value to;
    bool aligned = true; ///< both places are known to be multiples of `width`
};
struct commit_copies {}; ///< the copies since the last one are one batch
struct await_copies {    ///< until at most so many of the latest batches are not done
    int pending = 0;
};
/// Copies of boxes that arrive by themselves: what the first work-item has begun to copy, all that have awaited it see.
/// Every work-item passes these statements. Where the language has no such copies all work-items copy at once, each its
/// share, and a barrier lies between copying and reading anyway.
struct prepare_boxes {    ///< where all work-items pass, before the first copy
    std::string counters; ///< a local array of two i32 for each
    int number = 1;       ///< of counters
    int boxes = 1;        ///< that each counts until they are awaited
    bool again = false;   ///< behind a barrier, to which all have awaited all copies: the counters begin anew
};
struct copy_box { ///< local[to …] = a box of the tensor
    tensor_shape shape;
    std::string tensor;
    std::array<value, 3> at; ///< where the box begins, in elements of the tensor
    std::string local;
    value to;
    std::string counters;
    value counter;
    int counted = 1; ///< boxes that the counter awaits from here on, this one first; 0: an earlier one has said so
};
struct await_boxes {
    std::string counters;
    value counter;
    value phase; ///< 0 where a counter is awaited for the first time, 1 the next time, then 0 …
};
struct cache_prefetch { ///< fetches the line of array[at] into the caches; the element need not exist
    std::string array;
    value at;
};
struct comment {
    std::string text;
};
struct local_array {
    scalar stored = scalar::f32; ///< f16 is held as f32
    std::string name;
    std::int64_t elements = 0;
    std::uint64_t alignment = 16; ///< bytes
};
struct constant_table { ///< in constant memory, one per module: a kernel loads from it as from an array
    scalar stored = scalar::f32;
    std::string name;
    std::vector<double> elements;
};
struct atomic { ///< array[at] = op(array[at], what), u32, atomically
    atomic_op op{};
    std::string array;
    value at;
    value what;
};
struct statement {
    std::variant<declare, assign, declare_vector, store, vector_store, loop, branch, barrier, comment, atomic,
                 async_copy, commit_copies, await_copies, cache_prefetch, prepare_arrivals, arrive, await_arrivals,
                 arrive_at, await_at, in_parts, end_idle, prepare_boxes, copy_box, await_boxes>
        what;
};

/// A kernel parameter: a global array, an image or a tensor over one, or a scalar.
struct formal {
    enum class kind : std::uint8_t { input, output, in_out, image, scalar, counters, tensor } what{};
    std::string name;
    scalar type = gst::scalar::f32; ///< of `counters` u32
};

struct kernel {
    std::string name;
    std::string about; ///< a comment above it
    std::array<std::uint64_t, 3> work_group{1, 1, 1};
    std::uint64_t work_items() const { return work_group[0] * work_group[1] * work_group[2]; } ///< of a work-group
    unsigned groups_at_once = 0; ///< work-groups that a multiprocessor should have registers for; 0: nobody says
    std::vector<formal> formals;
    std::vector<local_array> locals;
    std::vector<constant_table> constants;
    block body;
};

/// Whether an f64 has no lower half: instructions hold the upper one.
bool is_short(double n);
/// The load of a number of type f32 or f64 from the kernel's table of such, where it becomes an element; a literal
/// where the table has `most` others already (0: it has room for all), and of a short f64.
value constant_element(kernel& k, double number, type of, int most);

/// The same as loops in which each work-item of the work-group copies its share.
block copied_by_all(const copy_box& c, const std::array<std::uint64_t, 3>& work_group);

/// Where each local array begins were they one block, in bytes, and behind them the size of the block.
std::vector<std::uint64_t> local_places(const kernel& k);

// Builders that fold constants, so that the kernels stay readable.
value number(std::int64_t n, type of = type::index);
value real_number(double n, type of);
value var(std::string name, type of = type::index);
template<class Op>
value make(Op op, type of, int width = 1) {
    return std::make_shared<const expression>(std::move(op), of, width);
}
value binary_value(ir::binary_op op, value a, value b); ///< operands of one type
value operator+(const value& a, const value& b);
value operator-(const value& a, const value& b);
value operator*(const value& a, const value& b);
value plus(const value& a, std::int64_t n);
value least(const value& a, const value& b);
value less(const value& a, const value& b);
value less_equal(const value& a, const value& b);
value both(const value& a, const value& b);   ///< logical and; null counts as true
value either(const value& a, const value& b); ///< logical or; null counts as false
value opposite(const value& condition);
/// Declares a constant and stands for it; a literal stands for itself.
value named(block& out, const std::string& name, const value& init);
block* enter(block& out, loop l);                 ///< the body of a loop at the end of `out`
block* enter(block& out, const value& condition); ///< what is done where it holds; null: `out` itself
/// The number, when the value is an integer literal.
std::optional<std::int64_t> literal(const value& v);

} // namespace gst::nest
