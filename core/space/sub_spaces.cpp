#include "core/base/error.hpp"
#include "core/space/space.hpp"
#include "core/space/space_definition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

/// Spaces of some configurations of another one.
namespace gst {

space space::with_allowed(std::vector<std::vector<bool>> allowed) const {
    auto made = std::make_shared<state>(state{state_->definition,
                                              state_->constraints,
                                              state_->constants,
                                              std::move(allowed),
                                              {},
                                              state_->list,
                                              state_->not_listed});
    made->diagram = gst::restricted(state_->diagram, made->allowed);
    return space(std::move(made));
}

space space::restricted(const std::map<std::string, std::vector<value>>& values) const {
    const space_definition& definition = *state_->definition;
    std::vector<std::vector<bool>> allowed = state_->allowed;
    allowed.resize(definition.order.size());
    for (const auto& [name, wanted] : values) {
        const std::size_t p = index_of(name);
        std::vector<bool>& before = allowed[static_cast<std::size_t>(definition.layer[p])];
        std::vector<bool> both(definition.parameters[p].domain.size());
        for (const value& v : wanted) {
            if (const std::optional<std::uint16_t> position = definition.find(p, v)) {
                both[*position] = before.empty() || before[*position];
            }
        }
        before = std::move(both);
    }
    return with_allowed(std::move(allowed));
}

space space::around(const configuration& c, const std::vector<bool>& free) const {
    const space_definition& definition = *state_->definition;
    std::vector<std::vector<bool>> allowed = state_->allowed;
    allowed.resize(definition.order.size());
    for (std::size_t l = 0; l < allowed.size(); ++l) {
        const std::size_t p = definition.order[l];
        if (!free.at(p)) {
            const bool was_allowed = allowed[l].empty() || allowed[l][c.at(p)];
            allowed[l].assign(definition.parameters[p].domain.size(), false);
            allowed[l][c[p]] = was_allowed;
        }
    }
    return with_allowed(std::move(allowed));
}

space space::constrained(std::vector<constraint> more, std::map<std::string, value> constants) const {
    if (more.empty() && constants.empty()) {
        return *this;
    }
    for (const auto& [name, v] : *state_->constants) {
        const auto [found, fresh] = constants.emplace(name, v);
        if (!fresh && !same(found->second, v)) {
            throw user_error(fmt::format("the constant '{}' is {} already and cannot become {}", name,
                                         gst::to_string(v), gst::to_string(found->second)));
        }
    }
    for (const auto& [name, v] : constants) {
        if (state_->definition->positions.contains(name)) {
            throw user_error(fmt::format("'{}' is both a parameter and a constant", name));
        }
    }
    auto made = std::make_shared<state>();
    made->diagram = constrained_diagram(*state_->definition, state_->diagram, more, constants);
    made->definition = state_->definition;
    std::vector<constraint> all = *state_->constraints;
    std::move(more.begin(), more.end(), std::back_inserter(all));
    made->constraints = std::make_shared<const std::vector<constraint>>(std::move(all));
    made->constants = std::make_shared<const std::map<std::string, value>>(std::move(constants));
    made->allowed = state_->allowed;
    made->list = state_->list;
    made->not_listed = state_->not_listed;
    return space(std::move(made));
}

space space::without(const std::vector<std::size_t>& parameters, const std::vector<configuration>& combinations,
                     const std::string& reason) const {
    const space_definition& definition = *state_->definition;
    std::vector<std::size_t> by_layer(parameters.size()); // positions in `parameters`
    for (std::size_t i = 0; i < by_layer.size(); ++i) {
        by_layer[i] = i;
    }
    std::ranges::sort(by_layer, {}, [&](std::size_t i) { return definition.layer[parameters[i]]; });
    std::vector<bool> among(definition.order.size());
    for (const std::size_t p : parameters) {
        among[static_cast<std::size_t>(definition.layer[p])] = true;
    }
    std::vector<configuration> rows;
    for (const configuration& c : combinations) {
        configuration& row = rows.emplace_back();
        for (const std::size_t i : by_layer) {
            row.push_back(c.at(i));
        }
    }
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    if (rows.empty()) {
        return *this;
    }
    const gst::diagram excluded = listed_diagram(parameters.size(), rows);
    std::vector<std::size_t> sizes;
    for (const std::size_t p : definition.order) {
        sizes.push_back(definition.parameters[p].domain.size());
    }
    auto made = std::make_shared<state>(*state_);
    made->diagram = difference(state_->diagram, among, excluded);
    made->list = std::make_shared<const gst::diagram>(
        difference(state_->list ? *state_->list : complete_diagram(sizes), among, excluded));
    made->not_listed += (made->not_listed.empty() ? "" : ", or ") + reason;
    return space(std::move(made));
}

std::optional<emptying_constraint> what_empties(const space& s, const std::vector<constraint>& constraints,
                                                const std::map<std::string, value>& constants) {
    if (s.count() == 0 || s.constrained(constraints, constants).count() > 0) {
        return std::nullopt;
    }
    for (std::size_t i = 0; i < constraints.size(); ++i) {
        if (s.constrained({constraints[i]}, constants).count() == 0) {
            return emptying_constraint{i, true};
        }
    }
    space left = s;
    for (std::size_t i = 0; i < constraints.size(); ++i) {
        left = left.constrained({constraints[i]}, constants);
        if (left.count() == 0) {
            return emptying_constraint{i, false};
        }
    }
    throw std::logic_error("constraints together leave what they leave one after the other");
}

} // namespace gst
