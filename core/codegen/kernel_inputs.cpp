#include "core/codegen/kernel_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>
#include <variant>

namespace gst {

std::string array_name(const field& f, int level) {
    if (f.coefficient) {
        return f.name + "_coef";
    }
    return level == 0 ? f.name + "_t"
                      : fmt::format("{}_t_{}_{}", f.name, level > 0 ? "plus" : "minus", std::abs(level));
}

kernel_inputs inputs_of(const stencil& s, const std::vector<std::size_t>& updates) {
    std::map<std::pair<std::uint32_t, int>, source_array> arrays;
    kernel_inputs out;
    const auto look_at = [&](const node& n) {
        if (const auto* r = std::get_if<ir::read>(&n.op)) {
            auto [found, is_new] =
                arrays.try_emplace({r->field, r->level}, source_array{r->field, r->level, r->at, r->at});
            for (std::size_t axis = 0; axis < 3; ++axis) {
                found->second.low[axis] = std::min(found->second.low[axis], r->at[axis]);
                found->second.high[axis] = std::max(found->second.high[axis], r->at[axis]);
            }
        } else if (const auto* p = std::get_if<ir::parameter>(&n.op)) {
            // A half argument would need half arithmetic: pass a float.
            const scalar type = n.type == scalar::f16 ? scalar::f32 : n.type;
            scalar& widest = out.parameters.try_emplace(p->index, scalar::i32).first->second;
            widest = std::max(widest, type);
        } else if (std::holds_alternative<ir::step_number>(n.op)) {
            out.step = true;
        }
    };
    for (const std::size_t u : updates) {
        for (const node_id n : reachable(s, s.updates[u].value)) {
            look_at(s.nodes[n]);
        }
    }
    for (auto& [key, array] : arrays) {
        out.arrays.push_back(array);
    }
    return out;
}

std::vector<source_array> cached_arrays(const stencil& s, std::size_t index) {
    const std::vector<source_array> all = inputs_of(s, {index}).arrays;
    std::vector<source_array> some;
    std::copy_if(all.begin(), all.end(), std::back_inserter(some),
                 [](const source_array& a) { return a.low != a.high; });
    return some.empty() ? all : some;
}

} // namespace gst
