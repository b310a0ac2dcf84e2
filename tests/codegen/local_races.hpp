#pragma once

#include "core/codegen/loop_nest.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <string>

namespace gst::testing {

/// Walks a kernel as the work-items of one work-group do and compares what they do in local memory, whole barriers and
/// those with a number told apart (Oclgrind and PoCL know whole ones only): in words the first two accesses to an
/// element of which one is a write and that nothing orders, an arrival that may come before the last one at the same
/// barrier was awaited, an await that nobody lets go on, or arrivals that nobody awaits; "" when there is none. A box
/// is written from where its copy is begun. `place`: where an element of a local array lies.
std::string local_race(
    const nest::kernel& k, const std::array<std::int64_t, 3>& group,
    const std::function<std::int64_t(const std::string&, std::int64_t)>& place = [](const std::string&,
                                                                                    std::int64_t at) { return at; });

} // namespace gst::testing
