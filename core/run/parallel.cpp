#include "core/run/parallel.hpp"

#include "core/base/processors.hpp"

#include <algorithm>
#include <exception>
#include <thread>
#include <vector>

namespace gst {

void in_parallel(std::int64_t count, const std::function<void(std::int64_t, std::int64_t)>& work) {
    const std::int64_t parts = std::clamp<std::int64_t>(processors(), 1, std::max<std::int64_t>(count, 1));
    std::vector<std::exception_ptr> failures(static_cast<std::size_t>(parts));
    {
        std::vector<std::jthread> threads;
        for (std::int64_t part = 0; part < parts; ++part) {
            threads.emplace_back([&, part] {
                try {
                    work(count * part / parts, count * (part + 1) / parts);
                } catch (...) {
                    failures[static_cast<std::size_t>(part)] = std::current_exception();
                }
            });
        }
    }
    for (const std::exception_ptr& failure : failures) {
        if (failure) {
            std::rethrow_exception(failure);
        }
    }
}

} // namespace gst
