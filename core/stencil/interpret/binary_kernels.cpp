#include "core/stencil/interpret/loops.hpp"

#include <stdexcept>
#include <type_traits>

namespace gst {
namespace {

using ir::binary_op;

template<binary_op op, class Type, bool uniform_a, bool uniform_b>
void arithmetic_loop(std::byte* out, const std::byte* a, const std::byte* b, const std::byte*, std::size_t n) {
    using value = typename Type::value;
    zip<uniform_a, uniform_b, value, value>(out, a, b, n,
                                            [](value x, value y) { return Type::from(arithmetic::apply<op>(x, y)); });
}

template<binary_op op, class Type, bool uniform_a, bool uniform_b>
void comparison_loop(std::byte* out, const std::byte* a, const std::byte* b, const std::byte*, std::size_t n) {
    using value = typename Type::value;
    zip<uniform_a, uniform_b, std::int32_t, value>(out, a, b, n,
                                                   [](value x, value y) { return arithmetic::compare<op>(x, y); });
}

template<binary_op op, class Type, bool uniform_a, bool uniform_b>
constexpr kernel loop_for() {
    constexpr bool real = !std::is_same_v<typename Type::value, std::int32_t>;
    if constexpr (op >= binary_op::less && op <= binary_op::not_equal) {
        return comparison_loop<op, Type, uniform_a, uniform_b>;
    } else if constexpr (op >= binary_op::logical_and ? !real : op != binary_op::power || real) {
        return arithmetic_loop<op, Type, uniform_a, uniform_b>;
    } else {
        return nullptr;
    }
}

template<binary_op op, class Type>
kernel pick(bool uniform_a, bool uniform_b) {
    if (uniform_a) {
        return uniform_b ? loop_for<op, Type, true, true>() : loop_for<op, Type, true, false>();
    }
    return uniform_b ? loop_for<op, Type, false, true>() : loop_for<op, Type, false, false>();
}

template<class Type>
kernel pick(binary_op op, bool uniform_a, bool uniform_b) {
    switch (op) {
    case binary_op::add:
        return pick<binary_op::add, Type>(uniform_a, uniform_b);
    case binary_op::subtract:
        return pick<binary_op::subtract, Type>(uniform_a, uniform_b);
    case binary_op::multiply:
        return pick<binary_op::multiply, Type>(uniform_a, uniform_b);
    case binary_op::divide:
        return pick<binary_op::divide, Type>(uniform_a, uniform_b);
    case binary_op::remainder:
        return pick<binary_op::remainder, Type>(uniform_a, uniform_b);
    case binary_op::minimum:
        return pick<binary_op::minimum, Type>(uniform_a, uniform_b);
    case binary_op::maximum:
        return pick<binary_op::maximum, Type>(uniform_a, uniform_b);
    case binary_op::power:
        return pick<binary_op::power, Type>(uniform_a, uniform_b);
    case binary_op::less:
        return pick<binary_op::less, Type>(uniform_a, uniform_b);
    case binary_op::less_equal:
        return pick<binary_op::less_equal, Type>(uniform_a, uniform_b);
    case binary_op::greater:
        return pick<binary_op::greater, Type>(uniform_a, uniform_b);
    case binary_op::greater_equal:
        return pick<binary_op::greater_equal, Type>(uniform_a, uniform_b);
    case binary_op::equal:
        return pick<binary_op::equal, Type>(uniform_a, uniform_b);
    case binary_op::not_equal:
        return pick<binary_op::not_equal, Type>(uniform_a, uniform_b);
    case binary_op::logical_and:
        return pick<binary_op::logical_and, Type>(uniform_a, uniform_b);
    case binary_op::logical_or:
        return pick<binary_op::logical_or, Type>(uniform_a, uniform_b);
    }
    return nullptr;
}

} // namespace

kernel binary_kernel(ir::binary_op op, scalar operand, bool uniform_a, bool uniform_b) {
    kernel found = for_type(operand, [&](auto type) { return pick<decltype(type)>(op, uniform_a, uniform_b); });
    if (found == nullptr) {
        throw std::logic_error("a binary operation on a type that it does not take");
    }
    return found;
}

} // namespace gst
