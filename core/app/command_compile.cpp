#include "core/app/commands.hpp"
#include "core/app/pipeline.hpp"
#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "core/measure/list_devices.hpp"
#include "core/measure/preparation.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

namespace gst::commands {

namespace {

constexpr std::int64_t most = 1'000'000; ///< samples

struct arguments {
    config_arguments input;
    std::string backend;
    std::string architecture;
    std::uint64_t samples = 20;
    bool json = false;
};

/// The first of the backends that knows the architecture; what the first one said when none does.
target find_architecture(const config& c, const std::string& name) {
    std::exception_ptr first;
    for (const backend_choice& b : backends_of(c)) {
        try {
            return {b, describe_architecture(b, name)};
        } catch (const std::exception&) {
            first = first ? first : std::current_exception();
        }
    }
    std::rethrow_exception(first);
}

/// So many different configurations, or all where there are no more.
std::vector<configuration> drawn(const space& s, std::uint64_t count, std::uint64_t seed) {
    std::vector<configuration> out;
    const std::uint64_t all = s.count();
    if (all <= count) {
        for (std::uint64_t i = 0; i < all; ++i) {
            out.push_back(s.at(i));
        }
        return out;
    }
    random_source rng(seed);
    std::set<configuration> seen;
    while (out.size() < count) {
        configuration c = s.sample(rng);
        if (seen.insert(c).second) {
            out.push_back(std::move(c));
        }
    }
    return out;
}

struct failure {
    std::string configuration;
    status outcome{};
    std::string message;
};

struct result {
    std::size_t configurations = 0;
    std::uint64_t admitted = 0; ///< configurations in all
    std::vector<failure> failures;
    std::vector<double> seconds; ///< of each different module, ascending
    double quantile(double share) const {
        return seconds[static_cast<std::size_t>(std::lround(share * static_cast<double>(seconds.size() - 1)))];
    }
};

result compile_all(const workload& w, const std::vector<configuration>& all, compile_pool& compilers) {
    std::vector<prepared> programs;
    for (const configuration& c : all) {
        programs.push_back(hand_to(compilers, w.generate(c)));
    }
    result r;
    r.configurations = all.size();
    std::set<std::string> seen;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const compiled* wrong = nullptr;
        for (const compiled_module& future : programs[i].modules) {
            const compiled& module = *future.get();
            if (seen.insert(module.id).second) {
                r.seconds.push_back(module.seconds);
            }
            wrong = wrong == nullptr && module.outcome != status::correct ? &module : wrong;
        }
        if (wrong != nullptr) {
            r.failures.push_back({w.space.to_string(all[i]), wrong->outcome, wrong->message});
        }
    }
    std::sort(r.seconds.begin(), r.seconds.end());
    return r;
}

void print(const result& r, const device_info& device) {
    for (const failure& f : r.failures) {
        fmt::print("{}: {}\n{}\n\n", f.configuration, name_of(f.outcome), f.message);
    }
    fmt::print("{} of {} configurations compile for {} ({}; {})\n", r.configurations - r.failures.size(),
               r.configurations, device.name, device.backend, device.driver);
    fmt::print("{} different modules: median {:.0f} ms, 90 % within {:.0f} ms, the longest {:.0f} ms\n",
               r.seconds.size(), 1e3 * r.quantile(0.5), 1e3 * r.quantile(0.9), 1e3 * r.seconds.back());
    fmt::print("{} configurations are admitted\n", r.admitted);
}

nlohmann::json to_json(const result& r, const device_info& device) {
    nlohmann::json failures = nlohmann::json::array();
    for (const failure& f : r.failures) {
        failures.push_back(
            {{"configuration", f.configuration}, {"status", name_of(f.outcome)}, {"message", f.message}});
    }
    return {{"backend", device.backend},
            {"device", device.name},
            {"architecture", device.architecture},
            {"driver", device.driver},
            {"admitted", r.admitted},
            {"configurations", r.configurations},
            {"compiled", r.configurations - r.failures.size()},
            {"failures", failures},
            {"modules", r.seconds.size()},
            {"seconds", {{"median", r.quantile(0.5)}, {"p90", r.quantile(0.9)}, {"longest", r.seconds.back()}}}};
}

void run(const arguments& a) {
    config c = load(a.input);
    if (!a.backend.empty() && a.backend != c.backend.name.value) {
        c.backend = {{a.backend, {}}, {}};
    }
    const stencil s = read_stencil(c);
    const tuning_request request = read_request(c, s);
    const target t = a.architecture.empty() ? find_target(c) : find_architecture(c, a.architecture);
    const workload w = make_workload(request, t.device);
    check_admitted(request.space, w.space, t.device.name);
    compile_pool compilers(t.backend, t.device, c.measure.limits, c.measure.compilers);
    result r = compile_all(w, drawn(w.space, a.samples, static_cast<std::uint64_t>(c.seed.value)), compilers);
    r.admitted = w.space.count();
    a.json ? print_json(to_json(r, t.device)) : print(r, t.device);
    if (!r.failures.empty()) {
        throw nothing_found(fmt::format("{} configurations do not compile", r.failures.size()));
    }
}

} // namespace

void add_compile(CLI::App& program) {
    CLI::App* command = add_command(
        program, "compile", "Compile random configurations of an application, without running them",
        "  gst compile examples/heat3d/app.toml\n"
        "  gst compile --backend cuda --arch sm_90 --samples 50 examples/heat3d/app.toml     no GPU is needed");
    const auto a = std::make_shared<arguments>();
    add_config_arguments(*command, a->input);
    command->add_option("--backend", a->backend, "the backend (name or path) instead of app.toml's")->type_name("NAME");
    command
        ->add_option("--arch", a->architecture,
                     "compile for this architecture, which need not be here, within its published limits; default: the "
                     "device's")
        ->type_name("NAME");
    command
        ->add_option("--samples", a->samples,
                     fmt::format("how many of the configurations that the device admits; default: {}", a->samples))
        ->check(CLI::Range(std::int64_t{1}, most).description(""))
        ->type_name("N");
    command->add_flag("--json", a->json, "print the counts, failures and compile times as JSON");
    command->callback([a] { run(*a); });
}

} // namespace gst::commands
