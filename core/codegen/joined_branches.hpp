#pragma once

#include "core/codegen/loop_nest.hpp"

namespace gst {

/// The statements without branches of branches of stores: one in which there are only indices and branches of stores
/// becomes these, under both conditions, and the indices are declared before them (where the array ends within a plane
/// of 2^31 elements one of them may overflow, which nothing uses then). A compiler may make predicates of one branch
/// where it keeps two, around which it moves neither loads nor barriers.
nest::block joined_branches(const nest::block& b);

} // namespace gst
