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

} // namespace gst
