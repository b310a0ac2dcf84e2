#include "dsl/symbols.hpp"

#include "dsl/pattern.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace gst::dsl {

std::string_view described(symbol::kind k) {
    constexpr std::array<std::string_view, 10> words{"an axis",          "a field",
                                                     "a coefficient",    "a parameter",
                                                     "a constant",       "a constant with indices",
                                                     "a set of weights", "a table of weights",
                                                     "a pattern",        "a let"};
    return words[static_cast<std::size_t>(k)];
}

const std::vector<function_info>& functions() {
    constexpr std::size_t many = 16;
    static const std::vector<function_info> all{
        {"abs", 1, 1},    {"sqrt", 1, 1},   {"exp", 1, 1},  {"log", 1, 1},    {"sin", 1, 1},  {"cos", 1, 1},
        {"tan", 1, 1},    {"atan", 1, 1},   {"tanh", 1, 1}, {"floor", 1, 1},  {"ceil", 1, 1}, {"round", 1, 1},
        {"min", 2, many}, {"max", 2, many}, {"pow", 2, 2},  {"select", 3, 3}, {"int", 1, 1},  {"real", 1, 1},
        {"size", 1, 1},   {"f16", 1, 1},    {"f32", 1, 1},  {"f64", 1, 1},    {"i32", 1, 1}};
    return all;
}

const function_info* function_named(std::string_view name) {
    const auto& all = functions();
    const auto found = std::find_if(all.begin(), all.end(), [&](const function_info& f) { return f.name == name; });
    return found == all.end() ? nullptr : &*found;
}

std::optional<ir::function> unary_function_named(std::string_view name) {
    using enum ir::function;
    constexpr std::array<std::pair<std::string_view, ir::function>, 12> names{{{"abs", absolute},
                                                                               {"sqrt", square_root},
                                                                               {"exp", exponential},
                                                                               {"log", logarithm},
                                                                               {"sin", sine},
                                                                               {"cos", cosine},
                                                                               {"tan", tangent},
                                                                               {"atan", arc_tangent},
                                                                               {"tanh", hyperbolic_tangent},
                                                                               {"floor", floor},
                                                                               {"ceil", ceiling},
                                                                               {"round", round}}};
    for (const auto& [spelling, f] : names) {
        if (spelling == name) {
            return f;
        }
    }
    return std::nullopt;
}

std::optional<scalar> conversion_named(std::string_view name) {
    const auto type = scalar_named(name);
    return type && *type != scalar::boolean ? type : std::nullopt;
}

bool is_pattern_name(std::string_view name) {
    return shape_named(name).has_value();
}

bool is_weights_name(std::string_view name) {
    return name == "gaussian" || name == "random";
}

bool is_taken_by_the_language(std::string_view name) {
    return name == "t" || name == "all" || function_named(name) != nullptr || is_pattern_name(name) ||
           is_weights_name(name);
}

index_item taken_apart(const ast::expression& e) {
    const auto plain = [](const ast::expression& f) -> const ast::reference* {
        const auto* r = std::get_if<ast::reference>(&f.form);
        return r != nullptr && r->form == ast::reference::kind::plain ? r : nullptr;
    };
    if (const ast::reference* r = plain(e)) {
        return {r, nullptr};
    }
    const auto* c = std::get_if<ast::chain>(&e.form);
    const ast::reference* head = c != nullptr ? plain(*c->first) : nullptr;
    const auto is_shift = [](const ast::chain::link& l) {
        return l.op == ir::binary_op::add || l.op == ir::binary_op::subtract;
    };
    if (head == nullptr || !std::all_of(c->rest.begin(), c->rest.end(), is_shift)) {
        return {};
    }
    return {head, &c->rest};
}

} // namespace gst::dsl
