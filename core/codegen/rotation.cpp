#include "core/codegen/rotation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace gst {

rotation::rotation(int kept, int buffers) : kept_(kept), held_(kept), order_(static_cast<std::size_t>(buffers)) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
}

int rotation::written_by(int steps) const {
    return std::min(steps, static_cast<int>(order_.size()) - kept_);
}

std::size_t rotation::buffer_of(int level, int steps) const {
    const int age = steps - level; // at the end of the list
    const bool kept = level <= 0 && -level < kept_;
    const bool written = level > 0 && age >= 0 && age < written_by(steps);
    if (!kept && !written) {
        throw std::out_of_range(fmt::format("no buffer has level {} of {} steps", level, steps));
    }
    return order_[static_cast<std::size_t>(kept ? -level : kept_ + age)];
}

void rotation::advance(int steps) {
    const int written = written_by(steps);
    // What was written comes before what was kept; the oldest of that become free.
    std::rotate(order_.begin(), order_.begin() + kept_, order_.begin() + kept_ + written);
    held_ = kept_ + (steps <= kept_ ? written : 0);
}

std::size_t rotation::held(int age) const {
    if (age < 0 || age >= held_) {
        throw std::out_of_range(fmt::format("no buffer has t-{}", age));
    }
    return order_[static_cast<std::size_t>(age)];
}

} // namespace gst
