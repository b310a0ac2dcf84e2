#include "core/measure/wire.hpp"

#include "core/base/overloaded.hpp"
#include "core/codegen/generate.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace gst {

using nlohmann::json;

namespace {

json argument_to_json(const kernel_argument& a) {
    return std::visit(overloaded{
                          [](const field_argument& f) {
                              return json{"field", f.field, f.level, f.as_image};
                          },
                          [](const parameter_argument& p) {
                              return json{"parameter", p.index, p.type};
                          },
                          [](const step_argument&) { return json::array({"step"}); },
                          [](const extra_argument& e) {
                              return json{"extra", e.index};
                          },
                          [](const tensor_argument& t) {
                              return json{"tensor", t.of.field, t.of.level, t.shape};
                          },
                      },
                      a);
}

kernel_argument argument_from_json(const json& j) {
    const auto& kind = j.at(0).get_ref<const std::string&>();
    if (kind == "field") {
        return field_argument{j.at(1).get<std::uint32_t>(), j.at(2).get<int>(), j.at(3).get<bool>()};
    }
    if (kind == "parameter") {
        return parameter_argument{j.at(1).get<std::uint32_t>(), j.at(2).get<scalar>()};
    }
    if (kind == "step") {
        return step_argument{};
    }
    if (kind == "tensor") {
        return tensor_argument{{j.at(1).get<std::uint32_t>(), j.at(2).get<int>(), false}, j.at(3).get<tensor_shape>()};
    }
    return extra_argument{j.at(1).get<std::uint32_t>()};
}

} // namespace

void to_json(json& j, const launch& l) {
    json arguments = json::array();
    for (const kernel_argument& a : l.arguments) {
        arguments.push_back(argument_to_json(a));
    }
    j = json{
        {"kernel", l.kernel}, {"module", l.module}, {"global", l.global}, {"local", l.local}, {"offset", l.offset}};
    j["arguments"] = std::move(arguments);
}

void from_json(const json& j, launch& l) {
    j.at("kernel").get_to(l.kernel);
    j.at("module").get_to(l.module);
    j.at("global").get_to(l.global);
    j.at("local").get_to(l.local);
    j.at("offset").get_to(l.offset);
    for (const json& a : j.at("arguments")) {
        l.arguments.push_back(argument_from_json(a));
    }
}

void to_json(json& j, const program_operation& o) {
    if (const auto* copy = std::get_if<image_copy>(&o)) {
        j = json{{"field", copy->field}, {"level", copy->level}};
    } else {
        j = json(std::get<launch>(o));
    }
}

void from_json(const json& j, program_operation& o) {
    if (j.contains("kernel")) {
        o = j.get<launch>();
    } else {
        o = image_copy{j.at("field").get<std::uint32_t>(), j.at("level").get<int>()};
    }
}

json to_json(const std::map<std::string, value>& options) {
    json j = json::object();
    for (const auto& [name, v] : options) {
        std::visit([&, &key = name](const auto& x) { j[key] = x; }, v);
    }
    return j;
}

std::map<std::string, value> options_from_json(const json& j) {
    std::map<std::string, value> options;
    for (const auto& [name, v] : j.items()) {
        if (v.is_boolean()) {
            options[name] = v.get<bool>();
        } else if (v.is_number_integer()) {
            options[name] = v.get<std::int64_t>();
        } else if (v.is_number()) {
            options[name] = v.get<double>();
        } else {
            options[name] = v.get<std::string>();
        }
    }
    return options;
}

bound_program bind_modules(const program& p, const std::vector<std::string>& ids) {
    return {ids,      p.layout, allocated_elements(p.layout),
            p.types,  p.kept,   p.coefficient,
            p.images, p.steps,  p.error_factor,
            p.call,   p.halos,  p.remainder};
}

} // namespace gst
