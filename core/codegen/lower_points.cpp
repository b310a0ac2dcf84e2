#include "core/codegen/lower.hpp"
#include "core/stencil/least_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <tuple>

namespace gst {

namespace {

using namespace nest;
using nest::value; // not the value of an expression over parameters

/// Expressions deeper than this are cut by a named value: readable lines, and no deep recursion in any later pass.
constexpr int deepest = 12;

struct lowered_value {
    value what;
    int depth = 0;
};

/// Where one element comes from, relative to the base point.
using element_key = std::tuple<std::uint32_t, int, int, int, int>;

element_key key_of(const ir::read& r, offset3 at) {
    return {r.field, r.level, r.at[0] + at[0], r.at[1] + at[1], r.at[2] + at[2]};
}

struct read_element {
    int uses = 0;
    value what; ///< null: not read yet
};

bool is_trivial(const value& v) {
    return std::holds_alternative<variable>(v->op) || std::holds_alternative<integer>(v->op) ||
           std::holds_alternative<real>(v->op) || std::holds_alternative<lane>(v->op);
}

std::string offset_name(const stencil& s, const element_key& key) {
    std::string out;
    const int offsets[] = {std::get<2>(key), std::get<3>(key), std::get<4>(key)};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (offsets[axis] != 0) {
            out += fmt::format("_{}{}{}", "xyz"[axis], offsets[axis] < 0 ? "m" : "p", std::abs(offsets[axis]));
        }
    }
    return array_name(s.fields[std::get<0>(key)], std::get<1>(key)) + "_at" + (out.empty() ? "_0" : out);
}

class point_lowering {
  public:
    point_lowering(const stencil& s, extent3 size, const evaluation_order& order, const point_surroundings& around,
                   const std::vector<offset3>& points, block& out)
        : s_(s), size_(size), around_(around), points_(points), out_(out), order_(order), done_(order.nodes.size()) {
        for (const node_id n : order.nodes) {
            if (const auto* r = std::get_if<ir::read>(&s.nodes[n].op)) {
                for (const offset3& p : points) {
                    ++elements_[key_of(*r, p)].uses;
                }
            }
        }
    }

    value point(std::size_t index) {
        for (const node_id n : order_.nodes) {
            lowered_value v = lower_node(s_.nodes[n], points_[index]);
            const bool shared = order_.uses[n] > 1;
            if ((shared || v.depth > deepest) && !is_trivial(v.what)) {
                const std::string words = points_.size() == 1 ? fmt::format("v{}", n) : fmt::format("v{}_{}", n, index);
                v = {name(words, v.what), 0};
            }
            done(n) = std::move(v);
        }
        const value result = done_.back().what;
        // Several points: a line each.
        return points_.size() == 1 || is_trivial(result) ? result : name(fmt::format("result_{}", index), result);
    }

  private:
    bool is_root_of_normal_f64(node_id n) {
        if (least_.empty()) {
            least_ = least_values(s_);
        }
        const auto* root = std::get_if<ir::call>(&s_.nodes[n].op);
        return root != nullptr && least_[root->a] >= 2 * std::numeric_limits<double>::min();
    }

    lowered_value& done(node_id n) { return done_[order_.places[n]]; }

    value name(std::string words, const value& init) {
        words = around_.prefix + words;
        out_.push_back({declare{init->of, words, init}});
        return make(variable{std::move(words)}, init->of, init->width);
    }

    value element(const ir::read& r, offset3 at) {
        const element_key key = key_of(r, at);
        read_element& known = elements_.at(key);
        if (!known.what) {
            known.what = around_.element(r, at);
            if (known.uses > 1 && !is_trivial(known.what)) {
                known.what = name(offset_name(s_, key), known.what);
            }
        }
        return known.what;
    }

    static value converted(const value& v, scalar to) {
        const type of = type_of(to);
        if (v->of == of) {
            return v;
        }
        if (v->of == type::boolean) {
            const bool whole = to == scalar::i32;
            return make(
                select{v, whole ? number(1, of) : real_number(1, of), whole ? number(0, of) : real_number(0, of)}, of);
        }
        return make(convert{v}, of);
    }

    lowered_value lower_node(const node& n, offset3 at) {
        const type of = type_of(n.type);
        // A stored f16 is held in an f32 register until it is computed with.
        const auto computed = [&](node_id id) { return converted(done(id).what, s_.nodes[id].type); };
        int depth = 0;
        for_each_operand(n, [&](node_id operand) { depth = std::max(depth, done(operand).depth + 1); });
        if (const auto* k = std::get_if<ir::number>(&n.op)) {
            if (around_.constant && (of == type::f32 || of == type::f64) && std::isfinite(k->value)) {
                return {around_.constant(k->value, of), 0};
            }
            return {n.type == scalar::i32 ? number(static_cast<std::int64_t>(k->value), of) : real_number(k->value, of),
                    0};
        }
        if (const auto* p = std::get_if<ir::parameter>(&n.op)) {
            return {converted(around_.parameter(p->index), n.type), 0};
        }
        if (const auto* c = std::get_if<ir::coordinate>(&n.op)) {
            return {make(convert{around_.coordinate(c->axis, at[static_cast<std::size_t>(c->axis)])}, type::i32), 1};
        }
        if (const auto* g = std::get_if<ir::grid_size>(&n.op)) {
            return {number(size_[static_cast<std::size_t>(g->axis)], type::i32), 0};
        }
        if (std::holds_alternative<ir::step_number>(n.op)) {
            return {around_.step(), 0};
        }
        if (const auto* r = std::get_if<ir::read>(&n.op)) {
            return {element(*r, at), 0};
        }
        if (const auto* u = std::get_if<ir::unary>(&n.op)) {
            const value a = computed(u->a);
            return {make(nest::unary{u->op, a}, of, a->width), depth};
        }
        if (const auto* b = std::get_if<ir::binary>(&n.op)) {
            // Comparing needs no half arithmetic: f32 holds every half.
            const bool compares = n.type == scalar::boolean && s_.nodes[b->a].type == scalar::f16;
            const value a = compares ? converted(done(b->a).what, scalar::f32) : computed(b->a);
            const value c = compares ? converted(done(b->b).what, scalar::f32) : computed(b->b);
            const auto* divisor = b->op == ir::binary_op::divide ? std::get_if<nest::call>(&c->op) : nullptr;
            if (divisor != nullptr && divisor->f == ir::function::square_root) { // one step instead of two long ones
                const bool is_normal = is_root_of_normal_f64(b->b);
                const value inverse = make(nest::reciprocal_root{divisor->a, is_normal}, of, c->width);
                const auto* numerator = std::get_if<ir::number>(&s_.nodes[b->a].op);
                return {numerator != nullptr && numerator->value == 1
                            ? inverse
                            : make(nest::binary{ir::binary_op::multiply, a, inverse}, of, std::max(a->width, c->width)),
                        depth};
            }
            return {make(nest::binary{b->op, a, c}, of, std::max(a->width, c->width)), depth};
        }
        if (const auto* f = std::get_if<ir::call>(&n.op)) {
            const value a = computed(f->a);
            return {make(nest::call{f->f, a}, of, a->width), depth};
        }
        if (const auto* q = std::get_if<ir::select>(&n.op)) {
            return {make(nest::select{computed(q->condition), computed(q->a), computed(q->b)}, of), depth};
        }
        if (const auto* k = std::get_if<ir::convert>(&n.op)) {
            return {converted(done(k->a).what, n.type), depth};
        }
        throw std::logic_error("no such node");
    }

    const stencil& s_;
    extent3 size_;
    const point_surroundings& around_;
    const std::vector<offset3>& points_;
    block& out_;
    const evaluation_order& order_;
    std::vector<lowered_value> done_; ///< of the point, in order
    std::vector<double> least_;       ///< of each node; empty as long as nothing has asked
    std::map<element_key, read_element> elements_;
};

} // namespace

bool is_vectorizable(const stencil& s, const update& computed) {
    const scalar type = s.nodes[computed.value].type;
    if ((type != scalar::f32 && type != scalar::f64) || register_type(s.fields[computed.field].type) != type_of(type)) {
        return false;
    }
    const auto all = reachable(s, computed.value);
    return std::all_of(all.begin(), all.end(), [&](node_id n) {
        const auto& op = s.nodes[n].op;
        const auto* u = std::get_if<ir::unary>(&op);
        const auto* b = std::get_if<ir::binary>(&op);
        return s.nodes[n].type == type && !(u && u->op == ir::unary_op::logical_not) &&
               !(b && b->op >= ir::binary_op::less) && !std::holds_alternative<ir::select>(op) &&
               !std::holds_alternative<ir::convert>(op) && !std::holds_alternative<ir::coordinate>(op);
    });
}

evaluation_order order_of(const stencil& s, node_id root) {
    evaluation_order order{reachable(s, root), std::vector<std::size_t>(root + 1), std::vector<int>(root + 1)};
    for (std::size_t i = 0; i < order.nodes.size(); ++i) {
        order.places[order.nodes[i]] = i;
        for_each_operand(s.nodes[order.nodes[i]], [&](node_id operand) { ++order.uses[operand]; });
    }
    return order;
}

nest::value update_number(nest::kernel& k, const schedule& how, double n, nest::type of) {
    return how.constant ? nest::constant_element(k, n, of, how.most_constants) : nest::real_number(n, of);
}

std::vector<nest::value> lower_points(const stencil& s, extent3 size, const evaluation_order& order,
                                      const point_surroundings& around, const std::vector<offset3>& points,
                                      block& out) {
    point_lowering lowering(s, size, order, around, points, out);
    std::vector<nest::value> results;
    for (std::size_t i = 0; i < points.size(); ++i) {
        results.push_back(lowering.point(i));
    }
    return results;
}

} // namespace gst
