#include "core/codegen/lower.hpp"
#include "dsl/dsl.hpp"
#include "tests/catch.hpp"
#include "tests/codegen/device_case.hpp"

using namespace gst;
using namespace gst::testing;

namespace {

stencil compiled(const std::string& text) {
    return dsl::compile(std::make_shared<source>(source{"stream.gst", text})).front();
}

program_case streaming_case(const std::string& text, extent3 size, int axis) {
    program_case c;
    c.s = compiled(text);
    c.size = size;
    c.noise = 7;
    c.how.stream_axis = axis;
    c.how.stream_length = static_cast<std::uint64_t>(size[static_cast<std::size_t>(axis)] / 2 + 1);
    c.how.work_group = {8, 1, 1};
    c.how.block = {4, 1, 1};
    c.how.vector_width = 4;
    if (c.s.dimensions == 3) {
        const std::size_t across = axis == 2 ? 1 : 2;
        c.how.work_group[across] = 4;
        c.how.block[across] = 3;
    }
    if (axis == 0) {
        c.how.work_group = {1, 8, 1};
        c.how.block = {1, 4, 1};
        c.how.vector_width = 1;
        if (c.s.dimensions == 3) {
            c.how.work_group[2] = 4;
            c.how.block[2] = 3;
        }
    }
    return c;
}

} // namespace

TEST_CASE("streaming", "[device][stream]") {
    test_device on = open_test_device();
    const std::string star =
        "stencil star(x, y) {\nfield u\nu[t+1] = 0.2*u + 0.21*u[x-1] + 0.22*u[x+1] + 0.23*u[y-1] + "
        "0.24*u[y+1]\n}\n";
    const std::string box =
        "stencil box(x, y) {\nfield u\nconst w = random(3)\nu[t+1] = sum(o in box(1)) { w[o] * u[o] }\n}\n";
    for (const std::string& text : {star}) {
        for (const int axis : {1, 0}) {
            for (const bool retiming : {false, true}) {
                for (const bool prefetch : {false, true}) {
                    for (const int planes : {1, 2, 3}) {
                        program_case c = streaming_case(text, {37, 23, 1}, axis);
                        c.how.retiming = retiming;
                        c.how.prefetch = prefetch;
                        c.how.planes = planes;
                        check_case(on, c);
                    }
                }
            }
        }
    }
}
