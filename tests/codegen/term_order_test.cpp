#include "core/codegen/layout.hpp"
#include "core/codegen/retime.hpp"
#include "core/codegen/stream_schedule.hpp"
#include "tests/catch.hpp"
#include "tests/codegen/streaming_case.hpp"
#include "tests/dsl/stencils_of.hpp"

#include <fmt/format.h>

#include <string>

using namespace gst;
using namespace gst::testing;

namespace {

/// The terms of each plane along an axis: weights and, of what each reads, column and row.
std::string ordered(const std::string& update, term_order order, int axis = 2, const char* type = "f64",
                    const std::string& lets = "") {
    stencil s = stencil_of(fmt::format("stencil s(x, y, z) {{\nfield u: {}\n{}u[t+1] = {}\n}}\n", type, lets, update));
    plane_terms sums = *terms_by_plane(s, s.updates.front().value, axis, [](const ir::read&) { return true; });
    const std::size_t inner = axis == 0 ? 1 : 0, across = axis == 2 ? 1 : 2;
    order_terms(s, order, inner, across, sums);
    std::string out;
    for (const auto& [plane, terms] : sums) {
        out += fmt::format("{}{}:", out.empty() ? "" : "; ", plane);
        for (const sum_term& t : terms) {
            out += t.negative ? " -" : " +";
            std::string reads;
            for (const node_id n : reachable(s, t.node)) {
                if (const auto* number = std::get_if<ir::number>(&s.nodes[n].op)) {
                    out += fmt::format("({:g})", number->value);
                } else if (const auto* r = std::get_if<ir::read>(&s.nodes[n].op)) {
                    reads += fmt::format("[{},{}]", r->at[inner], r->at[across]);
                }
            }
            out += reads;
        }
    }
    return out;
}

} // namespace

TEST_CASE("the terms of a plane come row by row") {
    const std::string update = "0.5*u[x-1] + 2*u[y+1] - (4*u[x+2] - 8*u[y-1]) + u - u[z-1, y+2] + 16*u[z-1]";
    CHECK(ordered(update, term_order::as_written) ==
          "-1: -[0,2] +(16)[0,0]; 0: +(0.5)(2)(4)(8)[-1,0][0,1][2,0][0,-1][0,0]");
    CHECK(ordered(update, term_order::own_row_first) ==
          "-1: +(16)[0,0] -[0,2]; 0: +(0.5)[-1,0] +[0,0] -(4)[2,0] +(8)[0,-1] +(2)[0,1]");
    CHECK(ordered(update, term_order::own_row_last) ==
          "-1: -[0,2] +(16)[0,0]; 0: +(8)[0,-1] +(2)[0,1] +[0,0] +(0.5)[-1,0] -(4)[2,0]");
    CHECK(ordered(update, term_order::last_row_first) ==
          "-1: -[0,2] +(16)[0,0]; 0: +(2)[0,1] +(8)[0,-1] +[0,0] +(0.5)[-1,0] -(4)[2,0]");
    // Along x rows lie along y, from z to z.
    CHECK(ordered("u[y-1] + u[z-1] + u[x-1]", term_order::own_row_last, 0) == "-1: +[0,0]; 0: +[0,-1] +[-1,0]");
}

TEST_CASE("what is no sum, or needed elsewhere, stays one term and comes with the last of its rows") {
    const std::string product = "u*u[x+1] + 0.5*u[y-1]*u + u[y-2]*u[y+1] + 0.25*(u[y-1] - u[x-2])";
    CHECK(ordered(product, term_order::own_row_first) ==
          "0: +[0,0][1,0] +(0.5)[0,0][0,-1] +(0.25)[0,-1][-2,0] +[0,-2][0,1]");
    CHECK(ordered(product, term_order::own_row_last) ==
          "0: +[0,-2][0,1] +(0.5)[0,0][0,-1] +[0,0][1,0] +(0.25)[0,-1][-2,0]");
    // Sums of whole numbers wrap around or divide in their order; doubled sums would be very many terms.
    CHECK(ordered("(u[y-1] + u[x-1] + 2*u) / 4", term_order::own_row_first, 2, "i32") == "0: +(2)(4)[0,-1][-1,0][0,0]");
    CHECK(ordered("u[y-1] + u[x-1] + 2*u", term_order::own_row_first, 2, "i32") == "0: +(2)[0,-1][-1,0][0,0]");
    std::string lets = "let a0 = u[y-1] + u\n";
    for (int i = 1; i <= 40; ++i) {
        lets += fmt::format("let a{0} = a{1} + a{1}\n", i, i - 1);
    }
    CHECK(ordered("a40 + u[z-1]", term_order::own_row_last, 2, "f64", lets) ==
          "-1: +[0,0]; 0: +[0,-1][0,0] +[0,-1][0,0]");
}

TEST_CASE("sums whose terms are ordered", "[device][stream]") {
    test_device on = open_test_device();
    const std::string text = "stencil terms(x, y, z) {\nfield u: f64 { x: periodic; y: fixed; z: constant(0.5) }\n"
                             "u[t+1] = 0.25*(u[x-1] + u[x+2] - u[y-2]) + 0.2*u - 0.1*(u[y+1, x-1] + u[z-1]) + "
                             "0.03*u[z+2, y-1] + 0.05*u[z-1]*u[z-1, y+1]/(1 + u[z-1]*u[z-1])\n}\n";
    for (const term_order order : {term_order::own_row_first, term_order::own_row_last, term_order::last_row_first}) {
        for (const int axis : {0, 1, 2}) {
            program_case c = streaming_case(text, {19, 13, 12}, axis);
            c.how.retiming = true;
            c.how.terms = order;
            CAPTURE(to_string(c.how));
            if (no_streaming(c.s, make_layout(c.size, reach_of(c.s), c.alignment), c.how).empty()) {
                check_case(on, c);
            } else {
                CHECK(axis == 1); // a product has planes along y
            }
        }
    }
}

TEST_CASE("partial sums of differences are right within the bounds of sums in any order", "[device][stream]") {
    test_device on = open_test_device();
    for (const char* update : {"0.3*(u[z-1] - u[z+1])", "u + 100*(u[z-1] - 2*u + u[z+1])",
                               "u + (50*(u[z-1] - u[y+1, z+1]) - 0.1*u[x-1] + 0.2*u[x+1] - 0.3*u[y-1])/7"}) {
        for (const int order : {0, 1, 2, 3}) {
            program_case c = streaming_case(
                fmt::format("stencil d(x, y, z) {{\nfield u: f32 {{ all: periodic }}\nu[t+1] = {}\n}}\n", update),
                {64, 32, 24}, 2);
            c.noise = 5;
            c.how.retiming = true;
            c.how.terms = static_cast<term_order>(order);
            check_case(on, c);
        }
    }
}

TEST_CASE("terms are ordered in partial sums alone") {
    program_case c =
        streaming_case("stencil s(x, y, z) {\nfield u: f32\nu[t+1] = 0.5*u + 0.5*u[z-1, x-1]\n}\n", {16, 8, 8}, 2);
    const array_layout layout = make_layout(c.size, reach_of(c.s), c.alignment);
    c.how.terms = term_order::own_row_last;
    CHECK(no_streaming(c.s, layout, c.how) ==
          "the order of terms is that of partial sums whose lines are not filtered together");
    c.how.retiming = true;
    CHECK(no_streaming(c.s, layout, c.how).empty());
    CHECK(to_string(c.how).find(", retimed, own rows last") != std::string::npos);
}

namespace {

/// The sum of neighbours of an update, its scales and what else completes it, in words.
std::string completed(const std::string& update, const std::string& lets = "") {
    stencil s = stencil_of(fmt::format(
        "stencil s(x, y, z) {{\nfield u: f64\ncoef k: f64\ncoef d: f64\n{}u[t+1] = {}\n}}\n", lets, update));
    const auto streams = [&](const ir::read& r) { return r.level == 0 && !s.fields[r.field].coefficient; };
    const auto found = sum_to_complete(s, s.updates.front().value, 2, streams);
    if (!found) {
        return "none";
    }
    const auto described = [&](node_id root) {
        std::string out;
        for (const node_id n : reachable(s, root)) {
            if (const auto* number = std::get_if<ir::number>(&s.nodes[n].op)) {
                out += fmt::format("({:g})", number->value);
            } else if (const auto* r = std::get_if<ir::read>(&s.nodes[n].op)) {
                out += fmt::format("{}{}[{},{}]", s.fields[r->field].name,
                                   r->level == 0 ? "" : std::to_string(r->level), r->at[0], r->at[1]);
            }
        }
        return out;
    };
    std::string out;
    for (const auto& [plane, terms] : found->sum) {
        out += fmt::format("{}{}:", out.empty() ? "" : "; ", plane);
        for (const sum_term& t : terms) {
            out += (t.negative ? " -" : " +") + described(t.node);
        }
    }
    for (const completed_sum::scale& by : found->scales) {
        out += (by.op == ir::binary_op::multiply ? " * " : " / ") + described(by.by);
    }
    for (const sum_term& t : found->others) {
        out += (t.negative ? " - " : " + ") + described(t.node);
    }
    return out;
}

} // namespace

TEST_CASE("sums of neighbours that the point's own values complete") {
    // Waves: the factor stays one of the whole sum, numbers are distributed over it.
    CHECK(completed("2*u - u[t-1] + k*(3*(u[x-1] + u[z+1]) - 0.5*(u[y+1] - u))") ==
          "0: +(3)u[-1,0] -(0.5)u[0,1] +u[0,0](0.5); 1: +(3)u[0,0] * k[0,0] + (2)u[0,0]u-1[0,0]");
    // Without a factor what streams of the point itself is a term like others.
    CHECK(completed("2*u - u[t-1] + u[x-1] + u[z+1]") == "0: +u[-1,0] +(2)u[0,0]; 1: +u[0,0] - u-1[0,0]");
    // Factors, from the inner one on, and the same ones again.
    CHECK(completed("k*u*u - 0.5*k*((u[x-1] - u[y+1])/(d + 2)) + u - (0.5*k*(u[z-1]/(d + 2)))") ==
          "-1: -u[0,0]; 0: -u[-1,0] +u[0,1] / d[0,0](2) * k[0,0](0.5) + k[0,0]u[0,0] + u[0,0]");
    // What is used again (the last sum by itself twice) stays one term: there are not as many as paths to it.
    std::string again = "u[x-1] + u[x+1]", lets;
    for (int i = 0; i < 40; ++i) {
        lets += fmt::format("let a{} = {}\n", i, again);
        again = fmt::format("a{0} + a{0}", i);
    }
    CHECK(completed("k*(u[z-1] + 0.001*(" + again + "))", lets) ==
          "-1: +u[0,0]; 0: +(0.001)u[-1,0]u[1,0] +(0.001)u[-1,0]u[1,0] * k[0,0]");
    CHECK(completed("u[z-1] + 0.1*(" + again + " + k)", lets) == "none");
    for (const char* two_sums : {"u[x-1] + k*u[x+1]", "k*u[x-1] + d*u[x+1]", "k*u[x-1] + u[z+1]/k", "max(k, u[x-1])",
                                 "k/u[x-1]", "u[t-1, x+1] + u[z-1]", "k[x-1]*u[z-1]", "k*(u[x-1]*u[z+1])", "k + d"}) {
        CAPTURE(two_sums);
        CHECK(completed(two_sums) == "none");
    }
}
