#include "core/codegen/verification.hpp"

#include "core/codegen/emit.hpp"
#include "core/codegen/generate.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace gst {

namespace {

using namespace nest;
using nest::value; // not the value of an expression over parameters

constexpr std::uint64_t work_group = 64;

/// compare_<i> of verification.hpp.
kernel comparison_kernel(std::size_t index, const compared_array& which) {
    const scalar stored = which.stored;
    const std::optional<scalar> error = which.error;
    kernel k;
    k.name = fmt::format("compare_{}", index);
    k.work_group = {work_group, 1, 1};
    k.formals.push_back({formal::kind::input, "value", stored});
    k.formals.push_back({formal::kind::input, "reference", stored});
    if (error) {
        k.formals.push_back({formal::kind::input, "error", *error});
    }
    k.formals.push_back({formal::kind::counters, "result", scalar::i32});

    const auto equal = [](const value& a, const value& b) { return binary_value(ir::binary_op::equal, a, b); };
    const auto either = [](const value& a, const value& b) { return binary_value(ir::binary_op::logical_or, a, b); };
    const auto count = [](std::int64_t counter) {
        return statement{atomic{atomic_op::add, "result", number(counter), number(1, type::u32)}};
    };
    const type held = register_type(stored);
    k.body.push_back({declare{type::index, "n", make(work_item{id::global, 0}, type::index)}});
    k.body.push_back({branch{less(var("n"), number(which.elements)), {}, {}}});
    block& inside = std::get<branch>(k.body.back().what).yes;
    for (const char* name : {"value", "reference"}) {
        inside.push_back({declare{held, std::string(name) + "_n", make(load{name, var("n"), stored, false}, held)}});
    }
    const value v = var("value_n", held);
    const value r = var("reference_n", held);
    value same = equal(v, r);
    if (is_real(stored)) { // both NaN
        same = either(same, binary_value(ir::binary_op::logical_and, opposite(equal(v, v)), opposite(equal(r, r))));
    }
    inside.push_back({branch{opposite(same), {}, {}}});
    block& differ = std::get<branch>(inside.back().what).yes;
    const block wrong = {count(0),
                         {atomic{atomic_op::minimum, "result", number(1), make(convert{var("n")}, type::u32)}}};
    if (!error) {
        differ = wrong;
        return k;
    }
    const type computed = register_type(*error);
    const auto widened = [&](const value& a) { return a->of == computed ? a : make(convert{a}, computed); };
    const value bounds = make(load{"result", number(4), scalar::i32, false}, type::u32);
    differ.push_back({declare{
        computed, "bound", make(convert{bounds}, computed) * make(load{"error", var("n"), *error, false}, computed)}});
    differ.push_back(
        {declare{computed, "distance", make(nest::call{ir::function::absolute, widened(v) - widened(r)}, computed)}});
    const value bound = var("bound", computed);
    const value distance = var("distance", computed);
    branch checked{equal(bound - bound, real_number(0, computed)), {}, {count(2)}};
    checked.yes.push_back({branch{opposite(less_equal(distance, bound)), wrong, {}}});
    value ratio = binary_value(ir::binary_op::divide, distance, bound);
    if (computed != type::f32) {
        ratio = make(convert{ratio}, type::f32);
    }
    checked.yes.push_back({declare{type::f32, "ratio", ratio}});
    // The bits of non-negative floats are ordered as the floats are.
    const value bits = make(convert{var("ratio", type::f32)}, type::u32);
    branch worse{less(real_number(0, type::f32), var("ratio", type::f32)), {}, {}};
    worse.yes.push_back({branch{less(make(load{"result", number(3), scalar::i32, false}, type::u32), bits),
                                {{atomic{atomic_op::maximum, "result", number(3), bits}}},
                                {}}});
    checked.yes.push_back({std::move(worse)});
    differ.push_back({std::move(checked)});
    return k;
}

/// digest of verification.hpp. A work-item's sums begin with its place and go through its words in order.
kernel digest_kernel() {
    constexpr std::int64_t words = digested_at_once / sizeof(std::uint32_t);
    kernel k;
    k.name = "digest";
    k.work_group = {work_group, 1, 1};
    k.formals = {{formal::kind::input, "words", scalar::i32}, {formal::kind::counters, "result", scalar::i32}};
    struct running_sum {
        const char* name;
        std::int64_t factor; ///< odd, without pattern in its bits
        std::int64_t folded; ///< high bits come down, since products carry upwards only
    };
    constexpr running_sum sums[] = {{"a", 0x9e3779b1, 1 << 15}, {"b", 0x85ebca6b, 1 << 13}};
    const auto folded = [](const running_sum& s) {
        const value a = var(s.name, type::u32);
        return statement{assign{s.name, a + binary_value(ir::binary_op::divide, a, number(s.folded, type::u32))}};
    };
    const value item = make(work_item{id::global, 0}, type::index);
    k.body.push_back({declare{type::index, "first",
                              make(work_item{id::group, 0}, type::index) * number(words) +
                                  make(work_item{id::local, 0}, type::index)}});
    for (const running_sum& s : sums) {
        k.body.push_back(
            {declare{type::u32, s.name, make(convert{item}, type::u32) * number(s.factor, type::u32), true}});
    }
    block* inner =
        enter(k.body,
              loop{"n", var("first"), var("first") + number(words), number(static_cast<std::int64_t>(work_group)), {}});
    inner->push_back({declare{type::u32, "word", make(load{"words", var("n"), scalar::i32, false}, type::u32)}});
    for (const running_sum& s : sums) {
        inner->push_back(
            {assign{s.name, (var(s.name, type::u32) + var("word", type::u32)) * number(s.factor, type::u32)}});
        inner->push_back(folded(s));
    }
    // So far, equal and opposite changes of two work-items' last words would cancel: a (2 a + 1) is one to one, and not
    // linear (Rivest et al., The RC6 block cipher, 1998).
    for (std::size_t i = 0; i < std::size(sums); ++i) {
        const value a = var(sums[i].name, type::u32);
        const statement squared{assign{sums[i].name, a * (a * number(2, type::u32) + number(1, type::u32))}};
        k.body.push_back(squared);
        k.body.push_back(folded(sums[i]));
        k.body.push_back(squared);
        k.body.push_back({atomic{atomic_op::add, "result", number(static_cast<std::int64_t>(i)), a}});
    }
    return k;
}

} // namespace

launch digest_launch(std::uint64_t bytes) {
    if (bytes % digested_at_once != 0) {
        throw std::logic_error(fmt::format("an array of {} bytes cannot be digested", bytes));
    }
    launch l;
    l.kernel = "digest";
    l.global = {bytes / digested_at_once * work_group, 1, 1};
    l.local = {work_group, 1, 1};
    l.arguments = {extra_argument{0}, extra_argument{1}};
    return l;
}

void add_comparison(verification& v, const std::vector<compared_array>& arrays, const dialect& language) {
    std::vector<kernel> kernels;
    for (const compared_array& a : arrays) {
        kernels.push_back(comparison_kernel(kernels.size(), a));
    }
    const auto elements = static_cast<std::uint64_t>(v.reference.layout.elements);
    kernels.push_back(digest_kernel());
    v.comparison = emit_module(kernels, language, needs_wide_index(2 * elements)); // 32-bit words
    v.comparison_global = {(elements + work_group - 1) / work_group * work_group, 1, 1};
    v.comparison_local = {work_group, 1, 1};
}

verification make_verification(const stencil& s, extent3 size, std::int64_t alignment, const dialect& language,
                               summation order) {
    const error_companion companion = with_error_bounds(s, order);
    verification v;
    v.reference = generate(companion.program, size, alignment, default_schedule(size), language);
    v.error_field = companion.error_field;
    std::vector<compared_array> arrays;
    for (std::size_t f = 0; f < s.fields.size(); ++f) {
        std::optional<scalar> error;
        if (companion.error_field[f] >= 0) {
            error = companion.program.fields[static_cast<std::size_t>(companion.error_field[f])].type;
        }
        arrays.push_back({s.fields[f].type, error, v.reference.layout.elements});
    }
    add_comparison(v, arrays, language);
    return v;
}

} // namespace gst
