#include "core/stencil/bound_rules.hpp"
#include "core/stencil/interpreter.hpp"

namespace gst {
namespace {

/// The field that bounds the error of `f`. Constant halo values are exact, fixed ones given exactly.
field error_field_of(const field& f) {
    field e = f;
    e.name += "__error";
    e.type = e.compute = bound_algebra::bound_type(f.type);
    for (auto& axis : e.faces) {
        for (boundary& face : axis) {
            face.value = 0;
        }
    }
    return e;
}

/// The bounds' own arithmetic rounds too: a share that covers a thousand operations in a row.
constexpr double widening = 1 + 0x1p-14;
/// Flushed inputs and sums: as many as a stencil may have of them, with weights up to some hundred.
constexpr double flushed = 0x1p12;

/// What is stored in the error field, or nothing when the new value is exact.
bound stored_bound(bound_rules& rules, const field& f, node_id value) {
    bound_algebra& b = rules.algebra();
    bound e = rules.of(value).error;
    if (is_real(f.type) && f.type < f.compute) {
        e = b.sum(e, b.rounding(value, 1, f.type));
    }
    if (!e) {
        return {};
    }
    node_id wide = b.combine(ir::binary_op::multiply, *e, b.constant(widening, b.type(*e)));
    const double lost = flushed * underflow_of(f.type);
    bound total = b.sum(wide, lost != 0 ? bound(b.constant(lost, b.type(wide))) : bound{});
    if (is_real(f.type) && f.type < f.compute) {
        total = b.where_finite(value, *total, f.type);
    }
    return b.node_for(total, f.type);
}

/// The companion in which the fields of `inexact` have an error field; adds the fields that turn out to need one.
error_companion build(const stencil& s, summation order, std::vector<bool>& inexact) {
    error_companion made{s, std::vector<int>(s.fields.size(), -1)};
    stencil& program = made.program;
    for (std::size_t i = 0; i < s.fields.size(); ++i) {
        if (inexact[i]) {
            made.error_field[i] = static_cast<int>(program.fields.size());
            program.fields.push_back(error_field_of(s.fields[i]));
        }
    }
    bound_rules rules(program, made.error_field, order);
    program.updates.clear();
    for (const update& u : s.updates) {
        for (node_id id : reachable(s, u.value)) {
            rules.visit(id);
        }
        program.updates.push_back(u);
        bound e = stored_bound(rules, s.fields[u.field], u.value);
        inexact[u.field] = inexact[u.field] || e;
        if (e && made.error_field[u.field] >= 0) {
            program.updates.push_back({static_cast<std::uint32_t>(made.error_field[u.field]), *e});
        }
    }
    return made;
}

} // namespace

error_companion with_error_bounds(const stencil& s, summation order) {
    std::vector<bool> inexact(s.fields.size(), false);
    for (;;) {
        const std::vector<bool> before = inexact;
        error_companion made = build(s, order, inexact);
        if (inexact == before) {
            return made;
        }
    }
}

} // namespace gst
