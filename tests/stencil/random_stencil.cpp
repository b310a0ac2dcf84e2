#include "tests/stencil/random_stencil.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace gst::testing {
namespace {

using ir::binary_op;
using ir::function;

template<class T>
T pick(random_source& rng, const std::vector<T>& from) {
    return from[rng.below(from.size())];
}

int up_to(random_source& rng, int most) {
    return static_cast<int>(rng.below(static_cast<std::uint64_t>(most) + 1));
}

/// A random number of few digits, exact in every real type.
double short_number(random_source& rng) {
    return (static_cast<double>(rng.below(129)) - 64) / 32;
}

/// Writes one update's expression.
class expression_writer {
  public:
    expression_writer(stencil& s, random_source& rng, const random_stencil_options& options, std::vector<bool> written)
        : s_(s), b_(s), rng_(rng), options_(options), written_(std::move(written)) {}

    node_id update_value(scalar type) {
        if (type == scalar::i32) {
            return options_.expressions ? integer(options_.most_depth) : integer_sum();
        }
        node_id sum = weighted_sum(type);
        if (!options_.expressions || rng_.below(4) == 0) {
            return sum;
        }
        node_id inside = limited(real(type, options_.most_depth), type);
        return rng_.below(2) == 0 ? join({binary_op::add, sum, inside}) : inside;
    }

  private:
    node_id number(double value, scalar type) { return b_.number(value, type); }
    // Operands in braces are evaluated in their order by every compiler: the same seed gives the same stencil.
    node_id join(const ir::binary& n) { return b_.binary(n.op, n.a, n.b); }
    node_id choose(const ir::select& n) { return b_.select(n.condition, n.a, n.b); }

    /// A read of any field and level that may be read here.
    node_id any_read() {
        auto field = static_cast<std::uint32_t>(rng_.below(s_.fields.size()));
        int level = 0;
        if (written_[field] && rng_.below(2) == 0) {
            level = 1;
        } else if (!s_.fields[field].coefficient && rng_.below(3) == 0) {
            level = -up_to(rng_, options_.most_history);
        }
        offset3 at{};
        std::size_t along = rng_.below(static_cast<std::uint64_t>(s_.dimensions));
        for (std::size_t axis = 0; axis < static_cast<std::size_t>(s_.dimensions); ++axis) {
            if (!options_.star_only || axis == along) {
                at[axis] = up_to(rng_, 2 * options_.most_radius) - options_.most_radius;
            }
        }
        return b_.read(field, level, at);
    }

    node_id read_as(scalar type) {
        node_id r = any_read();
        return is_real(type) && s_.nodes[r].type == scalar::i32
                   ? join({binary_op::multiply, b_.convert(r, type), number(0x1p-5, type)})
                   : b_.convert(r, type);
    }

    /// Reads with weights whose magnitudes add up to less than 1.
    node_id weighted_sum(scalar type) {
        const int terms = 1 + up_to(rng_, 8);
        node_id sum = 0;
        for (int i = 0; i < terms; ++i) {
            double weight = rng_.uniform(-1, 1) / terms;
            node_id term = join({binary_op::multiply, number(weight, type), read_as(type)});
            if (rng_.below(8) == 0) {
                term = read_as(type);
                term = join({binary_op::divide, term, number(2 * terms, type)});
            }
            sum = i == 0 ? term : join({rng_.below(4) == 0 ? binary_op::subtract : binary_op::add, sum, term});
        }
        return sum;
    }

    node_id integer_sum() {
        node_id sum = b_.convert(any_read(), scalar::i32);
        for (int i = up_to(rng_, 8); i > 0; --i) {
            sum = join({binary_op::add, sum, b_.convert(any_read(), scalar::i32)});
        }
        return sum;
    }

    /// The value brought into [-2, 2].
    node_id limited(node_id value, scalar type) {
        if (options_.functions && rng_.below(3) == 0) {
            return b_.call(pick<function>(rng_, {function::sine, function::hyperbolic_tangent, function::cosine}),
                           value);
        }
        return join({binary_op::maximum, number(-2, type), join({binary_op::minimum, value, number(2, type)})});
    }

    node_id leaf(scalar type) {
        switch (rng_.below(options_.coordinates ? 8 : 6)) {
        case 0:
            return number(type == scalar::i32 ? up_to(rng_, 20) - 10 : short_number(rng_), type);
        case 1:
            if (!s_.parameters.empty()) {
                return b_.add({ir::parameter{static_cast<std::uint32_t>(rng_.below(s_.parameters.size()))}, type});
            }
            break;
        case 6:
            return b_.convert(position(), type);
        case 7: {
            node_id axis = static_cast<node_id>(rng_.below(static_cast<std::uint64_t>(s_.dimensions)));
            node_id at = b_.add({ir::coordinate{static_cast<int>(axis)}, scalar::i32});
            node_id size = b_.add({ir::grid_size{static_cast<int>(axis)}, scalar::i32});
            return join({binary_op::divide, b_.convert(at, type), b_.convert(size, type)});
        }
        default:
            break;
        }
        return read_as(type);
    }

    node_id position() {
        int axis = up_to(rng_, s_.dimensions - 1);
        switch (rng_.below(3)) {
        case 0:
            return b_.add({ir::coordinate{axis}, scalar::i32});
        case 1:
            return b_.add({ir::grid_size{axis}, scalar::i32});
        default:
            return b_.add({ir::step_number{}, scalar::i32});
        }
    }

    /// The value kept away from where the next operation is singular, unless the options want that.
    node_id positive(node_id value, double least) {
        scalar type = s_.nodes[value].type;
        if (options_.singular && rng_.below(2) == 0) {
            return value;
        }
        return join({binary_op::add, b_.call(function::absolute, value), number(least, type)});
    }

    node_id real(scalar type, int depth) {
        if (depth == 0) {
            return leaf(type);
        }
        switch (rng_.below(12)) {
        case 0:
            return leaf(type);
        case 1:
            return b_.unary(ir::unary_op::negate, real(type, depth - 1));
        case 2:
        case 3:
        case 4:
        case 5:
            return join({pick<binary_op>(rng_, {binary_op::add, binary_op::subtract, binary_op::multiply}),
                         real(type, depth - 1), real(type, depth - 1)});
        case 6:
            return join({pick<binary_op>(rng_, {binary_op::minimum, binary_op::maximum}), real(type, depth - 1),
                         real(type, depth - 1)});
        case 7:
            return join({binary_op::divide, real(type, depth - 1), positive(real(type, depth - 1), 0.5)});
        case 8:
            if (options_.selects) {
                return choose({condition(depth - 1), real(type, depth - 1), real(type, depth - 1)});
            }
            break;
        case 9:
            if (options_.conversions) {
                return converted(type, depth - 1);
            }
            break;
        default:
            if (options_.functions) {
                return called(type, depth - 1);
            }
            break;
        }
        return weighted_sum(type);
    }

    node_id converted(scalar type, int depth) {
        if (rng_.below(3) == 0) {
            return b_.convert(integer(depth), type);
        }
        scalar other = pick(rng_, options_.types);
        if (!is_real(other)) {
            return options_.selects ? b_.convert(condition(depth), type) : leaf(type);
        }
        return b_.convert(limited(real(other, depth), other), type);
    }

    node_id called(scalar type, int depth) {
        node_id a = real(type, depth);
        switch (rng_.below(13)) {
        case 0:
            return b_.call(function::square_root, positive(a, 0.125));
        case 1:
            return b_.call(function::exponential, limited(a, type));
        case 2:
            return b_.call(function::logarithm, positive(a, 0.25));
        case 3:
            return b_.call(function::tangent, join({binary_op::multiply, limited(a, type), number(0.5, type)}));
        case 4:
            return join({binary_op::power, positive(a, 0.25), number(short_number(rng_), type)});
        case 5:
            return join({binary_op::power, positive(a, 0.25), limited(real(type, depth), type)});
        case 6:
            return join({binary_op::remainder, a, positive(real(type, depth), 0.5)});
        default:
            return b_.call(pick<function>(rng_, {function::absolute, function::sine, function::cosine,
                                                 function::arc_tangent, function::hyperbolic_tangent, function::floor,
                                                 function::ceiling, function::round}),
                           a);
        }
    }

    node_id integer_leaf() {
        if (options_.coordinates && rng_.below(4) == 0) {
            return position();
        }
        node_id r = any_read();
        if (s_.nodes[r].type == scalar::i32) {
            return r;
        }
        if (options_.conversions && rng_.below(2) == 0) {
            scalar type = s_.nodes[r].type;
            return b_.convert(join({binary_op::multiply, r, number(8, type)}), scalar::i32);
        }
        return number(up_to(rng_, 20) - 10, scalar::i32);
    }

    node_id integer(int depth) {
        if (depth == 0) {
            return integer_leaf();
        }
        switch (rng_.below(8)) {
        case 0:
            return integer_leaf();
        case 1:
            return b_.unary(ir::unary_op::negate, integer(depth - 1));
        case 2:
            return b_.call(function::absolute, integer(depth - 1));
        case 3:
            if (options_.selects) {
                return choose({condition(depth - 1), integer(depth - 1), integer(depth - 1)});
            }
            break;
        case 4:
            if (options_.selects) {
                return b_.convert(condition(depth - 1), scalar::i32);
            }
            break;
        default:
            break;
        }
        return join({pick<binary_op>(rng_, {binary_op::add, binary_op::subtract, binary_op::multiply, binary_op::divide,
                                            binary_op::remainder, binary_op::minimum, binary_op::maximum}),
                     integer(depth - 1), integer(depth - 1)});
    }

    node_id condition(int depth) {
        const int below = std::max(depth - 1, 0);
        switch (depth > 0 ? rng_.below(6) : 5) {
        case 0:
            return b_.unary(ir::unary_op::logical_not, condition(below));
        case 1:
            return join(
                {pick<binary_op>(rng_, {binary_op::equal, binary_op::not_equal}), condition(below), condition(below)});
        case 2:
        case 3:
            return join({pick<binary_op>(rng_, {binary_op::logical_and, binary_op::logical_or}), condition(below),
                         condition(below)});
        case 4:
            return choose({condition(below), condition(below), condition(below)});
        default:
            break;
        }
        const auto op = pick<binary_op>(rng_, {binary_op::less, binary_op::less_equal, binary_op::greater,
                                               binary_op::greater_equal, binary_op::equal, binary_op::not_equal});
        const scalar type = pick(rng_, options_.types);
        return type == scalar::i32 ? join({op, integer(below), integer(below)})
                                   : join({op, real(type, below), real(type, below)});
    }

    stencil& s_;
    stencil_builder b_;
    random_source& rng_;
    const random_stencil_options& options_;
    std::vector<bool> written_;
};

/// The stencil with only the nodes that its updates need.
stencil without_dead_nodes(const stencil& s) {
    std::vector<bool> alive(s.nodes.size(), false);
    for (const update& u : s.updates) {
        for (node_id id : reachable(s, u.value)) {
            alive[id] = true;
        }
    }
    stencil kept = s;
    kept.nodes.clear();
    std::vector<node_id> moved(s.nodes.size());
    for (node_id id = 0; id < s.nodes.size(); ++id) {
        if (alive[id]) {
            moved[id] = static_cast<node_id>(kept.nodes.size());
            kept.nodes.push_back(with_operands(s.nodes[id], moved));
        }
    }
    for (update& u : kept.updates) {
        u.value = moved[u.value];
    }
    return kept;
}

/// Whether a halo along the axis is filled from the interior by reaching as far into it.
bool needs_own_points(const stencil& s, std::size_t axis) {
    return std::ranges::any_of(s.fields, [axis](const field& f) {
        return std::ranges::any_of(f.faces[axis], [](const boundary& face) {
            return face.kind == boundary_kind::periodic || face.kind == boundary_kind::mirror;
        });
    });
}

field random_field(random_source& rng, const random_stencil_options& options, int dimensions) {
    field f;
    f.type = f.compute = pick(rng, options.types);
    if (options.conversions && is_real(f.type) && rng.below(4) == 0) {
        scalar wider = pick(rng, options.types);
        f.compute = std::max(f.type, wider);
    }
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(dimensions); ++axis) {
        for (boundary& face : f.faces[axis]) {
            face.kind = pick(rng, options.boundaries);
            if (face.kind == boundary_kind::constant) {
                face.value = f.type == scalar::i32 ? up_to(rng, 10) - 5 : short_number(rng);
            }
        }
    }
    return f;
}

} // namespace

node with_operands(node n, const std::vector<node_id>& moved) {
    if (auto* u = std::get_if<ir::unary>(&n.op)) {
        u->a = moved[u->a];
    } else if (auto* b = std::get_if<ir::binary>(&n.op)) {
        *b = {b->op, moved[b->a], moved[b->b]};
    } else if (auto* c = std::get_if<ir::call>(&n.op)) {
        c->a = moved[c->a];
    } else if (auto* x = std::get_if<ir::select>(&n.op)) {
        *x = {moved[x->condition], moved[x->a], moved[x->b]};
    } else if (auto* k = std::get_if<ir::convert>(&n.op)) {
        k->a = moved[k->a];
    }
    return n;
}

stencil random_stencil(random_source& rng, const random_stencil_options& options) {
    stencil s;
    s.name = "random";
    s.dimensions = options.least_dimensions + up_to(rng, options.most_dimensions - options.least_dimensions);
    for (int i = up_to(rng, options.most_parameters); i > 0; --i) {
        s.parameters.push_back({"p" + std::to_string(s.parameters.size()), {}});
    }
    const int fields = 1 + up_to(rng, options.most_fields - 1);
    const int coefficients = up_to(rng, options.most_coefficients);
    for (int i = 0; i < fields + coefficients; ++i) {
        s.fields.push_back(random_field(rng, options, s.dimensions));
        s.fields.back().coefficient = i >= fields;
        s.fields.back().name = (i >= fields ? "c" : "u") + std::to_string(i);
    }
    std::vector<std::uint32_t> order(static_cast<std::size_t>(fields));
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        order[i] = i;
    }
    rng.shuffle(order);
    std::vector<bool> written(s.fields.size(), false);
    for (std::uint32_t f : order) {
        node_id value = expression_writer(s, rng, options, written).update_value(s.fields[f].compute);
        s.updates.push_back({f, value});
        written[f] = true;
    }
    infer_reach(s);
    // Levels and halos that only dead nodes read do not exist: drop the dead.
    s = without_dead_nodes(s);
    verify(s);
    return s;
}

stencil random_lines(random_source& rng) {
    stencil s;
    s.name = "lines";
    s.dimensions = 2 + up_to(rng, 1);
    random_stencil_options options;
    options.types = {scalar::f32, scalar::f64};
    s.fields.push_back(random_field(rng, options, s.dimensions));
    field& u = s.fields.front();
    u.name = "u";
    u.compute = u.type;
    stencil_builder builder(s);
    const bool flat = s.dimensions == 2;
    const std::size_t along = rng.below(3) == 0 ? (flat ? 1 : 2) : (flat ? 0 : 1);
    const int reach = 1 + up_to(rng, flat ? 3 : 1);
    std::optional<node_id> sum;
    for (int lines = 2 + up_to(rng, 4); lines > 0; --lines) {
        offset3 at{up_to(rng, 2) - 1, up_to(rng, 2) - 1, flat ? 0 : up_to(rng, 2) - 1};
        for (at[along] = -reach; at[along] <= reach; ++at[along]) {
            const node_id weight = builder.number(
                static_cast<double>(8 + up_to(rng, 8)) / (64 * (1 + reach)) * (up_to(rng, 2) == 0 ? -1 : 1), u.type);
            const node_id term = builder.binary(ir::binary_op::multiply, weight, builder.read(0, 0, at));
            sum = !sum ? term
                       : builder.binary(rng.below(4) == 0 ? ir::binary_op::subtract : ir::binary_op::add, *sum, term);
        }
    }
    s.updates.push_back({0, *sum});
    infer_reach(s);
    s = without_dead_nodes(s);
    verify(s);
    return s;
}

extent3 random_grid(const stencil& s, random_source& rng, std::int64_t most_points) {
    static const std::vector<std::int64_t> awkward{1,  2,  3,  5,  7,  8,  11, 13, 15,  16,  17,  23,  29,  31,  32,
                                                   33, 37, 47, 61, 63, 64, 65, 97, 127, 128, 129, 255, 256, 257, 521};
    extent3 size{1, 1, 1};
    std::int64_t left = most_points;
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(s.dimensions); ++axis) {
        int widest = reach_of(s)[axis] + 1;
        std::int64_t wanted = rng.below(4) == 0 ? 1 + static_cast<std::int64_t>(rng.below(40)) : pick(rng, awkward);
        size[axis] = std::max<std::int64_t>(std::min(wanted, left), needs_own_points(s, axis) ? widest : 1);
        left = std::max<std::int64_t>(left / size[axis], 1);
    }
    check_grid(s, size);
    return size;
}

std::vector<double> random_parameters(const stencil& s, random_source& rng) {
    std::vector<double> values;
    for (std::size_t i = 0; i < s.parameters.size(); ++i) {
        values.push_back(short_number(rng) / 2);
    }
    return values;
}

interpreter_state random_state(const stencil& s, extent3 size, std::uint64_t seed) {
    interpreter_state state = make_state(s, size);
    for (std::size_t i = 0; i < s.fields.size(); ++i) {
        for (field_values& level : state.levels[i]) {
            ++seed;
            for (std::size_t k = 0; k < level.data.size(); ++k) {
                double value = 2 * noise(seed, k) - 1;
                switch (s.fields[i].type) {
                case scalar::i32:
                    level.data[k] = std::trunc(value * 10) + 0.0; // no -0
                    break;
                case scalar::f16: // 9 bits
                    level.data[k] = std::trunc(value * 512) / 512;
                    break;
                case scalar::f32:
                    level.data[k] = static_cast<double>(static_cast<float>(value));
                    break;
                default:
                    level.data[k] = value;
                }
            }
        }
    }
    return state;
}

} // namespace gst::testing
