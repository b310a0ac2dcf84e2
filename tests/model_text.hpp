#pragma once

#include "core/store/model_file.hpp"

#include <string>

namespace gst::test {

/// A model of two features and two classes, as it may be written.
inline model_description some_model() {
    model_description m;
    m.predictor = "nearest";
    m.version = "1.0";
    m.options = {{"neighbours", std::int64_t{1}}};
    m.predicts = "load";
    m.device = "A \"large\" GPU";
    m.backend = "cuda";
    m.training = "104 stencils, grouped";
    m.rows = 2;
    m.scores = {{"absolute_accuracy", 0.1}, {"penalty_weighted_accuracy", 1}};
    m.features_version = 3;
    m.features = {{"size", "points"}, {"density", ""}};
    m.beside = {{"value_bytes", "bytes", 4, 8}};
    m.classes = {"global", "local"};
    return m;
}

inline constexpr const char* some_rows = "range 1 125\nrange 0.1 1\nscale 0.5 2\nrows 2\n0 1 0.1\n1 125 1\n";

} // namespace gst::test
