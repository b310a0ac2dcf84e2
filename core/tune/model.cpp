#include "core/tune/model.hpp"

#include "core/base/error.hpp"
#include "core/host/find_plugin.hpp"
#include "core/host/make_plugin.hpp"

#include <fmt/format.h>

namespace gst {

namespace {

/// The plugin that is meant by the model's file. A name is all that the file may say: a path in it would run code from
/// wherever the file came from.
const plugin& plugin_of(const model_file& in, const plugin* by, const plugin_place& place) {
    const std::string& name = in.about.predictor;
    if (by == nullptr && name.find_first_of("/.") != std::string::npos) {
        throw user_error(mistake_at(place, "", fmt::format("'{}' is not the name of a predictor", name),
                                    "name the plugin where the model is named"));
    }
    const plugin& p = by != nullptr ? *by : find_plugin("predictor", name, "/", place);
    if (p.name != name || p.version != in.about.version) {
        throw user_error(mistake_at(place, "",
                                    fmt::format("the model was trained by {} {}, and this is {} {} ({})", name,
                                                in.about.version, p.name, p.version, p.file.string()),
                                    "train the model again, or name the plugin that trained it"));
    }
    return p;
}

constexpr std::size_t most_compared = 1000; ///< rows

/// What is wrong with a predictor that was made from what another one saved; "" when nothing is.
std::string difference(const predictor& from, predictor& to, const training_table& table) {
    model_reader in(std::make_shared<source>(source{"what it saved", from.save()}));
    try {
        to.load(in, {table.features.size(), table.classes.size()});
    } catch (const user_error& e) {
        return e.diagnostics().front().message;
    }
    if (!in.at_end()) {
        return "a part of it is not read";
    }
    for (std::size_t i = 0; i < table.size(); i += 1 + table.size() / most_compared) {
        const prediction a = from.predict(table.row(i));
        const prediction b = to.predict(table.row(i));
        if (a.probabilities != b.probabilities || a.value != b.value) {
            return "it predicts otherwise after it is read again";
        }
    }
    return "";
}

} // namespace

model read_model(const std::filesystem::path& file, const std::string& shown, std::int64_t features_version,
                 const plugin* by) {
    model_file in = open_model(file, shown, features_version);
    const plugin_place place = [&in](const std::string&, std::string message) {
        return diagnostic{std::move(message), in.text, in.predictor, ""};
    };
    const plugin& p = plugin_of(in, by, place);
    std::unique_ptr<predictor> learned = make_predictor(p, check_options(p, in.about.options, place));
    learned->load(in.in, {in.about.features.size(), in.about.classes.size()});
    in.expect_end();
    return {std::move(in.about), std::move(learned)};
}

void write_model(const std::filesystem::path& file, const model& m) {
    write_model(file, m.about, m.learned->save());
}

void remove_model(const std::filesystem::path& file) {
    std::error_code failed;
    std::filesystem::remove(file, failed);
    if (failed) {
        throw machine_error(fmt::format("cannot remove '{}' ({})", file.string(), failed.message()));
    }
}

model make_model(const plugin& by, const plugin_options& options, const training_table& table,
                 std::unique_ptr<predictor> learned, model_description about) {
    if (const std::string why = difference(*learned, *make_predictor(by, options), table); !why.empty()) {
        throw machine_error(fmt::format("the predictor plugin '{}' saves a model that is no use: {}", by.name, why));
    }
    about.predictor = by.name;
    about.version = by.version;
    about.options = options.all();
    about.rows = table.size();
    about.features = table.features;
    about.classes = table.classes;
    return {std::move(about), std::move(learned)};
}

} // namespace gst
