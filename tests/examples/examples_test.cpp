#include "core/app/initial.hpp"
#include "core/app/pipeline.hpp"
#include "core/run/npy.hpp"
#include "tests/app/shell.hpp"
#include "tests/catch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>

using namespace gst;
namespace fs = std::filesystem;

namespace {

const std::set<std::string> examples{"blur", "diffusion", "fdtd2d", "gray_scott", "heat2d", "heat3d", "life", "wave3d"};
const std::set<std::string> recordings{"external", "replay"}; ///< searched, not run
constexpr int steps = 5;

/// A short run of the example on a small grid of odd sizes: its settings on top of app.toml.
std::vector<std::string> short_run(const stencil& s, const fs::path& output) {
    const std::vector<int> sizes = s.dimensions == 3 ? std::vector{131, 11, 7} : std::vector{37, 23};
    std::vector<std::string> updated;
    for (const field& f : s.fields) {
        if (!f.coefficient) {
            updated.push_back(f.name);
        }
    }
    return {fmt::format("grid.size=[{}]", fmt::join(sizes, ",")),
            "budget.evaluations=1",
            "measure.min_repetitions=1",
            "measure.max_repetitions=1",
            "run.output=" + output.string(),
            "run.format=npy",
            "run.every=0",
            fmt::format("run.steps={}", steps),
            fmt::format("run.fields=[\"{}\"]", fmt::join(updated, "\",\""))};
}

/// The arrays that the interpreter ends with; its error fields say how far from the exact ones.
struct expectation {
    interpreter_state start;
    interpreter_state end;
    std::vector<int> error_field;
};

expectation interpreted(const config& c, const stencil& s, std::int64_t count) {
    const error_companion bounds = with_error_bounds(s);
    expectation out{to_interpreter(make_initial_state(s, grid_of(c), read_initial_data(c, s))),
                    make_state(bounds.program, grid_of(c)), bounds.error_field};
    std::copy(out.start.levels.begin(), out.start.levels.end(), out.end.levels.begin());
    interpret(bounds.program, out.end, parameter_values(s, c), count);
    return out;
}

/// Interior points of the field where the file is farther from the interpreter's value than both may be from the exact
/// one; adds the points that the steps have changed.
std::string wrong_points(const expectation& e, std::size_t f, const field_values& got, std::size_t& changed) {
    const field_values& want = e.end.levels[f][0];
    const double largest = std::abs(*std::max_element(want.data.begin(), want.data.end(),
                                                      [](double a, double b) { return std::abs(a) < std::abs(b); }));
    std::string wrong;
    for (std::int64_t z = 0; z < want.size[2]; ++z) {
        for (std::int64_t y = 0; y < want.size[1]; ++y) {
            for (std::int64_t x = 0; x < want.size[0]; ++x) {
                const int error = e.error_field[f];
                const double bound = error < 0 ? 0 : e.end.levels[static_cast<std::size_t>(error)][0].at(x, y, z);
                const double off = std::abs(got.at(x, y, z) - want.at(x, y, z));
                if (!(off <= 2 * bound) || !(bound <= 1e-3 * largest)) {
                    wrong += fmt::format("({}, {}, {}): {} instead of {}, bound {}\n", x, y, z, got.at(x, y, z),
                                         want.at(x, y, z), bound);
                }
                changed += want.at(x, y, z) != e.start.levels[f][0].at(x, y, z) ? 1 : 0;
            }
        }
    }
    return wrong;
}

std::string on_command_line(const std::vector<std::string>& settings) {
    std::string out;
    for (const std::string& setting : settings) {
        out += " --set '" + setting + "'";
    }
    return out;
}

} // namespace

TEST_CASE("every folder of examples is tested here and has its line in README.md, and no other has") {
    std::set<std::string> folders;
    for (const auto& entry : fs::directory_iterator(GST_SOURCE_DIR "/examples")) {
        folders.insert(entry.path().filename().string());
    }
    std::set<std::string> all = examples;
    all.insert(recordings.begin(), recordings.end());
    CHECK(folders == all);
    std::set<std::string> described;
    std::istringstream readme(text_of(GST_SOURCE_DIR "/README.md"));
    for (std::string line; std::getline(readme, line);) {
        const std::string name = line.substr(0, line.find(']')).erase(0, 3);
        if (line.starts_with("| [")) {
            const std::string link = fmt::format("| [{0}](examples/{0}/app.toml) | ", name);
            INFO(line);
            CHECK(line.starts_with(link));
            CHECK(line.size() > link.size() + 20);
            described.insert(name);
        }
    }
    CHECK(described == all);
}

TEST_CASE("a recorded example is searched") {
    const playground here;
    for (const std::string& example : recordings) {
        const finished_command done = here.gst("tune --json --quiet examples/" + example + "/app.toml");
        INFO(done.err);
        REQUIRE(done.code == 0);
        const nlohmann::json report = nlohmann::json::parse(done.out);
        CHECK(report["seconds"] >= 300);
        CHECK(report["fraction_of_optimum"] > 0.5);
        CHECK(report["fraction_of_optimum"] <= 1);
    }
}

TEST_CASE("every strategy tunes on a device") {
    const playground here;
    const nlohmann::json plugins = nlohmann::json::parse(here.gst("plugins --json").out);
    std::size_t tried = 0;
    for (const nlohmann::json& plugin : plugins) {
        if (plugin["kind"] != "search") {
            continue;
        }
        const std::string name = plugin["name"];
        std::vector<std::string> settings{"grid.size=[37,23]", "budget.evaluations=4", "measure.min_repetitions=1",
                                          "measure.max_repetitions=1", "search.strategy=" + name};
        if (name == "oracle") {
            settings.push_back("search.options.parameter=load");
        } else if (name == "external") {
            settings.push_back("search.options.program=examples/external/local_search.py");
        }
        const finished_command done =
            here.gst("tune --json --quiet examples/heat2d/app.toml" + on_command_line(settings));
        INFO(name << "\n" << done.err);
        REQUIRE(done.code == 0);
        const nlohmann::json report = nlohmann::json::parse(done.out);
        CHECK(report["strategy"] == name);
        CHECK(report["evaluations"] >= 1);
        CHECK(report["evaluations"] <= 4);
        CHECK(report["best"]["time_ms"] > 0);
        ++tried;
    }
    CHECK(tried >= 14);
}

TEST_CASE("every example runs and computes what the interpreter computes, point by point") {
    const playground here;
    for (const std::string& example : examples) {
        INFO(example);
        const fs::path app = here.folder() / "examples" / example / "app.toml";
        const stencil s = read_stencil(read_config(app));
        const fs::path output = here.folder() / ("result_" + example);
        const std::vector<std::string> settings = short_run(s, output);
        const config c = read_config(app, settings);

        const finished_command ran = here.gst("run --json --quiet " + app.string() + on_command_line(settings));
        INFO(ran.err);
        REQUIRE(ran.code == 0);
        const nlohmann::json report = nlohmann::json::parse(ran.out);
        CHECK(report["run"]["steps"] == steps);

        const expectation expected = interpreted(c, s, steps);
        std::size_t changed = 0;
        for (std::size_t f = 0; f < s.fields.size(); ++f) {
            if (s.fields[f].coefficient) {
                continue;
            }
            const fs::path file = output / fmt::format("{}_{:06}.npy", s.fields[f].name, steps);
            const field_values got = to_values(read_npy(file, s.fields[f], s.dimensions, grid_of(c)));
            INFO(s.fields[f].name);
            CHECK(wrong_points(expected, f, got, changed) == "");
        }
        CHECK(changed > 0);
    }
}

TEST_CASE("a run stops when its residual is small enough, by either norm") {
    const playground here;
    const fs::path app = here.folder() / "examples/heat2d/app.toml";
    std::vector<std::string> settings{"grid.size=[37,23]", "budget.evaluations=1", "run.steps=9",
                                      "run.residual_every=3"};
    const config c = read_config(app, settings);
    const stencil s = read_stencil(c);
    const field_values before = interpreted(c, s, 5).end.levels[0][0];
    const field_values after = interpreted(c, s, 6).end.levels[0][0];
    double most = 0;
    double squares = 0;
    for (std::int64_t y = 0; y < 23; ++y) {
        for (std::int64_t x = 0; x < 37; ++x) {
            const double change = std::abs(after.at(x, y) - before.at(x, y));
            most = std::max(most, change);
            squares += change * change;
        }
    }
    const std::vector<std::pair<std::string, double>> norms{{"max", most}, {"rms", std::sqrt(squares / (37 * 23))}};
    REQUIRE(norms[1].second < 0.5 * norms[0].second);
    for (const auto& [norm, value] : norms) {
        settings.resize(4);
        settings.push_back("run.residual_norm=" + norm);
        settings.push_back(fmt::format("run.residual={}", 1.001 * value)); // reached at step 6, not at 3
        const finished_command ran = here.gst("run --json --quiet " + app.string() + on_command_line(settings));
        INFO(norm << "\n" << ran.err);
        REQUIRE(ran.code == 0);
        const nlohmann::json run = nlohmann::json::parse(ran.out)["run"];
        CHECK(run["steps"] == 6);
        CHECK(run["converged"] == true);
        CHECK(run["residual"].get<double>() == Approx(value).epsilon(1e-4));
    }
}
