#include "tests/catch.hpp"
#include "tests/dsl/stencils_of.hpp"

// What the language means: every construct against the stencil that it is lowered to, printed without sugar.

using namespace gst;

namespace {

/// The updates and lets of the stencil, printed.
std::string body(const stencil& s) {
    const std::string text = to_dsl(s);
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        const std::string line = text.substr(at, end - at);
        at = end + 1;
        const bool declaration = line.rfind("    field", 0) == 0 || line.rfind("    coef", 0) == 0 ||
                                 line.rfind("    param", 0) == 0 || line.rfind("stencil", 0) == 0 || line == "}";
        if (!declaration) {
            out += (out.empty() ? "" : "\n") + line.substr(4);
        }
    }
    return out;
}

struct row {
    const char* text;
    const char* meaning;
};

void check(const std::vector<row>& rows, const std::string& declarations) {
    for (const row& r : rows) {
        INFO(r.text);
        CHECK(body(stencil_of("stencil s(x, y, z) {\n" + declarations + "\n" + r.text + "\n}")) == r.meaning);
    }
}

} // namespace

TEST_CASE("reads name the axes along which they differ") {
    check(
        {
            {"u[t+1] = u", "u[t+1] = u"},
            {"u[t+1] = u[t]", "u[t+1] = u"},
            {"u[t+1] = u[x]", "u[t+1] = u"},
            {"u[t+1] = u[x-1]", "u[t+1] = u[x-1]"},
            {"u[t+1] = u[z+2, x-1]", "u[t+1] = u[x-1, z+2]"},
            {"u[t+1] = u[t-1, y+1]", "u[t+1] = u[t-1, y+1]"},
            {"u[t+1] = u[y+1, t-2]", "u[t+1] = u[t-2, y+1]"},
            {"u[t+1] = u[x+2*3-1]", "u[t+1] = u[x+5]"},
            {"const h = 2; u[t+1] = u[x-h]", "u[t+1] = u[x-2]"},
        },
        "field u");
}

TEST_CASE("constants are folded in double, from left to right") {
    check(
        {
            {"u[t+1] = 1/3*3*u", "u[t+1] = 1 * u"},
            {"u[t+1] = u*1/3", "u[t+1] = u * 1 / 3"},
            {"u[t+1] = (0.1 + 0.2)*u", "u[t+1] = 0.3 * u"},
            {"const a = sqrt(16); const b = -a/2; u[t+1] = b*u", "u[t+1] = -2 * u"},
            {"u[t+1] = max(1, 2, 3)*u + pow(2, 10)", "u[t+1] = 3 * u + 1024"},
            {"u[t+1] = 7 % 4 * u", "u[t+1] = 3 * u"},
            {"u[t+1] = int(2.9)*u", "u[t+1] = 2 * u"},
            {"u[t+1] = select(1 < 2, u, 0)", "u[t+1] = u"},
            {"u[t+1] = select(1 > 2 and u > 0, u, 1)", "u[t+1] = 1"},
            {"u[t+1] = select(1 < 2 and u > 0, u, 1)", "u[t+1] = select(u > 0, u, 1)"},
            {"u[t+1] = select(1 < 2 or u > 0, u, 1)", "u[t+1] = u"},
            {"u[t+1] = select(not 1 < 2, u, 1)", "u[t+1] = 1"},
            {"const w[-1..1] = [5, 6, 7]; u[t+1] = w[-1]*u + w[1]", "u[t+1] = 5 * u + 7"},
        },
        "field u");
}

TEST_CASE("operators bind as in the formula") {
    check(
        {
            {"u[t+1] = u - v - u", "u[t+1] = u - v - u"},
            {"u[t+1] = u - (v - u)", "u[t+1] = u - (v - u)"},
            {"u[t+1] = u - v*u", "u[t+1] = u - v * u"},
            {"u[t+1] = (u - v)*u", "u[t+1] = (u - v) * u"},
            {"u[t+1] = -u*v", "u[t+1] = -u * v"},
            {"u[t+1] = -(u*v)", "u[t+1] = -(u * v)"},
            {"u[t+1] = u/v/u", "u[t+1] = u / v / u"},
            {"u[t+1] = u/(v/u)", "u[t+1] = u / (v / u)"},
            {"u[t+1] = - -u", "u[t+1] = --u"},
            {"u[t+1] = select(u < v and v > 0 or not u == 1, u, v)",
             "u[t+1] = select(u < v and v > 0 or not u == 1, u, v)"},
            {"u[t+1] = select(u < v and (v > 0 or u == 1), u, v)",
             "u[t+1] = select(u < v and (v > 0 or u == 1), u, v)"},
            {"u[t+1] = select(not (u < v and v > 0), u, v)", "u[t+1] = select(not (u < v and v > 0), u, v)"},
            {"u[t+1] = select((u < v) == (v < 1), u, v)", "u[t+1] = select((u < v) == (v < 1), u, v)"},
            {"u[t+1] = u\n  + v\n  * u", "u[t+1] = u + v * u"},
        },
        "field u; coef v");
}

TEST_CASE("a let is an inline function of the point") {
    check(
        {
            {"let d = u[x+1] - u; u[t+1] = d", "u[t+1] = u[x+1] - u"},
            {"let d = u[x+1] - u; u[t+1] = d[x-1]", "u[t+1] = u - u[x-1]"},
            {"let d = u[x+1] - u; let e = d - d[x-1]; u[t+1] = e[y+2]",
             "u[t+1] = u[x+1, y+2] - u[y+2] - (u[y+2] - u[x-1, y+2])"},
            {"let far = x*u; u[t+1] = far[x+2]", "u[t+1] = i32(x + 2) * u[x+2]"},
            {"let near = x < 3; u[t+1] = select(near, u, 0)", "u[t+1] = select(x < 3, u, 0)"},
            {"let d = u + 1; u[t+1] = sum(o in star(1, x)) { d[o] }", "u[t+1] = u[x-1] + 1 + (u + 1) + (u[x+1] + 1)"},
            {"let d = sum(r in 1..2) { u[x+r] }; u[t+1] = sum(r in 1..2) { d[y+r] }",
             "u[t+1] = u[x+1, y+1] + u[x+2, y+1] + (u[x+1, y+2] + u[x+2, y+2])"},
        },
        "field u");
}

TEST_CASE("sums are written out from left to right") {
    check(
        {
            {"u[t+1] = sum(r in 1..3) { u[x+r] }", "u[t+1] = u[x+1] + u[x+2] + u[x+3]"},
            {"u[t+1] = sum(r in -1..1) { r*u[x+r] }", "u[t+1] = -1 * u[x-1] + 0 * u + 1 * u[x+1]"},
            {"u[t+1] = product(r in 1..2) { u[x+r] }", "u[t+1] = u[x+1] * u[x+2]"},
            {"u[t+1] = minimum(r in 0..2) { u[x+r] }", "u[t+1] = min(min(u, u[x+1]), u[x+2])"},
            {"u[t+1] = maximum(o in star(1, y)) { u[o] }", "u[t+1] = max(max(u[y-1], u), u[y+1])"},
            {"u[t+1] = sum(a in 1..2) { sum(b in a..2) { u[x+a, y-b] } }",
             "u[t+1] = u[x+1, y-1] + u[x+1, y-2] + u[x+2, y-2]"},
            {"u[t+1] = sum(o in star(1)) { u[o] }", "u[t+1] = u[z-1] + u[y-1] + u[x-1] + u + u[x+1] + u[y+1] + u[z+1]"},
            {"u[t+1] = sum(o in cross(1, x, y)) { u[o, z+1] }",
             "u[t+1] = u[x-1, y-1, z+1] + u[x+1, y-1, z+1] + u[z+1] + u[x-1, y+1, z+1] + u[x+1, y+1, z+1]"},
            {"u[t+1] = sum(o in offsets [(0, 0, 0), (1, -1, 2)]) { u[o] }", "u[t+1] = u + u[x+1, y-1, z+2]"},
            {"const far = offsets [(3, 0, 0)]; u[t+1] = sum(o in far) { u[o] }", "u[t+1] = u[x+3]"},
            {"const k = [(0, 0, 0): 0.5, (1, 0, 0): 1/4]; u[t+1] = sum(o in k) { k[o]*u[o] }",
             "u[t+1] = 0.5 * u + 0.25 * u[x+1]"},
            {"const k = [(0, 0, 0): 0.5, (1, 0, 0): 2]; u[t+1] = sum(o in star(0)) { k[o]*u[o] }", "u[t+1] = 0.5 * u"},
            {"const near = star(1, x); u[t+1] = sum(o in near) { sum(p in near) { u[o, p] } }",
             "u[t+1] = u[x-2] + u[x-1] + u + (u[x-1] + u + u[x+1]) + (u + u[x+1] + u[x+2])"},
            {"const w[1..2] = [3, 4]; u[t+1] = sum(r in 1..2) { w[3-r]*u[x+r] }", "u[t+1] = 4 * u[x+1] + 3 * u[x+2]"},
            {"const k = gaussian(1); u[t+1] = sum(o in star(1, x)) { k[o]*u[o] }",
             "u[t+1] = 0.27406862 * u[x-1] + 0.45186275 * u + 0.27406862 * u[x+1]"},
        },
        "field u");
}

TEST_CASE("where chooses between the new value and the one that is there; later clauses win") {
    check(
        {
            {"u[t+1] = 1 where x == 0", "u[t+1] = select(x == 0, 1, u)"},
            {"u[t+1] = 2*u\nu[t+1] = 1 where x == 0", "u[t+1] = select(x == 0, 1, 2 * u)"},
            {"u[t+1] = 1 where x == 0\nu[t+1] = 2 where y == size(y) - 1",
             "u[t+1] = select(y == size(y) - 1, 2, select(x == 0, 1, u))"},
            {"u[t+1] = 1\n  where t % 2 == 0", "u[t+1] = select(t % 2 == 0, 1, u)"},
        },
        "field u");
}

TEST_CASE("an update may read what was written above it in the same step") {
    check({{"u[t+1] = v\nv[t+1] = u[t+1, x+1] - u", "u[t+1] = v\nv[t+1] = u[t+1, x+1] - u"}}, "field u, v");
}

TEST_CASE("everything is computed in the field's type; integers stay integers in an i32 field") {
    check(
        {
            {"u[t+1] = u + n + x", "u[t+1] = u + n + x"},
            {"u[t+1] = u/2", "u[t+1] = u / 2"},
            {"u[t+1] = int(u/2)", "u[t+1] = i32(int(f64(u / 2)))"},
            {"u[t+1] = i32(x/2)*u", "u[t+1] = i32(x / 2) * u"},
            {"u[t+1] = f32(u*u)", "u[t+1] = f32(u * u)"},
            {"u[t+1] = real(n)*u", "u[t+1] = n * u"},
            {"u[t+1] = int(u > 0) + real(u < 1)", "u[t+1] = i32(f64(u) > f64(0)) + f64(u < 1)"},
        },
        "param a = 3; param b = 0.5; field u : f64; coef n : i32");
    check(
        {
            {"n[t+1] = n/2 + x % 3 + a", "n[t+1] = n / 2 + x % 3 + a"},
            {"n[t+1] = int(n*0.5)", "n[t+1] = int(f32(n * 0.5))"},
            {"n[t+1] = int(u*0.5)", "n[t+1] = int(f64(u * 0.5))"},
            {"n[t+1] = int(sqrt(n))", "n[t+1] = int(f32(sqrt(n)))"},
            {"n[t+1] = select(n > 0.5, 1, abs(n))", "n[t+1] = select(f32(n) > f32(0.5), 1, abs(n))"},
            {"n[t+1] = int(b*n)", "n[t+1] = int(f32(b * n))"},
        },
        "param a = 3; param b = 0.5; coef u : f64; field n : i32");
}

TEST_CASE("a field without a type takes the default, a half is computed in single precision") {
    dsl::options half;
    half.type = scalar::f16;
    CHECK(stencils_of("stencil s(x) { field u; u[t+1] = 0.1*u }", half)[0].fields[0].compute == scalar::f32);
    half.compute = scalar::f64;
    CHECK(stencils_of("stencil s(x) { field u; u[t+1] = 0.1*u }", half)[0].fields[0].compute == scalar::f64);
    CHECK(stencils_of("stencil s(x) { field u : f32; u[t+1] = 0.1*u }", half)[0].fields[0].compute == scalar::f32);
    const stencil wide = stencils_of("stencil s(x) { field u : f16 compute f16; u[t+1] = 0.1*u }")[0];
    CHECK(wide.fields[0].compute == scalar::f16);
    CHECK(dump(wide) == "stencil s(x)\n"
                        "field u : f16 compute f16, halo 0, 2 levels\n"
                        "%0 : f16 = 0.0999755859375\n"
                        "%1 : f16 = u\n"
                        "%2 : f16 = %0 * %1\n"
                        "u[t+1] = %2\n");
}

TEST_CASE("each face has its boundary, the more special one wins") {
    const field f = in_3d("coef v { z+: constant(1/4); x: periodic; all: clamp; y-: mirror }; u[t+1] = v").fields[1];
    CHECK(f.faces[0][0].kind == boundary_kind::periodic);
    CHECK(f.faces[0][1].kind == boundary_kind::periodic);
    CHECK(f.faces[1][0].kind == boundary_kind::mirror);
    CHECK(f.faces[1][1].kind == boundary_kind::clamp);
    CHECK(f.faces[2][0].kind == boundary_kind::clamp);
    CHECK(f.faces[2][1] == boundary{boundary_kind::constant, 0.25});
    CHECK(in_3d("u[t+1] = u").fields[0].faces[2][1].kind == boundary_kind::fixed);
}

TEST_CASE("parameters keep their defaults") {
    const stencil s = in_3d("param a = 1/4; param b; u[t+1] = a*u + b");
    CHECK(s.parameters == std::vector<parameter_declaration>{{"a", 0.25}, {"b", std::nullopt}});
}

TEST_CASE("reach and history follow from the reads") {
    const stencil s = in_3d("coef c; u[t+1] = u[t-2, x-3] + c[z+1] + u[y+1]");
    CHECK(s.fields[0].halo == offset3{3, 1, 0});
    CHECK(s.fields[0].history == 2);
    CHECK(s.fields[1].halo == offset3{0, 0, 1});
    CHECK(s.fields[1].coefficient);
}

TEST_CASE("a file may hold several stencils, statements end with a line or a semicolon") {
    const auto all = stencils_of(
        "# two\nstencil a(i) { field u; u[t+1] = u[i-1] } # first\r\nstencil b(p, q) {\r\n  field u;;\r\n\r\n"
        "  u[t+1] = u[q+1]\r\n}\r\n");
    REQUIRE(all.size() == 2);
    CHECK(all[0].name == "a");
    CHECK(all[0].dimensions == 1);
    CHECK(all[0].axes[0] == "i");
    CHECK(all[1].fields[0].halo == offset3{0, 1, 0});
}
