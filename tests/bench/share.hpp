#pragma once

#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace gst {

constexpr const char* about_share = "i/n: every n-th case from the i-th on, counted from 0, for several devices or "
                                    "several processes on one";

/// Whether the i-th case is in such a share. Throws std::invalid_argument where there is no such share.
inline bool is_mine(const std::string& share, std::size_t i) {
    unsigned long mine = 0, of = 0;
    char rest = 0;
    if (std::sscanf(share.c_str(), "%lu/%lu%c", &mine, &of, &rest) != 2 || mine >= of) {
        throw std::invalid_argument("--share: '" + share + "' is no share; 0/2 and 1/2 are the two halves");
    }
    return i % of == mine;
}

} // namespace gst
