#pragma once

#include "core/stencil/interpret/arithmetic.hpp"
#include "core/stencil/interpret/kernels.hpp"

/// The loops that the kernels are made of.
namespace gst {

// An instruction may write over its own operand, element by element, so there is no dependence between iterations.
template<class Out, class A, class F>
void map(std::byte* out, const std::byte* a, std::size_t n, F f) {
    auto* to = reinterpret_cast<Out*>(out);
    const auto* from = reinterpret_cast<const A*>(a);
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) {
        to[i] = f(from[i]);
    }
}

template<bool uniform_a, bool uniform_b, class Out, class In, class F>
void zip(std::byte* out, const std::byte* a, const std::byte* b, std::size_t n, F f) {
    auto* to = reinterpret_cast<Out*>(out);
    const auto* left = reinterpret_cast<const In*>(a);
    const auto* right = reinterpret_cast<const In*>(b);
    const In left_value = *left;
    const In right_value = *right;
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) {
        to[i] = f(uniform_a ? left_value : left[i], uniform_b ? right_value : right[i]);
    }
}

/// Calls f with the struct of gst::arithmetic that describes the type.
template<class F>
kernel for_type(scalar s, F f) {
    switch (s) {
    case scalar::boolean:
        return f(arithmetic::of_boolean{});
    case scalar::i32:
        return f(arithmetic::of_i32{});
    case scalar::f16:
        return f(arithmetic::of_f16{});
    case scalar::f32:
        return f(arithmetic::of_f32{});
    case scalar::f64:
        return f(arithmetic::of_f64{});
    }
    return nullptr;
}

} // namespace gst
