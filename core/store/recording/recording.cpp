#include "core/store/recording/recording.hpp"

#include "core/base/error.hpp"
#include "core/space/arithmetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gst {

namespace {

std::vector<std::string> names_of(const std::vector<parameter>& parameters) {
    std::vector<std::string> names;
    for (const parameter& p : parameters) {
        names.push_back(p.name);
    }
    return names;
}

std::string domain_text(const parameter& p) {
    std::vector<std::string> values;
    for (const value& v : p.domain) {
        values.push_back(to_string(v));
    }
    return enumerate(values);
}

/// Sorts the domains of numbers; gives the new position of each old one.
std::vector<std::uint16_t> sort_domain(parameter& p) {
    std::vector<std::uint16_t> order(p.domain.size());
    std::iota(order.begin(), order.end(), std::uint16_t{0});
    if (std::none_of(p.domain.begin(), p.domain.end(), is_text)) {
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint16_t a, std::uint16_t b) { return number(p.domain[a]) < number(p.domain[b]); });
    }
    std::vector<value> sorted;
    std::vector<std::uint16_t> moved(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        moved[order[i]] = static_cast<std::uint16_t>(i);
        sorted.push_back(p.domain[order[i]]);
    }
    p.domain = std::move(sorted);
    return moved;
}

bool by_configuration(const recorded& a, const recorded& b) {
    return a.which < b.which;
}

} // namespace

status outcome_named(const std::string& name) {
    std::vector<std::string> known;
    for (const status s : {status::correct, status::compile, status::runtime, status::timeout, status::correctness,
                           status::constraints}) {
        known.emplace_back(name_of(s));
        if (name == known.back()) {
            return s;
        }
    }
    throw user_error(fmt::format("'{}' is no outcome of a measurement{}", name, did_you_mean(name, known)),
                     fmt::format("it is {}", fmt::join(known, ", ")));
}

std::string problem_text(const recording& r) {
    std::string out;
    for (const value& v : r.problem_size) {
        out += (out.empty() ? "" : "x") + to_string(v);
    }
    return out;
}

std::string values_text(const std::vector<value>& values) {
    std::string out;
    for (const value& v : values) {
        std::string text = to_string(v);
        if (std::holds_alternative<bool>(v)) {
            text = std::get<bool>(v) ? "True" : "False";
        } else if (is_text(v)) {
            const char* quote = text.find('\'') == std::string::npos ? "'" : "\"";
            if (text.find(quote) != std::string::npos) {
                throw user_error(fmt::format("the value {} has both kinds of quotes, which a list cannot hold", text),
                                 "write a Kernel Tuner cache");
            }
            text = quote + text + quote;
        }
        out += (out.empty() ? "" : ", ") + text;
    }
    return "[" + out + "]";
}

const recorded* optimum(const recording& r) {
    const recorded* best = nullptr;
    for (const recorded& e : r.entries) {
        if (e.outcome == status::correct && !e.censored && (best == nullptr || e.time < best->time)) {
            best = &e;
        }
    }
    return best;
}

void recording_builder::declare(const std::string& name, std::vector<value> domain) {
    const std::size_t p = out.parameters.size();
    if (std::ranges::find(out.parameters, name, &parameter::name) != out.parameters.end()) {
        throw user_error(fmt::format("the parameter '{}' is there twice", name), "leave one of them out");
    }
    declare_open(name);
    for (value& v : domain) {
        position_of(p, v);
    }
    columns_[p].closed = true;
    if (domain.empty()) {
        throw user_error(fmt::format("the parameter '{}' has no values", name), "list one at least");
    }
    out.parameters[p].neutral = out.parameters[p].domain.front();
}

void recording_builder::set_default(const value& v) {
    parameter& of = out.parameters.back();
    if (!columns_.back().positions.contains(key_of(v))) {
        throw user_error(fmt::format("the default {} of '{}' is none of its values", to_string(v), of.name),
                         fmt::format("{} is one of {}", of.name, domain_text(of)));
    }
    of.neutral = v;
}

recording_builder::comparable recording_builder::key_of(const value& v) {
    return is_text(v) ? comparable(std::get<std::string>(v)) : comparable(number(v));
}

void recording_builder::declare_open(const std::string& name) {
    out.parameters.push_back({name, {}, {}, role::other, -1, {}, "", {}});
    columns_.emplace_back();
}

std::uint16_t recording_builder::position_of(std::size_t p, const value& v) {
    constexpr std::size_t most = 65535;
    parameter& to = out.parameters[p];
    column& c = columns_[p];
    const comparable key = key_of(v);
    const auto found = c.positions.find(key);
    if (found != c.positions.end()) {
        return found->second;
    }
    if (c.closed) {
        throw user_error(fmt::format("the value {} of '{}' is none of its values", to_string(v), to.name),
                         fmt::format("{} is one of {}", to.name, domain_text(to)));
    }
    if (!to.domain.empty() && is_text(v) != is_text(to.domain.front())) {
        throw user_error(fmt::format("the values of '{}' are texts and numbers", to.name),
                         "write all of them as texts, or none");
    }
    if (to.domain.size() == most) {
        throw user_error(fmt::format("the parameter '{}' has more than {} values", to.name, most));
    }
    to.domain.push_back(v);
    return c.positions.emplace(key, static_cast<std::uint16_t>(to.domain.size() - 1)).first->second;
}

void recording_builder::check(const recorded& entry) const {
    if (entry.outcome == status::correct && !(std::isfinite(entry.time) && entry.time > 0)) {
        throw user_error(fmt::format("the time of a correct configuration is {}, no positive number", entry.time),
                         "write what was measured, or an outcome such as runtime or timeout");
    }
    for (const auto* all : {&entry.cost, &entry.measurements}) {
        for (const auto& [name, number] : *all) {
            if (!std::isfinite(number)) {
                throw user_error(fmt::format("'{}' is {}, no number", name, number),
                                 "leave it out where it was not measured");
            }
        }
    }
}

void recording_builder::add(const named_values& named, recorded entry) {
    if (out.parameters.empty()) {
        for (const auto& [name, v] : named) {
            declare_open(name);
        }
    }
    check(entry);
    constexpr std::size_t none = 65536;
    std::vector<std::size_t> positions(out.parameters.size(), none);
    for (std::size_t i = 0; i < named.size(); ++i) {
        const auto& [name, v] = named[i];
        // Entries mostly name the parameters in the same order.
        std::size_t p = i;
        if (p >= out.parameters.size() || out.parameters[p].name != name) {
            const std::vector<std::string> names = names_of(out.parameters);
            p = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
            if (p == names.size()) {
                throw user_error(fmt::format("unknown parameter '{}'{}", name, did_you_mean(name, names)),
                                 fmt::format("the parameters are {}", enumerate(names)));
            }
        }
        positions[p] = position_of(p, v);
    }
    entry.which.clear();
    for (std::size_t p = 0; p < positions.size(); ++p) {
        if (positions[p] == none) {
            throw user_error(fmt::format("the parameter '{}' has no value here", out.parameters[p].name),
                             "every configuration has a value for each parameter");
        }
        entry.which.push_back(static_cast<std::uint16_t>(positions[p]));
    }
    out.entries.push_back(std::move(entry));
}

recording recording_builder::finish() {
    std::vector<std::vector<std::uint16_t>> moved;
    for (std::size_t p = 0; p < out.parameters.size(); ++p) {
        parameter& to = out.parameters[p];
        moved.push_back(sort_domain(to));
        if (!columns_[p].closed) {
            to.neutral = to.domain.front();
        }
    }
    for (recorded& e : out.entries) {
        for (std::size_t p = 0; p < e.which.size(); ++p) {
            e.which[p] = moved[p][e.which[p]];
        }
    }
    std::vector<recorded>& all = out.entries;
    std::stable_sort(all.begin(), all.end(), by_configuration);
    // Of equal ones the last.
    const auto kept =
        std::unique(all.rbegin(), all.rend(), [](const recorded& a, const recorded& b) { return a.which == b.which; });
    all.erase(all.begin(), kept.base());
    return std::move(out);
}

recording defined_by(const recording& r, const recording& definition) {
    recording_builder b;
    for (const parameter& p : definition.parameters) {
        b.declare(p.name, p.domain);
        b.set_default(p.neutral);
    }
    b.out.kernel = r.kernel.empty() ? definition.kernel : r.kernel;
    b.out.device = r.device;
    b.out.problem_size = r.problem_size.empty() ? definition.problem_size : r.problem_size;
    b.out.constraints = definition.constraints;
    b.out.units = r.units;
    b.out.definition = definition.definition;
    for (const recorded& e : r.entries) {
        named_values named;
        for (std::size_t p = 0; p < r.parameters.size(); ++p) {
            named.emplace_back(r.parameters[p].name, r.parameters[p].domain[e.which[p]]);
        }
        b.add(named, e);
    }
    return b.finish();
}

void assign_role(recording& r, const std::string& name, role purpose, int dimension) {
    const std::vector<std::string> names = names_of(r.parameters);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
        throw user_error(fmt::format("unknown parameter '{}'{}", name, did_you_mean(name, names)),
                         fmt::format("the parameters are {}", enumerate(names)));
    }
    parameter& p = r.parameters[static_cast<std::size_t>(found - names.begin())];
    p.purpose = purpose;
    p.dimension = dimension;
}

space recorded_space(const recording& r) {
    if (r.entries.empty()) {
        throw user_error("the recording has no configurations",
                         "name a file with results, not a definition of a space");
    }
    std::vector<configuration> all;
    for (const recorded& e : r.entries) {
        all.push_back(e.which);
    }
    return space::listed(r.parameters, std::move(all), "it was not recorded");
}

space conditional_space(const recording& r) {
    return {r.parameters, r.constraints};
}

} // namespace gst
