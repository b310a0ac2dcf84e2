#include "core/app/recorded.hpp"

#include "core/app/at_place.hpp"
#include "core/base/error.hpp"
#include "core/store/recording/interchange.hpp"
#include "core/tune/performance_model.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gst {

using toml_document::entry;
using toml_document::item;
using toml_document::mistake;

namespace {

std::vector<std::string> role_names() {
    std::vector<std::string> names;
    for (int r = 0; r <= static_cast<int>(role::other); ++r) {
        names.emplace_back(name_of(static_cast<role>(r)));
    }
    return names;
}

const std::vector<std::string> axes{"x", "y", "z"};

/// A parameter's role: its name, or a table with `role` and `dimension`.
void read_role(const entry& e, const std::string& name, recording_settings& to, std::vector<diagnostic>& mistakes) {
    auto& [written, given] = to.roles[e.key];
    written = e.written;
    const bool table = std::holds_alternative<item::table>(e.value.what);
    const item wrapped{item::table{{"role", e.written, e.value}}, e.value.written};
    table_reader t(table ? e.value : wrapped, name, mistakes);
    t.read_choice("role", given.purpose, role_names());
    t.read_choice("dimension", given.dimension, axes);
    t.finish();
}

void read_roles(table_reader& t, recording_settings& to, const std::filesystem::path& folder) {
    const item* n = t.take("roles");
    if (n == nullptr || std::holds_alternative<item::table>(n->what)) {
        return t.entries("roles", [&](const entry& e) { read_role(e, t.full("roles." + e.key), to, t.mistakes()); });
    }
    setting<std::filesystem::path> file;
    t.read("roles", file, folder);
    if (file.given()) {
        const item document = toml_document::parse(read_text(file.value, shown_path(file.value), file.written));
        for (const entry& e : std::get<item::table>(document.what)) {
            read_role(e, e.key, to, t.mistakes());
        }
    }
}

result_filter filter_of(const recording_settings& s) {
    const auto given = [](const setting<std::string>& text) {
        return text.value.empty() ? std::nullopt : std::optional(text.value);
    };
    result_filter f;
    f.stencil = given(s.stencil);
    f.grid = given(s.grid);
    f.device = given(s.device);
    f.backend = given(s.backend);
    f.problem_digest = given(s.problem);
    f.since = given(s.since);
    if (const std::string wrong = f.since ? date_mistake(*f.since) : ""; !wrong.empty()) {
        throw user_error(mistake(s.since.written, wrong, "times are in UTC"));
    }
    return f;
}

} // namespace

void read_recording_settings(table_reader& t, recording_settings& to, const std::filesystem::path& folder) {
    t.read("file", to.file, folder);
    t.read("definition", to.definition, folder);
    read_roles(t, to, folder);
    t.read_choice("space", to.space, {"recorded", "conditions"});
    t.read_choice("time", to.time, {"mean", "sample"});
    t.read("stencil", to.stencil);
    t.read("grid", to.grid);
    t.read("device", to.device);
    t.read("backend", to.backend);
    t.read("problem", to.problem);
    t.read("since", to.since);
}

recording load_recording(const recording_settings& s) {
    const auto read = [](const setting<std::filesystem::path>& file, const result_filter& filter) {
        return at(file.written, [&] { return read_recording(file.value, shown_path(file.value), filter); });
    };
    recording r = read(s.file, filter_of(s));
    if (s.definition.given()) {
        const recording definition = read(s.definition, {});
        r = at(s.definition.written,
               [&] { return defined_as(r, shown_path(s.file.value), definition, shown_path(s.definition.value)); });
    }
    const std::vector<std::string> names = role_names();
    for (const auto& [parameter, given] : s.roles) {
        const auto& [written, as] = given;
        const auto purpose = std::find(names.begin(), names.end(), as.purpose.value) - names.begin();
        const auto axis = std::find(axes.begin(), axes.end(), as.dimension.value) - axes.begin();
        at(written, [&, &name = parameter] {
            assign_role(r, name, static_cast<role>(purpose), as.dimension.given() ? static_cast<int>(axis) : -1);
            return 0;
        });
    }
    r.kernel = r.kernel.empty() ? s.file.value.filename().string() : r.kernel;
    r.device = r.device.empty() ? "an unnamed device" : r.device;
    return r;
}

namespace {

/// The space that the recording's conditions leave. Throws user_error at the one that leaves nothing.
space described_space(const recording& r) {
    space left = conditional_space(r);
    if (left.count() > 0) {
        return left;
    }
    const space whole(r.parameters, {});
    if (const auto by = what_empties(whole, r.constraints)) {
        throw user_error(r.constraints[by->which].condition.error_here(
            fmt::format("the space has no configuration: of {} none satisfies this condition{}",
                        with_separators(whole.count()), by->alone ? "" : " and those before it together"),
            "change it, or list other values"));
    }
    return left;
}

} // namespace

recorded_target load_recorded_target(const recording_settings& s) {
    recording r = load_recording(s);
    const bool all = s.space.value == "conditions";
    if (all && r.constraints.empty() && !s.definition.given()) {
        throw user_error(
            mistake(s.space.written, "the recording has no conditions", "name its T1 file: definition = \"…\""));
    }
    std::optional<space> wide = all ? std::optional(described_space(r)) : std::nullopt;
    const auto device = at(s.file.written, [&] { return std::make_shared<const recorded_device>(std::move(r)); });
    return {device, wide ? *wide : device->space, s.time.value == "mean" ? replayed_time::mean : replayed_time::sample};
}

std::function<double(const configuration&)> estimate_of(const recorded_model& m, const recorded_target& t) {
    const config app = at(m.app.written, [&] { return read_config(m.app.value); });
    const auto what = std::make_shared<const stencil>(read_stencil(app));
    const space of_app = read_space(app, *what);
    for (const parameter& recorded : t.space.parameters()) {
        const auto same = std::ranges::find(of_app.parameters(), recorded.name, &parameter::name);
        if (same == of_app.parameters().end() || same->domain.front().index() != recorded.domain.front().index()) {
            throw user_error(
                mistake(m.app.written,
                        fmt::format("the recording has a parameter '{}' of {}, and '{}' has none such", recorded.name,
                                    to_string(recorded.domain.front()), shown_path(m.app.value)),
                        "the model knows configurations of gst's own spaces"));
        }
    }
    roofline device;
    device.bandwidth = m.bandwidth.value * 1e9;
    device.compute_units = static_cast<double>(m.compute_units.value);
    device.lanes = static_cast<double>(m.lanes.value);
    device.group_bytes = device.local_bytes = static_cast<double>(m.local_bytes.value);
    return [what, model = performance_model(*what, grid_of(app), t.space, device)](const configuration& c) {
        return model(c);
    };
}

void need_device(const config& c) {
    if (c.replays()) {
        throw user_error(mistake(c.backend.name.written, "a recording has no kernels: it can be searched, not run",
                                 "gst tune, space and bench work with it; the others need backend.name = \"auto\""));
    }
}

} // namespace gst
