#include "core/measure/wire.hpp"

#include "core/codegen/generate.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace gst {

using nlohmann::json;

namespace {

template<class... F>
struct overloaded : F... {
    using F::operator()...;
};
template<class... F>
overloaded(F...) -> overloaded<F...>;

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
    return extra_argument{j.at(1).get<std::uint32_t>()};
}

/// Whether `name` stands in the text as a whole word before a parenthesis.
bool defines(const std::string& text, const std::string& name) {
    const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
        const std::size_t after = at + name.size();
        if ((at == 0 || !in_word(text[at - 1])) && after < text.size() && text[after] == '(') {
            return true;
        }
    }
    return false;
}

std::uint32_t module_of(const program& p, const std::string& kernel) {
    if (p.modules.size() == 1) {
        return 0;
    }
    for (std::size_t m = 0; m < p.modules.size(); ++m) {
        if (defines(p.modules[m].text, kernel)) {
            return static_cast<std::uint32_t>(m);
        }
    }
    throw std::logic_error(fmt::format("no module of the program holds the kernel {}", kernel));
}

} // namespace

void to_json(json& j, const launch& l) {
    json arguments = json::array();
    for (const kernel_argument& a : l.arguments) {
        arguments.push_back(argument_to_json(a));
    }
    j = json{{"kernel", l.kernel}, {"global", l.global}, {"local", l.local}, {"offset", l.offset}};
    j["arguments"] = std::move(arguments);
}

void from_json(const json& j, launch& l) {
    j.at("kernel").get_to(l.kernel);
    j.at("global").get_to(l.global);
    j.at("local").get_to(l.local);
    j.at("offset").get_to(l.offset);
    for (const json& a : j.at("arguments")) {
        l.arguments.push_back(argument_from_json(a));
    }
}

void to_json(json& j, const bound_operation& o) {
    if (const auto* copy = std::get_if<image_copy>(&o.what)) {
        j = json{{"field", copy->field}, {"level", copy->level}};
    } else {
        j = json{{"launch", std::get<launch>(o.what)}, {"module", o.module}};
    }
}

void from_json(const json& j, bound_operation& o) {
    if (j.contains("launch")) {
        o = {j.at("launch").get<launch>(), j.at("module").get<std::uint32_t>()};
    } else {
        o = {image_copy{j.at("field").get<std::uint32_t>(), j.at("level").get<int>()}, 0};
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
    bound_program b{ids, p.layout, allocated_elements(p.layout), p.types, p.levels, p.coefficient, p.images, {}};
    for (const operation& o : p.step) {
        const auto* l = std::get_if<launch>(&o);
        b.step.push_back({o, l == nullptr ? 0 : module_of(p, l->kernel)});
    }
    return b;
}

} // namespace gst
