#include "core/codegen/presets.hpp"
#include "core/tune/workload.hpp"
#include "tests/catch.hpp"
#include "tests/dsl/stencils_of.hpp"

using namespace gst;

namespace {

/// A request for a stencil that copies one field of each type.
tuning_request copies(const std::vector<std::string>& types, layout_kind layout) {
    std::string fields, updates;
    for (std::size_t i = 0; i < types.size(); ++i) {
        fields += "field u" + std::to_string(i) + " : " + types[i] + "\n";
        updates += "u" + std::to_string(i) + "[t+1] = u" + std::to_string(i) + "[x-1]\n";
    }
    stencil s = stencil_of("stencil s(x, y) {\n" + fields + updates + "}\n");
    constexpr extent3 grid{64, 64, 1};
    space all = make_space("full", s, grid);
    return {std::move(s), grid, layout, {}, std::move(all), 1};
}

device_info device_of(const std::string& type) {
    device_info d;
    d.type = type;
    d.f16 = d.f64 = true;
    return d;
}

} // namespace

TEST_CASE(
    "rows begin at multiples of what a GPU reads at once, of a processor's widest vector, or as the user has them") {
    struct {
        std::vector<std::string> types;
        std::int64_t on_gpu;
    } const cases[] = {{{"f32"}, 8}, {{"f64"}, 4}, {{"i32"}, 8}, {{"f32", "f64"}, 8}, {{"f64", "f16"}, 16}};
    for (const auto& c : cases) {
        const tuning_request padded = copies(c.types, layout_kind::padded);
        const array_layout gpu = layout_of(padded, device_of("gpu"));
        CHECK(gpu.alignment == c.on_gpu);
        CHECK(gpu.origin % c.on_gpu == 0);
        CHECK(gpu.row % c.on_gpu == 0);
        CHECK(gpu.row < 64 + 2 + c.on_gpu);
        CHECK(layout_of(padded, device_of("cpu")).alignment == 16);
        CHECK(layout_of(copies(c.types, layout_kind::raw), device_of("gpu")).raw());
    }
}

TEST_CASE("a GPU's vectors are no wider than what its rows begin at multiples of") {
    const auto widest = [](const tuning_request& r, const device_info& d) {
        const space all = admitted_space(r, d);
        const parameter& p = all.parameters()[all.index_of("VX")];
        std::int64_t most = 0;
        for (std::size_t i = 0; i < p.domain.size(); ++i) {
            const std::int64_t width = std::get<std::int64_t>(p.domain[i]);
            const space of_width = all.constrained({{expression::parse("VX == " + std::to_string(width)), ""}});
            most = of_width.count() > 0 ? std::max(most, width) : most;
        }
        return most;
    };
    device_info gpu = device_of("gpu");
    gpu.work_group = 1024;
    gpu.work_items = {1024, 1024, 64};
    CHECK(widest(copies({"f32"}, layout_kind::padded), gpu) == 8);
    CHECK(widest(copies({"f64"}, layout_kind::padded), gpu) == 4);
    CHECK(widest(copies({"f64"}, layout_kind::raw), gpu) == 16);
    device_info cpu = gpu;
    cpu.type = "cpu";
    CHECK(widest(copies({"f64"}, layout_kind::padded), cpu) == 16);
}

TEST_CASE("which of a device's limits leaves nothing is told") {
    tuning_request r = copies({"f32"}, layout_kind::padded);
    device_info gpu = device_of("gpu");
    gpu.work_group = 1024;
    gpu.work_items = {1024, 1024, 64};
    r.space = r.space.restricted({{"TBx", {std::int64_t{64}}}, {"TBy", {std::int64_t{64}}}});
    const space none = admitted_space(r, gpu);
    REQUIRE(none.count() == 0);
    CHECK(why_none_is_admitted(r.space, none) ==
          "the device runs at most 1024 work-items in a work-group (TBx * TBy * TBz <= 1024)");
    gpu.work_group = 4096;
    CHECK_THROWS_AS(why_none_is_admitted(r.space, admitted_space(r, gpu)), std::logic_error);
}
