#pragma once

#include "tests/codegen/device_case.hpp"

#include <string>

namespace gst::testing {

/// A stencil that streams along an axis in two blocks of planes, with small tiles, points of neighbours in local memory
/// and vectors of four points where rows of the tile lie along x.
program_case streaming_case(const std::string& text, extent3 size, int axis);

/// Two time steps along z or y whose tiles hold the halo of the first one; n: which of the variants.
program_case blocks_with_halo(const device_info& on, const std::string& kind, extent3 size, int along, int n);

/// One of them whose passes end between the halves of a barrier.
program_case halves_with_halo(const device_info& on, const std::string& kind, extent3 size, int along, int n);

/// Any such, of GST_TEST_SEED.
program_case random_halves(const device_info& on, std::uint64_t number);

/// Two time steps with tiles of their own along z or y; n: which of the variants.
program_case stage_tiles_case(int along, int n);

/// One of them whose partial sums are completed with earlier time levels or coefficients.
program_case completed_case(int along, int n);

/// One of either with other faces, clamped, mirrored or periodic ones across the streaming axis; n: which.
program_case with_other_faces(program_case c, int n);

/// Any such, of GST_TEST_SEED.
program_case random_stage_tiles(std::uint64_t number);

} // namespace gst::testing
