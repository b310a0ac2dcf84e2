#pragma once

#include "core/base/feature.hpp"
#include "core/store/tuned_suite.hpp"

namespace gst {

/// Four stencils, random search and one heuristic with two values: what was found, in round numbers. On stencil d with
/// the value "local" nothing was found.
inline tuned_suite small_tuned_suite() {
    tuned_suite t;
    t.device = "Some GPU";
    t.backend = "cuda";
    t.driver = "1.0";
    t.grid = "64x64x64";
    t.settings = "{measure={method=paper}}";
    t.features_version = features_version;
    t.parameter = "load";
    t.values = {"global", "local"};
    t.references = {"random"};
    t.heuristics = {"hybrid"};
    t.predictor = "nearest";
    t.predictor_options = {{"neighbours", std::int64_t{1}}};
    t.predictor_features = {"size"};
    t.features = {{"size", "points"}, {"density", "1"}};
    const auto stencil = [&](const char* name, const char* family, double size) {
        t.stencils.push_back({name, family, "0123", 1e6, {size, 0.1}, ""});
    };
    stencil("a", "star", 5);
    stencil("b", "star", 7);
    stencil("c", "dense", 25);
    stencil("d", "dense", 27);
    const auto run = [&](const char* of, const char* by, const char* with, double time, double again) {
        t.runs.push_back({of, by, with, true, time, again, time > 0 ? "TBx=32" : "", 10, 8, 2.5, 0.5});
    };
    for (const char* name : {"a", "b", "c", "d"}) {
        run(name, "random", "", 4, 4);
    }
    run("a", "hybrid", "global", 2, 2);
    run("a", "hybrid", "local", 4, 4);
    run("b", "hybrid", "global", 1, 3);
    run("b", "hybrid", "local", 2, 2);
    run("c", "hybrid", "global", 8, 8);
    run("c", "hybrid", "local", 2, 2);
    run("d", "hybrid", "global", 4, 4);
    run("d", "hybrid", "local", 0, 0);
    return t;
}

} // namespace gst
