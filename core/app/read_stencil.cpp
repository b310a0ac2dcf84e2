#include "core/app/file_text.hpp"
#include "core/app/pipeline.hpp"
#include "core/app/recorded.hpp"
#include "core/base/error.hpp"
#include "dsl/dsl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace gst {

using toml_document::mistake;

namespace {

stencil choose(std::vector<stencil> all, const config& c) {
    std::vector<std::string> names;
    for (const stencil& s : all) {
        names.push_back(s.name);
    }
    const std::string file = c.stencil.file.value.filename().string();
    if (all.empty()) {
        throw user_error(mistake(c.stencil.file.written, fmt::format("'{}' defines no stencil", file)));
    }
    if (!c.stencil.name.given()) {
        if (all.size() > 1) {
            throw user_error(mistake(c.stencil.file.written,
                                     fmt::format("'{}' defines {} stencils: {}", file, all.size(), enumerate(names)),
                                     fmt::format("say which one: name = \"{}\"", names.front())));
        }
        return std::move(all.front());
    }
    const std::string& wanted = c.stencil.name.value;
    const auto found = std::find(names.begin(), names.end(), wanted);
    if (found == names.end()) {
        throw user_error(
            mistake(c.stencil.name.written,
                    fmt::format("'{}' defines no stencil '{}'{}", file, wanted, did_you_mean(wanted, names)),
                    "it defines " + enumerate(names)));
    }
    return std::move(all[static_cast<std::size_t>(found - names.begin())]);
}

void check_parameters(const stencil& s, const config& c, std::vector<diagnostic>& mistakes) {
    std::vector<std::string> names;
    for (const parameter_declaration& p : s.parameters) {
        names.push_back(p.name);
        if (!p.value && c.parameters.count(p.name) == 0) {
            mistakes.push_back(
                mistake(c.stencil.file.written,
                        fmt::format("the stencil '{}' needs a value of its parameter '{}'", s.name, p.name),
                        fmt::format("write [parameters] {} = 1.0", p.name)));
        }
    }
    for (const auto& [name, setting] : c.parameters) {
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            mistakes.push_back(mistake(
                setting.written,
                fmt::format("the stencil '{}' has no parameter '{}'{}", s.name, name, did_you_mean(name, names)),
                names.empty() ? "it has no parameters" : "it has " + enumerate(names)));
        }
    }
}

void check_fields(const stencil& s, const config& c, std::vector<diagnostic>& mistakes) {
    std::vector<std::string> names;
    for (const field& f : s.fields) {
        names.push_back(f.name);
    }
    const auto check = [&](const std::string& name, const place& written) {
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            mistakes.push_back(mistake(
                written, fmt::format("the stencil '{}' has no field '{}'{}", s.name, name, did_you_mean(name, names)),
                "it has " + enumerate(names)));
        }
    };
    for (const auto& [name, levels] : c.initial) {
        check(name, levels.front().written);
    }
    for (const std::string& name : c.run.fields.value) {
        check(name, c.run.fields.written);
    }
}

void check_axes(const stencil& s, const config& c, std::vector<diagnostic>& mistakes) {
    const std::size_t given = c.grid.size.value.size();
    if (given != static_cast<std::size_t>(s.dimensions)) {
        std::vector<std::string> axes(s.axes.begin(), s.axes.begin() + s.dimensions);
        mistakes.push_back(
            mistake(c.grid.size.written,
                    fmt::format("grid.size has {} number{}, but the stencil '{}' has {} ax{}", given,
                                given == 1 ? "" : "s", s.name, s.dimensions, s.dimensions == 1 ? "is" : "es"),
                    "one number of points each for " + enumerate(axes)));
    }
}

} // namespace

std::shared_ptr<const source> read_text(const std::filesystem::path& file, const std::string& shown,
                                        const place& written) {
    try {
        return std::make_shared<const source>(source{shown, file_text(file)});
    } catch (const std::system_error& e) {
        throw user_error(mistake(written, fmt::format("cannot read '{}' ({})", file.string(), e.code().message())));
    }
}

stencil read_stencil(const config& c) {
    need_device(c);
    const std::filesystem::path& file = c.stencil.file.value;
    dsl::options defaults;
    defaults.type = c.stencil.type.value;
    defaults.compute = c.stencil.compute.value;
    stencil s = choose(dsl::compile(read_text(file, shown_path(file), c.stencil.file.written), defaults), c);
    std::vector<diagnostic> mistakes;
    check_axes(s, c, mistakes);
    check_parameters(s, c, mistakes);
    check_fields(s, c, mistakes);
    if (!mistakes.empty()) {
        throw user_error(std::move(mistakes));
    }
    return s;
}

extent3 grid_of(const config& c) {
    extent3 size{1, 1, 1};
    std::copy(c.grid.size.value.begin(), c.grid.size.value.end(), size.begin());
    return size;
}

std::vector<double> parameter_values(const stencil& s, const config& c) {
    std::vector<double> values;
    for (const parameter_declaration& p : s.parameters) {
        const auto given = c.parameters.find(p.name);
        values.push_back(given != c.parameters.end() ? given->second.value : *p.value);
    }
    return values;
}

std::string shown_path(const std::filesystem::path& file) {
    const std::filesystem::path relative = file.lexically_relative(std::filesystem::current_path());
    const bool below = !relative.empty() && *relative.begin() != "..";
    return below ? relative.string() : file.string();
}

} // namespace gst
