#include "core/codegen/layout.hpp"
#include "core/codegen/lower.hpp"
#include "core/codegen/stream/banks.hpp"
#include "tests/catch.hpp"
#include "tests/codegen/streaming_case.hpp"

#include <algorithm>

using namespace gst;
using namespace gst::testing;

TEST_CASE("cycles of local memory are those of the bank that is asked for most") {
    using streaming::bank_cycles;
    const auto apart = [](std::int64_t bytes) { return [=](std::int64_t item) { return item * bytes; }; };
    // Of 32 times as many work-items as fill all banks. An H200 takes for a warp 4 cycles for 16 bytes side by side, 8
    // for 16 every 32 bytes, 2 for 8 side by side, 4 for 8 every 16 bytes.
    CHECK(bank_cycles(16, apart(16)) == 32);
    CHECK(bank_cycles(16, apart(32)) == 64);
    CHECK(bank_cycles(8, apart(8)) == 32);
    CHECK(bank_cycles(8, apart(16)) == 64);
    CHECK(bank_cycles(4, apart(4)) == 32);
    CHECK(bank_cycles(4, apart(16)) == 128);
    CHECK(bank_cycles(16, apart(128)) == 8 * 32);
    CHECK(bank_cycles(16, apart(144)) == 32);
    CHECK(bank_cycles(16, apart(0)) == 32); // the same words
}

TEST_CASE("rows of interleaved vectors have gaps, so that pieces in their order are in all banks") {
    // Elements of a plane on its way, of 32 work-items that have so many points of f64 in a row, two at a time.
    const auto plane = [](std::uint64_t points) {
        program_case c = streaming_case("stencil s(x, y) {\nfield u: f64 { all: fixed }\n"
                                        "u[t+1] = 0.3*u + 0.1*u[x-1] + 0.12*u[x+1] + 0.11*u[y-1] + 0.13*u[y+1]\n}\n",
                                        {512, 64, 1}, 1);
        c.how.work_group = {32, 2, 1};
        c.how.block[0] = points;
        c.how.vector_width = 2;
        c.how.steps = 2;
        c.how.shuffle = c.how.group_copies = c.how.prefetch = true;
        c.how.ahead = 2;
        const lowered_kernel k = lower_stream(c.s, {0}, make_layout(c.size, reach_of(c.s), c.alignment), c.how);
        const auto ahead = std::find_if(k.kernel.locals.begin(), k.kernel.locals.end(),
                                        [](const auto& a) { return a.name == "u_t_ahead"; });
        REQUIRE(ahead != k.kernel.locals.end());
        return ahead->elements / (2 + 2 * 2); // two on their way, and two of each stage group
    };
    const auto padded = [](std::int64_t row) { return (row + 15) / 16 * 16; };
    CHECK(plane(4) == padded(2 * 64 + 8));     // vectors 64 + 8 elements apart: four of a work-item's in other banks
    CHECK(plane(8) == padded(4 * 64 + 3 * 4)); // than the next one's
    CHECK(plane(16) == padded(8 * 64 + 7 * 2));
    CHECK(plane(6) == padded(3 * 64)); // an odd number is not interleaved
}
