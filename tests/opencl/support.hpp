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

std::unique_ptr<executable> load(const std::string& text);

/// Runs one test case of this program in a process of its own, with the environment changed: what it wrote to the
/// standard output.
std::string run_apart(const std::string& test_case, const std::map<std::string, std::string>& environment);

} // namespace gst::test
