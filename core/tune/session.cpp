#include "core/tune/session.hpp"

#include "core/host/make_plugin.hpp"
#include "core/tune/failures.hpp"
#include "core/tune/strategy_thread.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <thread>
#include <utility>

namespace gst {

namespace {

using seconds = std::chrono::duration<double>;
using steady = std::chrono::steady_clock;

constexpr std::size_t most_kept = 5; ///< of the fastest

class session {
  public:
    session(const space& where, evaluator& device, const session_options& options)
        : where_(where), device_(device), options_(options), count_(where.count()), begin_(device.elapsed()) {}

    session_result run(std::unique_ptr<search> strategy) {
        const auto shared = std::make_shared<strategy_thread>();
        shared->strategy = std::move(strategy);
        shared->view = std::make_unique<problem>(where_, options_.seed, make_host(shared));
        std::thread thread([shared, this] {
            shared->with_session([&] { turn_since_ = steady::now(); });
            try {
                shared->strategy->run(*shared->view);
            } catch (...) {
                shared->thrown = std::current_exception();
            }
            shared->with_session([&] { searched(); });
            shared->finish();
        });
        if (await(*shared)) {
            thread.join();
            if (shared->thrown && !result_.fault) {
                result_.fault = shared->thrown;
                result_.end = session_end::failed;
            }
            result_.trace = shared->view->trace_lines();
            result_.early = !shared->thrown && !spent(*shared);
        } else {
            shared->interrupted = true;
            shared->abandon([&] { searched(); }); // in the middle of its turn
            thread.detach();
            result_.abandoned = true;
        }
        result_.failures = failures_.groups();
        result_.seconds = clock();
        result_.recalled = charged_;
        return std::move(result_);
    }

  private:
    problem::host make_host(const std::shared_ptr<strategy_thread>& shared) {
        problem::host h;
        strategy_thread* thread = shared.get();
        h.measure = [thread, this](std::span<const configuration> batch) {
            return answer(*thread, batch.size(), [&](auto& out) { answer_all(batch, out, *thread); });
        };
        h.measure_any = [thread, this](std::span<const configuration> batch) {
            return answer(*thread, batch.size(), [&](auto& out) { answer_any(batch, out, *thread); });
        };
        h.prefetch = [thread, this](std::span<const configuration> batch) {
            answer(*thread, 0, [&](auto& none) { answer_all(batch, none, *thread); });
        };
        h.elapsed = [thread, this] {
            double now = 0;
            thread->with_session([&] { now = clock(); });
            return now;
        };
        h.stage = [thread, this](const std::string& name) {
            thread->with_session([&] {
                searched();
                stage_ = name;
            });
        };
        h.interrupted = [thread] { return thread->interrupted.load(); };
        h.max_evaluations = options_.max_evaluations;
        h.max_seconds = options_.max_seconds;
        h.parallel = options_.parallel;
        h.features = options_.features;
        h.estimate = options_.estimate;
        h.make_search = [thread, this, make = search_maker(options_.directory)](
                            const std::string& name, const std::map<std::string, value>& given) {
            thread->with_session([&] { searched(); }); // to make a strategy is not its turn, the first one's neither
            std::unique_ptr<search> made = make(name, given);
            thread->with_session([&] { turn_since_ = steady::now(); });
            return made;
        };
        return h;
    }

    /// On the strategy's thread, whose turn ends with the request and begins again with the answer: the first `count`
    /// measurements, made by `request(out)`; all `not_run` once the session is gone.
    template<class Request>
    std::vector<measurement> answer(strategy_thread& thread, std::size_t count, Request&& request) {
        std::vector<measurement> out(count);
        thread.with_session([&] {
            searched();
            try {
                request(out);
            } catch (...) { // the device as a whole is lost, or results cannot be stored
                result_.fault = std::current_exception();
                result_.end = session_end::lost;
                thread.interrupted = true;
            }
            thread.spent = spent(thread);
            turn_since_ = steady::now();
        });
        return out;
    }

    double clock() const { return device_.elapsed() - begin_ + charged_; }

    /// Nothing more will be measured.
    bool spent(strategy_thread& thread) {
        if (!thread.interrupted && options_.interrupted && options_.interrupted()) {
            thread.interrupted = true;
            result_.end = session_end::interrupted;
        }
        return thread.interrupted ||
               (options_.max_evaluations > 0 && result_.evaluations >= options_.max_evaluations) ||
               (options_.max_seconds > 0 && clock() >= options_.max_seconds) || result_.evaluations >= count_;
    }

    /// Whether the strategy returns in time: when nothing more will be measured, it has its grace.
    bool await(strategy_thread& thread) {
        std::optional<steady::time_point> end; // when nothing more was going to be measured
        const auto in_time = [&] { return !end || seconds(steady::now() - *end).count() <= options_.grace_seconds; };
        while (!thread.finished(seconds(0.1))) {
            thread.try_session([&] { thread.spent = spent(thread); });
            end = !end && thread.spent ? steady::now() : end;
            if (!in_time()) {
                return false;
            }
        }
        return true;
    }

    /// Since the last answer, or the last call of this, the strategy has had its turn.
    void searched() {
        const steady::time_point now = steady::now();
        const double taken = seconds(now - std::exchange(turn_since_, now)).count();
        result_.cost["search"] += taken;
        if (!stage_.empty()) {
            result_.stages[stage_] += taken;
        }
    }

    /// What is known of each. `announce` gets them part by part, with what is known, so that the compilers begin with
    /// the first one while the others' programs are generated to look them up.
    template<class Announce>
    std::vector<std::optional<measurement>> look_up(std::span<const configuration> batch, Announce&& announce) {
        std::vector<std::optional<measurement>> known(batch.size());
        std::size_t size = options_.lookup ? 1 : batch.size();
        for (std::size_t begin = 0; begin < batch.size(); begin += size, size *= 2) {
            const std::size_t end = std::min(begin + size, batch.size());
            if (options_.lookup) {
                look_up(batch.subspan(begin, end - begin), known.begin() + static_cast<std::ptrdiff_t>(begin));
            }
            announce(begin, end, known);
        }
        return known;
    }

    void look_up(std::span<const configuration> part, std::vector<std::optional<measurement>>::iterator to) {
        const auto begin = steady::now();
        for (std::optional<measurement>& m : options_.lookup(part)) {
            if (m && device_.accepts(*m)) {
                *to = std::move(m);
            }
            ++to;
        }
        result_.cost["store"] += seconds(steady::now() - begin).count();
    }

    /// Since when it has been announced; those announced before it have been skipped.
    std::optional<double> taken(const configuration& c) {
        const auto found = std::ranges::find(announced_, c, &std::pair<configuration, double>::first);
        if (found == announced_.end()) {
            return std::nullopt;
        }
        const double since = found->second;
        announced_.erase(announced_.begin(), found + 1);
        return since;
    }

    /// The first out.size() of them, in order; the others are expected later.
    void answer_all(std::span<const configuration> wanted, std::vector<measurement>& out, strategy_thread& thread) {
        const bool ahead = out.empty() || wanted.size() > 1;
        const auto announce = [&](std::size_t begin, std::size_t end, const auto& of) {
            for (std::size_t i = begin; ahead && i < end; ++i) {
                if (!of[i]) {
                    device_.prefetch(wanted.subspan(i, 1));
                    announced_.emplace_back(wanted[i], clock());
                }
            }
        };
        const std::vector<std::optional<measurement>> known = look_up(wanted, announce);
        for (std::size_t i = 0; i < out.size() && !spent(thread); ++i) {
            const std::optional<double> announced = taken(wanted[i]);
            if (known[i] && counts(*known[i])) {
                out[i] = recall(*known[i]);
            } else {
                const double begin = clock();
                if (announced && !device_.ready(std::span(&wanted[i], 1), 0)) { // nor before, while gst was at work
                    result_.cost["wait"] += begin - std::max(idle_clock_, *announced);
                }
                out[i] = measure(wanted[i], begin);
            }
            account(wanted[i], out[i]);
        }
    }

    /// One of them: the one that was measured first, of those that are known; else the first that is compiled.
    void answer_any(std::span<const configuration> wanted, std::vector<measurement>& out, strategy_thread& thread) {
        std::vector<configuration> fresh; // not asked for before
        for (const configuration& c : wanted) {
            if (!pending_.contains(c)) {
                fresh.push_back(c);
            }
        }
        const bool compiling = std::ranges::any_of(wanted, [&](const configuration& c) {
            const auto found = pending_.find(c);
            return found != pending_.end() && !found->second;
        });
        look_up(fresh, [&](std::size_t begin, std::size_t end, const auto& of) {
            for (std::size_t i = begin; i < end; ++i) {
                if (!of[i] || of[i]->censored) { // whether such a time counts is seen when it is asked for
                    device_.prefetch({&fresh[i], 1});
                }
                pending_.emplace(fresh[i], of[i]);
            }
        });
        std::optional<std::size_t> which;
        std::vector<configuration> unknown;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const std::optional<measurement>& m = pending_.at(wanted[i]);
            if (!m || !counts(*m)) {
                unknown.push_back(wanted[i]);
            } else if (!which || m->row < pending_.at(wanted[*which])->row) {
                which = i;
            }
        }
        if (spent(thread)) {
            return;
        }
        if (which) {
            out[*which] = recall(*pending_.at(wanted[*which]));
        } else {
            const double begin = clock();
            std::optional<std::size_t> ready = device_.ready(unknown, 0);
            if (!ready && compiling) { // the compilers had not come so far either while the strategy had its turn
                result_.cost["wait"] += begin - idle_clock_;
            }
            while (!ready && !(ready = device_.ready(unknown, 0.1))) {
                if (spent(thread)) {
                    result_.cost["wait"] += clock() - begin;
                    return;
                }
            }
            which = static_cast<std::size_t>(std::ranges::find(wanted, unknown[*ready]) - wanted.begin());
            out[*which] = measure(wanted[*which], begin);
        }
        pending_.erase(wanted[*which]);
        account(wanted[*which], out[*which]);
    }

    /// False for a time that was given up beside a faster one that this run has not found.
    bool counts(const measurement& known) const {
        const problem::evaluated* best = result_.best();
        return !known.censored || (best != nullptr && known.time > options_.censor_factor * best->what.time);
    }

    measurement recall(measurement m) {
        m.known = true;
        ++result_.known;
        const auto wall = m.cost.find("wall");
        if (wall != m.cost.end()) {
            charged_ += wall->second;
        }
        idle_clock_ = clock();
        return m;
    }

    /// `begin`: when it began to wait for the compilers.
    measurement measure(const configuration& c, double begin) {
        const double waited = clock() - begin;
        measurement m = device_.measure({&c, 1}).at(0);
        idle_clock_ = clock();
        if (waited > 0) {
            m.cost["wait"] += waited;
        }
        m.cost["wall"] = clock() - begin;
        if (m.outcome != status::not_run && options_.insert) {
            const auto inserting = steady::now();
            options_.insert(c, m);
            result_.cost["store"] += seconds(steady::now() - inserting).count();
        }
        return m;
    }

    void keep_if_fast(problem::evaluated e) {
        std::vector<problem::evaluated>& fastest = result_.fastest;
        const auto place = std::upper_bound(fastest.begin(), fastest.end(), e.what.time,
                                            [](double time, const auto& other) { return time < other.what.time; });
        fastest.insert(place, std::move(e));
        if (fastest.size() > most_kept) {
            fastest.pop_back();
        }
    }

    void account(const configuration& c, const measurement& m) {
        if (m.outcome == status::not_run) {
            return;
        }
        ++result_.evaluations;
        ++result_.outcomes[m.outcome];
        for (const auto& [what, spent_seconds] : m.cost) {
            if (what != "wall") {
                result_.cost[what] += spent_seconds;
            }
        }
        if (m.outcome != status::correct) {
            failures_.add(c, m);
        } else if (m.censored) {
            ++result_.given_up;
        } else {
            keep_if_fast({c, m});
        }
        if (options_.progress) {
            const auto correct = result_.outcomes.find(status::correct);
            options_.progress({result_.evaluations, correct == result_.outcomes.end() ? 0 : correct->second,
                               result_.best() ? result_.best()->what.time : 0, clock()});
        }
    }

    const space& where_;
    evaluator& device_;
    const session_options& options_;
    const std::uint64_t count_;
    const double begin_; ///< of the session, on the device's clock
    session_result result_;
    failure_counter failures_;
    std::map<configuration, std::optional<measurement>> pending_; ///< asked for, any of them, and what is known of them
    std::deque<std::pair<configuration, double>> announced_; ///< since when the compilers have it; not asked for yet
    double charged_ = 0;                                     ///< recorded seconds of known results
    steady::time_point turn_since_ = steady::now();          ///< the strategy has its turn since then
    double idle_clock_ = 0; ///< of the session, when the device had last done something
    std::string stage_;     ///< as the strategy calls what it does
};

} // namespace

session_cost cost_of(const session_result& r) {
    const auto of = [](const auto& all, const auto& key) {
        const auto found = all.find(key);
        return found == all.end() ? 0 : found->second;
    };
    return {r.evaluations - of(r.outcomes, status::constraints), of(r.cost, "compile"),
            of(r.cost, "verify") + of(r.cost, "measure")};
}

std::string early_end_text(const session_result& r) {
    return fmt::format("ended by itself after {} configuration{}{}", r.evaluations, r.evaluations == 1 ? "" : "s",
                       r.trace.empty() ? "" : "; the end of its log: " + r.trace.back());
}

session_result run_session(std::unique_ptr<search> strategy, const space& where, evaluator& device,
                           const session_options& options) {
    return session(where, device, options).run(std::move(strategy));
}

} // namespace gst
