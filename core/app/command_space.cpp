#include "core/app/commands.hpp"
#include "core/app/pipeline.hpp"
#include "core/base/error.hpp"
#include "core/base/random.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <optional>
#include <set>

namespace gst::commands {

namespace {

constexpr std::int64_t most = 1'000'000'000; ///< samples

struct arguments {
    config_arguments input;
    bool count = false;
    bool explain = false;
    std::uint64_t sample = 0;
    bool json = false;
};

nlohmann::json to_json(const value& v) {
    return std::visit([](const auto& plain) { return nlohmann::json(plain); }, v);
}

std::string listed(const std::vector<value>& values) {
    std::string out;
    for (const value& v : values) {
        out += (out.empty() ? "" : ", ") + to_string(v);
    }
    return out.empty() ? "nothing" : out;
}

/// What is known of a parameter; of one that was recorded only its role.
std::string meaning_of(const parameter& p) {
    if (!p.meaning.empty() || p.purpose == role::other) {
        return p.meaning;
    }
    const std::string along = p.dimension < 0 ? "" : fmt::format(" along {}", "xyz"[p.dimension]);
    return fmt::format("role: {}{}", name_of(p.purpose), along);
}

/// The values of each parameter that at least one valid configuration has.
std::vector<std::vector<value>> possible(const space& s) {
    std::vector<std::vector<value>> out;
    for (const parameter& p : s.parameters()) {
        std::vector<value> left;
        for (const value& v : p.domain) {
            if (s.restricted({{p.name, {v}}}).count() > 0) {
                left.push_back(v);
            }
        }
        out.push_back(std::move(left));
    }
    return out;
}

nlohmann::json to_json(const std::vector<value>& values) {
    nlohmann::json out = nlohmann::json::array();
    for (const value& v : values) {
        out.push_back(to_json(v));
    }
    return out;
}

/// The constraints from one on.
nlohmann::json constraints_json(const space& s, std::size_t from) {
    nlohmann::json out = nlohmann::json::array();
    for (std::size_t i = from; i < s.constraints().size(); ++i) {
        out.push_back({{"condition", s.constraints()[i].condition.text()}, {"reason", s.constraints()[i].reason}});
    }
    return out;
}

/// Parameters and constraints; `explained`: with the values of each parameter that are left, here and on the device.
nlohmann::json to_json(const space& all, const space& admitted, bool explained) {
    nlohmann::json j;
    const auto here = explained ? possible(all) : std::vector<std::vector<value>>();
    const auto there = explained ? possible(admitted) : std::vector<std::vector<value>>();
    for (std::size_t i = 0; i < all.parameters().size(); ++i) {
        const parameter& p = all.parameters()[i];
        nlohmann::json one{{"name", p.name},
                           {"aliases", p.aliases},
                           {"domain", to_json(p.domain)},
                           {"neutral", to_json(p.neutral)},
                           {"meaning", p.meaning}};
        if (explained) {
            one["left"] = to_json(here[i]);
            one["admitted"] = to_json(there[i]);
            one["inactive"] = there[i].size() == 1;
        }
        j["parameters"].push_back(std::move(one));
    }
    j["constraints"] = constraints_json(all, 0);
    j["limits"] = constraints_json(admitted, all.constraints().size());
    return j;
}

void explain(const space& all, const space& admitted, const std::string& device) {
    const auto here = possible(all);
    const auto there = possible(admitted);
    for (std::size_t i = 0; i < all.parameters().size(); ++i) {
        const parameter& p = all.parameters()[i];
        std::string names = p.name;
        for (const std::string& alias : p.aliases) {
            names += " (" + alias + ")";
        }
        fmt::print("{:<10} {}\n", names, listed(p.domain));
        if (const std::string what = meaning_of(p); !what.empty()) {
            fmt::print("           {}\n", what);
        }
        if (here[i].size() < p.domain.size()) {
            fmt::print("           app.toml and the constraints leave: {}\n", listed(here[i]));
        }
        if (there[i].size() < here[i].size()) {
            fmt::print("           the device leaves: {}\n", listed(there[i]));
        }
        if (there[i].size() == 1 && p.domain.size() > 1) {
            fmt::print("           inactive here: only {} is possible\n", to_string(there[i].front()));
        }
    }
    if (!all.constraints().empty()) {
        fmt::print("\nConstraints\n");
    }
    for (const constraint& c : all.constraints()) {
        fmt::print("  {}\n    {}\n", c.condition.text(), c.reason);
    }
    if (admitted.constraints().size() == all.constraints().size()) {
        return;
    }
    fmt::print("\nLimits of {}\n", device);
    for (std::size_t i = all.constraints().size(); i < admitted.constraints().size(); ++i) {
        fmt::print("  {}\n    {}\n", admitted.constraints()[i].condition.text(), admitted.constraints()[i].reason);
    }
}

/// The space, what is searched of it on which device; "": there is none, and all of it would be searched.
struct spaces {
    space all;
    space admitted;
    std::string device;
};

spaces spaces_of(const config& c) {
    if (c.replays()) {
        const recorded_target t = load_recorded_target(c.recording);
        return {t.space, narrowed(t.space, c), t.device->recording.device};
    }
    const stencil s = read_stencil(c);
    const tuning_request request = read_request(c, s);
    std::optional<target> t;
    try {
        t = find_target(c);
    } catch (const machine_error& e) {
        print_note(fmt::format("how many of them a device admits is not known: {}", e.what()));
        return {request.space, request.space, ""};
    }
    return {request.space, admitted_space(request, t->device), t->device.name};
}

void run(const arguments& a) {
    if (a.sample > 0 && (a.count || a.explain)) {
        throw user_error("--sample prints configurations instead of what --count and --explain print", "leave one out");
    }
    const config c = load(a.input);
    const auto [whole, admitted, device] = spaces_of(c);
    const std::uint64_t all = whole.count();
    const std::uint64_t left = admitted.count();
    if (a.sample > 0) {
        check_admitted(whole, admitted, device);
        random_source rng(static_cast<std::uint64_t>(c.seed.value));
        nlohmann::json j = nlohmann::json::array();
        for (std::uint64_t i = 0; i < a.sample; ++i) {
            const configuration one = admitted.sample(rng);
            if (!a.json) {
                fmt::print("{}\n", admitted.to_string(one));
                continue;
            }
            nlohmann::json named;
            for (const auto& [name, v] : admitted.describe(one)) {
                named[name] = to_json(v);
            }
            j.push_back(std::move(named));
        }
        return a.json ? print_json(j) : void();
    }
    if (a.json) {
        nlohmann::json j = to_json(whole, admitted, a.explain);
        j["preset"] = c.replays() ? nlohmann::json() : nlohmann::json(c.space.preset.value);
        j["space"] = all;
        j["admitted"] = device.empty() ? nlohmann::json() : nlohmann::json(left);
        j["device"] = device.empty() ? nlohmann::json() : nlohmann::json(device);
        return print_json(j);
    }
    if (a.explain) {
        explain(whole, admitted, device);
        fmt::print("\n");
    }
    if (device.empty()) {
        fmt::print("{} configurations\n", with_separators(all));
    } else {
        fmt::print("{} configurations, {} admitted by {}\n", with_separators(all), with_separators(left), device);
    }
}

} // namespace

void add_space(CLI::App& program) {
    CLI::App* command =
        add_command(program, "space", "Count, explain or sample the tuning configurations that are searched",
                    "  gst space --count examples/heat3d/app.toml\n"
                    "  gst space --explain examples/heat3d/app.toml\n"
                    "  gst space --sample 5 --json examples/heat3d/app.toml");
    const auto a = std::make_shared<arguments>();
    add_config_arguments(*command, a->input);
    CLI::Option* count = command->add_flag(
        "--count", a->count, "print the number of configurations and how many the device admits (the default)");
    CLI::Option* explained = command->add_flag(
        "--explain", a->explain,
        "print each parameter's values, why it is inactive here, and every constraint with its reason");
    command->add_option("--sample", a->sample, "print N random configurations that the device admits instead")
        ->check(CLI::Range(std::int64_t{0}, most).description(""))
        ->type_name("N");
    count->excludes(explained);
    command->add_flag("--json", a->json, "print the counts and parameters, or the sample, as JSON");
    command->callback([a] { run(*a); });
}

} // namespace gst::commands
