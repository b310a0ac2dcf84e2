#include "core/app/suite.hpp"

#include "core/app/file_text.hpp"
#include "core/app/table_reader.hpp"
#include "core/base/error.hpp"
#include "core/store/tuned_suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace gst {

using toml_document::entry;
using toml_document::item;
using toml_document::mistake;

namespace {

constexpr const char* stencils_example = "stencils = [{ file = \"star.gst\", family = \"star\" }]";

/// What is written, in one line, tables in the order of their keys.
std::string text_of(const item& n) {
    std::set<std::string> entries;
    std::string out;
    if (const auto* table = std::get_if<item::table>(&n.what)) {
        for (const entry& e : *table) {
            entries.insert(e.key + "=" + text_of(e.value));
        }
        for (const std::string& one : entries) {
            out += (out.empty() ? "" : " ") + one;
        }
        return "{" + out + "}";
    }
    if (const auto* array = std::get_if<item::array>(&n.what)) {
        for (const item& one : *array) {
            out += (out.empty() ? "" : " ") + text_of(one);
        }
        return "[" + out + "]";
    }
    return to_string(*scalar_value(n));
}

void erase(item& table, const std::vector<std::string>& keys) {
    std::erase_if(std::get<item::table>(table.what),
                  [&](const entry& e) { return std::find(keys.begin(), keys.end(), e.key) != keys.end(); });
}

/// What times depend on: everything but where things are, who compiles, and what is learned from the times.
std::string settings_of(item document, item train) {
    for (entry& e : std::get<item::table>(document.what)) {
        if (e.key == "measure" && std::holds_alternative<item::table>(e.value.what)) {
            erase(e.value, {"compilers"});
        }
    }
    erase(document, {"train", "store", "backend"});
    std::erase_if(std::get<item::table>(document.what), [](const entry& e) { return text_of(e.value) == "{}"; });
    erase(train, {"stencils", "predictor", "options", "features", "times", "table", "models"});
    return text_of(document) + " " + text_of(train);
}

std::vector<suite::strategy> read_strategies(table_reader& t, const std::string& key, std::set<std::string>& labels) {
    std::vector<suite::strategy> out;
    t.tables(key, fmt::format("[[train.{}]] strategy = \"{}\"", key, key == "reference" ? "random" : "grouped"),
             [&](table_reader& r, const item& table) {
                 suite::strategy& s = out.emplace_back();
                 r.read_plugin("strategy", s.plugin.name);
                 if (!s.plugin.name.given()) {
                     r.mistakes().push_back(mistake(table.written, r.full("strategy") + " is missing",
                                                    "for example strategy = \"grouped\""));
                 }
                 setting<std::string> label{s.plugin.name.value, s.plugin.name.written};
                 r.read("label", label);
                 r.read_options("options", s.plugin.options);
                 setting<std::int64_t> evaluations;
                 r.read("evaluations", evaluations);
                 s.evaluations = evaluations.value;
                 setting<bool> refused;
                 if (key == "reference") {
                     r.read("refused", refused);
                 }
                 s.refused = refused.value;
                 s.label = label.value;
                 if (key == "heuristic" && s.plugin.name.given() && !names_a_file(s.label)) {
                     r.mistakes().push_back(mistake(label.written,
                                                    fmt::format("the label '{}' can be no file's name", s.label),
                                                    "the heuristic's model is LABEL.model: label = \"…\""));
                 }
                 if (!labels.insert(s.label).second) {
                     r.mistakes().push_back(mistake(label.written,
                                                    fmt::format("there are two strategies '{}'", s.label),
                                                    "tell them apart: label = \"…\""));
                 }
             });
    return out;
}

/// The app.toml of one stencil: the suite's document with the stencil's file and name in it.
item document_for(const item& document, const item& stencil) {
    item out = document;
    auto& tables = std::get<item::table>(out.what);
    const auto found = std::find_if(tables.begin(), tables.end(), [](const entry& e) { return e.key == "stencil"; });
    entry& table = found != tables.end()
                       ? *found
                       : tables.emplace_back(entry{"stencil", stencil.written, {item::table{}, stencil.written}});
    for (const entry& e : std::get<item::table>(stencil.what)) {
        if (e.key != "family" && std::holds_alternative<item::table>(table.value.what)) {
            std::get<item::table>(table.value.what).push_back(e);
        }
    }
    return out;
}

void read_stencils(table_reader& t, const item& document, suite& to) {
    const std::size_t mistakes = t.mistakes().size();
    std::vector<item> documents;
    t.tables("stencils", stencils_example, [&](table_reader& r, const item& table) {
        setting<std::string> family{"other", {}};
        r.read("family", family);
        if (r.take("file") == nullptr) {
            r.mistakes().push_back(mistake(table.written, r.full("file") + " is missing", stencils_example));
        }
        r.take("name");
        to.stencils.push_back({{}, family.value});
        documents.push_back(document_for(document, table));
    });
    for (std::size_t i = 0; i < documents.size() && t.mistakes().size() == mistakes; ++i) {
        to.stencils[i].app = read_config(documents[i], to.file); // throws what is wrong with any of them
    }
}

/// Tables of an app.toml that mean nothing here: what would be ignored is a mistake.
void refuse_others(const item& document, std::vector<diagnostic>& mistakes) {
    for (const entry& e : std::get<item::table>(document.what)) {
        for (const char* other : {"search", "predictor", "run", "initial"}) {
            if (e.key == other) {
                mistakes.push_back(mistake(e.written, fmt::format("[{}] has no say in a suite", other),
                                           "strategies are train.reference and train.heuristic, the predictor is "
                                           "train.predictor, and nothing is run"));
            }
        }
    }
}

void read_train(table_reader& t, const item& document, suite& to) {
    t.read("parameter", to.parameter);
    t.read_plugin("predictor", to.predictor.name);
    t.read_options("options", to.predictor.options);
    t.read("features", to.features);
    t.read("times", to.times, std::int64_t{0}, std::int64_t{1'000'000});
    to.table.value = to.folder / "tuned.json";
    t.read("table", to.table, to.folder);
    to.models.value = to.folder / "models";
    t.read("models", to.models, to.folder);
    std::set<std::string> labels;
    to.references = read_strategies(t, "reference", labels);
    to.heuristics = read_strategies(t, "heuristic", labels);
    if (to.times.value > 0 && labels.contains("time")) {
        t.mistakes().push_back(mistake(to.times.written, "the strategy 'time' would have the model of the time",
                                       "label the strategy otherwise"));
    }
    read_stencils(t, document, to);
}

} // namespace

item read_suite_document(const std::filesystem::path& file, const std::vector<std::string>& assignments) {
    return read_toml(file, assignments, "give the path of a suite.toml; gst synth garvey FOLDER writes one");
}

suite read_suite(item document, const std::filesystem::path& file) {
    suite to;
    to.file = file;
    to.folder = std::filesystem::absolute(file).lexically_normal().parent_path();
    const item* written = document.find("train");
    if (written == nullptr || !std::holds_alternative<item::table>(written->what)) {
        throw user_error(fmt::format("'{}' has no table [train]", file.string()),
                         "gst synth garvey FOLDER writes a suite.toml that has one");
    }
    const item train = *written;
    to.settings = settings_of(document, train);
    erase(document, {"train"});
    std::vector<diagnostic> mistakes;
    refuse_others(document, mistakes);
    table_reader t(train, "train", mistakes);
    read_train(t, document, to);
    t.finish();
    if (!mistakes.empty()) {
        throw user_error(std::move(mistakes));
    }
    return to;
}

} // namespace gst
