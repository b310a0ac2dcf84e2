#include "core/base/error.hpp"
#include "core/store/recording/formats.hpp"
#include "core/store/recording/json_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace gst {

namespace {

using type = ordered_json::value_t;

std::string type_of(const value& v) {
    static constexpr const char* names[]{"bool", "int", "float", "string"};
    return names[v.index()];
}

/// A T1 file whose texts can be pointed into.
class t1_file {
  public:
    explicit t1_file(const std::shared_ptr<const source>& text)
        : places_(member_places(text)), plain_(without_escapes(*text, places_)) {}

    /// Runs `f`; what it says without a place gets that of the member at a JSON pointer.
    template<class F>
    auto at(const std::string& pointer, F&& f) const {
        const span whole = places_.at(pointer);
        try {
            return f();
        } catch (const user_error& e) {
            std::vector<diagnostic> placed = e.diagnostics();
            for (diagnostic& d : placed) {
                if (!d.where) {
                    d.where = plain_;
                    d.at = whole;
                }
            }
            throw user_error(std::move(placed));
        }
    }
    /// The file, every text in it as it reads.
    const std::shared_ptr<const source>& plain() const { return plain_; }
    /// The inside of the text at a JSON pointer, of so many bytes.
    span inside(const std::string& pointer, std::size_t size) const {
        const std::size_t begin = places_.at(pointer).begin + 1;
        return {begin, begin + size};
    }

  private:
    /// The file with every text as it reads without escapes, filled up with blanks: what is written in it is where it
    /// was.
    static std::shared_ptr<const source> without_escapes(const source& file,
                                                         const std::map<std::string, span>& places) {
        auto plain = std::make_shared<source>(file);
        for (const auto& [pointer, place] : places) {
            const std::string raw = file.text.substr(place.begin, place.end - place.begin);
            if (raw.front() == '"' && raw.find('\\') != std::string::npos) {
                auto text = ordered_json::parse(raw).get<std::string>();
                std::replace_if(
                    text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
                text.resize(raw.size() - 2, ' ');
                plain->text.replace(place.begin + 1, text.size(), text);
            }
        }
        return plain;
    }

    std::map<std::string, span> places_;
    std::shared_ptr<const source> plain_;
};

/// Values are a list in a text, or a JSON array.
std::vector<value> values_of(const ordered_json& parameter, const std::string& name, const std::string& pointer,
                             const t1_file& file) {
    const auto found = parameter.find("Values");
    if (found != parameter.end() && found->is_string()) {
        return expression::parse_values(file.plain(), file.inside(pointer, found->get<std::string>().size()));
    }
    std::vector<value> out;
    for (const ordered_json& j : member(parameter, "Values", type::array, "a list of values")) {
        out.push_back(to_value(j, name));
    }
    return out;
}

void read_parameter(const ordered_json& p, const std::string& pointer, const t1_file& file, recording_builder& to) {
    const std::string name = member(p, "Name", type::string, "the parameter's name").get<std::string>();
    if (!p.contains("Values")) {
        throw user_error(fmt::format("the values of '{}' are missing", name), "write \"Values\": \"[1, 2]\"");
    }
    const std::string values = pointer + "/Values";
    file.at(values, [&] { to.declare(name, values_of(p, name, values, file)); });
    if (const auto standard = p.find("Default"); standard != p.end() && !standard->is_null()) {
        file.at(pointer + "/Default", [&] { to.set_default(to_value(*standard, "Default")); });
    }
}

void read_space(const ordered_json& space, const t1_file& file, recording_builder& to) {
    const std::string of_space = "/ConfigurationSpace";
    const ordered_json& parameters = member(space, "TuningParameters", type::array, "an array of parameters");
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        read_parameter(parameters[i], fmt::format("{}/TuningParameters/{}", of_space, i), file, to);
    }
    const auto conditions = space.find("Conditions");
    if (conditions == space.end() || conditions->is_null()) {
        return;
    }
    if (!conditions->is_array()) {
        throw user_error(fmt::format("'Conditions' must be an array, not {}", conditions->type_name()));
    }
    // Which parameters a condition has is in the expression; the list beside it may be incomplete.
    for (std::size_t i = 0; i < conditions->size(); ++i) {
        const std::string written =
            member((*conditions)[i], "Expression", type::string, "a condition").get<std::string>();
        const std::string pointer = fmt::format("{}/Conditions/{}/Expression", of_space, i);
        to.out.constraints.push_back({expression::parse(file.plain(), file.inside(pointer, written.size())), written});
    }
    check_constraints(to.out.parameters, to.out.constraints);
}

} // namespace

recording read_t1(const std::shared_ptr<const source>& text) {
    const ordered_json all = read_json(text, "");
    recording_builder b;
    try {
        read_space(member(all, "ConfigurationSpace", type::object, "the definition of a space"), t1_file(text), b);
        if (const auto kernel = all.find("KernelSpecification"); kernel != all.end() && kernel->is_object()) {
            b.out.kernel = text_of(*kernel, "KernelName");
            if (const auto size = kernel->find("ProblemSize"); size != kernel->end() && size->is_array()) {
                for (const ordered_json& j : *size) {
                    b.out.problem_size.push_back(to_value(j, "ProblemSize"));
                }
            }
        }
    } catch (const user_error& e) {
        std::vector<diagnostic> named = e.diagnostics();
        if (!named.front().where) {
            named.front().message = fmt::format("'{}' is no T1 file: {}", text->name, named.front().message);
        }
        throw user_error(std::move(named));
    }
    b.out.definition = all.dump();
    return b.finish();
}

void write_t1(const recording& r, std::ostream& to) {
    ordered_json all = r.definition.empty() ? ordered_json() : ordered_json::parse(r.definition);
    if (!all.contains("General")) {
        all["General"] = {{"BenchmarkName", r.kernel}, {"OutputFormat", "JSON"}};
    }
    ordered_json& space = all["ConfigurationSpace"];
    space["TuningParameters"] = ordered_json::array();
    for (const parameter& p : r.parameters) {
        space["TuningParameters"].push_back({{"Name", p.name},
                                             {"Type", type_of(p.domain.front())},
                                             {"Values", values_text(p.domain)},
                                             {"Default", from_value(p.neutral)}});
    }
    space["Conditions"] = ordered_json::array();
    for (const constraint& c : r.constraints) {
        space["Conditions"].push_back({{"Expression", c.condition.text()}, {"Parameters", c.condition.names()}});
    }
    ordered_json& kernel = all["KernelSpecification"];
    kernel["KernelName"] = r.kernel;
    kernel["ProblemSize"] = ordered_json::array();
    for (const value& v : r.problem_size) {
        kernel["ProblemSize"].push_back(from_value(v));
    }
    to << all.dump(4, ' ', false, ordered_json::error_handler_t::replace) << "\n";
}

} // namespace gst
