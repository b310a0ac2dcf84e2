#pragma once

#include <cstddef>

/// What a stencil file may ask for; beyond it lies a diagnostic.
namespace gst::dsl::limits {

inline constexpr std::size_t source_bytes = 4 << 20;
inline constexpr std::size_t nesting = 100; ///< brackets and signs inside each other
inline constexpr std::size_t name_length = 64;
inline constexpr std::size_t fields = 64;         ///< per stencil
inline constexpr std::size_t parameters = 64;     ///< per stencil
inline constexpr std::size_t array_values = 4096; ///< of one const, or offsets of one table
inline constexpr std::size_t range_length = 10'000;
inline constexpr std::size_t nodes = 200'000;  ///< of one stencil, expanded
inline constexpr std::size_t work = 4'000'000; ///< expressions visited while expanding one stencil
inline constexpr std::size_t depth = 1000;     ///< expressions and lets inside each other, expanded
inline constexpr int offset = 64;              ///< points away from the centre, along each axis
inline constexpr int history = 8;              ///< time levels before t
inline constexpr std::size_t diagnostics = 20; ///< reported at once

} // namespace gst::dsl::limits
