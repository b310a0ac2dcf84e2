#include "core/app/config.hpp"

#include "core/app/file_text.hpp"
#include "core/app/recorded.hpp"
#include "core/app/table_reader.hpp"
#include "core/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <type_traits>

namespace gst {

using toml_document::entry;
using toml_document::item;
using toml_document::mistake;

namespace {

constexpr double very_long = 1e9; // seconds
const std::vector<std::string> field_types{"f16", "f32", "f64", "i32"};

void read_stencil(table_reader& t, stencil_settings& to, const std::filesystem::path& folder) {
    t.read("file", to.file, folder);
    t.read("name", to.name);
    if (const auto chosen = t.choose("type", field_types, to.type.written)) {
        to.type.value = *scalar_named(field_types[*chosen]);
    }
    if (const auto chosen = t.choose("compute", field_types, to.compute.written)) {
        to.compute.value = scalar_named(field_types[*chosen]);
    }
}

void read_grid(table_reader& t, grid_settings& to) {
    t.read("size", to.size, 1, std::int64_t{1} << 40);
    if (to.size.given() && (to.size.value.empty() || to.size.value.size() > 3)) {
        t.mistakes().push_back(
            mistake(to.size.written, "grid.size has one number of points per axis, x first: 1 to 3 numbers"));
    }
    if (const auto chosen = t.choose("layout", {"padded", "raw"}, to.layout.written)) {
        to.layout.value = *chosen == 0 ? layout_kind::padded : layout_kind::raw;
    }
}

space_settings::values read_domain(const entry& e, std::vector<diagnostic>& mistakes) {
    space_settings::values to;
    to.written = e.value.written;
    to.name = e.written;
    const auto* elements = std::get_if<item::array>(&e.value.what);
    const item::array one{e.value};
    for (const item& element : elements != nullptr ? *elements : one) {
        if (const std::optional<value> v = scalar_value(element)) {
            to.value.push_back(*v);
        } else {
            mistakes.push_back(
                mistake(element.written, fmt::format("space.domain.{} must be an array of values", e.key)));
        }
    }
    if (elements != nullptr && elements->empty()) {
        mistakes.push_back(mistake(e.value.written, fmt::format("space.domain.{} leaves no value", e.key)));
    }
    return to;
}

void read_space(table_reader& t, space_settings& to) {
    t.read("preset", to.preset);
    t.entries("domain", [&](const entry& e) { to.domain[e.key] = read_domain(e, t.mistakes()); });
    if (const item* n = t.take("constraints")) {
        const auto* elements = std::get_if<item::array>(&n->what);
        const item::array one{*n};
        for (const item& element : elements != nullptr ? *elements : one) {
            if (const auto* text = std::get_if<std::string>(&element.what)) {
                to.constraints.push_back({*text, element.written});
            } else {
                t.wrong(element, "constraints", "an array of expressions such as \"WX*WY*WZ <= 256\"");
            }
        }
    }
}

/// Reads a number that no later message points at.
template<class T, class... Range>
void read_plain(table_reader& t, const std::string& key, T& to, Range... range) {
    setting<std::conditional_t<std::is_same_v<T, double>, double, std::int64_t>> read;
    t.read(key, read, range...);
    if (read.given()) {
        to = static_cast<T>(read.value);
    }
}

void read_measure(table_reader& t, measuring& to) {
    constexpr std::int64_t many = 100000;
    timing_method& timing = to.timing;
    setting<std::string> method{timing.method, {}};
    t.read_choice("method", method, {"default", "paper"});
    timing.method = method.value;
    setting<bool> flush_cache{timing.flush_cache, {}};
    t.read("flush_cache", flush_cache);
    timing.flush_cache = flush_cache.value;
    read_plain(t, "warm_up", timing.warm_up, 0, many);
    read_plain(t, "min_repetitions", timing.min_repetitions, 1, many);
    read_plain(t, "max_repetitions", timing.max_repetitions, 1, many);
    read_plain(t, "precision", timing.precision, 0, 1);
    read_plain(t, "repetition_ms", timing.repetition_ms, 0, 1e6);
    read_plain(t, "max_seconds", timing.max_seconds, 0, very_long);
    read_plain(t, "censor_factor", timing.censor_factor, 0, 1e6);
    read_plain(t, "compile_deadline", to.limits.compile_seconds, 0.01, very_long);
    read_plain(t, "run_deadline", to.limits.configuration_seconds, 0.01, very_long);
    std::int64_t mebibytes = 0;
    read_plain(t, "memory", mebibytes, 0, std::int64_t{1} << 30);
    to.limits.memory_bytes = static_cast<std::uint64_t>(mebibytes) << 20;
    read_plain(t, "compilers", to.compilers, 0, 1024);
    if (timing.min_repetitions > timing.max_repetitions) {
        if (const toml_document::item* n = t.take("min_repetitions")) {
            t.mistakes().push_back(
                mistake(n->written, fmt::format("measure.min_repetitions must be at most max_repetitions, which is {}",
                                                timing.max_repetitions)));
        } else {
            t.mistakes().push_back(
                mistake(t.take("max_repetitions")->written,
                        fmt::format("measure.max_repetitions must be at least min_repetitions, which is {}",
                                    timing.min_repetitions)));
        }
    }
}

void read_run(table_reader& t, run_settings& to, const std::filesystem::path& folder) {
    t.read("steps", to.steps);
    t.read("output", to.output, folder);
    t.read("every", to.every);
    t.read("format", to.format);
    if (to.format.given() && to.format.value.empty()) {
        t.mistakes().push_back(mistake(to.format.written, "run.format names no format: write 'npy', 'vti' or both",
                                       "without run.output no results are written"));
    }
    for (const std::string& format : to.format.value) {
        if (format != "npy" && format != "vti") {
            t.mistakes().push_back(
                mistake(to.format.written, fmt::format("run.format must be 'npy' or 'vti', not '{}'", format)));
        }
    }
    t.read("fields", to.fields);
    t.read("residual", to.residual, 0);
    t.read_choice("residual_norm", to.residual_norm, {"max", "rms"});
    t.read("residual_every", to.residual_every, 1);
    t.read("checkpoint", to.checkpoint, folder);
    t.read("checkpoint_every", to.checkpoint_every);
    t.read("resume", to.resume);
    // Alone they would do nothing.
    const auto needs = [&](bool set, const char* name, const place& written, const char* file,
                           const setting<std::filesystem::path>& path) {
        if (set && path.value.empty()) {
            t.mistakes().push_back(mistake(written, fmt::format("run.{} has no effect without run.{}", name, file),
                                           fmt::format("add run.{} = \"…\", or leave run.{} out", file, name)));
        }
    };
    needs(to.every.value > 0, "every", to.every.written, "output", to.output);
    needs(to.format.given(), "format", to.format.written, "output", to.output);
    needs(to.fields.given(), "fields", to.fields.written, "output", to.output);
    needs(to.checkpoint_every.value > 0, "checkpoint_every", to.checkpoint_every.written, "checkpoint", to.checkpoint);
    needs(to.resume.value, "resume", to.resume.written, "checkpoint", to.checkpoint);
}

void read_initial(table_reader& t, initial_settings& to, const std::filesystem::path& folder) {
    t.read_choice("kind", to.kind, {"noise", "gaussian", "constant", "expression", "file"});
    const std::string& kind = to.kind.value;
    // Only the keys of the kind are known, so that a value that would be ignored is an error.
    if (kind == "noise") {
        t.read("low", to.low);
        t.read("high", to.high);
        t.read("seed", to.seed);
    } else if (kind == "gaussian") {
        t.read("center", to.center);
        t.read("width", to.width, 0);
        t.read("amplitude", to.amplitude);
    } else if (kind == "constant") {
        t.read("value", to.value);
    } else if (kind == "expression") {
        t.read("expression", to.expression);
    } else {
        t.read("file", to.file, folder);
    }
    const bool missing = (kind == "expression" && !to.expression.given()) || (kind == "file" && !to.file.given());
    if (missing) {
        t.mistakes().push_back(mistake(to.kind.written, fmt::format("{} is missing", t.full(kind))));
    }
}

void read_predictor(const item& from, const std::string& name, config& to, std::vector<diagnostic>& mistakes) {
    if (!std::holds_alternative<item::table>(from.what)) {
        mistakes.push_back(mistake(from.written, fmt::format("{} must be a table", name),
                                   "for example [predictor] model = \"h200.model\""));
        return;
    }
    predictor_settings& p = to.predictors.emplace_back();
    table_reader t(from, name, mistakes);
    t.read("model", p.model, to.folder);
    t.read_plugin("plugin", p.plugin);
    t.read("decides", p.decides);
    t.read("least_probability", p.least_probability, 0, 1);
    t.finish();
    if (!p.model.given()) {
        mistakes.push_back(mistake(from.written, fmt::format("{} is missing", t.full("model")),
                                   "gst train writes models: model = \"h200.model\""));
    }
}

void read_document(const item& document, config& to, std::vector<diagnostic>& mistakes) {
    const std::filesystem::path& folder = to.folder;
    table_reader t(document, "", mistakes);
    t.read("seed", to.seed);
    t.table("stencil", [&](table_reader& r) { read_stencil(r, to.stencil, folder); });
    t.table("grid", [&](table_reader& r) { read_grid(r, to.grid); });
    t.entries("parameters", [&](const entry& e) {
        if (const std::optional<double> d = real_value(e.value); d && std::isfinite(*d)) {
            to.parameters[e.key] = {*d, e.written};
        } else {
            t.wrong(e.value, "parameters." + e.key, "a number");
        }
    });
    t.table("space", [&](table_reader& r) { read_space(r, to.space); });
    t.table("search", [&](table_reader& r) {
        r.read_plugin("strategy", to.search.name);
        r.read_options("options", to.search.options);
    });
    if (const item* n = t.take("predictor")) { // a table, or an array of tables: several models
        const auto* several = std::get_if<item::array>(&n->what);
        for (const item& one : several != nullptr ? *several : item::array{*n}) {
            read_predictor(one, "predictor", to, mistakes);
        }
    }
    t.table("backend", [&](table_reader& r) {
        r.read_plugin("name", to.backend.name);
        if (to.replays()) {
            r.table("options", [&](table_reader& o) { read_recording_settings(o, to.recording, folder); });
        } else {
            r.read_options("options", to.backend.options);
        }
        const item* n = r.take("device");
        if (const auto* index = n == nullptr ? nullptr : std::get_if<std::int64_t>(&n->what)) {
            to.device = {std::to_string(*index), n->written};
        } else {
            r.read("device", to.device);
        }
    });
    t.table("budget", [&](table_reader& r) {
        r.read("evaluations", to.budget.evaluations);
        r.read("seconds", to.budget.seconds, 0, very_long);
    });
    t.table("measure", [&](table_reader& r) { read_measure(r, to.measure); });
    t.table("store", [&](table_reader& r) { r.read("path", to.store.path, folder); });
    t.table("run", [&](table_reader& r) { read_run(r, to.run, folder); });
    t.entries("initial", [&](const entry& e) {
        // A table, or an array of tables: the levels of the field, newest first.
        const auto* levels = std::get_if<item::array>(&e.value.what);
        for (const item& level : levels != nullptr ? *levels : item::array{e.value}) {
            if (!std::holds_alternative<item::table>(level.what)) {
                t.wrong(level, "initial." + e.key, "a table such as { kind = \"noise\" }");
                continue;
            }
            initial_settings& field = to.initial[e.key].emplace_back();
            field.written = levels != nullptr ? level.written : e.written;
            table_reader r(level, "initial." + e.key, mistakes);
            read_initial(r, field, folder);
            r.finish();
        }
    });
    t.finish();
}

/// What app.toml must say.
void require(const config& c, const item& document, std::vector<diagnostic>& mistakes) {
    const auto& tables = std::get<item::table>(document.what);
    if (tables.empty()) {
        mistakes.push_back({fmt::format("'{}' says nothing: stencil.file and grid.size must be given", c.file.string()),
                            nullptr,
                            {},
                            "for example [stencil] file = \"heat3d.gst\" and [grid] size = [256, 256, 256]"});
        return;
    }
    // Points at the table where the key belongs, when that is there.
    const auto missing = [&](const std::string& name, const std::string& key, const std::string& example) {
        const std::string hint = fmt::format("for example [{}] {} = {}", name, key, example);
        const auto table =
            std::find_if(tables.begin(), tables.end(), [&](const toml_document::entry& e) { return e.key == name; });
        if (table != tables.end()) {
            mistakes.push_back(mistake(table->written, fmt::format("{}.{} is missing", name, key), hint));
        } else {
            mistakes.push_back(
                {fmt::format("{}.{} is missing in '{}'", name, key, c.file.string()), nullptr, {}, hint});
        }
    };
    if (c.replays()) {
        if (!c.recording.used()) {
            missing("backend", "options.file", "\"recording.json\"");
        }
        return;
    }
    if (!c.stencil.file.given()) {
        missing("stencil", "file", "\"heat3d.gst\"");
    }
    if (!c.grid.size.given()) {
        missing("grid", "size", "[256, 256, 256]");
    }
}

} // namespace

std::filesystem::path default_store_path() {
    const auto variable = [](const char* name) {
        const char* text = std::getenv(name);
        return std::filesystem::path(text == nullptr ? "" : text);
    };
    const std::filesystem::path data = variable("XDG_DATA_HOME");
    if (data.is_absolute()) { // the XDG specification says to ignore relative ones
        return data / "gst" / "results.db";
    }
    const std::filesystem::path home = variable("HOME");
    if (home.empty()) {
        throw user_error("there is no place for results: neither XDG_DATA_HOME nor HOME is set",
                         "set HOME, or name the database: [store] path in app.toml, --store of gst results");
    }
    return home / ".local" / "share" / "gst" / "results.db";
}

config read_config(const item& document, const std::filesystem::path& file, bool whole) {
    config c;
    c.file = file;
    c.folder = std::filesystem::absolute(file).lexically_normal().parent_path();
    std::vector<diagnostic> mistakes;
    read_document(document, c, mistakes);
    if (whole && mistakes.empty()) {
        require(c, document, mistakes);
    }
    if (!mistakes.empty()) {
        throw user_error(std::move(mistakes));
    }
    if (!c.store.path.given()) {
        c.store.path.value = default_store_path();
    }
    return c;
}

config read_config(const std::filesystem::path& file, const std::vector<std::string>& assignments) {
    return read_config(
        read_toml(file, assignments, "give the path of an app.toml, for example examples/heat3d/app.toml"), file);
}

} // namespace gst
