#include "core/report/space_study.hpp"
#include "core/report/text_table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace gst {

namespace {

constexpr const char* none = "-";

std::string percent(double share) {
    return fmt::format("{:.1f}%", 100 * share);
}

/// "fails", "< 0.1", "≥ 0.1" … "≥ 0.9"
std::vector<std::string> bin_names() {
    std::vector<std::string> out{"fails", "< 0.1"};
    for (int tenth = 1; tenth < 10; ++tenth) {
        out.push_back(fmt::format("≥ 0.{}", tenth));
    }
    return out;
}

std::string sample_table(const space_study& s) {
    text_table t{{"space"}, {}};
    for (const sampled_best& b : s.spaces.front().samples) {
        t.header.push_back(fmt::format("{:g}", b.budget));
    }
    for (const studied_space& space : s.spaces) {
        t.rows.push_back({space.name});
        for (const sampled_best& b : space.samples) {
            t.rows.back().push_back(
                std::isfinite(b.best.mean) ? fmt::format("{:.4g} ({:.2g})", b.best.mean, b.best.variance) : none);
        }
    }
    return "best of random samples by their size: mean in ms and, in brackets, variance in ms²\n" + to_text(t);
}

template<class Speedups>
std::string histogram(const space_study& s, const std::string& title, Speedups&& of) {
    text_table t{{"share of speedups"}, {}};
    const std::vector<std::string> bins = bin_names();
    t.header.insert(t.header.end(), bins.begin(), bins.end());
    t.header.emplace_back("mean");
    for (std::size_t i = 0; i < s.spaces.size(); ++i) {
        const std::vector<double> speedups = of(i);
        std::vector<std::string> row{s.spaces[i].name};
        for (const double share : speedup_shares(speedups)) {
            row.push_back(speedups.empty() ? none : percent(share));
        }
        row.push_back(speedups.empty() ? none : fmt::format("{:.3f}", moments_of(speedups).mean));
        t.rows.push_back(std::move(row));
    }
    return title + "\n" + to_text(t);
}

std::string value_table(const space_study& s) {
    text_table t{{"parameter", "values", "in a best configuration"}, {}};
    for (const value_counts& all : best_values(s)) {
        std::string counts;
        for (const auto& [v, times] : all.counts) {
            counts += times > 0 ? fmt::format("{}{} ({})", counts.empty() ? "" : ", ", to_string(v), times) : "";
        }
        t.rows.push_back({all.parameter, std::to_string(all.counts.size()), counts});
    }
    return fmt::format("values of the best configurations of {} space{}, and in how many of them\n", s.spaces.size(),
                       s.spaces.size() == 1 ? "" : "s") +
           to_text(t);
}

/// The start's time over that with one optimization tuned; nothing where the space has no such parameter.
std::vector<double> gains(const studied_space& s, const std::string& optimization) {
    std::vector<double> out;
    for (const tuned_alone& a : s.alone) {
        if (const auto found = a.alone.find(optimization); found != a.alone.end()) {
            out.push_back(a.start / found->second);
        }
    }
    return out;
}

std::string alone_table(const space_study& s) {
    text_table t{{"space"}, {}};
    for (const optimization& o : s.optimizations) {
        t.header.push_back(o.name);
    }
    t.header.emplace_back("combined");
    for (const studied_space& space : s.spaces) {
        t.rows.push_back({space.name});
        for (const optimization& o : s.optimizations) {
            const std::vector<double> all = gains(space, o.name);
            t.rows.back().push_back(all.empty() ? none : fmt::format("{:.3f}", moments_of(all).mean));
        }
        const std::vector<double> all = speedups_of_combined(space);
        t.rows.back().push_back(all.empty() ? none : fmt::format("{:.3f}", moments_of(all).mean));
    }
    return "mean speedup over the best of a random sample: each optimization tuned alone, and all these values "
           "together (0 where they fail)\n" +
           to_text(t);
}

std::string portability_table(const space_study& s) {
    text_table t{{"best of … on …"}, {}};
    for (const studied_space& space : s.spaces) {
        t.header.push_back(space.name);
    }
    t.header.emplace_back("mean elsewhere");
    for (std::size_t i = 0; i < s.spaces.size(); ++i) {
        t.rows.push_back({s.spaces[i].name});
        for (const std::optional<double>& p : s.portability[i]) {
            t.rows.back().push_back(!p ? none : *p == 0 ? "X" : fmt::format("{:.3f}", *p));
        }
        const std::vector<double> elsewhere = speedups_elsewhere(s, i);
        t.rows.back().push_back(elsewhere.empty() ? none : fmt::format("{:.3f}", moments_of(elsewhere).mean));
    }
    return "best time by the time of another space's best (X: fails; -: other parameters)\n" + to_text(t);
}

} // namespace

std::string to_text(const space_study& s) {
    return sample_table(s) + "\n" +
           histogram(s, "all configurations, by best time / time",
                     [&](std::size_t i) { return speedups_of_all(s.spaces[i]); }) +
           "\n" + value_table(s) + "\n" + alone_table(s) + "\n" + portability_table(s);
}

std::string to_csv(const space_study& s) {
    std::string out = "study,space,what,value\n";
    const auto add = [&](const char* study, const std::string& space, const std::string& what, double number) {
        out += fmt::format("{},{},{},{}\n", study, quoted(space), quoted(what),
                           std::isfinite(number) ? fmt::format("{}", number) : "");
    };
    const std::vector<std::string> bins = bin_names();
    const auto add_histogram = [&](const char* study, const std::string& space, const std::vector<double>& speedups) {
        const std::vector<double> shares = speedup_shares(speedups);
        for (std::size_t bin = 0; bin < bins.size() && !speedups.empty(); ++bin) {
            add(study, space, bins[bin], shares[bin]);
        }
    };
    for (std::size_t i = 0; i < s.spaces.size(); ++i) {
        const studied_space& space = s.spaces[i];
        for (const sampled_best& b : space.samples) {
            add("sample_mean_ms", space.name, fmt::format("{:g}", b.budget), b.best.mean);
            add("sample_variance_ms2", space.name, fmt::format("{:g}", b.budget), b.best.variance);
        }
        add_histogram("speedups", space.name, speedups_of_all(space));
        for (const auto& [parameter, best] : space.best) {
            out += fmt::format("best,{},{},{}\n", quoted(space.name), quoted(parameter), quoted(to_string(best)));
        }
        for (const optimization& o : s.optimizations) {
            for (const double gain : gains(space, o.name)) {
                add("alone", space.name, o.name, gain);
            }
        }
        for (const double combined : speedups_of_combined(space)) {
            add("combined", space.name, "", combined);
        }
        for (std::size_t j = 0; j < s.spaces.size(); ++j) {
            if (s.portability[i][j]) {
                add("portability", space.name, s.spaces[j].name, *s.portability[i][j]);
            }
        }
    }
    for (const value_counts& all : best_values(s)) {
        for (const auto& [v, times] : all.counts) {
            add("values", "", all.parameter + "=" + to_string(v), static_cast<double>(times));
        }
    }
    return out;
}

nlohmann::json to_json(const space_study& s) {
    using nlohmann::json;
    const auto json_of = [](const value& v) { return std::visit([](const auto& x) { return json(x); }, v); };
    json spaces = json::array();
    for (std::size_t i = 0; i < s.spaces.size(); ++i) {
        const studied_space& space = s.spaces[i];
        json samples = json::array();
        for (const sampled_best& b : space.samples) {
            samples.push_back({{"budget", b.budget}, {"mean_ms", b.best.mean}, {"variance_ms2", b.best.variance}});
        }
        json chosen = json::object();
        for (const auto& [parameter, best] : space.best) {
            chosen[parameter] = json_of(best);
        }
        json alone = json::array();
        for (const tuned_alone& a : space.alone) {
            alone.push_back({{"start_ms", a.start}, {"alone_ms", a.alone}, {"combined_ms", a.combined}});
        }
        json portability = json::object();
        for (std::size_t j = 0; j < s.spaces.size(); ++j) {
            portability[s.spaces[j].name] = s.portability[i][j] ? json(*s.portability[i][j]) : json();
        }
        spaces.push_back({{"name", space.name},
                          {"optimum_ms", space.optimum},
                          {"best", chosen},
                          {"samples", samples},
                          {"speedup_shares", speedup_shares(speedups_of_all(space))},
                          {"alone", alone},
                          {"portability", portability}});
    }
    json values = json::array();
    for (const value_counts& all : best_values(s)) {
        json counts = json::array();
        for (const auto& [v, times] : all.counts) {
            counts.push_back({{"value", json_of(v)}, {"times", times}});
        }
        values.push_back({{"parameter", all.parameter}, {"counts", counts}});
    }
    return {{"spaces", spaces}, {"values", values}};
}

} // namespace gst
