#include "core/run/run_plan.hpp"

#include <algorithm>

namespace gst {

run_slice next_slice(const run_plan& plan, std::int64_t done) {
    if (done >= plan.steps) {
        return {0, false, false, false, true};
    }
    std::int64_t stop = plan.steps;
    for (const std::int64_t every : {plan.output_every, plan.residual_every, plan.checkpoint_every}) {
        if (every > 0 && every - done % every < stop - done) {
            stop = done + every - done % every;
        }
    }
    const auto due = [stop](std::int64_t every) { return every > 0 && stop % every == 0; };
    const bool last = stop == plan.steps;
    return {stop - done, due(plan.residual_every), due(plan.output_every) || (last && plan.output_at_end),
            due(plan.checkpoint_every) || (last && plan.checkpoint_at_end), last};
}

} // namespace gst
