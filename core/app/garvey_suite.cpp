#include "core/app/garvey_suite.hpp"

#include "core/base/random.hpp"
#include "dsl/pattern.hpp"

#include <fmt/format.h>

#include <array>
#include <set>
#include <utility>

namespace gst {

namespace {

constexpr int largest_radius = 5;
constexpr std::array<const char*, 5> shapes{"dense", "star", "diamond", "nocorners", "thumbtack"};

/// A shape that spreads along some axes.
struct pattern {
    std::string shape;
    std::array<bool, 3> along{};
    int radius = 0;
    int pin = 0; ///< the thumbtack's axis

    bool is_thumbtack() const { return shape == "thumbtack"; }
    int dimensions() const { return along[0] + along[1] + along[2]; }

    std::vector<offset3> offsets() const {
        return dsl::offsets_of(*dsl::shape_named(in_language()), radius, along, pin);
    }
    /// What the language calls the shape.
    std::string in_language() const { return shape == "dense" ? "box" : shape; }

    std::string axes(const char* separator) const {
        std::string out;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (along[axis]) {
                out += (out.empty() ? "" : separator) + std::string(1, "xyz"[axis]);
            }
        }
        return out;
    }

    /// "star(2, x, z)"
    std::string expression() const {
        const std::string more = is_thumbtack()      ? fmt::format(", {}", "xyz"[pin])
                                 : dimensions() == 3 ? ""
                                                     : ", " + axes(", ");
        return fmt::format("{}({}{})", in_language(), radius, radius == 0 ? "" : more);
    }
    /// "star2d_xz_r2"
    std::string name() const {
        const std::string where = is_thumbtack()      ? std::string("_") + "xyz"[pin]
                                  : dimensions() == 3 ? ""
                                                      : "_" + axes("");
        return radius == 0 ? "point" : fmt::format("{}{}d{}_r{}", family(), dimensions(), where, radius);
    }
    /// In one dimension all shapes are the same line.
    std::string family() const { return dimensions() < 2 ? "line" : shape; }

    std::string description(std::size_t points) const {
        if (radius == 0) {
            return "One point.";
        }
        const std::string where = is_thumbtack()      ? fmt::format(", its pin along {}", "xyz"[pin])
                                  : dimensions() == 3 ? ""
                                                      : ", along " + axes(" and ");
        return fmt::format("{}-D {} of radius {}{}: {} points.", dimensions(), family(), radius, where, points);
    }
};

/// The orientations of a shape in so many dimensions.
std::vector<pattern> orientations(const std::string& shape, int dimensions, int radius) {
    std::vector<pattern> out;
    if (shape == "thumbtack") {
        for (int pin = 0; pin < 3 && dimensions == 3; ++pin) {
            out.push_back({shape, {true, true, true}, radius, pin});
        }
        return out;
    }
    for (unsigned axes = 1; axes < 8; ++axes) {
        const pattern p{shape, {(axes & 1) != 0, (axes & 2) != 0, (axes & 4) != 0}, radius, 0};
        if (p.dimensions() == dimensions) {
            out.push_back(p);
        }
    }
    return out;
}

/// Every distinct set of offsets once, named after the first shape that has it.
std::vector<pattern> distinct_patterns() {
    std::vector<pattern> out;
    std::set<std::vector<offset3>> seen;
    for (int dimensions = 1; dimensions <= 3; ++dimensions) {
        for (const char* shape : shapes) {
            for (int radius = 0; radius <= largest_radius; ++radius) {
                for (pattern& p : orientations(shape, dimensions, radius)) {
                    if (seen.insert(p.offsets()).second) {
                        out.push_back(std::move(p));
                    }
                }
            }
        }
    }
    return out;
}

/// What an element is before it is weighted: added to and multiplied with itself as often as is needed (Garvey §8.3.8).
std::string element(const std::string& read, int adds, int multiplies) {
    const std::string product = multiplies == 1 ? read : fmt::format("{0} * {0}", read);
    return adds == 1 && multiplies == 1 ? product : fmt::format("({}{})", product, adds == 1 ? "" : " + " + read);
}

/// The declaration of the weights and the weighted sum. Weights that the language draws sum to 1, so that a single one
/// is drawn here.
std::pair<std::string, std::string> weighted_sum(const pattern& p, const std::string& element, random_source rng) {
    if (p.radius == 0) {
        return {fmt::format("const w = {:.6f}", rng.uniform(0.5, 1)), fmt::format("w * {}", element)};
    }
    return {fmt::format("const w = random({})", rng.below(1'000'000'000)),
            fmt::format("sum(o in {}) {{ w[o] * {} }}", p.expression(), element)};
}

synthetic_stencil written(const pattern& p, int adds, int multiplies, std::uint64_t seed) {
    const bool plain = adds == 1 && multiplies == 1;
    const std::string name = p.name() + (plain ? "" : fmt::format("_a{}m{}", adds, multiplies));
    const auto [weights, sum] =
        weighted_sum(p, element(p.radius == 0 ? "u" : "u[o]", adds, multiplies), random_source(seed).fork(name));
    const std::string work = plain ? "" : fmt::format(" {} adds and {} multiplies per point.", adds, multiplies);
    return {name, p.family(),
            fmt::format("# {}{}\n"
                        "stencil {}(x, y, z) {{\n"
                        "    {}\n"
                        "    field u\n"
                        "    u[t+1] = {}\n"
                        "}}\n",
                        p.description(p.offsets().size()), work, name, weights, sum)};
}

} // namespace

std::vector<synthetic_stencil> garvey_suite(std::uint64_t seed, bool intensities) {
    std::vector<synthetic_stencil> out;
    const int most = intensities ? 2 : 1;
    for (const pattern& p : distinct_patterns()) {
        for (int adds = 1; adds <= most; ++adds) {
            for (int multiplies = 1; multiplies <= most; ++multiplies) {
                out.push_back(written(p, adds, multiplies, seed));
            }
        }
    }
    return out;
}

std::string garvey_suite_toml(const std::vector<synthetic_stencil>& stencils, bool intensities) {
    std::string list;
    for (const synthetic_stencil& s : stencils) {
        list += fmt::format("    {{ file = \"{}.gst\", family = \"{}\" }},\n", s.name, s.family);
    }
    return fmt::format(
        R"(# {} synthetic stencils (Garvey and Abdelrahman 2018, §7.1{}) and how predictors are trained on them (§8):
#     gst train suite.toml
# Every setting of app.toml may stand here: docs/app-toml.md. What train has: docs/training.md.

[grid]
size = [256, 256, 256]

[space]
preset = "garvey"

[measure]
method = "paper"                        # four runs, the mean of the last three

[budget]
evaluations = 0                         # no limit: heuristics end when they are through

[train]
parameter = "load"                      # a predictor says which value of it to take
predictor = "random_forest"
features = ["size", "dimensionality", "density", "unique_dimension"{}]
table = "tuned.json"                    # what has been measured: training goes on from it, and --from reads it
models = "models"                       # a model for each heuristic is written here
stencils = [
{}]

[train.options]                         # of the predictor
trees = 10

[[train.reference]]                     # speedups are over the first
strategy = "random"
evaluations = 1000
refused = true                          # configurations that the device cannot run are drawn, too (§8.1)

[[train.reference]]
strategy = "grouped"
label = "expert"
options = {{ specification = "expert" }}

[[train.heuristic]]                     # runs once for each value of the parameter
strategy = "grouped"
label = "by_dimension"
options = {{ specification = "by_dimension" }}

[[train.heuristic]]
strategy = "grouped"
label = "by_optimization"
options = {{ specification = "by_optimization" }}

[[train.heuristic]]
strategy = "grouped"
label = "hybrid"
options = {{ specification = "hybrid" }}

)",
        stencils.size(), intensities ? ", §8.3.8" : "",
        intensities ? ", \"adds_per_read\", \"multiplies_per_read\"" : "", list);
}

} // namespace gst
