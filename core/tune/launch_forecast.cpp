#include "core/tune/launch_forecast.hpp"

#include "core/base/error.hpp"
#include "core/codegen/launch_features.hpp"
#include "core/tune/forecast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace gst {

namespace {

constexpr std::uint64_t most_launches = 2'000'000; ///< that are asked about, in some seconds

/// The position of a parameter in the space, if it has one of this name.
std::optional<std::size_t> position(const space& s, const std::string& name) {
    const auto found = std::ranges::find(s.parameters(), name, &parameter::name);
    return found == s.parameters().end() ? std::nullopt
                                         : std::optional(static_cast<std::size_t>(found - s.parameters().begin()));
}

/// How local memory is chosen in a space.
struct local_memory {
    std::size_t parameter; ///< its position
    value with, without;   ///< its values
    std::uint16_t position_of(const space& s, const value& v) const {
        const std::vector<value>& domain = s.parameters()[parameter].domain;
        return static_cast<std::uint16_t>(std::ranges::find(domain, v) - domain.begin());
    }
};

/// Of `wanted`, useShared or load; a model of one of them decides the other where that is the space's.
local_memory local_memory_of(const space& s, const std::string& wanted) {
    if (wanted != "useShared" && wanted != "load") {
        throw user_error(fmt::format("the model says of a launch whether local memory pays, which is not {}", wanted),
                         "it decides useShared or load");
    }
    if (const auto shared = position(s, "useShared")) {
        return {*shared, true, false};
    }
    return {s.index_of("load"), std::string("local"), std::string("global")};
}

bool is_merge_or_size(const parameter& p) {
    return p.purpose == role::thread_block || p.purpose == role::block_merge || p.purpose == role::cyclic_merge;
}

/// The part of the space with local memory and all but the launch neutral.
space launches_of(const space& all, const local_memory& by) {
    std::map<std::string, std::vector<value>> values;
    for (const parameter& p : all.parameters()) {
        if (!is_merge_or_size(p)) {
            values[p.name] = {p.neutral};
        }
    }
    values[all.parameters()[by.parameter].name] = {by.with};
    return all.restricted(values);
}

/// The parameters that tell a launch from what is none, and by which way it is.
std::vector<std::size_t> telling_parameters(const space& all, const local_memory& by) {
    std::vector<std::size_t> out;
    for (std::size_t p = 0; p < all.parameters().size(); ++p) {
        const parameter& one = all.parameters()[p];
        if (p == by.parameter || is_merge_or_size(one) || one.purpose == role::vector_width ||
            one.purpose == role::load || one.purpose == role::streaming || one.purpose == role::temporal) {
            out.push_back(p);
        }
    }
    return out;
}

/// Where the model's features come from.
class question {
  public:
    question(const model& m, const features& known, stencil_profiles profiles)
        : model_(m), profiles_(std::move(profiles)) {
        const std::vector<feature> of_launch = launch_features(launch_profile());
        for (const training_table::feature& f : m.about.features) {
            const auto found = std::ranges::find(of_launch, f.name, &feature::name);
            if (found != of_launch.end()) {
                feature_of(of_launch, f); // in the same unit
                launch_.emplace_back(row_.size(), static_cast<std::size_t>(found - of_launch.begin()));
                row_.push_back(0);
            } else {
                row_.push_back(feature_of(known, f));
            }
        }
    }

    prediction ask(const schedule& how) {
        const std::vector<double> values = launch_values(profiles_.of(how));
        for (const auto& [to, from] : launch_) {
            row_[to] = values[from];
        }
        return model_.learned->predict(row_);
    }

  private:
    const model& model_;
    stencil_profiles profiles_;
    std::vector<double> row_;
    std::vector<std::pair<std::size_t, std::size_t>> launch_; ///< positions in the row and among launch features
};

} // namespace

bool decides_launches(const model_description& about) {
    const std::vector<feature> of_launch = launch_features(launch_profile());
    return !ranks(about) && std::ranges::any_of(about.features, [&](const auto& f) {
        return std::ranges::find(of_launch, f.name, &feature::name) != of_launch.end();
    });
}

launch_forecast make_launch_forecast(const model& m, const std::string& parameter, const features& known,
                                     stencil_profiles profiles, const space& all, double least_probability) {
    if (m.about.classes != std::vector<std::string>{"false", "true"}) {
        throw user_error(fmt::format("the model's classes ({}) are not false and true", enumerate(m.about.classes)),
                         "gst synth han writes a suite for models that decide by launch");
    }
    const local_memory by = local_memory_of(all, parameter);
    launch_forecast out{all.parameters()[by.parameter].name, 0, 0, 0, "", all};
    question asked(m, known, std::move(profiles));
    if (out.undecided = outside_of(m.about, known); !out.undecided.empty()) {
        return out;
    }
    const space launches = launches_of(all, by);
    if (launches.count() == 0) {
        out.undecided = "no launch uses local memory and nothing else here";
        return out;
    }
    if (launches.count() > most_launches) {
        out.undecided = fmt::format("there are {} launches, and at most {} are asked about: narrow the space",
                                    launches.count(), most_launches);
        return out;
    }
    const std::vector<std::size_t> telling = telling_parameters(all, by);
    const std::uint16_t with = by.position_of(all, by.with);
    const std::uint16_t without = by.position_of(all, by.without);
    std::vector<configuration> slower;
    for (std::uint64_t rank = 0; rank < launches.count(); ++rank) {
        configuration c = launches.at(rank);
        c[by.parameter] = without;
        const prediction p = all.contains(c) ? asked.ask(schedule_of(all, c, schedule())) : prediction();
        if (p.probabilities.empty() || !p.outside.empty() || !is_sure(p.probabilities[p.choice()], least_probability)) {
            ++out.open;
            continue;
        }
        const bool local = p.choice() == 1;
        ++(local ? out.with : out.without);
        c[by.parameter] = local ? without : with;
        configuration& row = slower.emplace_back();
        for (const std::size_t t : telling) {
            row.push_back(c[t]);
        }
    }
    if (slower.empty()) {
        out.undecided = "every launch lies outside of what the model has learned from, or is not sure enough";
        return out;
    }
    out.searched = all.without(telling, slower, "the model says that it is slower than its twin");
    return out;
}

} // namespace gst
