#include "core/app/commands.hpp"
#include "core/app/pipeline.hpp"
#include "core/app/predict.hpp"
#include "core/app/recorded.hpp"
#include "core/base/error.hpp"
#include "core/report/throughput.hpp"
#include "core/store/result_key.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace gst::commands {

namespace {

struct arguments {
    config_arguments input;
    bool json = false;
};

/// What was asked, and what the models say of it.
struct answer {
    std::string what;
    std::string grid;
    std::string device;
    std::uint64_t admitted = 0;
    predicted_search said;
};

answer ask(const config& c) {
    if (c.replays()) {
        const recorded_target t = load_recorded_target(c.recording);
        const recording& r = t.device->recording;
        const space all = narrowed(t.space, c);
        return {r.kernel, problem_text(r), r.device, all.count(), predict(c, r.device, all)};
    }
    const stencil s = read_stencil(c);
    const tuning_request r = read_request(c, s);
    const target t = find_target(c);
    const space all = admitted_space(r, t.device);
    return {s.name, grid_text(s.dimensions, r.size), t.device.name, all.count(), predict(c, r, t.device, all)};
}

void print(const answer& a) {
    fmt::print("{} on {}, {}\n", a.what, a.grid, a.device);
    for (const model_prediction& p : a.said.predictions) {
        fmt::print("  {}\n", to_text(p));
    }
    fmt::print("  {} of {} configurations would be searched\n", with_separators(a.said.searched.count()),
               with_separators(a.admitted));
}

nlohmann::json to_json(const answer& a) {
    nlohmann::json predictions = nlohmann::json::array();
    for (const model_prediction& p : a.said.predictions) {
        predictions.push_back(gst::to_json(p));
    }
    return {{"what", a.what},         {"grid", a.grid},
            {"device", a.device},     {"predictions", std::move(predictions)},
            {"admitted", a.admitted}, {"searched", a.said.searched.count()}};
}

void run(const arguments& a) {
    const config c = load(a.input);
    if (c.predictors.empty()) {
        throw user_error(fmt::format("'{}' names no model", a.input.file),
                         "for example [predictor] model = \"h200.model\"; gst train makes models");
    }
    const answer said = ask(c);
    a.json ? print_json(to_json(said)) : print(said);
}

} // namespace

void add_predict(CLI::App& program) {
    CLI::App* command =
        add_command(program, "predict", "Say what the models of an application predict, without tuning it",
                    "  gst predict app.toml\n"
                    "  gst predict --json --set predictor.model=h200.model app.toml");
    const auto a = std::make_shared<arguments>();
    add_config_arguments(*command, a->input);
    command->add_flag("--json", a->json, "print it as JSON");
    command->callback([a] { run(*a); });
}

} // namespace gst::commands
