#pragma once

#include "core/tune/session.hpp"
#include "tests/catch.hpp"
#include "tests/scripted.hpp"

#include <algorithm>
#include <functional>
#include <vector>

/// A simulated device, and strategies for it.
namespace gst::test {

/// Two parameters of ten values each; everything is valid.
inline space square() {
    std::vector<value> domain;
    for (std::int64_t i = 0; i < 10; ++i) {
        domain.emplace_back(i);
    }
    parameter a{"a", domain, domain[0], role::other, -1, {}, "", {}};
    parameter b = a;
    b.name = "b";
    return space({a, b}, {});
}

/// Takes one simulated second per configuration; the time is 1 + a + 10 b ms; b = 9 does not compile.
class fake_device : public evaluator {
  public:
    std::vector<measurement> measure(std::span<const configuration> batch) override {
        std::vector<measurement> out;
        for (const configuration& c : batch) {
            if (on_measure) {
                on_measure();
            }
            now += 1;
            measured.push_back(c);
            measurement m;
            m.cost = {{"compile", 0.25}, {"measure", 0.75}};
            if (c[1] == 9) {
                m.outcome = status::compile;
                m.message = "line " + std::to_string(c[0]) + " is wrong\nand more";
            } else {
                m.outcome = status::correct;
                m.time = 1.0 + c[0] + 10.0 * c[1];
                m.times = {m.time};
            }
            out.push_back(m);
        }
        return out;
    }
    void prefetch(std::span<const configuration> configurations) override {
        prefetched.insert(prefetched.end(), configurations.begin(), configurations.end());
    }
    std::optional<std::size_t> ready(std::span<const configuration> expected, double) override {
        for (const configuration& c : expected) {
            CHECK(std::ranges::count(prefetched, c) == 1);
        }
        return on_ready ? on_ready(expected) : std::optional<std::size_t>(0);
    }
    double elapsed() const override { return now; }

    std::function<void()> on_measure;
    std::function<std::optional<std::size_t>(std::span<const configuration>)> on_ready;
    std::vector<configuration> measured;
    std::vector<configuration> prefetched;
    double now = 100; // the clock began before the session
};

inline std::unique_ptr<search> strategy(std::function<void(problem&)> script) {
    return std::make_unique<scripted>(std::move(script));
}

/// Everything, in the order of the space, so many per request.
inline std::unique_ptr<search> in_order(std::size_t per_request) {
    return strategy([per_request](problem& p) {
        for (std::uint64_t rank = 0; !p.exhausted() && rank < p.space().count();) {
            std::vector<configuration> batch;
            for (; batch.size() < per_request && rank < p.space().count(); ++rank) {
                batch.push_back(p.space().at(rank));
            }
            p.measure(batch);
        }
    });
}

} // namespace gst::test
