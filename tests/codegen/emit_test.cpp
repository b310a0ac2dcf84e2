#include "core/codegen/emit.hpp"
#include "tests/catch.hpp"

#include <limits>

using namespace gst;
using namespace gst::nest;

namespace {

/// `init` as a kernel of the dialect assigns it to a variable.
std::string spelled(const nest::value& init, bool wide = false) {
    kernel k;
    k.name = "k";
    k.body = {{declare{init->of, "a", init}}};
    const std::string text = emit({k}, opencl_dialect(), wide);
    const auto at = text.find(" a = ") + 5;
    return text.substr(at, text.find(";\n", at) - at);
}

nest::value f(const char* name) {
    return var(name, type::f32);
}
nest::value i(const char* name) {
    return var(name, type::i32);
}
nest::value op(ir::binary_op o, const nest::value& a, const nest::value& b) {
    return binary_value(o, a, b);
}

} // namespace

TEST_CASE("operators keep their grouping with as few parentheses as C needs") {
    using enum ir::binary_op;
    CHECK(spelled(f("a") - (f("b") - f("c"))) == "a - (b - c)");
    CHECK(spelled((f("a") - f("b")) - f("c")) == "a - b - c");
    CHECK(spelled((f("a") + f("b")) * f("c")) == "(a + b) * c");
    CHECK(spelled(f("a") * f("b") + f("c")) == "a * b + c");
    CHECK(spelled(op(divide, f("a"), f("b") * f("c"))) == "a / (b * c)");
    CHECK(spelled(op(minimum, f("a"), f("b") + f("c"))) == "fmin(a, b + c)");
    const auto below = [](const nest::value& a, const nest::value& b) { return op(ir::binary_op::less, a, b); };
    CHECK(spelled(op(logical_or, op(logical_and, below(f("a"), f("b")), below(f("b"), f("c"))),
                     below(f("c"), f("a")))) == "(a < b && b < c) || c < a");
    CHECK(spelled(make(nest::select{below(f("a"), f("b")), f("a"), f("b")}, type::f32) + f("c")) ==
          "(a < b ? a : b) + c");
    const nest::value minus = make(nest::unary{ir::unary_op::negate, f("a")}, type::f32);
    CHECK(spelled(make(nest::unary{ir::unary_op::negate, minus}, type::f32)) == "-(-a)");
    CHECK(spelled(f("b") - minus) == "b - -a");
}

TEST_CASE("integers wrap around and divide safely") {
    CHECK(spelled(i("a") + i("b")) == "(int)((uint)a + (uint)b)");
    CHECK(spelled(op(ir::binary_op::divide, i("a"), i("b"))) == "gst_divide(a, b)");
    CHECK(spelled(number(std::numeric_limits<std::int32_t>::min(), type::i32)) == "(-2147483647 - 1)");
}

TEST_CASE("index arithmetic is plain and 64 bits wide where arrays need it") {
    CHECK(spelled(var("x") * number(4) + number(-1)) == "x * 4 - 1");
    CHECK(spelled(var("x") * number(4), true) == "x * 4L");
    kernel k;
    k.name = "k";
    k.body = {{declare{type::index, "x", make(work_item{id::global, 0}, type::index)}}};
    CHECK(emit({k}, opencl_dialect(), true).find("const long x = (long)get_global_id(0);") != std::string::npos);
}

TEST_CASE("renewed values are others for CUDA's compilers, and themselves in OpenCL") {
    kernel k;
    k.name = "k";
    k.body = {{declare{type::index, "b", make(renewed{var("a") * number(4)}, type::index) + number(1)}}};
    const std::string in_cuda = emit({k}, cuda_dialect(), false);
    CHECK(in_cuda.find("const int b = gst_renewed(a * 4) + 1;") != std::string::npos);
    CHECK(in_cuda.find("inline int gst_renewed(int a)") != std::string::npos);
    CHECK(emit({k}, cuda_dialect(), true).find("const long b = gst_renewed(a * 4L) + 1L;") != std::string::npos);
    CHECK(emit({k}, opencl_dialect(), false).find("const int b = (a * 4) + 1;") != std::string::npos);
}

TEST_CASE("literals are the shortest text that reads back as the same number of the type") {
    CHECK(spelled(real_number(0.1, type::f32)) == "0.1f");
    CHECK(spelled(real_number(0.1, type::f64)) == "0.1");
    CHECK(spelled(real_number(6, type::f32)) == "6.0f");
    CHECK(spelled(real_number(1.0 / 3, type::f64)) == "0.3333333333333333");
    CHECK(spelled(real_number(-2, type::f32) * f("a")) == "-2.0f * a");
    CHECK(spelled(real_number(std::numeric_limits<double>::infinity(), type::f64)) == "((double)INFINITY)");
}

TEST_CASE("a dialect without a needed word is an error that names the word") {
    dialect d = opencl_dialect();
    d.words.erase("square_root");
    kernel k;
    k.name = "k";
    k.body = {{declare{type::f32, "a", make(nest::call{ir::function::square_root, f("b")}, type::f32)}}};
    CHECK_THROWS_WITH(emit({k}, d, false), "the dialect 'opencl' has no word for 'square_root'");
}

TEST_CASE("a branch of nothing but an arrival is left out where the language has none") {
    kernel k;
    k.name = "k";
    k.work_group = {64, 1, 1};
    k.body = {{branch{less(var("i"), number(3)), {{arrive_at{1, 64}}}, {}}}, {await_at{number(1), 64}}};
    CHECK(emit({k}, cuda_dialect(), false)
              .find("    if (i < 3) {\n        gst_arrive_at<1, 64>();\n    }\n"
                    "    gst_await_at<64>(1);\n") != std::string::npos);
    const std::string other = emit({k}, opencl_dialect(), false);
    CHECK(other.find("if (") == std::string::npos);
    CHECK(other.find("    barrier(CLK_LOCAL_MEM_FENCE);\n") != std::string::npos);
}

TEST_CASE("nested branches around stores become one for each in NVIDIA's OpenCL") {
    const value a = less(var("a"), number(1)), b = less(var("b"), number(2)), c = less(var("c"), number(3));
    const auto stored = [](const char* array, const char* at) {
        return statement{store{array, var(at), real_number(0, type::f32), scalar::f32}};
    };
    const auto index = [](const char* name) { return statement{declare{type::index, name, var("n")}}; };
    const statement local{store{"l", var("n"), real_number(0, type::f32), scalar::f32, true}};
    kernel k;
    k.name = "k";
    const auto body = [&](const block& statements) {
        k.body = {{loop{"i", number(0), number(9), number(1), statements}}};
        const std::string text = emit({k}, nvidia_opencl_dialect(), false);
        const std::size_t begin = text.find("++i) {\n") + 7;
        return text.substr(begin, text.rfind("    }\n}") - begin);
    };
    const statement within{branch{b, {index("to"), {branch{c, {stored("x", "to")}, {}}}}, {}}};
    CHECK(body({{branch{a, {within, {branch{c, {stored("y", "n"), stored("z", "n")}, {}}}}, {}}}}) ==
          "        const int to = n;\n"
          "        if (a < 1 && (b < 2 && c < 3)) {\n"
          "            x[to] = 0.0f;\n"
          "        }\n"
          "        if (a < 1 && c < 3) {\n"
          "            y[n] = 0.0f;\n"
          "            z[n] = 0.0f;\n"
          "        }\n");
    const auto kept = [&](const block& statements) {
        const std::string nested = body(statements);
        return nested.find("if (a < 1) {") != std::string::npos && nested.find("if (c < 3) {") != std::string::npos;
    };
    CHECK_FALSE(kept({{branch{a, {{branch{c, {stored("x", "n")}, {}}}}, {}}}}));
    CHECK(kept({{branch{a, {{branch{c, {stored("x", "n")}, {stored("y", "n")}}}}, {}}}})); // there is another way
    CHECK(kept({{branch{a, {{branch{c, {stored("x", "n")}, {}}}}, {stored("y", "n")}}}}));
    CHECK(kept({{branch{a, {{branch{c, {local}, {}}}}, {}}}}));
    CHECK(kept({{branch{a, {stored("y", "n"), {branch{c, {stored("x", "n")}, {}}}}, {}}}}));
    CHECK(kept({index("to"), {branch{a, {index("to"), {branch{c, {stored("x", "to")}, {}}}}, {}}}}));
    CHECK(kept({{branch{a, {{assign{"v", number(1)}}, {branch{c, {stored("x", "n")}, {}}}}, {}}}}));
}

TEST_CASE("parts of a work-group have code of their own where barriers may be at two places") {
    kernel k;
    k.name = "k";
    k.work_group = {64, 1, 1};
    const value first = less(var("item"), number(32));
    const copy_box box{{scalar::f32, 0, {64, 64, 64}, {64, 4096}, {8, 4, 1}},
                       "t",
                       {number(0), number(0), number(0)},
                       "a",
                       number(0),
                       "c",
                       number(0)};
    k.body = {{in_parts{first,
                        {{barrier{}},
                         {branch{less(var("n"), number(3)), {{box}}, {}}},
                         {branch{first, {{assign{"x", number(1)}}}, {{assign{"x", number(2)}}}}}}}},
              {barrier{}},
              {branch{first, {{assign{"x", number(3)}}}, {}}}};
    const std::string text = emit({k}, cuda_dialect(), false);
    const std::string body = text.substr(text.find("    if (item < 32)"));
    CHECK(body == "    if (item < 32) {\n"
                  "        gst_await_at<64>(0);\n"
                  "        if (n < 3) {\n"
                  "            gst_copy_box<128>(a + 0, t, 0, 0, 0, c + 2 * 0);\n"
                  "        }\n"
                  "        x = 1;\n"
                  "    } else {\n"
                  "        gst_await_at<64>(0);\n"
                  "        x = 2;\n"
                  "    }\n"
                  "    __syncthreads();\n"
                  "    if (item < 32) {\n"
                  "        x = 3;\n"
                  "    }\n"
                  "}\n");
    const std::string other = emit({k}, opencl_dialect(), false);
    CHECK(other.find("    barrier(CLK_LOCAL_MEM_FENCE);\n"
                     "    if (n < 3) {\n") != std::string::npos);
    CHECK(other.find("    if (item < 32) {\n"
                     "        x = 1;\n"
                     "    } else {\n"
                     "        x = 2;\n"
                     "    }\n"
                     "    barrier(CLK_LOCAL_MEM_FENCE);\n") != std::string::npos);
}

TEST_CASE("a vector of which lanes between others are not needed comes from local memory as a whole") {
    const auto loaded = [](scalar stored, const std::vector<int>& lanes, bool local = true) {
        kernel k;
        k.name = "k";
        k.body = {{declare_vector{stored, 4, "v", "a", var("at"), true, local}}};
        for (const int n : lanes) {
            k.body.push_back({assign{"x", make(lane{"v", 4, n}, register_type(stored))}});
        }
        const std::string text = emit({k}, cuda_dialect(), false);
        return text.find("v = gst_load_whole<gst_vector<float, 4>>(a + at);\n") != std::string::npos;
    };
    CHECK(loaded(scalar::f32, {0, 3}));
    CHECK(loaded(scalar::f32, {3, 1, 0}));
    CHECK(loaded(scalar::f16, {0, 2})); // f32 in local memory
    CHECK_FALSE(loaded(scalar::f32, {1, 2, 3}));
    CHECK_FALSE(loaded(scalar::f32, {2}));
    CHECK_FALSE(loaded(scalar::f32, {}));
    CHECK_FALSE(loaded(scalar::f64, {0, 3}));
    CHECK_FALSE(loaded(scalar::f32, {0, 3}, false));

    // The same name in another place is another vector; one that is read as a whole needs all of its lanes.
    kernel k;
    k.name = "k";
    const auto part = [](const char* array, const nest::value& use) {
        return branch{
            var("n"), {{declare_vector{scalar::f32, 4, "v", array, number(8), true, true}}, {assign{"x", use}}}, {}};
    };
    const auto lanes = [](int a, int b) { return make(lane{"v", 4, a}, type::f32) + make(lane{"v", 4, b}, type::f32); };
    k.body = {{part("a", lanes(0, 3))},
              {part("b", lanes(1, 2))},
              {part("c", lanes(1, 3))},
              {part("d", lanes(0, 3) + make(variable{"v"}, type::f32, 4))}};
    const std::string text = emit({k}, cuda_dialect(), false);
    CHECK(text.find("v = gst_load_whole<gst_vector<float, 4>>(a + 8);\n        x = v.s[0] + v.s[3];") !=
          std::string::npos);
    CHECK(text.find("v = *(const gst_vector<float, 4>*)(b + 8);\n") != std::string::npos);
    CHECK(text.find("v = gst_load_whole<gst_vector<float, 4>>(c + 8);\n        x = v.s[1] + v.s[3];") !=
          std::string::npos);
    CHECK(text.find("v = *(const gst_vector<float, 4>*)(d + 8);\n") != std::string::npos);
    CHECK(emit({k}, opencl_dialect(), false).find("whole") == std::string::npos);
}

TEST_CASE("a branch with nothing in its first way is one on the opposite") {
    kernel k;
    k.name = "k";
    const value zero = binary_value(ir::binary_op::equal, var("i"), number(0));
    const value few = less(var("i"), number(3));
    const block set{{assign{"x", number(1)}}};
    k.body = {{branch{zero, {}, set}}, {branch{few, {}, set}}, {branch{zero, {}, {{arrive_at{1, 64}}}}}};
    const std::string same = "    if (i != 0) {\n        x = 1;\n    }\n"
                             "    if (!(i < 3)) {\n        x = 1;\n    }\n";
    CHECK(emit({k}, cuda_dialect(), false)
              .find(same + "    if (i != 0) {\n        gst_arrive_at<1, 64>();\n    }\n}\n") != std::string::npos);
    CHECK(emit({k}, opencl_dialect(), false).find(same + "}\n") != std::string::npos); // which has no arrivals
}

TEST_CASE("what may not stand in a part of a work-group") {
    kernel k;
    k.name = "k";
    const value first = less(var("item"), number(32));
    k.body = {{in_parts{first, {{in_parts{first, {}}}}}}};
    CHECK_THROWS_WITH(emit({k}, cuda_dialect(), false), "parts of a part");
    k.body = {{in_parts{first, {{prepare_boxes{"c", 1, 1}}}}}};
    CHECK_THROWS_WITH(emit({k}, cuda_dialect(), false), "all work-items prepare boxes together");
}

TEST_CASE("NVIDIA's OpenCL is told how many registers work-groups at once leave a work-item") {
    const auto of = [](std::array<std::uint64_t, 3> work_group, unsigned groups) {
        kernel k;
        k.name = "k";
        k.work_group = work_group;
        k.groups_at_once = groups;
        return k;
    };
    const auto options = [](const std::vector<kernel>& all, const dialect& language) {
        return emit_module(all, language, false).options;
    };
    const dialect& nvidias = nvidia_opencl_dialect();
    CHECK(options({of({64, 4, 1}, 0)}, nvidias) == "-cl-std=CL1.2");
    CHECK(options({of({64, 8, 1}, 1)}, nvidias) == "-cl-std=CL1.2"); // the driver would not launch it
    CHECK(options({of({64, 4, 1}, 1)}, nvidias) == "-cl-std=CL1.2 -cl-nv-maxrregcount=255");
    CHECK(options({of({64, 4, 1}, 2)}, nvidias) == "-cl-std=CL1.2 -cl-nv-maxrregcount=128");
    // As ptxas (13.0) has it for __launch_bounds__: 18 warps are up to 5 in a quarter, 102 registers, in eights.
    CHECK(options({of({192, 1, 1}, 3)}, nvidias) == "-cl-std=CL1.2 -cl-nv-maxrregcount=96");
    CHECK(options({of({96, 1, 1}, 5)}, nvidias) == "-cl-std=CL1.2 -cl-nv-maxrregcount=128");
    CHECK(options({of({224, 1, 1}, 2)}, nvidias) == "-cl-std=CL1.2 -cl-nv-maxrregcount=128");
    CHECK(options({of({20, 5, 1}, 4)}, nvidias) == "-cl-std=CL1.2 -cl-nv-maxrregcount=128"); // four times four warps
    CHECK(options({of({32, 1, 1}, 2)}, nvidias) == "-cl-std=CL1.2 -cl-nv-maxrregcount=255");
    CHECK(options({of({64, 4, 1}, 2), of({64, 8, 1}, 4), of({32, 8, 1}, 4)}, nvidias) ==
          "-cl-std=CL1.2 -cl-nv-maxrregcount=64");
    CHECK(options({of({64, 4, 1}, 2)}, opencl_dialect()) == "-cl-std=CL1.2");
    CHECK(options({of({64, 4, 1}, 2)}, cuda_dialect()) == cuda_dialect().compile_options);
    const auto beginning = [&](unsigned groups, const dialect& language) {
        const std::string text = emit({of({64, 4, 1}, groups)}, language, false);
        return text.substr(0, text.find('('));
    };
    CHECK(beginning(2, nvidias) == "__kernel void k");
    CHECK(beginning(0, nvidias) == "__kernel __attribute__");
    CHECK(emit({of({64, 5, 1}, 2)}, nvidias, false).starts_with("__kernel __attribute__"));
    CHECK(beginning(2, opencl_dialect()) == "__kernel __attribute__");
    for (const auto& [groups, bounds] : {std::pair{0U, "(256)"}, {1U, "(256, 1)"}, {2U, "(256, 2)"}}) {
        CHECK(emit({of({64, 4, 1}, groups)}, cuda_dialect(), false)
                  .starts_with(std::string("extern \"C\" __global__ void __launch_bounds__") + bounds + " k("));
    }
}

TEST_CASE("NVIDIA's OpenCL shuffles numbers of 64 bits as two of 32") {
    const auto text = [](type of) {
        kernel k;
        k.name = "k";
        k.work_group = {32, 1, 1};
        k.body = {{declare{of, "b", make(nest::shuffle{make(nest::variable{"a"}, of), -2}, of)}}};
        return emit({k}, nvidia_opencl_dialect(), false);
    };
    const std::string f32 = text(type::f32), f64 = text(type::f64);
    CHECK(f32.find("const float b = gst_shuffle_up(a, 2);") != std::string::npos);
    CHECK(f64.find("const double b = gst_shuffle_up(a, 2);") != std::string::npos);
    CHECK(f32.find("double") == std::string::npos);
    const std::size_t words = f64.find("gst_shuffle_up(float a"), numbers = f64.find("gst_shuffle_up(double a");
    CHECK(words < numbers); // which is made of them
    CHECK(numbers != std::string::npos);
}

TEST_CASE("every dialect has the same words") {
    for (const auto& [word, text] : opencl_dialect().words) {
        INFO(word);
        CHECK((word.starts_with("uses ") || cuda_dialect().words.count(word) == 1));
    }
    for (const auto& [word, text] : cuda_dialect().words) {
        INFO(word);
        const bool of_blocks = word.find("local block") != std::string::npos || word == "local array in block";
        const bool of_device = word.starts_with("shuffle ");                             // see device_limits
        const bool of_copies = word.ends_with(" copies") || word == "asynchronous copy"; // done at once elsewhere
        // A whole barrier, or nothing, elsewhere.
        const bool of_halves = word.starts_with("arrive") || word == "await phase" || word == "await at" ||
                               word.ends_with(" arrivals") || word == "end idle";
        const bool of_lanes = word == "whole local vector load"; // spelled as any other elsewhere
        const bool of_boxes = word == "tensor" || word == "copy box" || word.ends_with(" boxes"); // copied by all
        CHECK((word.starts_with("uses ") || of_blocks || of_device || of_copies || of_halves || of_lanes || of_boxes ||
               opencl_dialect().words.count(word) == 1));
    }
    for (const auto& [word, text] : nvidia_opencl_dialect().words) {
        INFO(word);
        CHECK((word.starts_with("uses ") || word.ends_with("of groups at once") ||
               cuda_dialect().words.count(word) == 1));
    }
}

TEST_CASE("constants are folded when a loop nest is built") {
    CHECK(literal(number(3) * number(4) + number(0)) == 12);
    CHECK(spelled(var("x") + number(0)) == "x");
    CHECK(spelled(var("x") * number(1)) == "x");
    CHECK(literal(least(number(3), number(4))) == 3);
}
