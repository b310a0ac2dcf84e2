#pragma once

#include "core/base/visibility.hpp"

#include <string>
#include <sys/types.h>
#include <vector>

namespace gst {

/// A descriptor that a new process gets as `theirs`, below 10: `ours`, or /dev/null to read where that is negative.
struct passed_descriptor {
    int ours = -1;
    int theirs = 0;
};

/// Starts a program – a file, or a name that is looked for in PATH – with these descriptors and no others, signals as
/// they are by default, in the process group `group`; 0: its own. Returns 0 or the number of the error; then there is
/// no process.
GST_API int spawn(pid_t& id, const std::string& program, const std::vector<std::string>& arguments,
                  const std::vector<passed_descriptor>& descriptors, pid_t group = 0);

} // namespace gst
