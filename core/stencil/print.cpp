#include "core/stencil/print_names.hpp"
#include "core/stencil/stencil.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

// The stencil as a text that the language reads back to the same nodes.
namespace gst {

namespace {

using namespace spelling;

/// How tightly an expression binds, loosest first.
enum class binding : std::uint8_t { disjunction, conjunction, negation, comparison, total, term, sign, whole };

struct phrase {
    std::string text;
    binding level = binding::whole;
    bool conversion = false; ///< a call of f32, int …
};

binding level_of(ir::binary_op op) {
    switch (op) {
    case ir::binary_op::logical_or:
        return binding::disjunction;
    case ir::binary_op::logical_and:
        return binding::conjunction;
    case ir::binary_op::add:
    case ir::binary_op::subtract:
        return binding::total;
    case ir::binary_op::multiply:
    case ir::binary_op::divide:
    case ir::binary_op::remainder:
        return binding::term;
    case ir::binary_op::minimum:
    case ir::binary_op::maximum:
    case ir::binary_op::power:
        return binding::whole;
    default:
        return binding::comparison;
    }
}

bool chains(ir::binary_op op) {
    return level_of(op) != binding::comparison && level_of(op) != binding::whole;
}

/// An expression is given a name before its brackets nest deeper than this.
constexpr int deepest = 20;

class dsl_printer {
  public:
    explicit dsl_printer(const stencil& s)
        : s_(s), names_(s.nodes.size()), depth_(s.nodes.size()), printed_(s.nodes.size()) {
        choose_names();
    }

    std::string run() {
        std::vector<std::string> axes(s_.axes.begin(), s_.axes.begin() + s_.dimensions);
        out_ = fmt::format("stencil {}({}) {{\n", s_.name, fmt::join(axes, ", "));
        for (const parameter_declaration& p : s_.parameters) {
            line(fmt::format("param {}", p.name) +
                 (p.value ? fmt::format(" = {}", number(*p.value, scalar::f64)) : ""));
        }
        for (const field& f : s_.fields) {
            line(declaration(f, s_));
        }
        for (const update& u : s_.updates) {
            for (const node_id id : reachable(s_, u.value)) {
                if (!names_[id].empty() && !printed_[id]) {
                    line(fmt::format("let {} = {}", names_[id], spell(id, s_.nodes[id].type).text));
                    printed_[id] = true;
                }
            }
            line(fmt::format("{}[t+1] = {}", s_.fields[u.field].name, in(u.value, s_.nodes[u.value].type).text));
        }
        return out_ + "}\n";
    }

  private:
    /// One statement, broken at blanks.
    void line(std::string text) {
        constexpr std::size_t width = 116;
        std::string indent = "    ";
        while (text.size() > width && text.rfind(' ', width) != std::string::npos) {
            const std::size_t at = text.rfind(' ', width);
            out_ += indent + text.substr(0, at) + "\n";
            text.erase(0, at + 1);
            indent = "        ";
        }
        out_ += indent + text + "\n";
    }

    const node& at(node_id id) const { return s_.nodes[id]; }

    template<class Kind>
    bool is(node_id id) const {
        return std::holds_alternative<Kind>(at(id).op);
    }

    /// A single word, apart from its index.
    bool is_leaf(node_id id) const {
        if (const auto* c = std::get_if<ir::convert>(&at(id).op)) {
            return is_real(at(id).type) && !is<ir::number>(c->a) && !is<ir::parameter>(c->a) &&
                   !is<ir::convert>(c->a) && is_leaf(c->a);
        }
        return is<ir::number>(id) || is<ir::parameter>(id) || is<ir::coordinate>(id) || is<ir::grid_size>(id) ||
               is<ir::step_number>(id) || is<ir::read>(id);
    }

    /// Names what is used more than once, and what would nest too deep.
    void choose_names() {
        std::vector<int> uses(s_.nodes.size());
        std::vector<bool> needed(s_.nodes.size());
        for (const update& u : s_.updates) {
            ++uses[u.value];
            for (const node_id id : reachable(s_, u.value)) {
                needed[id] = true;
            }
        }
        for (node_id id = 0; id < s_.nodes.size(); ++id) {
            if (needed[id]) {
                for_each_operand(at(id), [&](node_id a) { ++uses[a]; });
            }
        }
        std::set<std::string> taken;
        for (const parameter_declaration& p : s_.parameters) {
            taken.insert(p.name);
        }
        for (const field& f : s_.fields) {
            taken.insert(f.name);
        }
        taken.insert(s_.axes.begin(), s_.axes.end());
        std::size_t next = 1;
        for (node_id id = 0; id < s_.nodes.size(); ++id) {
            depth_[id] = depth_from_operands(id);
            if (needed[id] && !is_leaf(id) && (uses[id] > 1 || depth_[id] > deepest)) {
                do {
                    names_[id] = fmt::format("v{}", next++);
                } while (taken.contains(names_[id]));
                depth_[id] = 0;
            }
        }
    }

    int depth_from_operands(node_id id) const {
        int depth = 0;
        const bool continued = continues_left(id);
        bool first = true;
        for_each_operand(at(id), [&](node_id a) {
            depth = std::max(depth, depth_[a] + (first && continued ? 0 : 1));
            first = false;
        });
        return depth;
    }

    /// Whether the left operand is written before this operator without parentheses: a + b + c.
    bool continues_left(node_id id) const {
        const auto* b = std::get_if<ir::binary>(&at(id).op);
        const auto* left = b != nullptr ? std::get_if<ir::binary>(&at(b->a).op) : nullptr;
        return left != nullptr && names_[b->a].empty() && chains(b->op) && level_of(left->op) == level_of(b->op);
    }

    /// The node where arithmetic of the type goes on.
    phrase in(node_id id, scalar context) const { return names_[id].empty() ? spell(id, context) : phrase{names_[id]}; }

    std::string tight(const phrase& p, binding level) const { return p.level < level ? "(" + p.text + ")" : p.text; }
    std::string tight(node_id id, scalar context, binding level) const { return tight(in(id, context), level); }

    phrase convert_to(scalar type, node_id id) const {
        return {fmt::format("{}({})", name_of(type), in(id, type).text), binding::whole, true};
    }

    phrase spell(node_id id, scalar context) const {
        return std::visit([&](const auto& op) { return spell(at(id), op, context); }, at(id).op);
    }

    phrase spell(const node& n, const ir::number& v, scalar) const {
        if (n.type == scalar::boolean) {
            return {v.value == 0 ? "0 != 0" : "0 == 0", binding::comparison};
        }
        const std::string text = number(v.value, n.type);
        return {text, text.front() == '-' ? binding::sign : binding::whole};
    }
    phrase spell(const node&, const ir::parameter& p, scalar) const { return {s_.parameters[p.index].name}; }
    phrase spell(const node&, const ir::coordinate& c, scalar) const { return {axis(s_, c.axis)}; }
    phrase spell(const node&, const ir::grid_size& g, scalar) const {
        return {fmt::format("size({})", axis(s_, g.axis))};
    }
    phrase spell(const node&, const ir::step_number&, scalar) const { return {"t"}; }
    phrase spell(const node&, const ir::read& r, scalar) const { return {read(s_, r)}; }

    phrase spell(const node&, const ir::unary& u, scalar context) const {
        if (u.op == ir::unary_op::logical_not) {
            return {"not " + tight(u.a, context, binding::comparison), binding::negation};
        }
        return {"-" + (is<ir::number>(u.a) ? kept(u.a).text : tight(u.a, context, binding::sign)), binding::sign};
    }

    /// A number that the language does not fold into others.
    phrase kept(node_id id) const { return convert_to(at(id).type, id); }

    phrase spell(const node&, const ir::binary& b, scalar context) const {
        const binding level = level_of(b.op);
        if (level == binding::comparison) {
            return comparison(b, context);
        }
        const bool folds = is<ir::number>(b.a) && is<ir::number>(b.b) && at(b.a).type != scalar::boolean;
        if (level == binding::whole) {
            const phrase a = folds ? kept(b.a) : in(b.a, context);
            return {fmt::format("{}({}, {})", symbol(b.op), a.text, in(b.b, context).text)};
        }
        // The chain from its left end: a + b - c …
        std::vector<const ir::binary*> links{&b};
        while (true) {
            const ir::binary& last = *links.back();
            const auto* left = std::get_if<ir::binary>(&at(last.a).op);
            if (left == nullptr || !names_[last.a].empty() || !chains(left->op) || level_of(left->op) != level) {
                break;
            }
            links.push_back(left);
        }
        const ir::binary& innermost = *links.back();
        const bool inner_folds =
            is<ir::number>(innermost.a) && is<ir::number>(innermost.b) && at(innermost.a).type != scalar::boolean;
        std::string text = inner_folds ? kept(innermost.a).text : tight(innermost.a, context, level);
        const auto tighter = static_cast<binding>(static_cast<int>(level) + 1);
        for (auto link = links.rbegin(); link != links.rend(); ++link) {
            text += fmt::format(" {} {}", symbol((*link)->op), tight((*link)->b, context, tighter));
        }
        return {text, level};
    }

    phrase comparison(const ir::binary& b, scalar context) const {
        const scalar type = at(b.a).type;
        phrase left = in(b.a, type == scalar::boolean ? context : type);
        phrase right = in(b.b, type == scalar::boolean ? context : type);
        if (type != scalar::boolean && is<ir::number>(b.a) && is<ir::number>(b.b)) {
            left = kept(b.a);
        }
        if (type != scalar::boolean && (type != context || (left.conversion && right.conversion))) {
            left = convert_to(type, b.a);
            right = convert_to(type, b.b);
        }
        return {fmt::format("{} {} {}", tight(left, binding::total), symbol(b.op), tight(right, binding::total)),
                binding::comparison};
    }

    phrase spell(const node&, const ir::call& c, scalar context) const {
        const phrase a = is<ir::number>(c.a) ? kept(c.a) : in(c.a, context);
        return {fmt::format("{}({})", function_name(c.f), a.text)};
    }

    phrase spell(const node&, const ir::select& c, scalar context) const {
        return {fmt::format("select({}, {}, {})", in(c.condition, context).text, in(c.a, context).text,
                            in(c.b, context).text)};
    }

    phrase spell(const node& n, const ir::convert& c, scalar) const {
        const scalar from = at(c.a).type;
        if (from == scalar::boolean) {
            return {fmt::format("{}({})", name_of(n.type), in(c.a, n.type).text), binding::whole, true};
        }
        if (is_real(n.type)) {
            const auto* inner = std::get_if<ir::convert>(&at(c.a).op);
            if (inner != nullptr && at(inner->a).type == scalar::boolean && names_[c.a].empty()) {
                return in(c.a, from); // i32(condition) is an i32 already
            }
            const bool plain = is_leaf(c.a) && !is<ir::number>(c.a) && !is<ir::parameter>(c.a) && !is<ir::convert>(c.a);
            return plain ? in(c.a, from) : convert_to(from, c.a);
        }
        return {fmt::format("int({})", convert_to(from, c.a).text), binding::whole, true};
    }

    const stencil& s_;
    std::vector<std::string> names_; ///< per node: of its let, or ""
    std::vector<int> depth_;         ///< per node: how deep its text nests
    std::vector<bool> printed_;
    std::string out_;
};

} // namespace

std::string to_dsl(const stencil& s) {
    return dsl_printer(s).run();
}

} // namespace gst
