#include "core/base/error.hpp"
#include "core/stencil/interpreter.hpp"
#include "tests/catch.hpp"
#include "tests/stencil/formula.hpp"
#include "tests/stencil/random_stencil.hpp"
#include "tests/stencil/same.hpp"

using namespace gst;
using namespace gst::testing;

namespace {

/// 1 2 3 4 with a halo of 3 whose given values are -1 … -6, filled.
std::vector<double> filled_row(boundary low, boundary high) {
    field f = field_named("u");
    f.faces[0] = {low, high};
    f.halo = {3, 0, 0};
    field_values given({4, 1, 1}, f.halo);
    given.data = {-1, -2, -3, 1, 2, 3, 4, -4, -5, -6};
    field_values values = given;
    std::fill(values.data.begin(), values.data.begin() + 3, 77);
    std::fill(values.data.end() - 3, values.data.end(), 77);
    fill_halo(f, values, given);
    return values.data;
}

std::string refused(const stencil& s, extent3 size) {
    try {
        check_grid(s, size);
    } catch (const user_error& e) {
        return e.diagnostics()[0].message + " / " + e.diagnostics()[0].hint;
    }
    return "";
}

} // namespace

TEST_CASE("each kind of boundary on each face") {
    const boundary fixed{boundary_kind::fixed};
    const boundary constant{boundary_kind::constant, 9};
    const boundary clamp{boundary_kind::clamp};
    const boundary periodic{boundary_kind::periodic};
    const boundary mirror{boundary_kind::mirror};
    using row = std::vector<double>;
    CHECK(filled_row(fixed, constant) == row{-1, -2, -3, 1, 2, 3, 4, 9, 9, 9});
    CHECK(filled_row(constant, fixed) == row{9, 9, 9, 1, 2, 3, 4, -4, -5, -6});
    CHECK(filled_row(clamp, periodic) == row{1, 1, 1, 1, 2, 3, 4, 1, 2, 3});
    CHECK(filled_row(periodic, clamp) == row{2, 3, 4, 1, 2, 3, 4, 4, 4, 4});
    CHECK(filled_row(mirror, mirror) == row{4, 3, 2, 1, 2, 3, 4, 3, 2, 1});
}

TEST_CASE("corners follow from applying x, then y") {
    field f = field_named("u");
    f.halo = {1, 1, 0};
    f.faces[0] = {{{boundary_kind::constant, 5}, {boundary_kind::fixed}}};
    f.faces[1] = {{{boundary_kind::periodic}, {boundary_kind::fixed}}};
    field_values values({2, 2, 1}, f.halo);
    values.data = {-1, -2,  -3,  -4, //
                   -5, 1,   2,   -6, //
                   -7, 3,   4,   -8, //
                   -9, -10, -11, -12};
    fill_halo(f, values, values);
    CHECK(values.data == std::vector<double>{5, 3, 4, -8, //
                                             5, 1, 2, -6, //
                                             5, 3, 4, -8, //
                                             -9, -10, -11, -12});
}

TEST_CASE("filling a halo and resolving its points one by one agree") {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        random_source rng(first_seed() + 500 + seed);
        const stencil s = random_stencil(rng);
        const extent3 size = random_grid(s, rng, 150);
        interpreter_state state = random_state(s, size, seed);
        INFO("seed " << first_seed() + 500 + seed);
        for (std::size_t i = 0; i < s.fields.size(); ++i) {
            const field& f = s.fields[i];
            const field_values given = state.levels[i][0];
            field_values values = given;
            fill_halo(f, values, given);
            for (std::int64_t z = -f.halo[2]; z < size[2] + f.halo[2]; ++z) {
                for (std::int64_t y = -f.halo[1]; y < size[1] + f.halo[1]; ++y) {
                    for (std::int64_t x = -f.halo[0]; x < size[0] + f.halo[0]; ++x) {
                        const halo_source from = resolve_halo(f, size, {x, y, z});
                        const double expected =
                            from.is_constant ? from.constant : given.at(from.point[0], from.point[1], from.point[2]);
                        REQUIRE(values.at(x, y, z) == expected);
                    }
                }
            }
        }
    }
}

TEST_CASE("a grid that is too small for the boundaries is the user's mistake") {
    field u = field_named("u");
    u.faces[0] = {{{boundary_kind::mirror}, {boundary_kind::clamp}}};
    u.faces[1] = {{{boundary_kind::fixed}, {boundary_kind::periodic}}};
    sketch k(2, {u});
    k.update(0, k.read(0, {-2, 0, 0}) + k.read(0, {0, 4, 0}));
    const stencil s = k.done();
    CHECK(refused(s, {3, 4, 1}).empty());
    CHECK(refused(s, {3, 2, 1}) ==
          "the grid has 2 points along y, but u reaches 4 beyond the face and y is periodic / use at "
          "least 4 points along y, or another boundary");
    CHECK(refused(s, {2, 4, 1}) ==
          "the grid has 2 points along x, but u reaches 2 beyond the face and x is mirror / use at "
          "least 3 points along x, or another boundary");
    CHECK(refused(s, {3, 0, 1}) == "the grid has 0 points along y / an axis has from 1 to 2147483647 points");
    CHECK(refused(s, {-3, 4, 1}) == "the grid has -3 points along x / an axis has from 1 to 2147483647 points");
    CHECK(refused(s, {3, 4, 2}) == "the grid has 2 points along axis 3, but sketch has 2 axes / give 2 sizes");
}

TEST_CASE("fixed halos keep the newest given level's values at every level") {
    sketch k(1, {field_named("u")});
    k.update(0, k.read(0, {-1, 0, 0}) + k.read(0, {1, 0, 0}, -1));
    const stencil s = k.done();
    interpreter_state state = make_state(s, {3, 1, 1});
    state.levels[0][0].data = {10, 1, 2, 3, 20};
    state.levels[0][1].data = {-1, 4, 5, 6, -2};
    interpret(s, state, {}, 1);
    CHECK(state.levels[0][0].data == std::vector<double>{10, 15, 7, 22, 20});
    CHECK(state.levels[0][1].data == std::vector<double>{10, 1, 2, 3, 20});
    interpret(s, state, {}, 1);
    CHECK(state.levels[0][0].data == std::vector<double>{10, 12, 18, 27, 20});
}
