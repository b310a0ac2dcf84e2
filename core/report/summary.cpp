#include "core/report/summary.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace gst {

namespace {

constexpr std::size_t shown_failures = 5;
/// Where time goes, in the order of the flow.
constexpr const char* activities[] = {"search", "store", "generate", "compile", "verify", "measure", "wait"};

std::string line(const std::string& label, const std::string& text) {
    return fmt::format("  {:<14}{}\n", label, text);
}

std::uint64_t valid(const tuning_report& r) {
    const auto correct = r.outcomes.find(status::correct);
    return correct == r.outcomes.end() ? 0 : correct->second;
}

std::string best_text(const tuning_report& r) {
    if (!r.best) {
        return line("best", "none: " + why_none(r));
    }
    const double time = r.best->time;
    std::string out = line("best", r.best->text);
    if (r.optimum) {
        return out + line("time", fmt::format("{:.4g} ms, {:.3f} of the recorded optimum ({:.4g} ms)", time,
                                              *r.optimum / time, *r.optimum));
    }
    out += line("time", fmt::format("{:.4g} ms per step, {:.3g} GSt/s", time, giga_updates(r.work, time)));
    if (r.default_time > 0) {
        out += line("speedup", fmt::format("{:.2f} over the untuned default program ({:.4g} ms)", r.default_time / time,
                                           r.default_time));
    }
    if (r.earlier) {
        out += line("", fmt::format("an earlier search found one of {:.4g} ms: gst run's time steps run with {}",
                                    r.earlier->time, r.earlier->text));
    }
    if (r.untuned_is_faster) {
        out +=
            line("", "nothing faster than that was found: gst run's time steps run with the untuned default program");
    }
    if (r.work.copy_bandwidth > 0) {
        const double share = copy_share(r.work, time);
        const std::string distance = share < 1 ? fmt::format("{:.0f} % below the limit", 100 * (1 - share))
                                               : std::string("more than a pass over the memory per step allows");
        out += line("bandwidth", fmt::format("{:.0f} % of what the best copy reaches ({:.1f} GB/s): {}", 100 * share,
                                             r.work.copy_bandwidth * 1e-9, distance));
    }
    return out;
}

std::string predictions_text(const tuning_report& r) {
    std::string out;
    for (const model_prediction& p : r.predictions) {
        out += line("predicted", to_text(p));
    }
    if (r.searched < r.admitted && !r.predictions.empty()) {
        out += line("", fmt::format("leaves {} of {} configurations", with_separators(r.searched),
                                    with_separators(r.admitted)));
    }
    return out;
}

std::string evaluations_text(const tuning_report& r) {
    const std::string text = fmt::format("{} of the {} that {} ({} in the space)", with_separators(r.evaluations),
                                         with_separators(r.admitted), r.optimum ? "are searched" : "the device admits",
                                         with_separators(r.space));
    std::string out = line("evaluations", text);
    if (r.evaluations > 0) {
        const std::string known =
            r.known == 0 ? "" : fmt::format(", {} with a program measured before", with_separators(r.known));
        const std::string given_up =
            r.given_up == 0 ? ""
                            : fmt::format(", {} of them given up beside a faster one", with_separators(r.given_up));
        out += line("", fmt::format("{} valid ({} %){}{}", with_separators(valid(r)), valid(r) * 100 / r.evaluations,
                                    given_up, known));
    }
    return out;
}

std::string cost_text(const tuning_report& r) {
    std::vector<std::string> parts;
    for (const char* activity : activities) {
        const auto found = r.cost.find(activity);
        if (found != r.cost.end()) {
            parts.push_back(fmt::format("{} {}", activity, duration_text(found->second)));
        }
    }
    std::string took = duration_text(r.seconds);
    if (r.recalled > 0 && !r.optimum) {
        took += fmt::format(", {} of it before", duration_text(r.recalled));
    }
    if (r.preparation > 0) {
        took += fmt::format(", after {} of preparation", duration_text(r.preparation));
    }
    std::string out = line("took", took);
    if (parts.empty()) {
        return out;
    }
    if (r.optimum) { // as it was recorded: the device was idle while it compiled
        return out + line("", fmt::format("{}", fmt::join(parts, ", ")));
    }
    const double idle = idle_seconds(r.seconds, r.cost);
    const double share = r.seconds > 0 ? 100 * idle / r.seconds : 0;
    return out + line("", fmt::format("{}", fmt::join(parts, ", "))) +
           line("", fmt::format("the device idle because of gst: {:.3g} s, {} %", idle,
                                share < 10 ? fmt::format("{:.2g}", share) : fmt::format("{:.0f}", share)));
}

std::string failures_text(const tuning_report& r) {
    std::string out;
    std::uint64_t rest = 0;
    for (std::size_t i = 0; i < r.failures.size(); ++i) {
        const tuning_report::failure_group& f = r.failures[i];
        if (i >= shown_failures) {
            rest += f.count;
            continue;
        }
        const std::string message = f.message.empty() ? "" : ": " + f.message;
        out += line(i == 0 ? "failed" : "",
                    fmt::format("{} × {}{}", with_separators(f.count), name_of(f.outcome), message));
    }
    return rest == 0 ? out : out + line("", fmt::format("{} × other reasons", with_separators(rest)));
}

} // namespace

double idle_seconds(double seconds, const std::map<std::string, double>& cost) {
    double rest = seconds;
    for (const char* activity : {"setup", "verify", "measure", "wait"}) {
        const auto found = cost.find(activity);
        rest -= found == cost.end() ? 0 : found->second;
    }
    return std::max(rest, 0.0);
}

std::string why_none(const tuning_report& r) {
    return r.evaluations == 0 ? "nothing was measured"
           : valid(r) == 0    ? "no configuration was valid"
                           : "all valid configurations were given up beside faster ones, which were not measured here";
}

std::string to_text(const tuning_report& r) {
    std::string out = fmt::format("{}{}, {} ({}), strategy {}, seed {}\n", r.stencil,
                                  r.grid.empty() ? "" : " on " + r.grid, r.device, r.backend, r.strategy, r.seed);
    out += best_text(r) + predictions_text(r) + evaluations_text(r) + cost_text(r) + failures_text(r);
    for (const std::string& note : r.notes) {
        out += line("note", note);
    }
    return out;
}

nlohmann::json to_json(const tuning_report::failure_group& f) {
    return {
        {"status", name_of(f.outcome)}, {"message", f.message}, {"configuration", f.configuration}, {"count", f.count}};
}

namespace {

nlohmann::json to_json(const tuning_report::found& f) {
    nlohmann::json configuration;
    for (const auto& [name, v] : f.configuration) {
        std::visit([&, &key = name](const auto& plain) { configuration[key] = plain; }, v);
    }
    return {{"configuration", configuration}, {"time_ms", f.time}};
}

} // namespace

nlohmann::json to_json(const tuning_report& r) {
    using nlohmann::json;
    json j{{"stencil", r.stencil},
           {"grid", r.grid},
           {"device", r.device},
           {"backend", r.backend},
           {"strategy", r.strategy},
           {"seed", r.seed},
           {"space", r.space},
           {"admitted", r.admitted},
           {"evaluations", r.evaluations},
           {"known", r.known},
           {"seconds", r.seconds},
           {"cost", r.cost},
           {"notes", r.notes},
           {"recalled_seconds", r.recalled},
           {"preparation_seconds", r.preparation}};
    if (!r.predictions.empty()) {
        j["searched"] = r.searched;
        for (const model_prediction& p : r.predictions) {
            j["predictions"].push_back(to_json(p));
        }
    }
    j["best"] = nullptr;
    if (r.best) {
        j["best"] = to_json(*r.best);
        if (!r.optimum) {
            j["best"]["gst_per_s"] = giga_updates(r.work, r.best->time);
        }
        if (r.work.copy_bandwidth > 0) {
            j["best"]["copy_share"] = copy_share(r.work, r.best->time);
        }
        if (r.default_time > 0) {
            j["best"]["speedup"] = r.default_time / r.best->time;
        }
    }
    if (!r.optimum) {
        j["overhead_seconds"] = idle_seconds(r.seconds, r.cost);
    } else {
        j["optimum_ms"] = *r.optimum > 0 ? json(*r.optimum) : json();
        j["fraction_of_optimum"] = r.best ? json(*r.optimum / r.best->time) : json();
    }
    j["earlier"] = r.earlier ? to_json(*r.earlier) : json();
    j["untuned_is_faster"] = r.untuned_is_faster;
    j["default_time_ms"] = r.default_time > 0 ? json(r.default_time) : json();
    j["copy_bandwidth"] = r.work.copy_bandwidth > 0 ? json(r.work.copy_bandwidth) : json();
    j["outcomes"] = json::object();
    for (const auto& [outcome, count] : r.outcomes) {
        j["outcomes"][std::string(name_of(outcome))] = count;
    }
    j["given_up"] = r.given_up;
    j["failures"] = json::array();
    for (const tuning_report::failure_group& f : r.failures) {
        j["failures"].push_back(to_json(f));
    }
    return j;
}

} // namespace gst
