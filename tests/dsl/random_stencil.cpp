#include "tests/dsl/random_stencil.hpp"

#include "core/base/random.hpp"
#include "core/stencil/canonical.hpp"

#include <algorithm>
#include <string>

namespace gst {

namespace {

class generator {
  public:
    explicit generator(std::uint64_t seed) : rng_(seed), build_(s_) {}

    stencil run() {
        s_.name = "random";
        s_.dimensions = 1 + pick(3);
        s_.parameters = {{"a", 0.5}, {"b", std::nullopt}, {"c", 3.0}};
        const int fields = 1 + pick(4);
        for (int i = 0; i < fields; ++i) {
            s_.fields.push_back(random_field(i));
        }
        for (std::uint32_t i = 0; i < s_.fields.size(); ++i) {
            if (!s_.fields[i].coefficient) {
                s_.updates.push_back({i, value(s_.fields[i].compute, 6)});
                written_.push_back(i);
            }
        }
        stencil out = canonical(s_);
        infer_reach(out);
        verify(out);
        return out;
    }

  private:
    int pick(int n) { return static_cast<int>(rng_.below(static_cast<std::uint64_t>(n))); }

    field random_field(int i) {
        field f;
        f.name = "f" + std::to_string(i);
        f.coefficient = i > 0 && pick(4) == 0;
        f.type = static_cast<scalar>(1 + pick(4));
        f.compute = f.type == scalar::f16 ? scalar::f32 : f.type;
        if (!f.coefficient && is_real(f.type) && pick(2) == 0) {
            f.compute = static_cast<scalar>(static_cast<int>(f.type) + pick(5 - static_cast<int>(f.type)));
        }
        for (std::size_t axis = 0; axis < static_cast<std::size_t>(s_.dimensions); ++axis) {
            for (boundary& b : f.faces[axis]) {
                b.kind = static_cast<boundary_kind>(pick(5));
                b.value = b.kind == boundary_kind::constant ? pick(9) - 4 : 0;
            }
        }
        return f;
    }

    node_id leaf(scalar type) {
        switch (pick(7)) {
        case 0:
            return build_.number(type == scalar::i32 ? pick(2000) - 1000 : (pick(2000) - 1000) * 0.125, type);
        case 1:
            return build_.add(
                {ir::parameter{static_cast<std::uint32_t>(type == scalar::i32 ? 1 + pick(2) : pick(3))}, type});
        case 2:
            return build_.convert(build_.add({ir::coordinate{pick(s_.dimensions)}, scalar::i32}), type);
        case 3:
            return build_.convert(pick(2) == 0 ? build_.add({ir::grid_size{pick(s_.dimensions)}, scalar::i32})
                                               : build_.add({ir::step_number{}, scalar::i32}),
                                  type);
        default:
            return build_.convert(read(), type);
        }
    }

    node_id read() {
        const auto f = static_cast<std::uint32_t>(pick(static_cast<int>(s_.fields.size())));
        offset3 at{};
        for (std::size_t axis = 0; axis < static_cast<std::size_t>(s_.dimensions); ++axis) {
            at[axis] = pick(5) - 2;
        }
        int level = s_.fields[f].coefficient ? 0 : -pick(3);
        if (!written_.empty() && pick(4) == 0) {
            return build_.read(written_[static_cast<std::size_t>(pick(static_cast<int>(written_.size())))], 1, at);
        }
        return build_.read(f, level, at);
    }

    node_id value(scalar type, int depth) {
        if (depth == 0) {
            return leaf(type);
        }
        switch (pick(9)) {
        case 0:
            return leaf(type);
        case 1:
            return build_.unary(ir::unary_op::negate, value(type, depth - 1));
        case 2:
            return call(type, depth);
        case 3: {
            const node_id c = condition(depth - 1);
            const node_id a = value(type, depth - 1);
            return build_.select(c, a, value(type, depth - 1));
        }
        case 4:
            return build_.convert(value(static_cast<scalar>(1 + pick(4)), depth - 1), type);
        case 5:
            return build_.convert(condition(depth - 1), type);
        default: {
            const auto op = static_cast<ir::binary_op>(pick(is_real(type) ? 8 : 7));
            const node_id a = value(type, depth - 1);
            return build_.binary(op, a, pick(6) == 0 ? a : value(type, depth - 1));
        }
        }
    }

    node_id call(scalar type, int depth) {
        const auto f = is_real(type) ? static_cast<ir::function>(pick(12)) : ir::function::absolute;
        return build_.call(f, value(type, depth - 1));
    }

    node_id condition(int depth) {
        const int form = depth <= 0 ? 3 : pick(6);
        if (form == 0) {
            return build_.unary(ir::unary_op::logical_not, condition(depth - 1));
        }
        if (form == 1 || form == 2) {
            const auto op = form == 1 ? static_cast<ir::binary_op>(12 + pick(4)) : ir::binary_op::logical_and;
            const node_id a = condition(depth - 1);
            return build_.binary(op, a, condition(depth - 1));
        }
        const auto type = static_cast<scalar>(1 + pick(4));
        const node_id a = value(type, std::max(depth - 1, 0));
        return build_.binary(static_cast<ir::binary_op>(8 + pick(6)), a, value(type, std::max(depth - 1, 0)));
    }

    random_source rng_;
    stencil s_;
    stencil_builder build_;
    std::vector<std::uint32_t> written_;
};

} // namespace

stencil random_stencil(std::uint64_t seed) {
    return generator(seed).run();
}

} // namespace gst
