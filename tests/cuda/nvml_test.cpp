#include "backends/cuda/nvml.hpp"
#include "tests/catch.hpp"

TEST_CASE("without NVIDIA's management library, or of a device that is not there, no state is told") {
    CHECK(gst::cuda::nvml("GPU-00000000-0000-0000-0000-000000000000").state().empty());
}
