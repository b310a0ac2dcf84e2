#include "core/space/space.hpp"

#include "core/base/error.hpp"
#include "core/space/arithmetic.hpp"
#include "core/space/nearest.hpp"
#include "core/space/space_definition.hpp"
#include "core/space/term.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace gst {

std::string_view name_of(role r) {
    switch (r) {
    case role::thread_block:
        return "thread_block";
    case role::block_merge:
        return "block_merge";
    case role::cyclic_merge:
        return "cyclic_merge";
    case role::unroll:
        return "unroll";
    case role::vector_width:
        return "vector_width";
    case role::load:
        return "load";
    case role::streaming:
        return "streaming";
    case role::temporal:
        return "temporal";
    case role::other:
        return "other";
    }
    throw std::logic_error("a role without a name");
}

bool is_ordered(const parameter& p) {
    return std::none_of(p.domain.begin(), p.domain.end(),
                        [](const value& v) { return is_text(v) || std::holds_alternative<bool>(v); });
}

void check_constraints(const std::vector<parameter>& parameters, const std::vector<constraint>& constraints) {
    std::vector<const expression*> written;
    for (const constraint& c : constraints) {
        written.push_back(&c.condition);
    }
    const std::map<std::string, value> no_constants;
    const scope names(parameters, no_constants, written);
    for (const expression* e : written) {
        names.conditions(*e);
    }
}

space::space(std::vector<parameter> parameters, std::vector<constraint> constraints,
             std::map<std::string, value> constants) {
    auto definition = std::make_shared<space_definition>(checked_parameters(std::move(parameters), constants));
    auto made = std::make_shared<state>();
    made->diagram = ordered_diagram(*definition, constraints, constants);
    made->definition = std::move(definition);
    made->constraints = std::make_shared<const std::vector<constraint>>(std::move(constraints));
    made->constants = std::make_shared<const std::map<std::string, value>>(std::move(constants));
    state_ = std::move(made);
}

space space::listed(std::vector<parameter> parameters, std::vector<configuration> configurations,
                    std::string otherwise) {
    const std::vector<parameter> given = parameters;
    space_definition definition = checked_parameters(std::move(parameters), {});
    for (std::size_t p = 0; p < given.size(); ++p) {
        if (given[p].domain != definition.parameters[p].domain || given[p].active) {
            throw std::logic_error("a listed space of parameters that are out of order or not always active");
        }
        definition.order.push_back(p);
        definition.layer.push_back(static_cast<int>(p));
    }
    std::sort(configurations.begin(), configurations.end());
    configurations.erase(std::unique(configurations.begin(), configurations.end()), configurations.end());
    auto made = std::make_shared<state>();
    made->list = std::make_shared<const gst::diagram>(listed_diagram(given.size(), configurations));
    made->diagram = *made->list;
    made->not_listed = std::move(otherwise);
    made->definition = std::make_shared<const space_definition>(std::move(definition));
    return space(std::move(made));
}

const std::vector<parameter>& space::parameters() const {
    return state_->definition->parameters;
}
const std::vector<constraint>& space::constraints() const {
    return *state_->constraints;
}
const std::map<std::string, value>& space::constants() const {
    return *state_->constants;
}

std::size_t space::index_of(const std::string& name) const {
    const auto& positions = state_->definition->positions;
    if (const auto found = positions.find(name); found != positions.end()) {
        return found->second;
    }
    std::vector<std::string> names;
    for (const parameter& p : parameters()) {
        names.push_back(p.name);
    }
    std::vector<std::string> candidates = names;
    for (const parameter& p : parameters()) {
        candidates.insert(candidates.end(), p.aliases.begin(), p.aliases.end());
    }
    throw user_error(fmt::format("unknown parameter '{}'{}", name, did_you_mean(name, candidates)),
                     fmt::format("the parameters are {}", enumerate(names)));
}

std::uint64_t space::count() const {
    if (state_->diagram.too_many) {
        throw user_error("the search space has more than 2^64 - 1 configurations",
                         "narrow the domains of its parameters");
    }
    return state_->diagram.count;
}

long double space::cartesian() const {
    long double product = 1;
    for (const parameter& p : parameters()) {
        product *= static_cast<long double>(p.domain.size());
    }
    return product;
}

configuration space::at(std::uint64_t rank) const {
    if (rank >= count()) {
        throw std::out_of_range(fmt::format("configuration {} of {}", rank, count()));
    }
    const std::vector<std::size_t>& order = state_->definition->order;
    std::uint16_t values[64];
    configuration by_layer;
    std::uint16_t* to = values;
    if (order.size() > std::size(values)) {
        by_layer.resize(order.size());
        to = by_layer.data();
    }
    state_->diagram.at(rank, to);
    configuration c(order.size());
    for (std::size_t l = 0; l < order.size(); ++l) {
        c[order[l]] = to[l];
    }
    return c;
}

namespace {
configuration by_layer(const space_definition& definition, const configuration& c) {
    if (c.size() != definition.parameters.size()) {
        throw std::logic_error("a configuration of another space");
    }
    configuration values(c.size());
    for (std::size_t l = 0; l < c.size(); ++l) {
        values[l] = c[definition.order[l]];
    }
    return values;
}
} // namespace

std::optional<std::uint64_t> space::rank(const configuration& c) const {
    const configuration values = by_layer(*state_->definition, c);
    std::uint64_t rank = 0;
    const bool valid = count() > 0 && state_->diagram.follow(0, state_->diagram.root, values.data(), rank);
    return valid ? std::optional(rank) : std::nullopt;
}

bool space::contains(const configuration& c) const {
    const configuration values = by_layer(*state_->definition, c);
    std::uint64_t rank = 0;
    return state_->diagram.count > 0 && state_->diagram.follow(0, state_->diagram.root, values.data(), rank);
}

configuration space::sample(random_source& rng) const {
    if (count() == 0) {
        throw std::logic_error("a sample of an empty space");
    }
    return at(rng.below(count()));
}

const value& space::get(const configuration& c, std::size_t p) const {
    return parameters()[p].domain.at(c.at(p));
}

configuration space::neutral() const {
    const space_definition& definition = *state_->definition;
    configuration c;
    for (std::size_t p = 0; p < definition.parameters.size(); ++p) {
        c.push_back(*definition.find(p, definition.parameters[p].neutral));
    }
    return c;
}

std::optional<configuration> space::find(const named_values& values) const {
    const space_definition& definition = *state_->definition;
    configuration c = neutral();
    bool known = true;
    for (const auto& [name, v] : values) {
        const std::size_t p = index_of(name);
        const std::optional<std::uint16_t> position = definition.find(p, v);
        known = known && position;
        c[p] = position.value_or(c[p]);
    }
    return known && contains(c) ? std::optional(std::move(c)) : std::nullopt;
}

named_values space::describe(const configuration& c) const {
    named_values values;
    for (std::size_t p = 0; p < parameters().size(); ++p) {
        values.emplace_back(parameters()[p].name, get(c, p));
    }
    return values;
}

std::string space::to_string(const configuration& c) const {
    std::string text;
    for (std::size_t p = 0; p < parameters().size(); ++p) {
        if (is_active(c, p)) {
            text += (text.empty() ? "" : " ") + parameters()[p].name + "=" + gst::to_string(get(c, p));
        }
    }
    return text;
}

namespace {
/// Whether the condition is true, or the message of why it has no value.
std::variant<bool, std::string> holds(const space& s, const expression& condition, const configuration& c) {
    try {
        const value v = condition.evaluate([&](const std::string& name) {
            const auto constant = s.constants().find(name);
            return constant != s.constants().end() ? constant->second : s.get(c, s.index_of(name));
        });
        return number(v) != 0;
    } catch (const user_error& e) {
        return e.diagnostics().front().message;
    }
}
} // namespace

bool space::is_active(const configuration& c, std::size_t p) const {
    const std::optional<expression>& active = parameters()[p].active;
    return !active || holds(*this, *active, c) == std::variant<bool, std::string>(true);
}

std::vector<std::string> space::violations(const configuration& c) const {
    std::vector<std::string> reasons;
    for (std::size_t p = 0; p < parameters().size(); ++p) {
        const parameter& at = parameters()[p];
        const std::vector<bool>* allowed =
            state_->allowed.empty() ? nullptr
                                    : &state_->allowed[static_cast<std::size_t>(state_->definition->layer[p])];
        if (allowed && !allowed->empty() && !(*allowed)[c.at(p)]) {
            reasons.push_back(
                fmt::format("{} is restricted to other values than {}", at.name, gst::to_string(get(c, p))));
        }
        if (!same(get(c, p), at.neutral) && !is_active(c, p)) {
            reasons.push_back(fmt::format("{} has no effect here and must be {}", at.name, gst::to_string(at.neutral)));
        }
    }
    for (const constraint& k : constraints()) {
        const auto result = holds(*this, k.condition, c);
        if (result != std::variant<bool, std::string>(true)) {
            const std::string* why = std::get_if<std::string>(&result);
            reasons.push_back((k.reason.empty() ? fmt::format("'{}' does not hold", k.condition.text()) : k.reason) +
                              (why ? ": " + *why : ""));
        }
    }
    std::uint64_t rank = 0;
    const configuration values = by_layer(*state_->definition, c);
    if (state_->list &&
        (state_->list->count == 0 || !state_->list->follow(0, state_->list->root, values.data(), rank))) {
        reasons.push_back(state_->not_listed);
    }
    return reasons;
}

std::vector<configuration> space::neighbours(const configuration& c) const {
    const space_definition& definition = *state_->definition;
    const gst::diagram& d = state_->diagram;
    const configuration values = by_layer(definition, c);
    std::vector<configuration> found;
    if (d.count == 0) {
        return found;
    }
    // The node that the values before each layer lead to, as far as they do.
    std::vector<diagram::node> path{d.root};
    while (path.size() < values.size()) {
        const diagram::edge* e = d.find(path.back(), values[path.size() - 1]);
        if (!e) {
            break;
        }
        path.push_back(e->child());
    }
    const bool valid = path.size() == values.size() && d.find(path.back(), values.back()) != nullptr;
    for (std::size_t p = 0; p < c.size(); ++p) {
        const auto l = static_cast<std::size_t>(definition.layer[p]);
        if (l >= path.size()) {
            continue;
        }
        for (const diagram::edge& e : d.of(path[l])) {
            if (e.value == c[p]) {
                continue;
            }
            std::uint64_t rank = 0;
            const bool same_rest = l + 1 < path.size() && e.child_edge == path[l + 1].first;
            if (same_rest ? valid : d.follow(l + 1, e.child(), values.data() + l + 1, rank)) {
                found.push_back(c);
                found.back()[p] = e.value;
            }
        }
    }
    return found;
}

configuration space::nearest(const configuration& c) const {
    if (count() == 0) {
        throw std::logic_error("the nearest configuration of an empty space");
    }
    const space_definition& definition = *state_->definition;
    std::vector<bool> ordered(c.size());
    for (std::size_t l = 0; l < c.size(); ++l) {
        ordered[l] = definition.ordered[definition.order[l]];
    }
    const configuration values = nearest_solution(state_->diagram, by_layer(definition, c), ordered);
    configuration found(c.size());
    for (std::size_t l = 0; l < c.size(); ++l) {
        found[definition.order[l]] = values[l];
    }
    return found;
}

} // namespace gst
