#include "core/base/random.hpp"
#include "core/codegen/generate.hpp"
#include "core/codegen/layout.hpp"
#include "core/codegen/presets.hpp"
#include "core/codegen/stream_schedule.hpp"
#include "tests/catch.hpp"
#include "tests/dsl/stencils_of.hpp"
#include "tests/first_seed.hpp"

#include <fmt/format.h>

using namespace gst;

namespace {

std::vector<value> just(bool on) {
    return {value(on)};
}

/// The streaming part of a space, and parts of that which few samples of the whole are in.
std::vector<space> streaming_parts(const char* preset, const stencil& s, extent3 size) {
    const space all = make_space(preset, s, size).restricted({{"useStreaming", just(true)}});
    std::vector<space> some{all, all.restricted({{"useTB", just(true)}})};
    if (std::string(preset) == "full") {
        for (const char* option :
             {"useHalo", "useTensorCopies", "useLoops", "useShares", "useGroupCopies", "useStageTiles"}) {
            some.push_back(all.restricted({{option, just(true)}}));
        }
        some.push_back(some[2].restricted({{"useTB", just(true)}}));
        some.push_back(some.back().restricted({{"useSplitBarriers", just(true)}}));
    }
    return some;
}

/// How many were tried.
int check_samples(const space& one, const stencil& s, extent3 size, random_source& rng) {
    const array_layout layout = make_layout(size, reach_of(s), padded_rows);
    schedule given;
    given.multiprocessors = 3;
    int tried = 0;
    for (; tried < 40 && one.count() > 0; ++tried) {
        const configuration c = one.sample(rng);
        const schedule how = schedule_of(one, c, given);
        const std::string why = no_streaming(s, layout, how);
        if (!why.empty()) {
            CAPTURE(one.to_string(c), testing::first_seed());
            CHECK(why == "");
        } else if (tried == 0) {
            CHECK_NOTHROW(lower(s, size, padded_rows, how));
        }
    }
    return tried;
}

} // namespace

TEST_CASE("streaming configurations of the space are schedules that can be had") {
    random_source rng(testing::first_seed());
    const extent3 size{61, 40, 33};
    int streaming = 0;
    for (const char* reads :
         {"0.1*u[x-1] + 0.2*u[y+1] + 0.1*u[z-1]", "0.1*u[x-1, z+1] + 0.2*u[y+1, z+1]", "0.1*u[x-2] + 0.2*u[z+2]",
          "0.1*u[t-1] + 0.2*k*u[y+1] + 0.2*u[x+1, z-1]", "0.1*v[y-1] + 0.1*k[x+1]*u[z+1]", "u[x+1]*u[y-1, z-1]"}) {
        for (const char* faces : {"all: fixed", "x: periodic; y: clamp; z: constant(0.5)", "all: mirror"}) {
            const bool second = std::string(reads).find('v') != std::string::npos;
            const stencil s = stencil_of(fmt::format(
                "stencil s(x, y, z) {{\nfield u{0} {{ {1} }}\n{2}coef k\nu[t+1] = 0.3*u + {3}\n{4}}}\n",
                second ? ": f64" : "", faces, second ? "field v\n" : "", reads, second ? "v[t+1] = 0.5*v[z-1]\n" : ""));
            for (const char* preset : {"gest", "full"}) {
                CAPTURE(preset, reads, faces);
                for (const space& one : streaming_parts(preset, s, size)) {
                    streaming += check_samples(one, s, size, rng);
                }
            }
        }
    }
    CHECK(streaming > 5000);
}
