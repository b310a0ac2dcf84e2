#pragma once

#include "core/api/search.hpp"
#include "core/host/find_plugin.hpp"
#include "core/host/make_plugin.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gst::test {

/// What a strategy did to a problem.
struct tuned {
    std::vector<configuration> measured;           ///< in order
    std::vector<std::size_t> batches;              ///< sizes of the requests that reached the host
    std::vector<std::size_t> open;                 ///< of those for any of several
    std::vector<std::vector<configuration>> ahead; ///< prefetches, one per request
    std::optional<problem::evaluated> best;
    std::vector<std::string> trace;
    std::vector<std::string> stages; ///< as they were entered
};

/// Milliseconds of a configuration; nothing when it fails.
using timing = std::function<std::optional<double>(const configuration&)>;

struct tuning {
    std::string strategy;
    std::map<std::string, value> options = {};
    std::uint64_t seed = 1;
    std::uint64_t budget = 0;          ///< 0: no limit
    double seconds = 0;                ///< 0: no limit; every measurement takes one
    std::size_t interrupted_after = 0; ///< measurements; 0: never
    std::function<double(const configuration&)> estimate = nullptr;
    std::uint64_t compilers = 0; ///< 0: answers come at once
};

/// Runs the shipped strategy on a space whose times are known.
inline tuned run(const tuning& how, const space& where, const timing& time) {
    tuned out;
    const auto interrupted = [&] { return how.interrupted_after > 0 && out.measured.size() >= how.interrupted_after; };
    const auto elapsed = [&] { return static_cast<double>(out.measured.size()); };
    const auto ended = [&] { return interrupted() || (how.seconds > 0 && elapsed() >= how.seconds); };
    problem::host host;
    host.measure = [&](std::span<const configuration> batch) {
        out.batches.push_back(batch.size());
        std::vector<measurement> all;
        for (const configuration& c : batch) {
            measurement m;
            if (!ended()) {
                out.measured.push_back(c);
                const std::optional<double> t = time(c);
                m.outcome = t ? status::correct : status::compile;
                m.time = t.value_or(0);
            }
            all.push_back(m);
        }
        return all;
    };
    host.measure_any = [&](std::span<const configuration> batch) { // the first one is compiled first
        out.open.push_back(batch.size());
        std::vector<measurement> all = host.measure(batch.first(1));
        out.batches.pop_back();
        all.resize(batch.size());
        return all;
    };
    host.prefetch = [&](std::span<const configuration> batch) { out.ahead.emplace_back(batch.begin(), batch.end()); };
    host.elapsed = elapsed;
    host.interrupted = interrupted;
    host.stage = [&](const std::string& name) { out.stages.push_back(name); };
    host.max_evaluations = how.budget;
    host.max_seconds = how.seconds;
    host.parallel = how.compilers;
    host.estimate = how.estimate;
    host.make_search = search_maker("/");
    problem p(where, how.seed, host);
    const plugin& strategy = find_plugin("search", how.strategy, "/");
    make_search(strategy, check_options(strategy, how.options))->run(p);
    out.best = p.best();
    out.trace = p.trace_lines();
    return out;
}

inline parameter numbers(const std::string& name, std::vector<std::int64_t> domain) {
    parameter p;
    p.name = name;
    p.domain.assign(domain.begin(), domain.end());
    p.neutral = p.domain.front();
    return p;
}

inline space with(std::vector<parameter> parameters, const std::vector<std::string>& conditions = {}) {
    std::vector<constraint> constraints;
    for (const std::string& c : conditions) {
        constraints.push_back({expression::parse(c), "by the test"});
    }
    return space(std::move(parameters), std::move(constraints));
}

/// `digits` parameters of ten values each: 10^digits configurations.
inline space decimal(int digits) {
    std::vector<parameter> parameters;
    for (int i = 0; i < digits; ++i) {
        parameters.push_back(numbers("d" + std::to_string(i), {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
    }
    return with(std::move(parameters));
}

inline std::optional<double> sum_of(const configuration& c) {
    double sum = 1;
    for (const std::uint16_t position : c) {
        sum += position;
    }
    return sum;
}

inline std::optional<double> never(const configuration&) {
    return std::nullopt;
}

} // namespace gst::test
