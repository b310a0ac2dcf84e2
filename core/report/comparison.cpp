#include "core/report/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

namespace gst {

namespace {

/// Beyond this much of the way from its first value to the optimum, what the baseline is off is too small to divide by.
constexpr double baseline_end = 0.99;

/// Where a space's curves are looked at, and what random search has there.
struct ruler {
    std::vector<double> points;
    std::vector<double> baseline; ///< expected ms at each point
    std::size_t begin = 0;        ///< the points [begin, end) count for P: from the first draw on …
    std::size_t end = 0;          ///< … as long as the baseline is far from the optimum
    double at_end = 0;            ///< expected ms at the limit
};

/// How many draws random search is expected to have finished by then. Over time they are a renewal process: t / μ and,
/// since one is mostly under way, (σ² / μ² - 1) / 2 (Cox 1962, Renewal Theory).
double draws_at(const comparison& c, const compared_space& s, double budget) {
    if (!c.axis.time) {
        return budget;
    }
    const auto [mean, variance] = s.seconds;
    return mean > 0 ? std::max(0.0, budget / mean + (variance / mean / mean - 1) / 2)
                    : static_cast<double>(s.configurations);
}

ruler ruler_of(const comparison& c, const compared_space& s) {
    ruler r;
    r.points = c.axis.points();
    for (const double p : r.points) {
        r.baseline.push_back(s.baseline.expected(draws_at(c, s, p)));
    }
    while (r.begin < r.points.size() && draws_at(c, s, r.points[r.begin]) < 1) {
        ++r.begin;
    }
    const double far = s.baseline.expected(1) - s.optimum;
    for (r.end = r.begin; r.end < r.points.size() && r.baseline[r.end] - s.optimum > (1 - baseline_end) * far;) {
        ++r.end;
    }
    r.at_end = s.baseline.expected(draws_at(c, s, c.axis.limit));
    return r;
}

/// What one run comes to.
struct run_score {
    std::vector<double> fraction;
    double area = 0;
    double score = 0;
    double speedup = 0;
};

run_score score_of(const comparison& c, const compared_space& s, const ruler& r, const compared_run& run) {
    run_score out;
    for (const double budget : c.axis.at) {
        out.fraction.push_back(s.optimum / c.axis.best(run.found, budget)); // 0 while that is infinite
    }
    for (std::size_t i = 0; i < r.points.size(); ++i) {
        const double best = c.axis.best(run.found, r.points[i]);
        out.area += s.optimum / best / static_cast<double>(r.points.size());
        if (i >= r.begin && i < r.end) {
            const double time = std::min(best, s.slowest);
            out.score += (r.baseline[i] - time) / (r.baseline[i] - s.optimum) / static_cast<double>(r.end - r.begin);
        }
    }
    out.speedup = r.at_end / std::min(c.axis.best(run.found, c.axis.limit), s.slowest);
    return out;
}

/// The scores of a strategy's runs, by space and in each in the order of seeds.
using all_scores = std::vector<std::vector<run_score>>;

/// The mean over the spaces of each seed, so that an interval over seeds says how sure the mean of all is.
template<class Get>
mean_interval over_seeds(const all_scores& scores, Get&& get) {
    std::vector<double> samples;
    for (std::size_t seed = 0; seed < scores.front().size(); ++seed) {
        double sum = 0;
        for (const std::vector<run_score>& of_space : scores) {
            sum += get(of_space[seed]);
        }
        samples.push_back(sum / static_cast<double>(scores.size()));
    }
    return mean_of(samples);
}

strategy_score summary_of(const comparison& c, const all_scores& scores) {
    strategy_score out;
    for (std::size_t i = 0; i < c.axis.at.size(); ++i) {
        out.fraction.push_back(over_seeds(scores, [&](const run_score& r) { return r.fraction[i]; }));
    }
    out.area = over_seeds(scores, [](const run_score& r) { return r.area; });
    out.score = over_seeds(scores, [](const run_score& r) { return r.score; });
    std::vector<double> speedups;
    for (const std::vector<run_score>& of_space : scores) {
        for (const run_score& r : of_space) {
            speedups.push_back(r.speedup);
        }
    }
    out.speedup = geometric_mean(speedups);
    return out;
}

/// Adds what the runs cost.
void add_costs(const std::vector<const compared_run*>& runs, strategy_score& to) {
    const auto n = static_cast<double>(runs.size());
    to.runs = runs.size();
    double seconds = 0;
    double search = 0;
    double idle = 0;
    for (const compared_run* r : runs) {
        to.evaluations += static_cast<double>(r->evaluations) / n;
        to.compiled += static_cast<double>(r->compiled) / n;
        to.compile_seconds += r->compile_seconds / n;
        to.device_seconds += r->device_seconds / n;
        search += r->search_seconds;
        seconds += r->seconds;
        idle += r->idle_seconds.value_or(0);
        for (const auto& [stage, taken] : r->stage_seconds) {
            to.stages[stage] += taken;
        }
    }
    for (auto& [stage, share] : to.stages) {
        share = seconds > 0 ? share / seconds : 0;
    }
    const double evaluations = to.evaluations * n;
    to.search_microseconds = evaluations > 0 ? 1e6 * search / evaluations : 0;
    to.overhead = seconds > 0 ? search / seconds : 0;
    if (seconds > 0 && std::ranges::all_of(runs, [](const compared_run* r) { return r->idle_seconds.has_value(); })) {
        to.idle = idle / seconds;
    }
}

/// Over the scores of each space.
void add_spaces(const comparison& c, strategy_score& to) {
    for (const compared_space& s : c.spaces) {
        const double own = score_of(c, to.strategy, s.name).speedup;
        bool best = true;
        bool worst = true;
        for (const std::string& other : c.strategies) {
            best = best && own >= score_of(c, other, s.name).speedup;
            worst = worst && own <= score_of(c, other, s.name).speedup;
        }
        to.best_spaces += best ? 1 / static_cast<double>(c.spaces.size()) : 0;
        to.worst_spaces += worst ? 1 / static_cast<double>(c.spaces.size()) : 0;
    }
}

/// For each run of a space the strategies that found the fastest of all.
std::vector<std::set<std::string>> winners_of(const comparison& c, const std::string& space) {
    std::map<std::uint64_t, std::pair<double, std::set<std::string>>> by_seed;
    for (const compared_run& r : c.runs) {
        const double best = c.axis.best(r.found, c.axis.limit);
        if (r.space != space || best == convergence::nothing) {
            continue;
        }
        auto& [fastest, who] = by_seed.try_emplace(r.seed, best, std::set<std::string>{}).first->second;
        if (best < fastest) {
            who.clear();
        }
        fastest = std::min(fastest, best);
        if (best == fastest) {
            who.insert(r.strategy);
        }
    }
    std::vector<std::set<std::string>> out;
    for (auto& [seed, found] : by_seed) {
        out.push_back(std::move(found.second));
    }
    return out;
}

void add_wins(const std::vector<std::set<std::string>>& winners, strategy_score& to) {
    for (const std::set<std::string>& who : winners) {
        if (who.contains(to.strategy)) {
            ++to.best;
            to.win_share += 1 / static_cast<double>(who.size()) / static_cast<double>(winners.size());
        }
    }
}

} // namespace

std::vector<mean_and_variance> best_times(const budget_axis& axis, const std::vector<const compared_run*>& runs) {
    std::vector<mean_and_variance> out;
    for (const double budget : axis.at) {
        std::vector<double> times;
        for (const compared_run* r : runs) {
            times.push_back(axis.best(r->found, budget));
        }
        const bool all = std::all_of(times.begin(), times.end(), [](double t) { return std::isfinite(t); });
        out.push_back(all ? moments_of(times) : mean_and_variance{convergence::nothing, 0});
    }
    return out;
}

std::vector<const compared_run*> runs_of(const comparison& c, const std::string& strategy, const std::string& space) {
    std::vector<const compared_run*> out;
    for (const compared_run& r : c.runs) {
        if (r.strategy == strategy && (space.empty() || r.space == space)) {
            out.push_back(&r);
        }
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const compared_run* a, const compared_run* b) { return a->seed < b->seed; });
    return out;
}

void score(comparison& c) {
    c.scores.clear();
    std::map<std::string, all_scores> by_strategy;
    std::vector<std::set<std::string>> all_winners;
    for (const compared_space& s : c.spaces) {
        const ruler r = ruler_of(c, s);
        const std::vector<std::set<std::string>> winners = winners_of(c, s.name);
        all_winners.insert(all_winners.end(), winners.begin(), winners.end());
        for (const std::string& strategy : c.strategies) {
            const std::vector<const compared_run*> runs = runs_of(c, strategy, s.name);
            if (runs.empty()) {
                continue;
            }
            std::vector<run_score> scores;
            for (const compared_run* run : runs) {
                scores.push_back(score_of(c, s, r, *run));
            }
            strategy_score out = summary_of(c, {scores});
            out.best_time = best_times(c.axis, runs);
            out.strategy = strategy;
            out.space = s.name;
            add_costs(runs, out);
            add_wins(winners, out);
            c.scores.push_back(std::move(out));
            by_strategy[strategy].push_back(std::move(scores));
        }
    }
    if (!c.complete) {
        return;
    }
    for (const std::string& strategy : c.strategies) {
        strategy_score out = summary_of(c, by_strategy.at(strategy));
        out.strategy = strategy;
        add_costs(runs_of(c, strategy, ""), out);
        add_wins(all_winners, out);
        add_spaces(c, out);
        c.scores.push_back(std::move(out));
    }
}

const strategy_score& score_of(const comparison& c, const std::string& strategy, const std::string& space) {
    const auto found = std::find_if(c.scores.begin(), c.scores.end(), [&](const strategy_score& s) {
        return s.strategy == strategy && s.space == space;
    });
    if (found == c.scores.end()) {
        throw std::logic_error("the score of a strategy that was not compared");
    }
    return *found;
}

std::vector<mean_interval> mean_curve(const comparison& c, const compared_space& s, const std::string& strategy) {
    const std::vector<const compared_run*> runs = runs_of(c, strategy, s.name);
    std::vector<mean_interval> out;
    if (runs.empty()) {
        return out;
    }
    for (const double p : c.axis.points()) {
        std::vector<double> fractions;
        for (const compared_run* r : runs) {
            fractions.push_back(s.optimum / c.axis.best(r->found, p));
        }
        out.push_back(mean_of(fractions));
    }
    return out;
}

std::vector<double> baseline_curve(const comparison& c, const compared_space& s) {
    std::vector<double> lost; // the largest fraction is the least of what is lost
    for (const double time : s.baseline.values()) {
        lost.push_back(1 - s.optimum / time);
    }
    const random_baseline of_fractions(std::move(lost));
    std::vector<double> out;
    for (const double p : c.axis.points()) {
        out.push_back(1 - of_fractions.expected(draws_at(c, s, p)));
    }
    return out;
}

} // namespace gst
