#include "core/base/error.hpp"
#include "core/space/space.hpp"
#include "tests/catch.hpp"
#include "tests/space/garvey.hpp"

using namespace gst;

TEST_CASE("Garvey's full space has 50,094,000 configurations on 256³") {
    const space s = garvey::full(256);
    CHECK(s.count() == 50094000);
    CHECK(s.constrained({{expression::parse("WX*WY*WZ <= 1024"), ""}}).count() ==
          garvey::full(256, {{expression::parse("WX*WY*WZ <= 1024"), ""}}).count());
}
