#include "core/stencil/interpreter.hpp"
#include "tests/catch.hpp"
#include "tests/stencil/formula.hpp"
#include "tests/stencil/random_stencil.hpp"

#include <algorithm>
#include <vector>

using namespace gst;
using namespace gst::testing;
using ir::binary_op;

/// The interpreter against the loops that one would write by hand, with a halo of their own.
namespace {

/// An array with a halo, in the type that the hand-written loop computes with.
template<class T>
struct grid {
    std::int64_t width, height;
    offset3 halo;
    std::vector<T> data;

    explicit grid(const field_values& from)
        : width(from.size[0] + 2 * from.halo[0]), height(from.size[1] + 2 * from.halo[1]), halo(from.halo),
          data(from.data.begin(), from.data.end()) {}
    T& operator()(std::int64_t x, std::int64_t y = 0, std::int64_t z = 0) {
        return data[static_cast<std::size_t>(((z + halo[2]) * height + y + halo[1]) * width + x + halo[0])];
    }
    std::vector<double> doubles() const { return {data.begin(), data.end()}; }
};

template<class F>
void at_every_point(extent3 size, F f) {
    for (std::int64_t z = 0; z < size[2]; ++z) {
        for (std::int64_t y = 0; y < size[1]; ++y) {
            for (std::int64_t x = 0; x < size[0]; ++x) {
                f(x, y, z);
            }
        }
    }
}

} // namespace

TEMPLATE_TEST_CASE("heat2d with a fixed halo", "", float, double) {
    const scalar type = sizeof(TestType) == 4 ? scalar::f32 : scalar::f64;
    sketch k(2, {field_named("u", type)});
    k.s.parameters = {{"alpha", {}}};
    formula u = k.read(0);
    k.update(0, u + k.parameter(0, type) * (k.read(0, {-1, 0, 0}) + k.read(0, {1, 0, 0}) + k.read(0, {0, -1, 0}) +
                                            k.read(0, {0, 1, 0}) - 4 * u));
    const stencil s = k.done();
    interpreter_state state = random_state(s, {301, 37, 1}, 1);
    grid<TestType> old(state.levels[0][0]);
    interpret(s, state, std::vector<double>{0.1}, 3);
    const auto alpha = static_cast<TestType>(0.1);
    for (int t = 0; t < 3; ++t) {
        grid<TestType> now = old;
        at_every_point({301, 37, 1}, [&](std::int64_t x, std::int64_t y, std::int64_t) {
            now(x, y) =
                old(x, y) + alpha * (old(x - 1, y) + old(x + 1, y) + old(x, y - 1) + old(x, y + 1) - 4 * old(x, y));
        });
        old = now;
    }
    CHECK(state.levels[0][0].data == old.doubles());
}

TEST_CASE("heat3d with every kind of boundary on some face") {
    field f = field_named("u");
    f.faces = {{{{{boundary_kind::clamp}, {boundary_kind::fixed}}},
                {{{boundary_kind::periodic}, {boundary_kind::periodic}}},
                {{{boundary_kind::mirror}, {boundary_kind::constant, 0.25}}}}};
    sketch k(3, {f});
    formula u = k.read(0);
    formula sum = k.read(0, {-1, 0, 0}) + k.read(0, {1, 0, 0}) + k.read(0, {0, -1, 0}) + k.read(0, {0, 1, 0}) +
                  k.read(0, {0, 0, -1}) + k.read(0, {0, 0, 1});
    k.update(0, u + 0.1 * (sum - 6 * u));
    const stencil s = k.done();
    const extent3 size{19, 11, 7};
    interpreter_state state = random_state(s, size, 2);
    grid<float> old(state.levels[0][0]);
    interpret(s, state, {}, 4);
    for (int t = 0; t < 4; ++t) {
        at_every_point({1, 11, 7}, [&](std::int64_t, std::int64_t y, std::int64_t z) { old(-1, y, z) = old(0, y, z); });
        at_every_point({19, 1, 7}, [&](std::int64_t x, std::int64_t, std::int64_t z) {
            old(x, -1, z) = old(x, 10, z);
            old(x, 11, z) = old(x, 0, z);
        });
        at_every_point({19, 11, 1}, [&](std::int64_t x, std::int64_t y, std::int64_t) {
            old(x, y, -1) = old(x, y, 1);
            old(x, y, 7) = 0.25F;
        });
        grid<float> now = old;
        at_every_point(size, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
            float around = old(x - 1, y, z) + old(x + 1, y, z) + old(x, y - 1, z) + old(x, y + 1, z) +
                           old(x, y, z - 1) + old(x, y, z + 1);
            now(x, y, z) = old(x, y, z) + 0.1F * (around - 6 * old(x, y, z));
        });
        old = now;
    }
    at_every_point(size, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
        REQUIRE(state.levels[0][0].at(x, y, z) == static_cast<double>(old(x, y, z)));
    });
}

TEST_CASE("a wave of order 4 reads two levels back and a coefficient") {
    sketch k(1, {field_named("p", scalar::f64), field_named("c2", scalar::f64)});
    k.s.fields[1].coefficient = true;
    auto p = [&](int at) { return k.read(0, {at, 0, 0}); };
    formula lap = -2.5 * p(0) + 1.25 * (p(1) + p(-1)) - 0.0625 * (p(2) + p(-2));
    k.update(0, 2 * p(0) - k.read(0, {}, -1) + k.read(1) * lap);
    const stencil s = k.done();
    interpreter_state state = random_state(s, {600, 1, 1}, 3);
    grid<double> now(state.levels[0][0]);
    grid<double> before(state.levels[0][1]);
    grid<double> c2(state.levels[1][0]);
    interpret(s, state, {}, 5);
    for (int t = 0; t < 5; ++t) {
        grid<double> next = now;
        for (std::int64_t x = 0; x < 600; ++x) {
            double l = -2.5 * now(x) + 1.25 * (now(x + 1) + now(x - 1)) - 0.0625 * (now(x + 2) + now(x - 2));
            next(x) = 2 * now(x) - before(x) + c2(x) * l;
        }
        before = now;
        now = next;
    }
    CHECK(state.step == 5);
    CHECK(state.levels[0][0].data == now.doubles());
}

TEST_CASE("staged updates read what this step has written, halo included") {
    const boundary periodic{boundary_kind::periodic};
    sketch k(2, {field_named("ex", scalar::f32, periodic), field_named("ey", scalar::f32, periodic),
                 field_named("hz", scalar::f32, periodic)});
    formula hz = k.read(2);
    k.update(0, k.read(0) - 0.5 * (hz - k.read(2, {0, -1, 0})));
    k.update(1, k.read(1) - 0.5 * (hz - k.read(2, {-1, 0, 0})));
    k.update(2, hz - 0.7 * (k.read(0, {0, 1, 0}, 1) - k.read(0, {}, 1) + k.read(1, {1, 0, 0}, 1) - k.read(1, {}, 1)));
    const stencil s = k.done();
    const std::int64_t nx = 45;
    const std::int64_t ny = 23;
    interpreter_state state = random_state(s, {nx, ny, 1}, 4);
    std::vector<grid<float>> f{grid<float>(state.levels[0][0]), grid<float>(state.levels[1][0]),
                               grid<float>(state.levels[2][0])};
    interpret(s, state, {}, 3);
    auto at = [&](std::size_t i, std::int64_t x, std::int64_t y) -> float& {
        return f[i]((x + nx) % nx, (y + ny) % ny);
    };
    for (int t = 0; t < 3; ++t) {
        at_every_point({nx, ny, 1}, [&](std::int64_t x, std::int64_t y, std::int64_t) {
            at(0, x, y) = at(0, x, y) - 0.5F * (at(2, x, y) - at(2, x, y - 1));
            at(1, x, y) = at(1, x, y) - 0.5F * (at(2, x, y) - at(2, x - 1, y));
        });
        at_every_point({nx, ny, 1}, [&](std::int64_t x, std::int64_t y, std::int64_t) {
            at(2, x, y) = at(2, x, y) - 0.7F * (at(0, x, y + 1) - at(0, x, y) + at(1, x + 1, y) - at(1, x, y));
        });
    }
    for (std::size_t i = 0; i < 3; ++i) {
        at_every_point({nx, ny, 1}, [&](std::int64_t x, std::int64_t y, std::int64_t) {
            REQUIRE(state.levels[i][0].at(x, y) == static_cast<double>(at(i, x, y)));
        });
    }
}

TEST_CASE("the game of life moves a glider by one cell in four steps") {
    sketch k(2, {field_named("cell", scalar::i32, {boundary_kind::periodic})});
    formula sum = k.number(0, scalar::i32);
    for (int y = -1; y <= 1; ++y) {
        for (int x = -1; x <= 1; ++x) {
            sum = x == 0 && y == 0 ? sum : sum + k.read(0, {x, y, 0});
        }
    }
    formula three = sum.with(binary_op::equal, sum.number(3));
    formula survives = sum.with(binary_op::equal, sum.number(2))
                           .with(binary_op::logical_and, k.read(0).with(binary_op::equal, sum.number(1)));
    k.update(0, three.with(binary_op::logical_or, survives).convert(scalar::i32));
    const stencil s = k.done();
    interpreter_state state = make_state(s, {9, 8, 1});
    const std::vector<std::pair<int, int>> glider{{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};
    for (auto [x, y] : glider) {
        state.levels[0][0].at(x, y) = 1;
    }
    interpret(s, state, {}, 4 * 7);
    field_values expected({9, 8, 1}, {0, 0, 0});
    for (auto [x, y] : glider) {
        expected.at((x + 7) % 9, (y + 7) % 8) = 1;
    }
    at_every_point({9, 8, 1}, [&](std::int64_t x, std::int64_t y, std::int64_t) {
        REQUIRE(state.levels[0][0].at(x, y) == expected.at(x, y));
    });
}

TEST_CASE("variable diffusion with coordinates and the step number") {
    sketch k(2, {field_named("u"), field_named("k", scalar::f32, {boundary_kind::clamp})});
    k.s.fields[1].coefficient = true;
    auto flux = [&](offset3 from, offset3 to) {
        return (k.read(1, from) + k.read(1, to)) / 2 * (k.read(0, to) - k.read(0, from));
    };
    formula change = flux({}, {1, 0, 0}) - flux({-1, 0, 0}, {}) + flux({}, {0, 1, 0}) - flux({0, -1, 0}, {});
    formula here = (k.coordinate(0) + 3 * k.coordinate(1) + k.step()).convert(scalar::f32);
    k.update(0, k.read(0) + 0.1 * change + 0.001 * here);
    const stencil s = k.done();
    const extent3 size{259, 5, 1};
    interpreter_state state = random_state(s, size, 6);
    state.step = 40;
    grid<float> u(state.levels[0][0]);
    grid<float> c(state.levels[1][0]);
    interpret(s, state, {}, 2);
    auto kappa = [&](std::int64_t x, std::int64_t y) {
        return c(std::clamp<std::int64_t>(x, 0, 258), std::clamp<std::int64_t>(y, 0, 4));
    };
    for (int t = 40; t < 42; ++t) {
        grid<float> next = u;
        auto f = [&](std::int64_t x, std::int64_t y, std::int64_t dx, std::int64_t dy) {
            return (kappa(x, y) + kappa(x + dx, y + dy)) / 2 * (u(x + dx, y + dy) - u(x, y));
        };
        at_every_point(size, [&](std::int64_t x, std::int64_t y, std::int64_t) {
            float d = f(x, y, 1, 0) - f(x - 1, y, 1, 0) + f(x, y, 0, 1) - f(x, y - 1, 0, 1);
            next(x, y) = u(x, y) + 0.1F * d + 0.001F * static_cast<float>(static_cast<int>(x + 3 * y) + t);
        });
        u = next;
    }
    CHECK(state.levels[0][0].data == u.doubles());
}

TEST_CASE("a run ends early when it is asked to") {
    sketch k(1, {field_named("u")});
    k.update(0, k.read(0) + k.number(1, scalar::f32));
    const stencil s = k.done();
    interpreter_state state = make_state(s, {3, 1, 1});
    int asked = 0;
    interpret(s, state, {}, 10, 1, [&] { return ++asked > 4; });
    CHECK(state.step == 4);
    CHECK(state.levels[0][0].data == std::vector<double>{4, 4, 4});
}
