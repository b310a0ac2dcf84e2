#pragma once

#include "core/codegen/loop_nest.hpp"

#include <cstdint>
#include <set>
#include <string>

namespace gst {

/// A row of an array, as points that are computed together read it.
struct row_of_points {
    std::string name;  ///< of the vectors that are read from it, up to the place
    std::string array; ///< the array in memory
    nest::value base;  ///< with `shift`: where the element of the first point lies
    std::int64_t shift = 0;
    scalar stored = scalar::f32;
    bool aligned = true; ///< vectors that begin a multiple of their width from there are aligned
    bool local = false;
};

/// Elements of rows, read as vectors by `width` neighbouring points that are one straight piece of code.
class vector_reads {
  public:
    vector_reads(int width, nest::block& out) : width_(width), out_(out) {}

    /// The element `at` from the first point, needed by point `point`: a lane of an aligned vector, where they are –
    /// an unaligned read is composed of two (Garvey §4.5) –, else of an unaligned one, which touches nothing beyond
    /// what the points need.
    nest::value element(const row_of_points& row, int at, int point);
    /// What each of the points needs that lies `at` from it, as one vector: one load or the composition of two.
    nest::value all(const row_of_points& row, int at);

  private:
    int width_;
    nest::block& out_;
    std::set<std::string> read_;
};

} // namespace gst
