#include "core/stencil/stencil.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <unordered_set>

namespace gst {
namespace {

template<class... Parts>
void require(bool holds, fmt::format_string<Parts...> text, Parts&&... parts) {
    if (!holds) {
        throw std::logic_error("stencil: " + fmt::format(text, std::forward<Parts>(parts)...));
    }
}

void verify_field(const stencil& s, const field& f) {
    require(f.type != scalar::boolean, "field {} is boolean", f.name);
    require(is_real(f.type) == is_real(f.compute) && f.compute >= f.type, "field {} is stored as {} but computed in {}",
            f.name, name_of(f.type), name_of(f.compute));
    require(f.history >= 0 && !(f.coefficient && f.history > 0), "field {} has history {}", f.name, f.history);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        bool exists = axis < static_cast<std::size_t>(s.dimensions);
        require(f.halo[axis] >= 0 && (exists || f.halo[axis] == 0), "field {} has halo {} on axis {}", f.name,
                f.halo[axis], axis);
    }
}

/// Checks one node against the operands before it.
struct node_check {
    const stencil& s;
    node_id id;
    scalar type;

    scalar type_of(node_id operand) const { return s.nodes[operand].type; }
    void must(bool holds, std::string_view what) const { require(holds, "node {} {}", id, what); }
    bool axis_exists(int axis) const { return axis >= 0 && axis < s.dimensions; }

    void operator()(const ir::number& n) const {
        must(type != scalar::i32 || (std::trunc(n.value) == n.value && n.value >= -0x1p31 && n.value < 0x1p31),
             "is a fraction or too large for i32");
        must(type != scalar::boolean || n.value == 0 || n.value == 1, "is boolean but neither 0 nor 1");
    }
    void operator()(const ir::parameter& p) const {
        must(p.index < s.parameters.size(), "reads a parameter that does not exist");
        must(type != scalar::boolean, "is a boolean parameter");
    }
    void operator()(const ir::coordinate& c) const {
        must(type == scalar::i32 && axis_exists(c.axis), "is not a coordinate of the grid in i32");
    }
    void operator()(const ir::grid_size& g) const {
        must(type == scalar::i32 && axis_exists(g.axis), "is not a size of the grid in i32");
    }
    void operator()(const ir::step_number&) const { must(type == scalar::i32, "is a step number that is not i32"); }
    void operator()(const ir::read& r) const {
        must(r.field < s.fields.size(), "reads a field that does not exist");
        const field& f = s.fields[r.field];
        must(type == f.type, "reads a field of another type");
        must(f.coefficient ? r.level == 0 : r.level <= 1 && -r.level <= f.history,
             "reads a time level that is not kept");
        for (std::size_t axis = 0; axis < 3; ++axis) {
            must(std::abs(r.at[axis]) <= f.halo[axis], "reads beyond the halo");
        }
    }
    void operator()(const ir::unary& u) const { must(result_type(u.op, type_of(u.a)) == type, "has a wrong type"); }
    void operator()(const ir::binary& b) const {
        must(type_of(b.a) == type_of(b.b), "has operands of two types");
        must(result_type(b.op, type_of(b.a)) == type, "has a wrong type");
    }
    void operator()(const ir::call& c) const { must(result_type(c.f, type_of(c.a)) == type, "has a wrong type"); }
    void operator()(const ir::select& c) const {
        must(type_of(c.condition) == scalar::boolean, "selects by a value that is not boolean");
        must(type_of(c.a) == type && type_of(c.b) == type, "selects between two types");
    }
    void operator()(const ir::convert& c) const {
        must(type != scalar::boolean && type_of(c.a) != type, "converts to boolean or to the type it has");
    }
};

struct node_identity {
    const stencil& s;
    std::size_t operator()(node_id id) const { return hash_of(s.nodes[id]); }
    bool operator()(node_id a, node_id b) const { return s.nodes[a] == s.nodes[b]; }
};

void verify_nodes(const stencil& s) {
    std::unordered_set<node_id, node_identity, node_identity> seen(s.nodes.size(), node_identity{s}, node_identity{s});
    for (node_id id = 0; id < s.nodes.size(); ++id) {
        const node& n = s.nodes[id];
        for_each_operand(n, [&](node_id operand) { require(operand < id, "node {} comes before its operand", id); });
        std::visit(node_check{s, id, n.type}, n.op);
        require(seen.insert(id).second, "node {} is there twice", id);
    }
}

void verify_updates(const stencil& s) {
    std::vector<bool> updated(s.fields.size(), false);
    for (const update& u : s.updates) {
        require(u.field < s.fields.size() && u.value < s.nodes.size(),
                "an update of a field or with a value that does not exist");
        const field& f = s.fields[u.field];
        require(!f.coefficient && !updated[u.field], "field {} is a coefficient or updated twice", f.name);
        require(s.nodes[u.value].type == f.compute, "the new value of {} is not of its computing type", f.name);
        for (node_id id : reachable(s, u.value)) {
            const auto* r = std::get_if<ir::read>(&s.nodes[id].op);
            require(r == nullptr || r->level <= 0 || updated[r->field], "{} reads a new value that is not computed yet",
                    f.name);
        }
        updated[u.field] = true;
    }
    for (std::size_t i = 0; i < s.fields.size(); ++i) {
        require(updated[i] || s.fields[i].coefficient, "field {} is neither updated nor a coefficient",
                s.fields[i].name);
    }
}

} // namespace

void verify(const stencil& s) {
    require(s.dimensions >= 1 && s.dimensions <= 3, "{} dimensions", s.dimensions);
    for (const field& f : s.fields) {
        verify_field(s, f);
    }
    verify_nodes(s);
    verify_updates(s);
}

} // namespace gst
