#include "dsl/grammar.hpp"
#include "tests/catch.hpp"

#include <tao/pegtl/contrib/analyze.hpp>

TEST_CASE("the grammar has no rule that loops without reading") {
    CHECK(tao::pegtl::analyze<gst::dsl::grammar::file>() == 0);
}
