#pragma once

#include "core/api/measurement.hpp"
#include "core/base/random.hpp"
#include "core/space/space.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gst {

class search;

/// The tuning problem as a strategy sees it: it pulls measurements. Budget, de-duplication and the cache live here.
/// What is answered from the cache comes without `times`, `metrics` and `cost`.
class GST_API problem {
  public:
    /// What the host supplies. `measure` gets distinct, valid configurations that are not known yet.
    struct host {
        std::function<std::vector<measurement>(std::span<const configuration>)> measure;
        /// One of these, the others `not_run`; empty: the first one is measured.
        std::function<std::vector<measurement>(std::span<const configuration>)> measure_any;
        std::function<void(std::span<const configuration>)> prefetch;
        std::function<double()> elapsed;               ///< seconds since the start; simulated on replay
        std::function<bool()> interrupted;             ///< the user or the host wants the run to end
        std::function<void(const std::string&)> stage; ///< what the strategy does from here on; may be empty
        std::uint64_t max_evaluations = 0;             ///< 0: no limit
        double max_seconds = 0;                        ///< 0: no limit
        std::uint64_t parallel = 0;                    ///< compilers; 0: answers come at once
        std::map<std::string, double> features;
        /// ms per step that a performance model expects of a valid configuration; empty: there is no model.
        std::function<double(const configuration&)> estimate;
        /// A strategy by the name of its plugin, with the options that differ from its defaults; throws user_error.
        std::function<std::unique_ptr<search>(const std::string&, const std::map<std::string, value>&)> make_search;
    };

    problem(gst::space space, std::uint64_t seed, host h);
    ~problem();
    problem(const problem&) = delete;
    problem& operator=(const problem&) = delete;

    const gst::space& space() const;
    const std::map<std::string, double>& features() const;
    random_source& rng();

    /// One measurement per request, in order; known ones are free; `not_run` once the budget is spent; `constraints`
    /// for configurations outside the space.
    std::vector<measurement> measure(std::span<const configuration> batch);
    measurement measure(const configuration& c);
    /// One of them, the one that is compiled first, while the others are compiled on: so that no compiler waits for a
    /// slow one. Of those that are known from an earlier run the one that was measured first, so that a run that goes
    /// on takes the same course. Its place in the batch; nothing once the budget is spent.
    struct answer {
        std::size_t place = 0;
        measurement what;
    };
    std::optional<answer> measure_any(std::span<const configuration> batch);
    /// A hint: compile these ahead.
    void prefetch(std::span<const configuration> configurations);
    /// Configurations that are compiled at the same time: requests of fewer leave compilers idle. 0 on replay, where
    /// nothing is compiled and answers come at once.
    std::uint64_t parallel() const;
    /// ms per step that the host's performance model expects of a valid configuration, above 0; `unbelievable` where it
    /// answers what is no time. Throws user_error when the workload has no model, so that a strategy that needs one
    /// says so before it measures anything.
    double estimate(const configuration& c) const;
    static constexpr double unbelievable = 1e9; ///< ms
    bool estimates() const;                     ///< whether the workload has such a model

    struct evaluated {
        configuration which;
        measurement what;
    };
    const std::optional<evaluated>& best() const; ///< the fastest correct one so far
    bool known(const configuration& c) const;
    std::uint64_t evaluations() const; ///< distinct configurations measured
    /// Evaluations left (at most what the space still holds); 0 when time is up or the run is interrupted.
    std::uint64_t remaining() const;
    bool exhausted() const { return remaining() == 0; }
    double seconds_left() const; ///< of the budget, by the host's clock; infinite without such a limit
    /// Runs another strategy inside this one, on a part of the space (restricted, constrained, or all of it), until it
    /// returns. Budget, clock, interruption and known results are this problem's; `most` bounds the configurations that
    /// it measures anew, `seconds` its time by the host's clock (0: no bound of its own). Its randomness and its trace
    /// come from and go to this problem. The best of what it asked for, known results included. Throws user_error when
    /// there is no such strategy.
    std::optional<evaluated> child(const gst::space& part, const std::string& strategy,
                                   const std::map<std::string, value>& options = {}, std::uint64_t most = 0,
                                   double seconds = 0);
    /// The strategy's own time counts under this name from here on, e.g. GeST's "grouping" and "sampling" (Fig. 11).
    void stage(const std::string& name);
    /// A line for the log of the search, e.g. which group is tuned.
    void trace(const std::string& line);
    const std::vector<std::string>& trace_lines() const;

  private:
    problem(gst::space part, problem& parent, std::uint64_t most);
    struct state;
    std::unique_ptr<state> state_;
};

/// A search strategy. Include this file and core/api/plugin.hpp only.
class GST_API search {
  public:
    virtual ~search() = default;
    /// Measures configurations until the budget is spent or nothing is left that is worth measuring.
    virtual void run(problem& p) = 0;
};

} // namespace gst
