#include "core/base/error.hpp"
#include "core/store/recording/formats.hpp"
#include "core/store/recording/json_stream.hpp"

#include <fmt/format.h>

#include <ostream>

namespace gst {

namespace {

using type = ordered_json::value_t;

std::string type_of(const value& v) {
    static constexpr const char* names[]{"bool", "int", "float", "string"};
    return names[v.index()];
}

/// Values are a list in a text, or a JSON array.
std::vector<value> values_of(const ordered_json& parameter, const std::string& name, const std::string& file) {
    const auto found = parameter.find("Values");
    if (found != parameter.end() && found->is_string()) {
        return expression::parse_values(found->get<std::string>(), fmt::format("{}, values of {}", file, name));
    }
    std::vector<value> out;
    for (const ordered_json& j : member(parameter, "Values", type::array, "a list of values")) {
        out.push_back(to_value(j, name));
    }
    return out;
}

void read_space(const ordered_json& space, const std::string& file, recording_builder& to) {
    for (const ordered_json& p : member(space, "TuningParameters", type::array, "an array of parameters")) {
        const std::string name = member(p, "Name", type::string, "the parameter's name").get<std::string>();
        const auto standard = p.find("Default");
        to.declare(name, values_of(p, name, file),
                   standard == p.end() || standard->is_null() ? std::nullopt
                                                              : std::optional(to_value(*standard, "Default")));
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
        to.out.constraints.push_back(
            {expression::parse(written, fmt::format("{}, condition {}", file, i + 1)), written});
    }
}

} // namespace

recording read_t1(const std::shared_ptr<const source>& text) {
    const ordered_json all = read_json(text, "");
    recording_builder b;
    try {
        read_space(member(all, "ConfigurationSpace", type::object, "the definition of a space"), text->name, b);
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
