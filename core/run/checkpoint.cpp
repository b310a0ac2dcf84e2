#include "core/run/checkpoint.hpp"

#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/base/hash.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace gst {

namespace {

using nlohmann::json;

constexpr int format_version = 1;
constexpr std::size_t longest_head = 1 << 20;

/// The stencil without its parameters' default values: they are not what a run uses.
std::string text_of(stencil s) {
    for (parameter_declaration& p : s.parameters) {
        p.value.reset();
    }
    return to_dsl(s);
}

std::string digest_of(const field_data& d) {
    return digest({reinterpret_cast<const char*>(d.bytes.data()), d.bytes.size()});
}

std::string grid_of(const json& size) {
    std::string text;
    for (const json& n : size) {
        text += fmt::format("{}{}", text.empty() ? "" : "×", n.get<std::int64_t>());
    }
    return text;
}

/// What must be the same when a run goes on.
json identity(const stencil& s, extent3 size, std::span<const double> parameters) {
    json grid = json::array();
    for (int axis = 0; axis < s.dimensions; ++axis) {
        grid.push_back(size[axis]);
    }
    json values = json::object();
    for (std::size_t i = 0; i < s.parameters.size(); ++i) {
        values[s.parameters[i].name] = parameters[i];
    }
    return {{"stencil", s.name}, {"stencil_digest", digest(text_of(s))}, {"grid", grid}, {"parameters", values}};
}

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& why) {
    throw user_error(fmt::format("cannot go on from '{}': {}", file.string(), why),
                     "leave run.resume out to begin anew, or name another run.checkpoint");
}

json read_head(std::istream& in, const std::filesystem::path& file) {
    std::string line;
    line.reserve(1024);
    for (char c = 0; line.size() < longest_head && in.get(c) && c != '\n';) {
        line += c;
    }
    json head = json::parse(line, nullptr, false);
    if (!head.is_object() || head.value("format", json()) != "gst checkpoint") {
        refuse(file, "it is no checkpoint of gst");
    }
    if (head.value("version", 0) != format_version) {
        refuse(file, fmt::format("it is of format {}, this gst reads {}", head.value("version", 0), format_version));
    }
    return head;
}

void check_identity(const std::filesystem::path& file, const json& head, const json& wanted) {
    if (head.at("stencil_digest") != wanted.at("stencil_digest")) {
        refuse(file, head.at("stencil") == wanted.at("stencil")
                         ? fmt::format("the stencil '{}' has changed since", wanted.at("stencil").get<std::string>())
                         : fmt::format("it is of the stencil '{}', not '{}'", head.at("stencil").get<std::string>(),
                                       wanted.at("stencil").get<std::string>()));
    }
    if (head.at("grid") != wanted.at("grid")) {
        refuse(file, fmt::format("its grid is {}, not {}", grid_of(head.at("grid")), grid_of(wanted.at("grid"))));
    }
    for (const auto& [name, value] : wanted.at("parameters").items()) {
        if (head.at("parameters").at(name) != value) {
            refuse(file, fmt::format("its parameter '{}' is {}, not {}", name,
                                     head.at("parameters").at(name).get<double>(), value.get<double>()));
        }
    }
}

} // namespace

void save_checkpoint(const std::filesystem::path& file, const stencil& s, extent3 size,
                     std::span<const double> parameters, const run_state& state) {
    json head = identity(s, size, parameters);
    head["format"] = "gst checkpoint";
    head["version"] = format_version;
    head["step"] = state.step;
    head["arrays"] = json::array();
    for (const auto& levels : state.levels) {
        for (const field_data& d : levels) {
            head["arrays"].push_back(
                {{"field", d.name}, {"type", name_of(d.type)}, {"bytes", d.bytes.size()}, {"digest", digest_of(d)}});
        }
    }
    atomic_file out(file);
    out.write(head.dump() + "\n");
    for (const auto& levels : state.levels) {
        for (const field_data& d : levels) {
            for_each_row(d, true, [&](std::span<const std::byte> row) { out.write(row); });
        }
    }
    out.commit();
}

run_state load_checkpoint(const std::filesystem::path& file, const stencil& s, extent3 size,
                          std::span<const double> parameters) {
    std::ifstream in(file, std::ios::binary);
    if (!in) {
        throw machine_error(fmt::format("'{}' cannot be read ({})", file.string(), std::strerror(errno)));
    }
    const json head = read_head(in, file);
    run_state state;
    try {
        check_identity(file, head, identity(s, size, parameters));
        state.step = head.at("step").get<std::int64_t>();
        std::size_t array = 0;
        for (const field& f : s.fields) {
            std::vector<field_data>& levels = state.levels.emplace_back();
            for (int age = 0; age < kept_levels(f); ++age) {
                field_data& d = levels.emplace_back(make_field_data(f, s.dimensions, size));
                in.read(reinterpret_cast<char*>(d.bytes.data()), static_cast<std::streamsize>(d.bytes.size()));
                if (!in || head.at("arrays").at(array++).at("digest") != digest_of(d)) {
                    refuse(file, fmt::format("it is damaged at field '{}'", f.name));
                }
            }
        }
    } catch (const json::exception&) {
        refuse(file, "its head is damaged");
    }
    return state;
}

} // namespace gst
