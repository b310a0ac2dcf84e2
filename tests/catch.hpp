#pragma once

// Catch2 v2 (Debian 12) and v3 (Debian 13, Ubuntu 24.04) alike.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
namespace Catch::Matchers {
/// Its name in v3.
inline auto ContainsSubstring(const std::string& text) {
    return Contains(text);
}
} // namespace Catch::Matchers
#endif
