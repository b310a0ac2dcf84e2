#pragma once

#include "core/codegen/loop_nest.hpp"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

/// Values that streaming kernels are made of, and planes of them.
namespace gst::streaming {

using namespace nest;
using nest::value; // not the value of an expression over parameters

/// The values of a work-item's points in one plane, x fastest.
using plane = std::vector<value>;

value zero(type of);
value greatest(const value& a, const value& b);
value at_least(const value& a, std::int64_t n);                       ///< a >= n
value below(const value& a, std::int64_t n);                          ///< a < n
value clamped(const value& a, std::int64_t low, std::int64_t high);   ///< from low to high
value chosen(const value& condition, const value& a, const value& b); ///< a where it holds, else b
value modulo(const value& a, std::int64_t n);                         ///< with the sign of a
value wrapped(const value& a, std::int64_t n);                        ///< the same, from 0 to n - 1
value quotient(const value& a, std::int64_t n);                       ///< towards 0
/// a, as nest::renewed: else compilers compute what follows from it before a loop, and keep it in registers that are
/// not there.
value unknown(const value& a);

/// A result in the register type of the stored type: the compute type may be wider or narrower.
value stored_value(const value& v, scalar stored);
/// Of names: "m2" for -2, "2" for 2.
std::string signed_word(std::int64_t n);

/// Neighbours in memory: a vector, or with width 1 a number.
struct memory_piece {
    std::string array;
    scalar stored;
    int width = 1;
    bool aligned = true;
    bool local = false;
};
/// Appends the values of the piece that begins at an element; a vector gets the name `words`.
void load_piece(plane& to, const memory_piece& from, const value& at, const std::string& words, block& out);

/// Constants: the values no longer depend on variables that are assigned to.
plane named_plane(block& out, const std::string& words, const plane& values);
/// Assigns to the variables of a plane; nothing where they hold the value already.
void set(block& out, const plane& to, const plane& from);
/// Variable i never takes what variable i - 1 held, so that ascending order needs no copies; nor do variables of a time
/// step what those of a later one held, so that later steps come first.
void carry(block& out, const std::deque<plane>& to, const std::deque<plane>& from);

} // namespace gst::streaming
