#include "core/stencil/print_names.hpp"

#include <fmt/format.h>

namespace gst {

namespace {

struct operation {
    const stencil& s;
    const node& n;

    std::string operator()(const ir::number& v) const { return fmt::format("{}", v.value); }
    std::string operator()(const ir::parameter& p) const { return s.parameters[p.index].name; }
    std::string operator()(const ir::coordinate& c) const { return spelling::axis(s, c.axis); }
    std::string operator()(const ir::grid_size& g) const { return fmt::format("size({})", spelling::axis(s, g.axis)); }
    std::string operator()(const ir::step_number&) const { return "t"; }
    std::string operator()(const ir::read& r) const { return spelling::read(s, r); }
    std::string operator()(const ir::unary& u) const {
        return fmt::format("{}%{}", u.op == ir::unary_op::negate ? "-" : "not ", u.a);
    }
    std::string operator()(const ir::binary& b) const {
        return b.op >= ir::binary_op::minimum && b.op <= ir::binary_op::power
                   ? fmt::format("{}(%{}, %{})", spelling::symbol(b.op), b.a, b.b)
                   : fmt::format("%{} {} %{}", b.a, spelling::symbol(b.op), b.b);
    }
    std::string operator()(const ir::call& c) const {
        return fmt::format("{}(%{})", spelling::function_name(c.f), c.a);
    }
    std::string operator()(const ir::select& c) const {
        return fmt::format("select(%{}, %{}, %{})", c.condition, c.a, c.b);
    }
    std::string operator()(const ir::convert& c) const { return fmt::format("{}(%{})", name_of(n.type), c.a); }
};

} // namespace

std::string dump(const stencil& s) {
    std::string out =
        fmt::format("stencil {}({})\n", s.name, fmt::join(s.axes.begin(), s.axes.begin() + s.dimensions, ", "));
    for (const parameter_declaration& p : s.parameters) {
        out += fmt::format("param {}{}\n", p.name, p.value ? fmt::format(" = {}", *p.value) : "");
    }
    for (const field& f : s.fields) {
        out += fmt::format("{}, halo {}, {}\n", spelling::declaration(f, s),
                           fmt::join(f.halo.begin(), f.halo.begin() + s.dimensions, " "),
                           f.levels() == 1 ? "1 level" : fmt::format("{} levels", f.levels()));
    }
    for (std::size_t i = 0; i < s.nodes.size(); ++i) {
        const node& n = s.nodes[i];
        out += fmt::format("%{} : {} = {}\n", i, name_of(n.type), std::visit(operation{s, n}, n.op));
    }
    for (const update& u : s.updates) {
        out += fmt::format("{}[t+1] = %{}\n", s.fields[u.field].name, u.value);
    }
    return out;
}

} // namespace gst
