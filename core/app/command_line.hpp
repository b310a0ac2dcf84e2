#pragma once

namespace gst {

/// Runs the command that the arguments name: 0 done, 1 nothing valid was found, 2 the user's mistake, 3 the machine's.
int run_command_line(int argc, const char* const* argv);

} // namespace gst
