#pragma once

#include "tests/device_data.hpp"

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gst::test {

/// The backend plugin of this build, opened as users do.
backend& opencl();

/// PoCL's first device. The tests' numbers are of it.
const device_info& pocl();

/// Whether PoCL tells how much local memory a kernel takes. PoCL 5 and 6 say 0 of every kernel (its issue 1629) and end
/// the process that launches one with too much; gst knows what it generates and compiles no such program.
bool tells_local_memory();

std::unique_ptr<executable> load(const std::string& text);

/// Runs one test case of this program in a process of its own, with the environment changed: what it wrote to the
/// standard output.
std::string run_apart(const std::string& test_case, const std::map<std::string, std::string>& environment);

} // namespace gst::test
