#pragma once

#include <map>
#include <string>

namespace gst {

/// What NVIDIA's assembler, ptxas, says of a module's kernels under --verbose (in OpenCL: -cl-nv-verbose): the most
/// registers, spill_bytes, private_bytes (the stack), local_bytes (static shared memory) and constant_bytes of any.
std::map<std::string, double> metrics_of_log(const std::string& log);

/// The log without those lines, and without blanks around it: the warnings.
std::string warnings_of_log(const std::string& log);

} // namespace gst
