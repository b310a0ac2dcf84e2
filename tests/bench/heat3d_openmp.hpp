#pragma once

#include <cstdint>

/// The step of examples/heat3d as one writes it by hand: n³ points inside a halo of one, x contiguous, arrays of (n+2)³
/// floats.
void heat3d_openmp(const float* __restrict u, float* __restrict next, std::int64_t n, float alpha);
/// Writes n floats with all threads, so that their memory lies near these.
void fill_openmp(float* to, std::int64_t n, float value);
