#pragma once

#include "core/api/backend.hpp"
#include "core/space/value.hpp"

#include <map>
#include <string>

namespace gst::test {

/// The backend plugin of this build with these options.
std::unique_ptr<backend> make_cuda(const std::map<std::string, value>& options = {});

/// The backend plugin with its defaults.
backend& cuda();

/// Whether NVRTC is here. Where it is missing the tests that need it are skipped, and say so; with
/// GST_TEST_NVRTC=required, as in continuous integration, that is a failure.
bool has_nvrtc();

/// An H100 or H200 that need not be here.
const device_info& hopper();

} // namespace gst::test
