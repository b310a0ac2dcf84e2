#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace gst {

/// What the head of a .npy file says (NumPy Enhancement Proposal 1).
struct npy_header {
    char kind = 'f';      ///< 'f', 'i', 'u' or 'b'
    int bytes = 4;        ///< of an element
    bool swapped = false; ///< elements are of the other byte order than this machine's
    bool fortran = false; ///< the first axis is contiguous
    std::vector<std::int64_t> shape;
};

/// Reads the head; `in` is then at the first element. Throws user_error that names `file`.
npy_header read_npy_header(std::istream& in, const std::string& file);

/// The head for C order in this machine's byte order, padded to a multiple of 64 bytes.
std::string npy_header_text(char kind, int bytes, const std::vector<std::int64_t>& shape);

} // namespace gst
