#include "core/stencil/stencil.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace gst {

std::string_view name_of(scalar s) {
    switch (s) {
    case scalar::boolean:
        return "bool";
    case scalar::i32:
        return "i32";
    case scalar::f16:
        return "f16";
    case scalar::f32:
        return "f32";
    case scalar::f64:
        return "f64";
    }
    throw std::logic_error("not a scalar type");
}

std::optional<scalar> scalar_named(std::string_view name) {
    for (scalar s : {scalar::boolean, scalar::i32, scalar::f16, scalar::f32, scalar::f64}) {
        if (name == name_of(s)) {
            return s;
        }
    }
    return std::nullopt;
}

std::size_t size_of(scalar s) {
    switch (s) {
    case scalar::boolean:
        return 0;
    case scalar::f16:
        return 2;
    case scalar::i32:
    case scalar::f32:
        return 4;
    case scalar::f64:
        return 8;
    }
    throw std::logic_error("not a scalar type");
}

double epsilon_of(scalar s) {
    switch (s) {
    case scalar::f16:
        return 0x1p-10;
    case scalar::f32:
        return 0x1p-23;
    case scalar::f64:
        return 0x1p-52;
    case scalar::boolean:
    case scalar::i32:
        break;
    }
    return 0;
}

std::string_view name_of(boundary_kind k) {
    switch (k) {
    case boundary_kind::fixed:
        return "fixed";
    case boundary_kind::constant:
        return "constant";
    case boundary_kind::clamp:
        return "clamp";
    case boundary_kind::periodic:
        return "periodic";
    case boundary_kind::mirror:
        return "mirror";
    }
    throw std::logic_error("not a boundary kind");
}

std::vector<node_id> reachable(const stencil& s, node_id root) {
    std::vector<bool> marked(root + 1, false);
    marked[root] = true;
    std::vector<node_id> found;
    for (node_id id = root + 1; id-- > 0;) {
        if (marked[id]) {
            found.push_back(id);
            for_each_operand(s.nodes[id], [&](node_id operand) { marked[operand] = true; });
        }
    }
    std::ranges::reverse(found);
    return found;
}

void infer_reach(stencil& s) {
    for (field& f : s.fields) {
        f.halo = {};
        f.history = 0;
    }
    for (const update& u : s.updates) {
        for (node_id id : reachable(s, u.value)) {
            if (const auto* r = std::get_if<ir::read>(&s.nodes[id].op)) {
                field& f = s.fields[r->field];
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    f.halo[axis] = std::max(f.halo[axis], std::abs(r->at[axis]));
                }
                f.history = std::max(f.history, -r->level);
            }
        }
    }
}

offset3 reach_of(const stencil& s) {
    offset3 widest{};
    for (const field& f : s.fields) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            widest[axis] = std::max(widest[axis], f.halo[axis]);
        }
    }
    return widest;
}

} // namespace gst
