#include "core/store/result_key.hpp"
#include "tests/catch.hpp"

#include <functional>
#include <set>

using namespace gst;

TEST_CASE("every part of a key matters, and where one part ends") {
    const result_key key{"a", "b", "c", "d", "e", "f", "g", "h"};
    std::set<std::string> digests{digest_of(key)};
    for (std::string result_key::*part :
         {&result_key::stencil, &result_key::problem, &result_key::grid, &result_key::program, &result_key::backend,
          &result_key::device, &result_key::driver, &result_key::method}) {
        result_key other = key;
        other.*part += "!";
        digests.insert(digest_of(other));
    }
    CHECK(digests.size() == 9);
    CHECK(digest_of({"ab", "", "", "", "", "", "", ""}) != digest_of({"a", "b", "", "", "", "", "", ""}));
    CHECK(digest_of(key) == digest_of(result_key(key)));
}

TEST_CASE("a grid is written with as many sizes as the stencil has dimensions") {
    CHECK(grid_text(1, {1000, 1, 1}) == "1000");
    CHECK(grid_text(2, {64, 32, 1}) == "64x32");
    CHECK(grid_text(3, {512, 512, 1}) == "512x512x1");
}

TEST_CASE("a parameter's value is not part of the problem, its presence is") {
    stencil s;
    s.name = "heat";
    s.dimensions = 1;
    s.fields.push_back({.name = "u"});
    s.parameters = {{"alpha", 0.1}};
    const std::string text = problem_text(s);
    s.parameters[0].value = 0.2;
    CHECK(problem_text(s) == text);
    s.parameters.push_back({"beta", std::nullopt});
    CHECK(problem_text(s) != text);
}

namespace {
program sample() {
    program p;
    p.modules = {{"kernel void k() {}", "-cl-fast"}};
    p.layout = {padded_rows, {8, 8, 8}, {1, 1, 1}, 15, 100, 16, 160, 2000};
    p.types = {scalar::f32, scalar::f64};
    p.kept = {1, 1};
    p.steps = 2;
    p.coefficient = {0, 1};
    p.images = {{64, 32, scalar::f32}, {}};
    launch l;
    l.kernel = "k";
    l.global = {8, 8, 8};
    l.local = {4, 1, 1};
    l.arguments = {field_argument{0, 1}, field_argument{1, 0, true}, parameter_argument{0, scalar::f64},
                   step_argument{}};
    p.call = {l, image_copy{1, 0}};
    p.remainder = {image_copy{0, 1}, image_copy{1, 0}};
    return p;
}
launch& first(program& p) {
    return std::get<launch>(p.call[0]);
}
} // namespace

TEST_CASE("equal programs have equal texts and every difference shows") {
    const std::vector<std::function<void(program&)>> changes{
        [](program& p) { p.modules[0].text += " "; },
        [](program& p) { p.modules[0].options = ""; },
        [](program& p) { p.modules.emplace_back(); },
        [](program& p) { p.layout.alignment = raw_rows; },
        [](program& p) { p.layout.size[2] = 9; },
        [](program& p) { p.layout.halo[0] = 2; },
        [](program& p) { p.layout.origin = 101; },
        [](program& p) { p.layout.row = 17; },
        [](program& p) { p.layout.plane = 161; },
        [](program& p) { p.layout.guard = 1; },
        [](program& p) { p.layout.elements = 2001; },
        [](program& p) { p.types[0] = scalar::f64; },
        [](program& p) { p.kept[0] = 2; },
        [](program& p) { p.steps = 3; },
        [](program& p) { p.coefficient[1] = 0; },
        [](program& p) { p.images[0].width = 65; },
        [](program& p) { p.images[0].height = 33; },
        [](program& p) { p.images[0].type = scalar::f64; },
        [](program& p) { first(p).kernel = "l"; },
        [](program& p) { first(p).global[0] = 16; },
        [](program& p) { first(p).local[1] = 2; },
        [](program& p) { first(p).offset[2] = 1; },
        [](program& p) {
            first(p).arguments[0] = field_argument{1, 1};
        },
        [](program& p) {
            first(p).arguments[0] = field_argument{0, 0};
        },
        [](program& p) {
            first(p).arguments[1] = field_argument{1, 0, false};
        },
        [](program& p) {
            first(p).arguments[2] = parameter_argument{1, scalar::f64};
        },
        [](program& p) {
            first(p).arguments[2] = parameter_argument{0, scalar::f32};
        },
        [](program& p) { first(p).arguments[3] = extra_argument{0}; },
        [](program& p) {
            first(p).arguments.push_back(tensor_argument{{0, 0}, {}});
        },
        [](program& p) {
            first(p).arguments.push_back(tensor_argument{{0, 0}, {scalar::f32, 0, {8, 8, 8}, {8, 64}, {4, 4, 1}}});
        },
        [](program& p) { first(p).arguments.pop_back(); },
        [](program& p) { std::swap(p.call[0], p.call[1]); },
        [](program& p) {
            p.call[1] = image_copy{0, 0};
        },
        [](program& p) {
            p.call[1] = image_copy{1, 1};
        },
        [](program& p) { p.halos.push_back(p.call[1]); },
        [](program& p) { std::swap(p.remainder[0], p.remainder[1]); },
        [](program& p) { p.remainder.clear(); },
        [](program& p) { // the same operations, parted elsewhere
            p.call.push_back(p.remainder[0]);
            p.remainder.erase(p.remainder.begin());
        },
    };
    std::set<std::string> texts{program_text(sample())};
    CHECK(texts.count(program_text(sample())) == 1);
    for (const auto& change : changes) {
        program changed = sample();
        change(changed);
        texts.insert(program_text(changed));
    }
    CHECK(texts.size() == changes.size() + 1);
}
