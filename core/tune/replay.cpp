#include "core/tune/replay.hpp"

#include "core/base/random.hpp"

#include <numeric>

namespace gst {

namespace {

/// Seconds of compiling, verifying and measuring, by name.
named_numbers cost_of(const recorded& entry) {
    constexpr double seconds = 1e-3;
    named_numbers cost;
    for (const char* name : {"compile", "verify", "measure"}) {
        if (const auto found = entry.cost.find(name); found != entry.cost.end()) {
            cost[name] = found->second * seconds;
        }
    }
    if (!cost.contains("measure") && !entry.times.empty()) {
        cost["measure"] = std::accumulate(entry.times.begin(), entry.times.end(), 0.0) * seconds;
    }
    return cost;
}

double sum_of(const named_numbers& cost) {
    return std::accumulate(cost.begin(), cost.end(), 0.0, [](double sum, const auto& c) { return sum + c.second; });
}

} // namespace

double replayed_seconds(const recorded& entry) {
    return sum_of(cost_of(entry));
}

replay_evaluator::replay_evaluator(std::shared_ptr<const recorded_device> device, replayed_time time,
                                   std::uint64_t seed)
    : device_(std::move(device)), time_(time), seed_(seed) {}

std::vector<measurement> replay_evaluator::measure(std::span<const configuration> batch) {
    std::vector<measurement> out;
    for (const configuration& c : batch) {
        out.push_back(answer(c));
        elapsed_ += sum_of(out.back().cost);
    }
    return out;
}

measurement replay_evaluator::answer(const configuration& c) {
    measurement m;
    const std::optional<std::uint64_t> rank = device_->space.rank(c);
    if (!rank) {
        m.outcome = status::constraints;
        m.message = "it was not recorded";
        return m;
    }
    const recorded& entry = device_->recording.entries[*rank];
    m.outcome = entry.outcome;
    m.message = entry.message;
    m.censored = entry.censored;
    m.metrics = entry.measurements;
    m.cost = cost_of(entry);
    if (entry.outcome != status::correct) {
        return m;
    }
    m.time = entry.time;
    m.times = entry.times;
    if (time_ == replayed_time::sample && !entry.times.empty()) {
        const auto drawn = static_cast<std::size_t>(noise(seed_, *rank) * static_cast<double>(entry.times.size()));
        m.time = entry.times[drawn];
        m.times = {m.time};
    }
    return m;
}

} // namespace gst
