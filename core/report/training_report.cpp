#include "core/report/training_report.hpp"

#include "core/base/utf8.hpp"
#include "core/report/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace gst {

namespace {

/// What a strategy found on a stencil and what that took; time 0: it found nothing.
struct found {
    double time = 0;
    double compiled = 0;
    double compile_seconds = 0;
    double device_seconds = 0;
    std::string configuration{};
};

/// A strategy on every tuned stencil.
struct strategy_results {
    std::string name;
    std::vector<found> stencils;
};

found found_by(const tuned_suite::run& r) {
    return {r.time, static_cast<double>(r.compiled), r.compile_seconds, r.device_seconds, r.configuration};
}

/// The results of all reports, by strategy.
class results {
  public:
    explicit results(const training_report& r) : report_(r) {
        for (const std::string& name : r.suite.references) {
            references_.push_back(collected(name, [&](const auto& s) { return run_of(s, name, ""); }));
        }
        for (const heuristic_training& h : r.heuristics) {
            for (const std::string& value : r.suite.values) {
                fixed_.push_back(collected(value, [&](const auto& s) { return run_of(s, h.heuristic, value); }));
            }
            predicted_.push_back(
                collected(h.heuristic + ", predicted", [&](const auto& s) { return predicted(s, h); }));
            oracles_.push_back(collected(h.heuristic + ", oracle", [&](const auto& s) { return oracle(s, h); }));
        }
        best_.assign(r.tuned.size(), 0);
        for (const auto* group : {&references_, &oracles_}) { // an oracle holds what its heuristic finds
            for (const strategy_results& s : *group) {
                for (std::size_t i = 0; i < best_.size(); ++i) {
                    const double time = s.stencils[i].time;
                    best_[i] = time > 0 && (best_[i] == 0 || time < best_[i]) ? time : best_[i];
                }
            }
        }
    }

    const strategy_results& baseline() const { return references_.front(); }
    const std::vector<strategy_results>& references() const { return references_; }
    const strategy_results& fixed(std::size_t heuristic, std::size_t value) const {
        return fixed_[heuristic * report_.suite.values.size() + value];
    }
    const strategy_results& predicted(std::size_t heuristic) const { return predicted_[heuristic]; }
    const strategy_results& oracle(std::size_t heuristic) const { return oracles_[heuristic]; }
    double best(std::size_t i) const { return best_[i]; }
    double gigaflops(const strategy_results& s, std::size_t i) const {
        const double time = s.stencils[i].time;
        return time > 0 ? report_.suite.stencils[report_.tuned[i]].operations / time / 1e6 : 0;
    }

  private:
    using stencil = tuned_suite::stencil;

    strategy_results collected(std::string name, const std::function<found(const stencil&)>& of) const {
        strategy_results out{std::move(name), {}};
        for (const std::size_t i : report_.tuned) {
            out.stencils.push_back(of(report_.suite.stencils[i]));
        }
        return out;
    }
    found run_of(const stencil& s, const std::string& strategy, const std::string& value) const {
        return found_by(*report_.suite.find(s.name, strategy, value));
    }
    /// The heuristic with the predicted value. A stencil on which no value leads to anything has no row: it costs what
    /// the values cost on average.
    found predicted(const stencil& s, const heuristic_training& h) const {
        const auto row = std::find(h.table.names.begin(), h.table.names.end(), s.name);
        if (row == h.table.names.end()) {
            found nothing = oracle(s, h);
            for (double* cost : {&nothing.compiled, &nothing.compile_seconds, &nothing.device_seconds}) {
                *cost /= static_cast<double>(report_.suite.values.size());
            }
            return nothing;
        }
        return run_of(s, h.heuristic,
                      h.table.classes[h.predicted[static_cast<std::size_t>(row - h.table.names.begin())]]);
    }
    /// The best of all values; it costs what they cost together (Garvey §8.1).
    found oracle(const stencil& s, const heuristic_training& h) const {
        found all;
        for (const std::string& value : report_.suite.values) {
            const found one = run_of(s, h.heuristic, value);
            all.compiled += one.compiled;
            all.compile_seconds += one.compile_seconds;
            all.device_seconds += one.device_seconds;
            if (one.time > 0 && (all.time == 0 || one.time < all.time)) {
                all.time = one.time;
                all.configuration = one.configuration;
            }
        }
        return all;
    }

    const training_report& report_;
    std::vector<strategy_results> references_, fixed_, predicted_, oracles_;
    std::vector<double> best_; ///< ms of each tuned stencil, by any strategy
};

/// A strategy's line of a table.
struct summary {
    /// Over the first reference, geometric mean of the stencils on which both found something; 0: there are none.
    double speedup = 0;
    std::size_t best = 0;
    std::size_t found = 0;
    double compiled = 0, compile_seconds = 0, device_seconds = 0; ///< means
    double least_gigaflops = 0, gigaflops = 0, most_gigaflops = 0;
};

summary summary_of(const results& all, const strategy_results& s) {
    summary out;
    std::vector<double> speedups;
    std::vector<double> gigaflops;
    const auto n = static_cast<double>(s.stencils.size());
    for (std::size_t i = 0; i < s.stencils.size(); ++i) {
        const found& one = s.stencils[i];
        out.compiled += one.compiled / n;
        out.compile_seconds += one.compile_seconds / n;
        out.device_seconds += one.device_seconds / n;
        if (one.time == 0) {
            continue;
        }
        ++out.found;
        out.best += one.time == all.best(i) ? 1 : 0;
        gigaflops.push_back(all.gigaflops(s, i));
        if (all.baseline().stencils[i].time > 0) {
            speedups.push_back(all.baseline().stencils[i].time / one.time);
        }
    }
    out.speedup = geometric_mean(speedups);
    if (!gigaflops.empty()) {
        out.gigaflops = moments_of(gigaflops).mean;
        const auto [least, most] = std::minmax_element(gigaflops.begin(), gigaflops.end());
        out.least_gigaflops = *least;
        out.most_gigaflops = *most;
    }
    return out;
}

/// "name", as many blanks as fill `width` characters behind it.
std::string padded(const std::string& text, std::size_t width) {
    return text + std::string(width - std::min(width, characters(text)), ' ');
}

constexpr std::size_t name_width = 28;

std::string head(const std::string& first) {
    return fmt::format("  {}{:>8}{:>6}{:>7}{:>10}{:>11}{:>10}{:>9}{:>18}\n", padded(first, name_width), "speedup",
                       "best", "found", "compiled", "compile s", "device s", "GFLOP/s", "from … to");
}

std::string speedup_text(double speedup) {
    return speedup > 0 ? fmt::format("{:.3f}", speedup) : "–";
}

std::string line(const results& all, const strategy_results& s) {
    const summary m = summary_of(all, s);
    const auto gigaflops = [&m](double g) { return m.found == 0 ? std::string("–") : fmt::format("{:.1f}", g); };
    return fmt::format("  {}{:>8}{:>6}{:>7}{:>10.1f}{:>11.2f}{:>10.2f}{:>9}{:>8} …{:>8}\n", padded(s.name, name_width),
                       speedup_text(m.speedup), m.best, m.found, m.compiled, m.compile_seconds, m.device_seconds,
                       gigaflops(m.gigaflops), gigaflops(m.least_gigaflops), gigaflops(m.most_gigaflops));
}

std::string percent(double ratio) {
    return fmt::format("{:.1f} %", 100 * ratio);
}

/// "12.0 % faster kernels in 71.0 % less time than random"
std::string against(const strategy_results& s, const strategy_results& other) {
    std::vector<double> speedups;
    double time = 0;
    double others = 0;
    for (std::size_t i = 0; i < s.stencils.size(); ++i) {
        if (s.stencils[i].time > 0 && other.stencils[i].time > 0) {
            speedups.push_back(other.stencils[i].time / s.stencils[i].time);
        }
        time += s.stencils[i].compile_seconds + s.stencils[i].device_seconds;
        others += other.stencils[i].compile_seconds + other.stencils[i].device_seconds;
    }
    const double less = others > 0 ? 1 - time / others : 0;
    const std::string time_text =
        fmt::format("{} {} time than {}", percent(std::abs(less)), less < 0 ? "more" : "less", other.name);
    if (speedups.empty()) {
        return fmt::format("{}; there is no stencil on which both found something", time_text);
    }
    const double faster = geometric_mean(speedups) - 1;
    return fmt::format("{} {} kernels in {}", percent(std::abs(faster)), faster < 0 ? "slower" : "faster", time_text);
}

std::string strategies(const training_report& r, const results& all) {
    std::string out = fmt::format("Strategies on {} stencils (Garvey, Table 3)\n", r.tuned.size()) + head("strategy");
    for (const strategy_results& s : all.references()) {
        out += line(all, s);
    }
    for (std::size_t h = 0; h < r.heuristics.size(); ++h) {
        out += line(all, all.predicted(h)) + line(all, all.oracle(h));
    }
    out +=
        fmt::format("  speedup: over {}, geometric mean; best: stencils on which no strategy found anything faster;\n"
                    "  compiled, compile s, device s: mean per stencil; an oracle runs with every value\n",
                    all.baseline().name);
    for (std::size_t h = 0; h < r.heuristics.size(); ++h) {
        for (const strategy_results& reference : all.references()) {
            out += fmt::format("  {}: {}\n", all.predicted(h).name, against(all.predicted(h), reference));
        }
    }
    return out;
}

std::string fixed_values(const training_report& r, const results& all) {
    std::string out;
    for (std::size_t h = 0; h < r.heuristics.size(); ++h) {
        out += fmt::format("\n{} with one value of {} for all (Garvey, Tables 4 and 5)\n", r.heuristics[h].heuristic,
                           r.suite.parameter) +
               head(r.suite.parameter);
        for (std::size_t v = 0; v < r.suite.values.size(); ++v) {
            out += line(all, all.fixed(h, v));
        }
    }
    return out;
}

std::string accuracies(const training_report& r) {
    std::string out =
        "\nPredictions (Garvey, Table 6)\n" +
        fmt::format("  {}{}{:>21}{:>21}\n", padded("", name_width - 8), padded("", 20), "left out: stencil", "family") +
        fmt::format("  {}{}{:>10}{:>11}{:>10}{:>11}\n", padded("heuristic", name_width - 8), padded("predicted by", 20),
                    "absolute", "weighted", "absolute", "weighted");
    for (const heuristic_training& h : r.heuristics) {
        for (const heuristic_training::method& m : h.methods) {
            out += fmt::format("  {}{}{:>10.3f}{:>11.3f}", padded(h.heuristic, name_width - 8), padded(m.name, 20),
                               m.one_out.absolute, m.one_out.penalty_weighted);
            out += m.family_out
                       ? fmt::format("{:>10.3f}{:>11.3f}\n", m.family_out->absolute, m.family_out->penalty_weighted)
                       : fmt::format("{:>10}{:>11}\n", "–", "–");
        }
        out += fmt::format("  {}{}{:>10}\n", padded(h.heuristic, name_width - 8), padded("measured once more", 20),
                           h.table.size() == 0 ? "–" : fmt::format("{:.3f}", 1 - h.label_noise));
    }
    return out + "  weighted: mean of the performance with the predicted value over that with the best one\n";
}

/// What training says of itself, in lines.
std::string learned_text(const learned& about, const std::vector<std::string>& features, const char* unit = "") {
    std::string out;
    if (!about.importances.empty()) {
        out += "  importance:";
        for (std::size_t k = 0; k < features.size(); ++k) {
            out += fmt::format("{} {} {:.2f}", k == 0 ? "" : ",", features[k], about.importances[k]);
        }
        out += "\n";
    }
    if (about.out_of_bag_error) {
        out += fmt::format("  out-of-bag error: {:.3f}{}\n", *about.out_of_bag_error, unit);
    }
    return out;
}

std::string confusion(const training_report& r) {
    std::string out;
    for (const heuristic_training& h : r.heuristics) {
        if (h.table.size() == 0) {
            out += fmt::format("\n{}: no value of {} led to anything on any stencil; there is nothing to learn\n",
                               h.heuristic, r.suite.parameter);
            continue;
        }
        if (h.one_class) {
            out += fmt::format("\n{}: {} = {} is best for every stencil{}; there is nothing to learn\n", h.heuristic,
                               r.suite.parameter, h.table.classes[h.table.class_of(0)],
                               h.table.size() == r.tuned.size() ? ""
                                                                : fmt::format(" on which something was found, {} of {}",
                                                                              h.table.size(), r.tuned.size()));
            continue;
        }
        out += fmt::format("\n{}: the best {}, and what was predicted\n  {}", h.heuristic, r.suite.parameter,
                           padded("", name_width));
        for (const std::string& value : h.table.classes) {
            out += fmt::format("{:>10}", value);
        }
        out += "\n";
        for (std::size_t best = 0; best < h.table.classes.size(); ++best) {
            out += "  " + padded(h.table.classes[best], name_width);
            for (std::size_t choice = 0; choice < h.table.classes.size(); ++choice) {
                std::size_t count = 0;
                for (std::size_t i = 0; i < h.table.size(); ++i) {
                    count += h.table.class_of(i) == best && h.predicted[i] == choice ? 1 : 0;
                }
                out += fmt::format("{:>10}", count);
            }
            out += "\n";
        }
        std::vector<std::string> features;
        for (const training_table::feature& f : h.table.features) {
            features.push_back(f.name);
        }
        out += learned_text(h.about, features);
    }
    return out;
}

/// Of the heuristic that is the fastest with predicted values.
std::string best_configurations(const training_report& r, const results& all) {
    std::size_t h = 0;
    for (std::size_t other = 1; other < r.heuristics.size(); ++other) {
        h = summary_of(all, all.predicted(other)).speedup > summary_of(all, all.predicted(h)).speedup ? other : h;
    }
    const strategy_results& s = all.predicted(h);
    std::string out = fmt::format("\nBest configurations of {} (Garvey, Tables 12 and 13)\n  {}{:>10}{:>9}{:>9}  {}\n",
                                  s.name, padded("stencil", name_width), "ms", "GFLOP/s", "speedup", "configuration");
    for (std::size_t i = 0; i < s.stencils.size(); ++i) {
        const double baseline = all.baseline().stencils[i].time;
        const double time = s.stencils[i].time;
        out += time > 0 ? fmt::format("  {}{:>10.4g}{:>9.1f}{:>9}  {}\n",
                                      padded(r.suite.stencils[r.tuned[i]].name, name_width), time, all.gigaflops(s, i),
                                      speedup_text(baseline / time), s.stencils[i].configuration)
                        : fmt::format("  {}{:>10}{:>9}{:>9}  nothing was found\n",
                                      padded(r.suite.stencils[r.tuned[i]].name, name_width), "–", "–", "–");
    }
    return out;
}

std::string left_out(const training_report& r) {
    std::string out;
    for (std::size_t i = 0; i < r.suite.stencils.size(); ++i) {
        const tuned_suite::stencil& s = r.suite.stencils[i];
        if (std::find(r.tuned.begin(), r.tuned.end(), i) == r.tuned.end()) {
            std::string why = s.left_out.empty() ? "not all strategies have run" : printable(s.left_out);
            for (std::size_t end = why.find('\n'); end != std::string::npos; end = why.find('\n', end + 1)) {
                why.insert(end + 1, "    ");
            }
            out += fmt::format("  {}: left out, {}\n", s.name, why);
        }
    }
    for (const std::string& note : r.suite.notes) {
        out += fmt::format("  {}\n", note);
    }
    return out;
}

std::string time_text(const training_report& r) {
    if (!r.time) {
        return r.suite.times.empty() ? "" : "\nTime of configurations: no model learns from fewer than two stencils\n";
    }
    const time_training& t = *r.time;
    return fmt::format("\nTime of {} configurations of {} stencils by {}, a tenth of the stencils left out at a time\n"
                       "  rank correlation {:.3f}; the first {} of a ranking reach {:.1f} % of the fastest, {} random "
                       "ones {:.1f} %\n",
                       t.rows, t.stencils, t.predictor, t.rank_correlation, t.first, 100 * t.ranked, t.first,
                       100 * t.random) +
           learned_text(t.about, t.features, " binary orders of time");
}

} // namespace

accuracy accuracy_of(const training_table& table, std::span<const std::size_t> choices) {
    accuracy out;
    const auto n = static_cast<double>(table.size());
    for (std::size_t i = 0; i < table.size(); ++i) {
        const auto performance = std::span(table.performance).subspan(i * table.classes.size(), table.classes.size());
        out.absolute += choices[i] == table.class_of(i) ? 1 / n : 0;
        const double ratio = performance[choices[i]] / performance[table.class_of(i)];
        out.penalty_weighted += ratio / n;
        out.least = std::min(out.least, ratio);
    }
    return out;
}

std::string to_text(const training_report& r) {
    const tuned_suite& s = r.suite;
    std::string out = fmt::format("{} stencils on {} points, tuned on {} ({}; {})\n{}", s.stencils.size(), s.grid,
                                  s.device, s.backend, s.driver, left_out(r));
    if (r.tuned.empty()) {
        return out + "no stencil is tuned as yet\n";
    }
    const results all(r);
    return out + "\n" + strategies(r, all) + fixed_values(r, all) + accuracies(r) + confusion(r) +
           best_configurations(r, all) + time_text(r);
}

} // namespace gst
