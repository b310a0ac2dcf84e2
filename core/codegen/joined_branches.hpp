#pragma once

#include "core/codegen/loop_nest.hpp"

namespace gst {

/// The statements with one branch for each store: a branch in which there are only indices and branches of stores
/// becomes these, under both conditions, and the indices are declared before them. A compiler may make predicates of
/// one branch where it keeps two, around which it moves neither loads nor barriers.
nest::block joined_branches(const nest::block& b);

} // namespace gst
