#include "core/codegen/copy.hpp"

#include "core/codegen/emit.hpp"

#include <fmt/format.h>

#include <cassert>

namespace gst {

namespace {

using namespace nest;
using nest::value; // not the value of an expression over parameters

/// Copies `width` elements per access and `accesses` accesses per work-item, neighbouring ones or (strided) one
/// work-group apart.
kernel copy_kernel(std::string name, int width, std::int64_t accesses, std::uint64_t work_group, bool streaming) {
    kernel k;
    k.name = std::move(name);
    k.work_group = {work_group, 1, 1};
    k.formals = {{formal::kind::input, "from", scalar::f32}, {formal::kind::output, "to", scalar::f32}};
    const value item = make(work_item{id::global, 0}, type::index);
    k.body.push_back({declare{type::index, "first", item * number(width * accesses)}});
    block* inner = &k.body;
    value at = var("first");
    if (accesses > 1) {
        k.body.push_back({loop{"i", at, at + number(width * accesses), number(width), {}}});
        inner = &std::get<loop>(k.body.back().what).body;
        at = var("i");
    }
    if (width == 1) {
        inner->push_back({store{"to", at, make(load{"from", at, scalar::f32, false}, type::f32), scalar::f32, false}});
        return k;
    }
    inner->push_back({declare_vector{scalar::f32, width, "v", "from", at, true}});
    inner->push_back(
        {vector_store{"to", at, {make(variable{"v"}, type::f32, width)}, width, scalar::f32, true, streaming}});
    return k;
}

} // namespace

copy_benchmark make_copy_benchmark(std::uint64_t elements, const dialect& language) {
    assert(elements % 16384 == 0);
    const std::vector<kernel> kernels = {
        copy_kernel("copy_scalar", 1, 1, 256, false), copy_kernel("copy_vector", 4, 1, 256, false),
        copy_kernel("copy_streaming", 4, 1, 256, true),
        copy_kernel("copy_rows", 16, 1024, 1, true), // a long run per work-item suits CPUs
    };
    copy_benchmark out;
    out.module = emit_module(kernels, language, needs_wide_index(elements));
    const std::uint64_t items[] = {elements, elements / 4, elements / 4, elements / 16384};
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        launch l;
        l.kernel = kernels[i].name;
        l.global = {items[i], 1, 1};
        l.local = kernels[i].work_group;
        l.arguments = {extra_argument{0}, extra_argument{1}};
        out.kernels.push_back(std::move(l));
    }
    return out;
}

} // namespace gst
