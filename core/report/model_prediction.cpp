#include "core/report/model_prediction.hpp"

#include "core/report/throughput.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gst {

namespace {

/// "local 0.82, vector 0.12"; what has no chance is left out.
std::string chances_text(const model_prediction& p, std::size_t from) {
    std::string out;
    for (std::size_t i = from; i < p.chances.size(); ++i) {
        const auto& [name, probability] = p.chances[i];
        if (i == 0 || probability >= 0.005) {
            out += fmt::format("{}{} {:.2f}", out.empty() ? "" : ", ", name, probability);
        }
    }
    return out;
}

/// How surely, in parentheses.
std::string certainty(const model_prediction& p) {
    if (p.number) {
        return fmt::format(" (the value nearest to {:.4g})", *p.number);
    }
    const std::string others = chances_text(p, 1);
    return fmt::format(" ({:.2f}{})", p.chances.front().second, others.empty() ? "" : "; " + others);
}

std::string decision_text(const model_prediction& p) {
    if (p.parameter == "time" && !p.undecided.empty()) {
        return fmt::format("{} does not rank here: {}", p.model, p.undecided);
    }
    if (p.parameter == "time") {
        return !p.asked   ? fmt::format("configurations are ranked by {}, for strategies that ask", p.model)
               : *p.asked ? fmt::format("configurations are ranked by {}", p.model)
                          : fmt::format("{} would rank configurations, and the strategy did not ask", p.model);
    }
    if (p.undecided.empty() && p.launches) {
        return fmt::format("{} by launch: local memory in {} of {}, none in {}, both in {}, by {}", p.parameter,
                           with_separators(p.launches->with),
                           with_separators(p.launches->with + p.launches->without + p.launches->open),
                           with_separators(p.launches->without), with_separators(p.launches->open), p.model);
    }
    if (p.undecided.empty()) {
        return fmt::format("{} = {}{}, by {}", p.parameter, p.chosen, certainty(p), p.model);
    }
    return fmt::format("nothing of {}, by {}: {}; the search is not narrowed by it", p.parameter, p.model, p.undecided);
}

} // namespace

std::string to_text(const model_prediction& p) {
    const std::string elsewhere = p.same_device ? "" : fmt::format("; it was trained on {} ({})", p.device, p.backend);
    return decision_text(p) + (p.beyond.empty() ? "" : "; " + p.beyond) + elsewhere;
}

nlohmann::json to_json(const model_prediction& p) {
    nlohmann::json chances = nlohmann::json::object();
    for (const auto& [name, probability] : p.chances) {
        chances[name] = probability;
    }
    nlohmann::json launches;
    if (p.launches) {
        launches = {{"local", p.launches->with}, {"not_local", p.launches->without}, {"both", p.launches->open}};
    }
    return {{"model", p.model},
            {"predictor", p.predictor},
            {"device", p.device},
            {"backend", p.backend},
            {"same_device", p.same_device},
            {"parameter", p.parameter},
            {"probabilities", std::move(chances)},
            {"number", p.number ? nlohmann::json(*p.number) : nlohmann::json()},
            {"launches", std::move(launches)},
            {"chosen", p.chosen.empty() ? nlohmann::json() : nlohmann::json(p.chosen)},
            {"undecided", p.undecided.empty() ? nlohmann::json() : nlohmann::json(p.undecided)},
            {"beyond", p.beyond.empty() ? nlohmann::json() : nlohmann::json(p.beyond)},
            {"asked", p.asked ? nlohmann::json(*p.asked) : nlohmann::json()}};
}

} // namespace gst
