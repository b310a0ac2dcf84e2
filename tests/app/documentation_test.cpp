#include "core/app/config.hpp"
#include "tests/app/markdown.hpp"
#include "tests/app/shell.hpp"
#include "tests/catch.hpp"

#include <sstream>

using namespace gst;

TEST_CASE("the commands of README.md do what they say") {
    const playground here;
    int commands = 0;
    for (const block& b : blocks_of("README.md")) {
        if (b.mark != "<!-- run -->") {
            continue;
        }
        CHECK(b.language == "sh");
        std::istringstream lines(b.text);
        for (std::string command; std::getline(lines, command); ++commands) {
            const finished_command c = here.run(command);
            INFO(command << "\n" << c.err);
            CHECK(c.code == 0);
            CHECK(!c.out.empty());
        }
    }
    CHECK(commands >= 9);
}

TEST_CASE("the two commands of README.md are those of bootstrap") {
    const std::string bootstrap = text_of(std::filesystem::path(GST_SOURCE_DIR) / "bootstrap");
    std::string commands;
    for (const block& b : blocks_of("README.md")) {
        commands += b.mark == "<!-- run: install -->" ? b.text : "";
    }
    CHECK(commands == "./bootstrap run examples/heat3d/app.toml\n./bootstrap test\n");
    CHECK(bootstrap.find("\nrun)\n") != std::string::npos);
    CHECK(bootstrap.find("\ntest)\n") != std::string::npos);
}

TEST_CASE("the example in README.md is the example") {
    const std::string example = text_of(std::filesystem::path(GST_SOURCE_DIR) / "examples/heat3d/app.toml");
    int shown = 0;
    for (const block& b : blocks_of("README.md")) {
        if (b.language == "toml") {
            ++shown;
            CHECK(example.find(b.text) != std::string::npos);
        }
    }
    CHECK(shown == 1);
}

TEST_CASE("what docs/app-toml.md shows is accepted, and every default in it is one") {
    const temporary_folder folder;
    const std::vector<block> blocks = blocks_of("docs/app-toml.md");
    REQUIRE(blocks.size() == 3);
    const config shown = read_config(folder.write("app.toml", blocks[0].text));
    const config standard =
        read_config(folder.write("minimal.toml", "[stencil]\nfile = \"a.gst\"\n[grid]\nsize = [1]\n"));
    CHECK(shown.seed.value == standard.seed.value);
    CHECK(shown.stencil.type.value == standard.stencil.type.value);
    CHECK(shown.grid.layout.value == standard.grid.layout.value);
    CHECK(shown.space.preset.value == standard.space.preset.value);
    CHECK(shown.search.name.value == standard.search.name.value);
    CHECK(shown.predictors.at(0).least_probability.value == predictor_settings().least_probability.value);
    CHECK(shown.backend.name.value == standard.backend.name.value);
    CHECK(shown.device.value == standard.device.value);
    CHECK(shown.budget.evaluations.value == standard.budget.evaluations.value);
    CHECK(shown.budget.seconds.value == standard.budget.seconds.value);
    const timing_method& timing = shown.measure.timing;
    const timing_method& usual = standard.measure.timing;
    CHECK(timing.method == usual.method);
    CHECK(timing.warm_up == usual.warm_up);
    CHECK(timing.min_repetitions == usual.min_repetitions);
    CHECK(timing.max_repetitions == usual.max_repetitions);
    CHECK(timing.precision == usual.precision);
    CHECK(timing.repetition_ms == usual.repetition_ms);
    CHECK(timing.max_seconds == usual.max_seconds);
    CHECK(timing.flush_cache == usual.flush_cache);
    CHECK(timing.censor_factor == usual.censor_factor);
    CHECK(shown.measure.limits.compile_seconds == standard.measure.limits.compile_seconds);
    CHECK(shown.measure.limits.configuration_seconds == standard.measure.limits.configuration_seconds);
    CHECK(shown.measure.limits.memory_bytes == standard.measure.limits.memory_bytes);
    CHECK(shown.measure.compilers == standard.measure.compilers);
    CHECK(shown.run.every.value == standard.run.every.value);
    CHECK(shown.run.residual_norm.value == standard.run.residual_norm.value);
    CHECK(shown.run.residual_every.value == standard.run.residual_every.value);
    CHECK(shown.run.checkpoint_every.value == standard.run.checkpoint_every.value);
    CHECK(shown.run.resume.value == standard.run.resume.value);
    const initial_settings& u = shown.initial.at("u").at(0);
    CHECK(u.kind.value == initial_settings().kind.value);
    CHECK(u.low.value == initial_settings().low.value);
    CHECK(u.high.value == initial_settings().high.value);
    CHECK(u.seed.value == initial_settings().seed.value);

    for (std::size_t i = 1; i < blocks.size(); ++i) {
        const std::string text = "[stencil]\nfile = \"a.gst\"\n[grid]\nsize = [1]\n" + blocks[i].text;
        CHECK_NOTHROW(read_config(folder.write("more.toml", text)));
    }
}

TEST_CASE("every key that app.toml may have is in docs/app-toml.md") {
    const temporary_folder folder;
    const std::string documented = text_of(std::filesystem::path(GST_SOURCE_DIR) / "docs/app-toml.md");
    for (const std::string table :
         {"stencil", "grid", "space", "search", "predictor", "backend", "budget", "measure", "store", "run"}) {
        std::string message;
        try {
            read_config(folder.write("app.toml", "[" + table + "]\nno_such_key_at_all = 1\n"));
        } catch (const std::exception& e) {
            message = e.what();
        }
        const std::string intro = "known keys: ";
        REQUIRE(message.find(intro) != std::string::npos);
        const std::size_t begin = message.find(intro) + intro.size();
        std::istringstream keys(message.substr(begin, message.find('\n', begin) - begin));
        for (std::string key; keys >> key;) {
            if (key == "and") {
                continue;
            }
            key = key.back() == ',' ? key.substr(0, key.size() - 1) : key;
            INFO(table << "." << key);
            const bool assigned = documented.find("\n" + key + " = ") != std::string::npos;
            CHECK((assigned || documented.find("[" + table + "." + key + "]") != std::string::npos));
        }
    }
}
