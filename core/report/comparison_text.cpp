#include "core/report/comparison.hpp"
#include "core/report/text_table.hpp"
#include "core/report/throughput.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace gst {

namespace {

std::string budget_text(const comparison& c, double budget) {
    return fmt::format("{}{}", budget, c.axis.time ? " s" : "");
}

std::string interval_text(const mean_interval& m, std::uint64_t runs) {
    return runs < 2 ? fmt::format("{:.3f}", m.mean) : fmt::format("{:.3f} ±{:.3f}", m.mean, m.half_width);
}

std::string runs_text(std::uint64_t runs) {
    return fmt::format("{} run{}", runs, runs == 1 ? "" : "s");
}

/// What a strategy's row is called: with its runs where strategies differ in them.
std::string row_name(const comparison& c, const strategy_score& s) {
    return c.complete ? s.strategy : fmt::format("{}, {}", s.strategy, runs_text(s.runs));
}

/// The widest of them.
std::size_t name_width(const comparison& c) {
    std::size_t width = 8;
    for (const strategy_score& s : c.scores) {
        width = std::max(width, row_name(c, s).size());
    }
    return width;
}

/// "grouping 0.01 ‱, sampling 0.2 ‱"
std::string stages_text(const strategy_score& s) {
    std::string out;
    for (const auto& [stage, share] : s.stages) {
        out += fmt::format("{}{} {:.3f} ‱", out.empty() ? "" : ", ", stage, 1e4 * share);
    }
    return out;
}

/// A line for each strategy that tells its stages apart.
std::string stages_text(const comparison& c, const std::string& space) {
    std::string out;
    for (const strategy_score& s : c.scores) {
        const std::string stages = s.space == space ? stages_text(s) : "";
        out += stages.empty() ? "" : fmt::format("  {}: {}\n", s.strategy, stages);
    }
    return out;
}

std::string table(const comparison& c, const std::string& space, const std::string& title) {
    const std::size_t width = name_width(c);
    std::string out = title + "\n" + fmt::format("  {:<{}}", "strategy", width);
    for (const double budget : c.axis.at) {
        out += fmt::format("  {:>13}", budget_text(c, budget));
    }
    const bool live = std::ranges::any_of(c.scores, [](const strategy_score& s) { return s.idle.has_value(); });
    out += fmt::format("  {:>13}  {:>14}  {:>7}  {:>4}  {:>5}  {:>8}  {:>9}  {:>8}  {:>7}  {:>6}{}\n", "area", "P",
                       "speedup", "best", "wins", "compiled", "compile s", "device s", "µs/eval", "‱",
                       live ? "  idle ‱" : "");
    for (const strategy_score& s : c.scores) {
        if (s.space != space) {
            continue;
        }
        out += fmt::format("  {:<{}}", row_name(c, s), width);
        for (const mean_interval& f : s.fraction) {
            out += fmt::format("  {:>13}", interval_text(f, s.runs));
        }
        out += fmt::format(
            "  {:>13}  {:>14}  {:>7.3f}  {:>4}  {:>4.0f}%  {:>8.1f}  {:>9.1f}  {:>8.1f}  {:>7.1f}  {:>6.2f}{}\n",
            interval_text(s.area, s.runs), interval_text(s.score, s.runs), s.speedup, s.best, 100 * s.win_share,
            s.compiled, s.compile_seconds, s.device_seconds, s.search_microseconds, 1e4 * s.overhead,
            s.idle ? fmt::format("  {:>6.2f}", 1e4 * *s.idle) : "");
    }
    return out + stages_text(c, space);
}

/// What a table says of all strategies but for the spaces: GeST's Figs. 6, 9 and 10.
std::string equal_budget_text(const comparison& c) {
    text_table t;
    t.header.push_back("space");
    t.header.insert(t.header.end(), c.strategies.begin(), c.strategies.end());
    const auto row = [&](const std::string& name, const auto& cell) {
        std::vector<std::string> cells{name};
        for (const std::string& strategy : c.strategies) {
            cells.push_back(cell(strategy));
        }
        t.rows.push_back(std::move(cells));
    };
    for (const compared_space& s : c.spaces) {
        row(s.name,
            [&](const std::string& strategy) { return fmt::format("{:.3f}", score_of(c, strategy, s.name).speedup); });
    }
    row("geometric mean",
        [&](const std::string& strategy) { return fmt::format("{:.3f}", score_of(c, strategy, "").speedup); });
    row("best in", [&](const std::string& strategy) {
        return fmt::format("{:.0f}%", 100 * score_of(c, strategy, "").best_spaces);
    });
    row("worst in", [&](const std::string& strategy) {
        return fmt::format("{:.0f}%", 100 * score_of(c, strategy, "").worst_spaces);
    });
    return fmt::format("speedup over random search after {}\n",
                       c.axis.time ? budget_text(c, c.axis.limit) : fmt::format("{:g} evaluations", c.axis.limit)) +
           to_text(t) + "\n";
}

nlohmann::json json_of(const mean_interval& m) {
    return {{"mean", m.mean}, {"half_width_95", m.half_width}};
}

nlohmann::json json_of(const comparison& c, const strategy_score& s) {
    nlohmann::json fraction = nlohmann::json::array();
    for (std::size_t i = 0; i < s.fraction.size(); ++i) {
        fraction.push_back(json_of(s.fraction[i]));
        fraction.back()["budget"] = c.axis.at[i];
    }
    nlohmann::json best_time = nlohmann::json::array();
    for (std::size_t i = 0; i < s.best_time.size(); ++i) { // what is not finite is null
        best_time.push_back(
            {{"budget", c.axis.at[i]}, {"mean", s.best_time[i].mean}, {"variance", s.best_time[i].variance}});
    }
    nlohmann::json stages = nlohmann::json::object();
    for (const auto& [stage, share] : s.stages) {
        stages[stage] = 1e4 * share;
    }
    return {{"strategy", s.strategy},
            {"space", s.space.empty() ? nlohmann::json() : nlohmann::json(s.space)},
            {"runs", s.runs},
            {"fraction_of_optimum", fraction},
            {"best_ms", best_time},
            {"area", json_of(s.area)},
            {"score", json_of(s.score)},
            {"speedup_over_random", s.speedup},
            {"best_count", s.best},
            {"win_share", s.win_share},
            {"evaluations", s.evaluations},
            {"compiled", s.compiled},
            {"compile_seconds", s.compile_seconds},
            {"device_seconds", s.device_seconds},
            {"search_microseconds_per_evaluation", s.search_microseconds},
            {"overhead_permyriad", 1e4 * s.overhead},
            {"idle_permyriad", s.idle ? nlohmann::json(1e4 * *s.idle) : nlohmann::json()},
            {"stages_permyriad", stages},
            {"best_spaces", s.best_spaces},
            {"worst_spaces", s.worst_spaces}};
}

nlohmann::json json_of(const compared_run& r) {
    nlohmann::json steps = nlohmann::json::array();
    for (const convergence::step& s : r.found.steps) {
        steps.push_back({{"evaluations", s.evaluations}, {"seconds", s.seconds}, {"best_ms", s.best}});
    }
    return {{"strategy", r.strategy},
            {"space", r.space},
            {"seed", r.seed},
            {"evaluations", r.evaluations},
            {"compiled", r.compiled},
            {"seconds", r.seconds},
            {"compile_seconds", r.compile_seconds},
            {"device_seconds", r.device_seconds},
            {"search_seconds", r.search_seconds},
            {"idle_seconds", r.idle_seconds ? nlohmann::json(*r.idle_seconds) : nlohmann::json()},
            {"convergence", steps}};
}

} // namespace

std::string to_text(const comparison& c) {
    std::string out;
    for (const compared_space& s : c.spaces) {
        const std::string runs =
            c.complete ? runs_text(runs_of(c, c.strategies.front(), s.name).size()) + " each" : "incomplete";
        out +=
            table(c, s.name,
                  fmt::format("{}: {} configuration{}, optimum {:.4g} ms, {}", s.name,
                              with_separators(s.configurations), s.configurations == 1 ? "" : "s", s.optimum, runs)) +
            "\n";
    }
    if (c.spaces.size() > 1 && c.complete) {
        out += table(c, "", fmt::format("mean of {} spaces", c.spaces.size())) + "\n" +
               (c.strategies.size() > 1 ? equal_budget_text(c) : "");
    }
    if (c.study) {
        out += to_text(*c.study) + "\n";
    }
    if (!c.failed.empty()) {
        out += fmt::format("  left out, because it failed: {}\n", fmt::join(c.failed, ", "));
    }
    return out +
           fmt::format(
               "  {}: mean fraction of the optimum with its 95 % interval; area: the same over all of the budget;\n"
               "  P: 0 is random search, 1 the optimum at once; speedup: over what random search is expected to find\n",
               budget_text(c, c.axis.at.front()) + " …");
}

std::string to_csv(const comparison& c) {
    std::string out = "space,strategy";
    for (const double budget : c.axis.at) {
        const std::string name = fmt::format("fraction_at_{}{}", budget, c.axis.time ? "s" : "");
        out += fmt::format(",{},{}_half_width_95", name, name);
    }
    out += ",area,area_half_width_95,score,score_half_width_95,speedup_over_random,best_count,win_share,evaluations,"
           "compiled,compile_seconds,device_seconds,search_microseconds_per_evaluation,overhead_permyriad,idle_"
           "permyriad,stages,"
           "best_spaces,worst_spaces,runs,complete";
    for (const double budget : c.axis.at) {
        const std::string name = fmt::format("best_ms_at_{}{}", budget, c.axis.time ? "s" : "");
        out += fmt::format(",{},{}_variance", name, name);
    }
    out += "\n";
    for (const strategy_score& s : c.scores) {
        out += quoted(s.space) + "," + quoted(s.strategy);
        for (const mean_interval& f : s.fraction) {
            out += fmt::format(",{},{}", f.mean, f.half_width);
        }
        out += fmt::format(",{},{},{},{},{},{},{},{},{},{},{},{},{}", s.area.mean, s.area.half_width, s.score.mean,
                           s.score.half_width, s.speedup, s.best, s.win_share, s.evaluations, s.compiled,
                           s.compile_seconds, s.device_seconds, s.search_microseconds, 1e4 * s.overhead);
        out += s.idle ? fmt::format(",{}", 1e4 * *s.idle) : ",";
        const bool over_all = s.space.empty();
        out += "," + quoted(stages_text(s)) +
               (over_all ? fmt::format(",{},{}", s.best_spaces, s.worst_spaces) : std::string(",,")) +
               fmt::format(",{},{}", s.runs, c.complete);
        for (std::size_t i = 0; i < c.axis.at.size(); ++i) {
            const bool known = !over_all && std::isfinite(s.best_time[i].mean);
            out += known ? fmt::format(",{},{}", s.best_time[i].mean, s.best_time[i].variance) : ",,";
        }
        out += "\n";
    }
    return out;
}

nlohmann::json to_json(const comparison& c) {
    nlohmann::json spaces = nlohmann::json::array();
    for (const compared_space& s : c.spaces) {
        spaces.push_back({{"name", s.name},
                          {"configurations", s.configurations},
                          {"optimum_ms", s.optimum},
                          {"seconds_per_evaluation", s.seconds.mean}});
    }
    nlohmann::json scores = nlohmann::json::array();
    for (const strategy_score& s : c.scores) {
        scores.push_back(json_of(c, s));
    }
    nlohmann::json runs = nlohmann::json::array();
    for (const compared_run& r : c.runs) {
        runs.push_back(json_of(r));
    }
    nlohmann::json out = {{c.axis.time ? "seconds" : "evaluations", c.axis.limit},
                          {"complete", c.complete},
                          {"failed", c.failed},
                          {"spaces", spaces},
                          {"scores", scores},
                          {"runs", runs}};
    if (c.study) {
        out["study"] = to_json(*c.study);
    }
    return out;
}

} // namespace gst
