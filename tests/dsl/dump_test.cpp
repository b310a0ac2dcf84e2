#include "tests/catch.hpp"
#include "tests/dsl/stencils_of.hpp"

using namespace gst;

TEST_CASE("the tree of a file is printed a node per line") {
    const auto text = std::make_shared<source>(source{"a.gst", R"(stencil s(x, y) {
    param a = 0.5
    const w[0..1] = [1, -2]
    const k = [(0, 0): 1, (1, -1): 2]
    field u : f32 compute f64 { x-: constant(0) }
    let d = u[x+1] - sum(o in k) { k[o]*u[o] }
    u[t+1] = select(not u > 0, d, a) where x == 0
})"});
    CHECK(dsl::dump(dsl::parse(text)) == R"(stencil s x y
  param a
    0.5
  const w over indices
    0
    1
    values
      1
      negate
        2
  const k
    offsets
      offset and weight
        0
        0
        1
      offset and weight
        1
        negate
          1
        2
  field u : f32 compute f64
    face x- constant
      0
  let d
    operators
      u[]
        operators
          x
          +
          1
      -
      sum o in pattern
        k
      of
        operators
          k[]
            o
          *
          u[]
            o
  update
    u[]
      operators
        t
        +
        1
    select()
      not
        operators
          u
          >
          0
      d
      a
  where
    operators
      x
      ==
      0
)");
}

TEST_CASE("a stencil is printed a node per line") {
    CHECK(dump(in_3d("param a; coef c : i32; u[t+1] = select(u[x-1, t-1] > a, -sqrt(c), min(u, size(y)))")) ==
          R"(stencil s(x, y, z)
param a
field u : f32, halo 1 0 0, 3 levels
coef c : i32, halo 0 0 0, 1 level
%0 : f32 = u[t-1, x-1]
%1 : f32 = a
%2 : bool = %0 > %1
%3 : i32 = c
%4 : f32 = f32(%3)
%5 : f32 = sqrt(%4)
%6 : f32 = -%5
%7 : f32 = u
%8 : i32 = size(y)
%9 : f32 = f32(%8)
%10 : f32 = min(%7, %9)
%11 : f32 = select(%2, %6, %10)
u[t+1] = %11
)");
}
