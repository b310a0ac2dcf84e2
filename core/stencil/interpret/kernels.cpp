#include "core/stencil/interpret/kernels.hpp"

#include "core/stencil/interpret/loops.hpp"

#include <stdexcept>
#include <type_traits>

namespace gst {
namespace {

template<class Type>
void negate_loop(std::byte* out, const std::byte* a, const std::byte*, const std::byte*, std::size_t n) {
    using value = typename Type::value;
    map<value, value>(out, a, n, [](value x) {
        if constexpr (std::is_same_v<value, std::int32_t>) {
            return arithmetic::wrapped(0U - static_cast<std::uint32_t>(x));
        } else {
            return -x;
        }
    });
}

void not_loop(std::byte* out, const std::byte* a, const std::byte*, const std::byte*, std::size_t n) {
    map<std::int32_t, std::int32_t>(out, a, n, [](std::int32_t x) { return x ^ 1; });
}

void absolute_i32_loop(std::byte* out, const std::byte* a, const std::byte*, const std::byte*, std::size_t n) {
    map<std::int32_t, std::int32_t>(out, a, n, [](std::int32_t x) { return arithmetic::absolute(x); });
}

template<ir::function f, class Type>
void call_loop(std::byte* out, const std::byte* a, const std::byte*, const std::byte*, std::size_t n) {
    using value = typename Type::value;
    map<value, value>(out, a, n, [](value x) { return Type::from(arithmetic::apply<f>(x)); });
}

template<class Type>
kernel call_of(ir::function f) {
    switch (f) {
    case ir::function::absolute:
        return call_loop<ir::function::absolute, Type>;
    case ir::function::square_root:
        return call_loop<ir::function::square_root, Type>;
    case ir::function::exponential:
        return call_loop<ir::function::exponential, Type>;
    case ir::function::logarithm:
        return call_loop<ir::function::logarithm, Type>;
    case ir::function::sine:
        return call_loop<ir::function::sine, Type>;
    case ir::function::cosine:
        return call_loop<ir::function::cosine, Type>;
    case ir::function::tangent:
        return call_loop<ir::function::tangent, Type>;
    case ir::function::arc_tangent:
        return call_loop<ir::function::arc_tangent, Type>;
    case ir::function::hyperbolic_tangent:
        return call_loop<ir::function::hyperbolic_tangent, Type>;
    case ir::function::floor:
        return call_loop<ir::function::floor, Type>;
    case ir::function::ceiling:
        return call_loop<ir::function::ceiling, Type>;
    case ir::function::round:
        return call_loop<ir::function::round, Type>;
    }
    return nullptr;
}

template<class Value, bool uniform_condition, bool uniform_a, bool uniform_b>
void select_loop(std::byte* out, const std::byte* c, const std::byte* a, const std::byte* b, std::size_t n) {
    auto* to = reinterpret_cast<Value*>(out);
    const auto* condition = reinterpret_cast<const std::int32_t*>(c);
    const auto* left = reinterpret_cast<const Value*>(a);
    const auto* right = reinterpret_cast<const Value*>(b);
    const std::int32_t chosen = *condition;
    const Value left_value = *left;
    const Value right_value = *right;
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) {
        Value x = uniform_a ? left_value : left[i];
        Value y = uniform_b ? right_value : right[i];
        to[i] = (uniform_condition ? chosen : condition[i]) != 0 ? x : y;
    }
}

template<class Value, bool uniform_condition>
kernel select_of(bool uniform_a, bool uniform_b) {
    if (uniform_a) {
        return uniform_b ? select_loop<Value, uniform_condition, true, true>
                         : select_loop<Value, uniform_condition, true, false>;
    }
    return uniform_b ? select_loop<Value, uniform_condition, false, true>
                     : select_loop<Value, uniform_condition, false, false>;
}

template<class Value>
kernel select_of(bool uniform_condition, bool uniform_a, bool uniform_b) {
    return uniform_condition ? select_of<Value, true>(uniform_a, uniform_b)
                             : select_of<Value, false>(uniform_a, uniform_b);
}

template<class From, class To>
void convert_loop(std::byte* out, const std::byte* a, const std::byte*, const std::byte*, std::size_t n) {
    map<typename To::value, typename From::value>(out, a, n, [](typename From::value x) { return To::from(x); });
}

void count_loop(std::byte* out, const std::byte* a, const std::byte*, const std::byte*, std::size_t n) {
    auto* to = reinterpret_cast<std::int32_t*>(out);
    const std::int32_t first = *reinterpret_cast<const std::int32_t*>(a);
    for (std::size_t i = 0; i < n; ++i) {
        to[i] = first + static_cast<std::int32_t>(i);
    }
}

template<class Type>
void load_loop(std::byte* out, const std::byte* a, const std::byte*, const std::byte*, std::size_t n) {
    using value = typename Type::value;
    map<value, double>(out, a, n, [](double x) { return static_cast<value>(x); });
}

template<class Type, class Stored, bool uniform>
void store_loop(std::byte* out, const std::byte* a, const std::byte*, const std::byte*, std::size_t n) {
    auto* to = reinterpret_cast<double*>(out);
    const auto* from = reinterpret_cast<const typename Type::value*>(a);
    const typename Type::value first = *from;
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) {
        to[i] = static_cast<double>(Stored::from(uniform ? first : from[i]));
    }
}

kernel found(kernel k) {
    if (k == nullptr) {
        throw std::logic_error("an operation on a type that it does not take");
    }
    return k;
}

} // namespace

std::size_t register_width(scalar s) {
    return s == scalar::f64 ? 8 : 4;
}

kernel unary_kernel(ir::unary_op op, scalar type) {
    if (op == ir::unary_op::logical_not) {
        return not_loop;
    }
    return found(for_type(type, [](auto t) -> kernel { return negate_loop<decltype(t)>; }));
}

kernel call_kernel(ir::function f, scalar type) {
    if (type == scalar::i32) {
        return found(f == ir::function::absolute ? absolute_i32_loop : nullptr);
    }
    return found(for_type(type, [f](auto t) -> kernel {
        if constexpr (std::is_same_v<typename decltype(t)::value, std::int32_t>) {
            return nullptr;
        } else {
            return call_of<decltype(t)>(f);
        }
    }));
}

kernel select_kernel(scalar type, bool uniform_condition, bool uniform_a, bool uniform_b) {
    return found(for_type(type, [=](auto t) -> kernel {
        return select_of<typename decltype(t)::value>(uniform_condition, uniform_a, uniform_b);
    }));
}

kernel convert_kernel(scalar from, scalar to) {
    return found(for_type(from, [to](auto f) {
        return for_type(to, [](auto t) -> kernel {
            if constexpr (std::is_same_v<decltype(t), arithmetic::of_boolean>) {
                return nullptr;
            } else {
                return convert_loop<decltype(f), decltype(t)>;
            }
        });
    }));
}

kernel count_kernel() {
    return count_loop;
}

kernel load_kernel(scalar to) {
    return found(for_type(to, [](auto t) -> kernel { return load_loop<decltype(t)>; }));
}

kernel store_kernel(scalar from, scalar stored, bool uniform) {
    return found(for_type(from, [=](auto f) {
        return for_type(stored, [=](auto t) -> kernel {
            if constexpr (std::is_same_v<decltype(t), arithmetic::of_boolean>) {
                return nullptr;
            } else {
                return uniform ? store_loop<decltype(f), decltype(t), true>
                               : store_loop<decltype(f), decltype(t), false>;
            }
        });
    }));
}

} // namespace gst
