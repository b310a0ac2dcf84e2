#pragma once

#include <cstdint>
#include <functional>

namespace gst {

/// Calls work(begin, end) for disjoint parts that cover 0 … count-1, on all cores. The first exception of a part is
/// thrown again here.
void in_parallel(std::int64_t count, const std::function<void(std::int64_t begin, std::int64_t end)>& work);

} // namespace gst
