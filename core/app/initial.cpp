#include "core/app/initial.hpp"

#include "core/app/pipeline.hpp"
#include "core/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gst {

using toml_document::mistake;

namespace {

expression formula_of(const setting<std::string>& text) {
    // Where it is written as it is, in quotes or without, messages point into it.
    const std::string& document = text.written.where->text;
    for (const std::size_t begin : {text.written.at.begin + 1, text.written.at.begin}) {
        if (begin < document.size() && document.compare(begin, text.value.size(), text.value) == 0) {
            return expression::parse(text.written.where, span{begin, begin + text.value.size()});
        }
    }
    return expression::parse(text.value, "initial expression");
}

initial_data convert(const initial_settings& from, const stencil& s) {
    const std::string& kind = from.kind.value;
    if (kind == "gaussian") {
        const auto& center = from.center;
        if (center.given() && center.value.size() != static_cast<std::size_t>(s.dimensions)) {
            throw user_error(
                mistake(center.written, fmt::format("the centre has {} coordinates, but the stencil '{}' has {} axes",
                                                    center.value.size(), s.name, s.dimensions)));
        }
        return initial::gaussian{center.given() ? std::optional(center.value) : std::nullopt, from.width.value,
                                 from.amplitude.value};
    }
    if (kind == "constant") {
        return initial::constant{from.value.value};
    }
    if (kind == "expression") {
        return initial::formula{formula_of(from.expression)};
    }
    if (kind == "file") {
        return initial::file{from.file.value};
    }
    if (from.low.value > from.high.value) {
        throw user_error(mistake(from.low.given() ? from.low.written : from.high.written,
                                 fmt::format("noise from {} to {} is empty", from.low.value, from.high.value)));
    }
    return initial::noise{from.low.value, from.high.value, from.seed.value};
}

/// check_initial; what is wrong gets the place where the data is described.
void check(const initial_data& data, const initial_settings& written, const stencil& s, std::size_t field,
           extent3 size) {
    const place& where = written.file.given() ? written.file.written : written.written;
    try {
        check_initial(data, s, field, size);
    } catch (const machine_error& e) { // the file that was named cannot be read
        throw user_error(mistake(where, e.what()));
    } catch (const user_error& e) {
        std::vector<diagnostic> placed = e.diagnostics();
        for (diagnostic& d : placed) {
            if (!d.where) {
                d.where = where.where;
                d.at = where.at;
            }
        }
        throw user_error(std::move(placed));
    }
}

/// The state comes from the checkpoint.
bool resumes(const config& c) {
    std::error_code failed;
    return c.run.resume.value && std::filesystem::exists(c.run.checkpoint.value, failed);
}

} // namespace

std::map<std::string, std::vector<initial_data>> read_initial_data(const config& c, const stencil& s) {
    std::map<std::string, std::vector<initial_data>> out;
    for (const auto& [name, levels] : c.initial) {
        const auto found =
            std::find_if(s.fields.begin(), s.fields.end(), [&, &n = name](const field& f) { return f.name == n; });
        if (found == s.fields.end()) {
            continue; // read_stencil has refused it
        }
        const auto kept = static_cast<std::size_t>(kept_levels(*found));
        if (levels.size() > kept) {
            throw user_error(mistake(levels[kept].written, fmt::format("'{}' keeps {} level{}: {} are given", name,
                                                                       kept, kept == 1 ? "" : "s", levels.size())));
        }
        for (const initial_settings& level : levels) {
            out[name].push_back(convert(level, s));
            if (!resumes(c)) {
                check(out[name].back(), level, s, static_cast<std::size_t>(found - s.fields.begin()), grid_of(c));
            }
        }
    }
    return out;
}

} // namespace gst
