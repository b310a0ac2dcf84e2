#include "core/base/error.hpp"
#include "core/codegen/launch_features.hpp"
#include "core/host/find_plugin.hpp"
#include "core/host/make_plugin.hpp"
#include "core/tune/launch_forecast.hpp"
#include "tests/catch.hpp"
#include "tests/dsl/stencils_of.hpp"

using namespace gst;

namespace {

constexpr extent3 grid{64, 64, 1};

tuning_request request(const std::string& preset) {
    stencil s = stencil_of("stencil s(x, y) {\nfield u\n"
                           "u[t+1] = u + 0.1 * (u[x-1] + u[x+1] + u[y-1] + u[y+1] - 4*u)\n}\n");
    space all = make_space(preset, s, grid);
    return {std::move(s), grid, layout_kind::raw, {}, std::move(all), 1};
}

array_layout layout_on_cpu(const tuning_request& r) {
    return layout_of(r, device_info());
}

/// What the device admits.
space admitted_of(const tuning_request& r) {
    device_limits limits;
    limits.work_group = 256;
    limits.work_items = {256, 256, 64};
    limits.local_bytes = 8192;
    return admitted(r.space, r.stencil, layout_on_cpu(r), limits);
}

/// Local memory where the work-group is of at least 32 work-items along x; between 4 and 64 the model knows.
model wide_local(const std::string& feature = "work_group_x") {
    const plugin& p = find_plugin("predictor", "nearest", "/");
    training_table t;
    t.features = {{feature, feature == "size" ? "points" : "work-items"}};
    t.classes = {"false", "true"};
    for (const double x : {4, 8, 16, 32, 64}) {
        t.add("", std::vector<double>{x}, x >= 32 ? 1 : 0);
    }
    model m;
    m.about.predicts = "useShared";
    m.about.features = t.features;
    m.about.classes = t.classes;
    m.learned = make_predictor(p, check_options(p, {}));
    m.learned->learn(t);
    return m;
}

launch_forecast asked(const model& m, const tuning_request& r, const space& all, double least = 0) {
    return make_launch_forecast(m, m.about.predicts, {{"size", "points", "", "", 5}},
                                stencil_profiles(r.stencil, layout_on_cpu(r)), all, least);
}

} // namespace

TEST_CASE("of each launch that a model knows the faster way is searched, and all else as before") {
    for (const std::string preset : {"garvey", "garvey_full", "gest"}) {
        const tuning_request r = request(preset);
        const space all = admitted_of(r);
        REQUIRE(all.count() > 0);
        const launch_forecast f = asked(wide_local(), r, all);
        INFO(preset);
        CHECK(f.undecided.empty());
        CHECK(f.parameter == (preset == "garvey" ? "load" : "useShared"));
        const std::size_t by = all.index_of(f.parameter);
        const bool loads = f.parameter == "load";
        std::uint64_t kept = 0;
        std::uint64_t local = 0;
        random_source rng(5);
        const std::uint64_t tries = std::min<std::uint64_t>(all.count(), 20000);
        for (std::uint64_t n = 0; n < tries; ++n) {
            const configuration c = tries == all.count() ? all.at(n) : all.sample(rng);
            const schedule how = schedule_of(all, c, {});
            configuration twin = c;
            const auto& domain = all.parameters()[by].domain;
            const value other = loads ? value(std::string(how.local ? "global" : "local")) : value(!how.local);
            twin[by] = static_cast<std::uint16_t>(std::ranges::find(domain, other) - domain.begin());
            const bool launch = how.vector_width == 1 && !how.image && how.stream_axis < 0 && !how.streaming_stores &&
                                all.contains(twin);
            const bool known = how.work_group[0] >= 4 && how.work_group[0] <= 64;
            const bool faster = how.local == (how.work_group[0] >= 32);
            INFO(all.to_string(c));
            REQUIRE(f.searched.contains(c) == (!launch || !known || faster));
            REQUIRE((f.searched.contains(c) || f.searched.contains(twin)));
            kept += f.searched.contains(c) ? 1 : 0;
            local += how.local ? 1 : 0;
        }
        CHECK(kept < tries);
        CHECK(local > 0);
        CHECK(f.with > 0);
        CHECK(f.without > 0);
        CHECK(f.open > 0); // narrower than 4
        if (tries == all.count()) {
            CHECK(kept == f.searched.count());
        }
        CHECK(f.searched.violations(all.at(0)).empty() == f.searched.contains(all.at(0)));
    }
}

TEST_CASE("the shipped model of unit kernels knows launches of a stencil of three dimensions, and both answers occur") {
    const extent3 cube{128, 128, 128};
    stencil s = stencil_of("stencil s(x, y, z) {\nfield u\nu[t+1] = u + 0.1 * (u[x-1] + u[x+1] + u[y-1] + u[y+1] + "
                           "u[z-1] + u[z+1] - 6*u)\n}\n");
    space offered = make_space("garvey", s, cube);
    const tuning_request r{std::move(s), cube, layout_kind::padded, {}, std::move(offered), 1};
    device_limits limits;
    limits.work_group = 1024;
    limits.work_items = {1024, 1024, 64};
    limits.local_bytes = 49152;
    const space all = admitted(r.space, r.stencil, layout_on_cpu(r), limits);
    const std::filesystem::path folder = std::filesystem::path(GST_SOURCE_DIR) / "examples/replay/local_memory_h200";
    const launch_forecast f =
        asked(read_model(folder / "useShared.model", "useShared.model", features_version), r, all);
    CHECK(f.undecided.empty());
    CHECK(f.with > 0);
    CHECK(f.without > 0);
}

TEST_CASE("a model of launches that is not sure, or knows no launch here, leaves the whole space") {
    const tuning_request r = request("garvey");
    const space all = admitted_of(r);
    const launch_forecast unsure = asked(wide_local(), r, all, 1.5);
    CHECK(unsure.undecided == "every launch lies outside of what the model has learned from, or is not sure enough");
    CHECK(unsure.searched.count() == all.count());
    CHECK(unsure.with + unsure.without == 0);
    const space plain = all.restricted({{"load", {std::string("global")}}});
    CHECK(asked(wide_local(), r, plain).undecided == "no launch uses local memory and nothing else here");
    CHECK(decides_launches(wide_local().about));
    CHECK_FALSE(decides_launches(wide_local("size").about));
    model ranks = wide_local();
    ranks.about.predicts = "time";
    CHECK_FALSE(decides_launches(ranks.about));
}

TEST_CASE("a model of launches that does not fit is refused with the remedy") {
    const tuning_request r = request("garvey");
    const space all = admitted_of(r);
    const auto refusal = [&](const model& m) -> std::string {
        try {
            asked(m, r, all);
        } catch (const user_error& e) {
            return e.diagnostics().front().message;
        }
        return "";
    };
    model m = wide_local();
    m.about.predicts = "TBx";
    CHECK(refusal(m) == "the model says of a launch whether local memory pays, which is not TBx");
    m = wide_local();
    m.about.classes = {"global", "local"};
    CHECK(refusal(m) == "the model's classes (global and local) are not false and true");
    CHECK(refusal(wide_local("weight")) == "the model needs the feature 'weight', which is not known here");
    CHECK(refusal(wide_local("size")).empty());
}
