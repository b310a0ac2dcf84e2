#include "core/codegen/emit.hpp"
#include "core/codegen/stream/paired_halves.hpp"
#include "tests/catch.hpp"

#include <utility>

using namespace gst;
using namespace gst::nest;

namespace {

statement vector_at(const char* name, int width, scalar stored, const nest::value& at, const char* array = "a") {
    return {declare_vector{stored, width, name, array, at, true, true}};
}
/// An assignment of the sum of the vector's lanes.
statement used(const char* vector, int width, scalar stored, const std::vector<int>& lanes) {
    nest::value sum;
    for (const int l : lanes) {
        const nest::value one = make(lane{vector, width, l}, register_type(stored));
        sum = sum ? sum + one : one;
    }
    return {assign{"x", sum}};
}
statement base() {
    return {declare{type::index, "base", var("n")}};
}

/// The statements as CUDA, paired, from behind the first one.
std::string paired(block all) {
    streaming::pair_halves(all, var("item"));
    kernel k;
    k.name = "k";
    k.body = std::move(all);
    const std::string text = emit({k}, cuda_dialect(), false);
    const auto begin = text.find("const int base = n;\n");
    REQUIRE(begin != std::string::npos);
    return text.substr(begin + std::string_view("const int base = n;\n").size());
}
bool is_paired(const block& all) {
    return paired(all).find("swaps") != std::string::npos;
}

} // namespace

TEST_CASE("halves of vectors in local memory are loaded in turn, so that all banks are read") {
    using enum scalar;
    CHECK(paired({base(), vector_at("v", 2, f64, plus(var("base"), -4)), vector_at("w", 2, f64, plus(var("base"), 4)),
                  used("v", 2, f64, {1}), used("w", 2, f64, {0})}) ==
          "    const int swaps = item / 8 % 2;\n"
          "    const int base_bym7 = swaps * -7;\n"
          "    const int base_upm7 = base + base_bym7;\n"
          "    const int base_downm7 = base - base_bym7;\n"
          "    const double w_read0_0 = a[base_upm7 + 4];\n"
          "    const double w_read1_0 = a[base_downm7 - 3];\n"
          "    const double w_half_0 = swaps >= 1 ? w_read1_0 : w_read0_0;\n"
          "    const gst_vector<double, 2> w = gst_vector<double, 2>{w_half_0, 0.0};\n"
          "    const double v_half_0 = swaps >= 1 ? w_read0_0 : w_read1_0;\n"
          "    const gst_vector<double, 2> v = gst_vector<double, 2>{0.0, v_half_0};\n"
          "    x = v.s[1];\n"
          "    x = w.s[0];\n"
          "}\n");
    CHECK(paired({base(), vector_at("v", 4, f32, var("base")), vector_at("w", 4, f32, plus(var("base"), 8)),
                  used("v", 4, f32, {2, 3}), used("w", 4, f32, {0})}) ==
          "    const int swaps = item / 8 % 2;\n"
          "    const int base_bym6 = swaps * -6;\n"
          "    const int base_upm6 = base + base_bym6;\n"
          "    const int base_downm6 = base - base_bym6;\n"
          "    const gst_vector<float, 2> w_read0 = *(const gst_vector<float, 2>*)(a + base_upm6 + 8);\n"
          "    const gst_vector<float, 2> w_read1 = *(const gst_vector<float, 2>*)(a + base_downm6 + 2);\n"
          "    const float w_half_0 = swaps >= 1 ? w_read1.s[0] : w_read0.s[0];\n"
          "    const float w_half_1 = swaps >= 1 ? w_read1.s[1] : w_read0.s[1];\n"
          "    const gst_vector<float, 4> w = gst_vector<float, 4>{w_half_0, w_half_1, 0.0f, 0.0f};\n"
          "    const float v_half_0 = swaps >= 1 ? w_read0.s[0] : w_read1.s[0];\n"
          "    const float v_half_1 = swaps >= 1 ? w_read0.s[1] : w_read1.s[1];\n"
          "    const gst_vector<float, 4> v = gst_vector<float, 4>{0.0f, 0.0f, v_half_0, v_half_1};\n"
          "    x = v.s[2] + v.s[3];\n"
          "    x = w.s[0];\n"
          "}\n");
    // Vectors of 8 bytes fill the banks by sixteen work-items.
    const std::string narrow =
        paired({base(), vector_at("v", 2, f32, var("base")), vector_at("w", 2, f32, plus(var("base"), 2)),
                used("v", 2, f32, {1}), used("w", 2, f32, {0})});
    CHECK(narrow.find("const int swaps = item / 16 % 2;\n") != std::string::npos);
}

TEST_CASE("each half of a vector is paired with the nearest other one") {
    using enum scalar;
    const std::string text =
        paired({base(), vector_at("low", 2, f64, var("base")), vector_at("v", 2, f64, plus(var("base"), 100)),
                vector_at("w", 2, f64, plus(var("base"), 104)), vector_at("rest", 2, f64, plus(var("base"), 200)),
                used("low", 2, f64, {1}), used("v", 2, f64, {1}), used("w", 2, f64, {0}), used("rest", 2, f64, {1})});
    CHECK(text.find("w_read0_0 = a[base_upm3 + 104];") != std::string::npos);
    CHECK(text.find("w_read1_0 = a[base_downm3 + 101];") != std::string::npos);
    CHECK(text.find("low = *(const gst_vector<double, 2>*)(a + base);") != std::string::npos);
    CHECK(text.find("rest = *(const gst_vector<double, 2>*)(a + base + 200);") != std::string::npos);
}

TEST_CASE("pairs of halves that are as far apart share their places") {
    using enum scalar;
    block all{base()};
    for (const auto& [name, at] : {std::pair{"a0", 0}, {"a1", 8}, {"b0", 100}, {"b1", 108}, {"c0", 200}, {"c1", 204}}) {
        all.push_back(vector_at(name, 4, f32, plus(var("base"), at)));
    }
    // The last use is within a block of its own.
    all.push_back({branch{var("n"), {{used("c0", 4, f32, {3})}}, {}}});
    for (const auto& [name, lane] : {std::pair{"a0", 2}, {"a1", 0}, {"b0", 3}, {"b1", 1}, {"c1", 0}}) {
        all.push_back(used(name, 4, f32, {lane}));
    }
    const std::string text = paired(all);
    const auto times = [&](const std::string& words) {
        int n = 0;
        for (auto at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) {
            ++n;
        }
        return n;
    };
    CHECK(times("const int swaps = ") == 1);
    CHECK(times("const int base_upm6 = ") == 1);
    CHECK(times("const int base_upm2 = ") == 1);
    CHECK(times("(a + base_upm6 + ") == 2);
    CHECK(times("(a + base_downm6 + ") == 2);
    CHECK(times("(a + base_upm2 + 204)") == 1);
    CHECK(times("(a + base_downm2 + 202)") == 1);
}

TEST_CASE("which halves of vectors are not paired") {
    using enum scalar;
    const statement first = vector_at("v", 2, f64, var("base")), second = vector_at("w", 2, f64, plus(var("base"), 8));
    const statement high = used("v", 2, f64, {1}), low = used("w", 2, f64, {0});
    CHECK(is_paired({base(), first, second, high, low}));
    CHECK(is_paired({base(), first, {comment{"c"}}, {declare{type::index, "m", var("n")}}, second, high, low}));
    CHECK_FALSE(is_paired({base(), first, second, high}));
    CHECK_FALSE(is_paired({base(), first, second, high, used("w", 2, f64, {1})}));
    CHECK_FALSE(is_paired({base(), first, second, high, used("w", 2, f64, {0, 1})}));
    CHECK_FALSE(is_paired({base(), first, second, high, low, {assign{"x", make(variable{"w"}, type::f64, 2)}}}));
    CHECK_FALSE(is_paired({base(), first, vector_at("w", 2, f64, plus(var("base"), 8), "b"), high, low}));
    CHECK_FALSE(is_paired({base(), first, vector_at("w", 2, f64, var("other")), high, low}));
    CHECK_FALSE(is_paired({base(), vector_at("v", 4, f32, var("base")), second, used("v", 4, f32, {2}), low}));
    // What was written before a load, or is awaited there, an earlier one would not see.
    for (const statement& between :
         {statement{barrier{}}, statement{store{"a", var("n"), make(lane{"v", 2, 1}, type::f64), f64, true}},
          statement{assign{"y", var("n")}}, statement{arrive_at{1, 64}},
          statement{branch{var("n"), {{barrier{}}}, {}}}}) {
        CHECK_FALSE(is_paired({base(), first, between, second, high, low}));
    }
    // A place that varies may be another one at the later load.
    block varying{base(),
                  {declare{type::index, "at", var("n"), true}},
                  vector_at("v", 2, f64, var("at")),
                  vector_at("w", 2, f64, plus(var("at"), 8)),
                  high,
                  low};
    CHECK_FALSE(is_paired(varying));
    // In local memory, not in global memory.
    block global{base(), {declare_vector{f64, 2, "v", "a", var("base"), true, false}}, second, high, low};
    CHECK_FALSE(is_paired(global));
}
