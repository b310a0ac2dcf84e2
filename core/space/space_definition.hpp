#pragma once

#include "core/space/diagram.hpp"
#include "core/space/space.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace gst {

/// The parameters of a space and of all its sub-spaces, checked, with the order of the diagram's layers.
struct space_definition {
    std::vector<parameter> parameters;
    std::vector<bool> ordered;                              ///< is_ordered of each
    std::unordered_map<std::string, std::size_t> positions; ///< by name and alias
    std::vector<std::size_t> order;                         ///< the parameter of each layer
    std::vector<int> layer;                                 ///< of each parameter

    /// The position of a value in a parameter's domain.
    std::optional<std::uint16_t> find(std::size_t parameter, const value& v) const;
};

struct space::state {
    std::shared_ptr<const space_definition> definition;
    /// Sub-spaces share these.
    std::shared_ptr<const std::vector<constraint>> constraints = std::make_shared<const std::vector<constraint>>();
    std::shared_ptr<const std::map<std::string, value>> constants =
        std::make_shared<const std::map<std::string, value>>();
    std::vector<std::vector<bool>> allowed; ///< by layer and position in the domain; empty: all
    gst::diagram diagram;
    std::shared_ptr<const gst::diagram> list{}; ///< none but these are valid, whatever the constraints; null: all
    std::string not_listed{};                   ///< what is said of others
};

/// Checks names, domains and neutral values, and sorts the domains of numbers. The order of layers is still empty.
space_definition checked_parameters(std::vector<parameter> parameters, const std::map<std::string, value>& constants);

/// Chooses the order of layers; the configurations that satisfy the constraints and the activity conditions. Throws
/// user_error.
diagram ordered_diagram(space_definition& definition, const std::vector<constraint>& constraints,
                        const std::map<std::string, value>& constants, const diagram_limits& limits = {});

/// The solutions of `base` that satisfy the constraints, too. Throws user_error.
diagram constrained_diagram(const space_definition& definition, const diagram& base,
                            const std::vector<constraint>& constraints, const std::map<std::string, value>& constants);

} // namespace gst
