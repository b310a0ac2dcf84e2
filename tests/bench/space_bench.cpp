// How long spaces take to build, count, sample and walk. Prints seconds of CPU time, the best of several runs each.

#include "core/codegen/presets.hpp"
#include "tests/dsl/stencils_of.hpp"
#include "tests/space/garvey.hpp"
#include "tests/space/peer_spaces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

using namespace gst;

namespace {

std::uint64_t sink = 0; ///< what is computed is used

/// Seconds of CPU time, which other work on the machine does not change.
double seconds_of_cpu() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template<class F>
double best_of(int runs, F f) {
    double best = 1e300;
    for (int i = 0; i < runs; ++i) {
        const double begin = seconds_of_cpu();
        f();
        best = std::min(best, seconds_of_cpu() - begin);
    }
    return best;
}

void print(const std::string& what, double seconds, const std::string& note) {
    fmt::print("{:<58} {:>10.1f} µs  {}\n", what, seconds * 1e6, note);
}

constraint where(const std::string& text) {
    return {expression::parse(text), ""};
}

/// A space in the manner of GeST: block sizes, merging, unrolling, streaming and temporal blocking that exclude each
/// other.
space gest(std::int64_t points) {
    std::vector<parameter> parameters;
    for (const std::string kind : {"TB", "UF", "CM", "BM"}) {
        for (const std::string axis : {"x", "y", "z"}) {
            parameters.push_back(garvey::number(kind + axis, garvey::powers_of_two(1024)));
        }
    }
    for (const std::string name : {"shared", "constant", "streaming", "retiming", "prefetching"}) {
        parameters.push_back(garvey::flag(name));
    }
    parameters.push_back(garvey::number("SD", {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}}));
    parameters.push_back(garvey::number("SB", garvey::powers_of_two(points)));
    parameters.push_back(
        garvey::number("TD", {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, std::int64_t{4}, std::int64_t{5}}));
    for (parameter& p : parameters) {
        if (p.name == "SD" || p.name == "SB" || p.name == "retiming" || p.name == "prefetching") {
            p.active = expression::parse("streaming");
        }
    }
    std::vector<constraint> constraints{where("TBx * TBy * TBz <= 1024"),
                                        where("not streaming or SB == 1 or SD != 1 or UFx <= SB"),
                                        where("not streaming or SB == 1 or SD != 2 or UFy <= SB"),
                                        where("not streaming or SB == 1 or SD != 3 or UFz <= SB")};
    for (const std::string axis : {"x", "y", "z"}) {
        constraints.push_back(where("CM" + axis + " == 1 or BM" + axis + " == 1"));
        constraints.push_back(where("TB" + axis + " * UF" + axis + " * CM" + axis + " * BM" + axis + " <= N"));
    }
    constraints.push_back(where("not shared or (TBx * CMx * BMx + 2 * TD) * (TBy * CMy * BMy + 2 * TD) * 4 <= 49152"));
    return {std::move(parameters), std::move(constraints), {{"N", points}}};
}

/// The benchmark spaces of other tuners, beside the time that Kernel Tuner's solver takes to list them.
void print_peer_spaces() {
    fmt::print("{:<14} {:>12} {:>12} {:>12} {:>12} {:>18}\n", "", "Cartesian", "valid", "count, ms", "and list, ms",
               "Kernel Tuner, ms");
    for (const peer_spaces::definition& d : peer_spaces::all()) {
        const double count = best_of(10, [&] { sink += peer_spaces::make(d).count(); });
        const double list = best_of(10, [&] {
            const space s = peer_spaces::make(d);
            std::vector<configuration> all;
            all.reserve(s.count());
            for (std::uint64_t rank = 0; rank < s.count(); ++rank) {
                all.push_back(s.at(rank));
            }
            sink += all.back()[0];
        });
        fmt::print("{:<14} {:>12} {:>12} {:>12.2f} {:>12.2f} {:>18}\n", d.name, d.cartesian,
                   peer_spaces::make(d).count(), count * 1e3, list * 1e3,
                   d.peer_milliseconds > 0 ? fmt::format("{}", d.peer_milliseconds) : "not published");
    }
    fmt::print("\n");
}

} // namespace

int main() {
    print_peer_spaces();
    print("garvey_full at 256³: parse, build, count", best_of(50, [] { sink += garvey::full(256).count(); }),
          fmt::format("{} configurations", garvey::full(256).count()));
    print("garvey_full at 512³: parse, build, count", best_of(50, [] { sink += garvey::full(512).count(); }),
          fmt::format("{} configurations", garvey::full(512).count()));
    const std::vector<constraint> device{where("WX * WY * WZ <= 1024")};
    print("  and WX*WY*WZ <= 1024", best_of(20, [&] { sink += garvey::full(512, device).count(); }),
          fmt::format("{} configurations", garvey::full(512, device).count()));
    const space full = garvey::full(512);
    print("  constrained afterwards", best_of(20, [&] { sink += full.constrained(device).count(); }),
          fmt::format("{} configurations", full.constrained(device).count()));

    random_source rng(1);
    print("a million uniform samples of it",
          best_of(3,
                  [&] {
                      for (int i = 0; i < 1'000'000; ++i) {
                          sink += full.sample(rng)[0];
                      }
                  }),
          "");
    const configuration c = full.sample(rng);
    print("rank", best_of(20, [&] { sink += *full.rank(c); }), "");
    print("neighbours", best_of(20, [&] { sink += full.neighbours(c).size(); }),
          fmt::format("{} of them", full.neighbours(c).size()));
    print("text", best_of(20, [&] { sink += full.to_string(c).size(); }), full.to_string(c));
    print("restricted to three free parameters",
          best_of(20,
                  [&] {
                      std::map<std::string, std::vector<value>> fixed;
                      for (std::size_t p = 3; p < full.parameters().size(); ++p) {
                          fixed[full.parameters()[p].name] = {full.get(c, p)};
                      }
                      sink += full.restricted(fixed).count();
                  }),
          "");

    print("a space like GeST's at 8192³: parse, build, count", best_of(5, [] { sink += gest(8192).count(); }),
          fmt::format("{:.3g} configurations", static_cast<double>(gest(8192).count())));
    const space large = gest(8192);
    print("  a sample of it", best_of(100, [&] { sink += large.sample(rng)[0]; }), large.to_string(large.sample(rng)));
    const stencil star =
        stencil_of("stencil star(x, y, z) {\n    field u\n    u[t+1] = sum(o in star(1)) { 0.125 * u[o] }\n}\n");
    for (const std::int64_t n : {512, 4096}) {
        const extent3 size{n, n, n};
        print(fmt::format("`full` of a 7-point stencil at {}³: make, count", n),
              best_of(5, [&] { sink += make_space("full", star, size).count(); }),
              fmt::format("{:.3g} configurations", static_cast<double>(make_space("full", star, size).count())));
        const space all = make_space("full", star, size);
        print("  a sample of it", best_of(100, [&] { sink += all.sample(rng)[0]; }), "");
    }
    return sink == 0 ? 1 : 0;
}
