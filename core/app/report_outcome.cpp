#include "core/app/commands.hpp"
#include "core/app/interrupt.hpp"
#include "core/app/pipeline.hpp"
#include "core/app/predict.hpp"
#include "core/base/error.hpp"
#include "core/codegen/generate.hpp"
#include "core/codegen/presets.hpp"
#include "core/store/result_key.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>

namespace gst {

void print_note(const std::string& line) {
    std::fputs((line + "\n").c_str(), stderr);
    std::fflush(stderr);
}

} // namespace gst

namespace gst::commands {

std::string command_text(const std::string& command, const config_arguments& input) {
    std::string out = "gst " + command;
    for (const std::string& assignment : input.assignments) {
        out += fmt::format(" --set '{}'", assignment);
    }
    if (input.seed) {
        out += fmt::format(" --seed {}", *input.seed);
    }
    return out + " " + input.file;
}

namespace {

/// "at most 200 configurations in 60 s"
std::string budget_text(const config& c, const std::string& unit) {
    const auto evaluations = static_cast<unsigned long long>(c.budget.evaluations.value);
    const double seconds = c.budget.seconds.value;
    if (evaluations == 0 && seconds == 0) {
        return "all configurations: there is no budget";
    }
    return fmt::format("at most {} configurations{}", evaluations > 0 ? with_separators(evaluations) : "all",
                       seconds > 0 ? fmt::format(" in {} {}", seconds, unit) : "");
}

/// What models say, and what they leave to search.
void add_predictions(nlohmann::json& plan, const predicted_search& p) {
    if (!p.predictions.empty()) {
        plan["searched"] = p.searched.count();
        for (const model_prediction& one : p.predictions) {
            plan["predictions"].push_back(to_json(one));
        }
    }
}

void print_predictions(const predicted_search& p) {
    for (const model_prediction& one : p.predictions) {
        fmt::print("  predicted  {}\n", to_text(one));
    }
    if (!p.predictions.empty()) {
        fmt::print("             leaves {} configurations\n", with_separators(p.searched.count()));
    }
}

} // namespace

void print_plan(const config& c, const tuning_request& r, const target& t, std::int64_t steps, bool json) {
    make_strategy(c.search, c.folder); // says what is wrong with it
    const array_layout layout = layout_of(r, t.device);
    std::uint64_t bytes = 0;
    for (const field& f : r.stencil.fields) {
        bytes += allocated_elements(layout) * size_of(f.type) * static_cast<std::uint64_t>(f.levels());
    }
    const std::uint64_t all = r.space.count();
    const space on_device = admitted_space(r, t.device);
    check_admitted(r.space, on_device, t.device.name);
    const std::uint64_t admitted = on_device.count();
    const predicted_search predicted = predict(c, r, t.device, on_device);
    const std::string grid = grid_text(r.stencil.dimensions, r.size);
    if (json) {
        nlohmann::json j = {{"stencil", r.stencil.name},
                            {"grid", grid},
                            {"device", t.device.name},
                            {"backend", t.device.backend},
                            {"strategy", c.search.name.value},
                            {"space", all},
                            {"admitted", admitted},
                            {"array_bytes", bytes},
                            {"evaluations", c.budget.evaluations.value},
                            {"seconds", c.budget.seconds.value},
                            {"steps", steps}};
        add_predictions(j, predicted);
        return print_json(j);
    }
    fmt::print("{} on {} points\n  device     {} ({})\n  space      {} configurations, {} admitted by the device\n"
               "  search     {}, {}\n  arrays     {} bytes\n",
               r.stencil.name, grid, t.device.name, t.device.backend, with_separators(all), with_separators(admitted),
               c.search.name.value, budget_text(c, "s"), with_separators(bytes));
    print_predictions(predicted);
    if (steps > 0) {
        fmt::print("  then       {} steps\n", with_separators(static_cast<unsigned long long>(steps)));
    }
}

void print_recorded_plan(const config& c, const recorded_target& t, bool json) {
    make_strategy(c.search, c.folder);
    const recording& r = t.device->recording;
    const std::uint64_t all = t.space.count();
    const space narrow = narrowed(t.space, c);
    const std::uint64_t searched = narrow.count();
    const predicted_search predicted = predict(c, r.device, narrow);
    if (json) {
        nlohmann::json j = {{"kernel", r.kernel},
                            {"problem", problem_text(r)},
                            {"device", r.device},
                            {"backend", c.backend.name.value},
                            {"strategy", c.search.name.value},
                            {"space", all},
                            {"admitted", searched},
                            {"evaluations", c.budget.evaluations.value},
                            {"seconds", c.budget.seconds.value}};
        add_predictions(j, predicted);
        return print_json(j);
    }
    const std::string problem = problem_text(r);
    fmt::print("{}{}, recorded\n  device     {}\n  space      {} configurations, {} searched\n"
               "  search     {}, {}\n",
               r.kernel, problem.empty() ? "" : " on " + problem, r.device, with_separators(all),
               with_separators(searched), c.search.name.value, budget_text(c, "recorded s"));
    print_predictions(predicted);
}

void print_json(const nlohmann::json& j) {
    // Paths and drivers' messages need not be UTF-8.
    fmt::print("{}\n", j.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

void print_report(const tuning_outcome& outcome, bool json) {
    if (json) {
        print_json(to_json(outcome.report));
    } else {
        fmt::print("{}", to_text(outcome.report));
    }
    std::fflush(stdout);
    if (outcome.abandoned) { // a thread still runs in the plugin: no destructor may pull the ground from under it
        print_note("the strategy did not return after its budget was spent and was left behind");
        if (outcome.interrupted && !outcome.fault) {
            end_by_signal();
        }
        std::_Exit(outcome.fault ? 3 : outcome.best ? 0 : 1);
    }
    if (outcome.fault) {
        std::rethrow_exception(outcome.fault);
    }
    if (outcome.interrupted) {
        throw interruption();
    }
    if (!outcome.best) {
        throw nothing_found("there is no best configuration: " + why_none(outcome.report));
    }
}

} // namespace gst::commands
