#pragma once

#include "core/codegen/generate.hpp"

#include <string>
#include <vector>

namespace gst {

/// A program with one fault of the kind that code generators have: a dropped barrier, a shifted offset, a skipped plane
/// …
struct mutant {
    std::string what; ///< "heat_u: load of u_t shifted by 1"
    lowered_program program;
    bool of_launches = false; ///< all kernels are the right ones: nothing new to compile
};

/// Every mutant of a program: each site where a kind of fault applies, once per kind.
std::vector<mutant> mutants_of(const lowered_program& p);

/// The blocks of a statement: a loop's body, a branch's ways, what parts of a work-group do.
std::vector<nest::block*> inner_blocks(nest::statement& s);

/// Removes the last barrier of the block and of each block of a loop in it; how many.
int drop_last_barriers(nest::block& b);

/// Makes whole barriers of arrivals, and none of what awaits them; how many. Oclgrind has no barriers in halves, but
/// sees with a whole one in the place of either half what the other half alone would not keep apart.
int wait_at_arrivals(nest::block& b);

/// Lets the second of two stage groups with barriers of their own run a pass behind the first one, as far as these
/// barriers let it, with whole barriers; how many loops of passes.
int run_a_pass_behind(nest::block& b);

} // namespace gst
