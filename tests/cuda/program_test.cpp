#include "core/app/pipeline.hpp"
#include "core/base/random.hpp"
#include "core/codegen/copy.hpp"
#include "core/codegen/emit.hpp"
#include "tests/catch.hpp"
#include "tests/cuda/support.hpp"
#include "tests/stencil/random_stencil.hpp"
#include "tests/stencil/same.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <iostream>
#include <set>

using namespace gst;
using namespace gst::test;
namespace fs = std::filesystem;

namespace {

/// Programs that each test compiles; the long version (GST_TEST_LONG) tries more.
int programs() {
    return std::getenv("GST_TEST_LONG") ? 1000 : 100;
}

/// Compiles every module, each text once.
class module_compiler {
  public:
    explicit module_compiler(const device_info& target) : target_(target) {}
    void compile(const module_source& m) {
        if (!seen_.insert(m.text).second) {
            return;
        }
        INFO(m.text);
        std::string refusal, warnings;
        try {
            warnings = cuda().compile(target_, m).log;
        } catch (const compile_error& e) {
            refusal = e.what();
        }
        CHECK(warnings == "");
        REQUIRE(refusal == "");
    }
    void compile(const program& p) {
        for (const module_source& m : p.modules) {
            compile(m);
        }
    }
    std::size_t modules() const { return seen_.size(); }

  private:
    const device_info& target_;
    std::set<std::string> seen_;
};

} // namespace

TEST_CASE("programs of every example compile for CUDA") {
    if (!has_nvrtc()) {
        return;
    }
    module_compiler compiler(hopper());
    std::vector<fs::path> examples;
    for (const auto& entry : fs::directory_iterator(GST_SOURCE_DIR "/examples")) {
        examples.push_back(entry.path());
    }
    random_source rng(testing::first_seed());
    const int each = programs() / static_cast<int>(examples.size()) + 1;
    for (const fs::path& example : examples) {
        INFO(example << ", GST_TEST_SEED=" << testing::first_seed());
        const config c = read_config(example / "app.toml");
        if (c.backend.name.value == "replay") {
            continue; // no kernels
        }
        const stencil s = read_stencil(c);
        const tuning_request request = read_request(c, s);
        const workload w = make_workload(request, hopper());
        compiler.compile(default_program(request, hopper()));
        compiler.compile(w.reference.reference);
        compiler.compile(w.reference.comparison);
        tuning_request all = request;
        all.space = make_space("full", s, request.size);
        const workload full = make_workload(all, hopper());
        for (int i = 0; i < each; ++i) {
            const workload& from = i % 2 == 0 ? w : full;
            const configuration one = from.space.sample(rng);
            INFO(from.space.to_string(one));
            compiler.compile(from.generate(one));
        }
    }
    compiler.compile(make_copy_benchmark(16384, hopper().language).module);
    std::cout << fmt::format("{} modules of {} examples compiled with {} (GST_TEST_SEED={})\n", compiler.modules(),
                             examples.size(), hopper().driver, testing::first_seed());
}

TEST_CASE("programs of random stencils compile for CUDA") {
    if (!has_nvrtc()) {
        return;
    }
    device_info target = hopper();
    target.cache_bytes = 1; // nothing fits: vectors are written past the caches
    module_compiler compiler(target);
    for (int i = 0; i < programs(); ++i) {
        random_source rng(testing::first_seed() * 1000003 + static_cast<std::uint64_t>(i));
        const stencil s = testing::random_stencil(rng);
        const extent3 size = testing::random_grid(s, rng);
        const layout_kind layout = rng.below(4) == 0 ? layout_kind::raw : layout_kind::padded;
        const tuning_request request{s,
                                     size,
                                     layout,
                                     testing::random_parameters(s, rng),
                                     make_space(i % 2 == 0 ? "garvey_full" : "full", s, size),
                                     1};
        const workload w = make_workload(request, target);
        INFO("case " << i << ", GST_TEST_SEED=" << testing::first_seed());
        compiler.compile(w.generate(w.space.sample(rng)));
        if (i % 8 == 0) {
            compiler.compile(w.reference.comparison);
        }
    }
    std::cout << fmt::format("{} modules of random stencils compiled (GST_TEST_SEED={})\n", compiler.modules(),
                             testing::first_seed());
}

TEST_CASE("time steps with barriers of their own compile for CUDA") {
    if (!has_nvrtc()) {
        return;
    }
    const std::string example = GENERATE("heat3d", "wave3d"); // sums, and sums that are completed
    CAPTURE(example);
    const config c = read_config(GST_SOURCE_DIR "/examples/" + example + "/app.toml");
    stencil s = read_stencil(c);
    for (field& f : s.fields) {
        for (auto& faces : f.faces) {
            faces[0] = faces[1] = {boundary_kind::fixed, 0};
        }
    }
    tuning_request request = read_request(c, s);
    const space full = make_space("full", s, request.size);
    module_compiler compiler(hopper());
    random_source rng(testing::first_seed());
    for (const std::int64_t arrival : {0, 5, 10}) {
        for (const std::int64_t code : {0, 1, 2}) {
            if (example == "wave3d" && arrival == 5) { // longer to compile
                continue;
            }
            request.space = full.restricted({{"useStageTiles", {value(true)}},
                                             {"AR", {value(arrival)}},
                                             {"OC", {value(code)}},
                                             {"MB", {value(std::int64_t{1})}}});
            const workload w = make_workload(request, hopper());
            REQUIRE(w.space.count() > 0);
            const configuration one = w.space.sample(rng);
            INFO(w.space.to_string(one));
            const program p = w.generate(one);
            std::string text = p.modules.front().text;
            std::erase(text, ' '); // however deep it stands
            CHECK((text.find("p_t_minus_1[") != std::string::npos) == (example == "wave3d"));
            CHECK((text.find("gst_await_at<") != std::string::npos) == (arrival > 0 || code > 0));
            CHECK((text.find("if(stage_group==0){\nconstintx0") != std::string::npos) == (code == 2));
            compiler.compile(p);
        }
    }
}

TEST_CASE("local arrays of more than 48 KiB are one block whose size the module tells") {
    nest::kernel k;
    k.name = "k";
    k.formals = {{nest::formal::kind::output, "u", scalar::f32}};
    k.locals = {{scalar::f32, "a", 10000}, {scalar::f64, "b", 1001}};
    const nest::value at = nest::number(7);
    k.body = {{nest::store{"a", at, nest::real_number(1, nest::type::f32), scalar::f32, true}},
              {nest::store{"b", at, nest::real_number(2, nest::type::f64), scalar::f64, true}},
              {nest::barrier{}},
              {nest::store{"u", at, nest::make(nest::load{"a", at, scalar::f32, true}, nest::type::f32), scalar::f32,
                           false}}};
    const std::string small = emit({k}, cuda_dialect(), false);
    CHECK(small.find("__shared__ __align__(16) float a[10000];") != std::string::npos);
    CHECK(small.find("local_bytes") == std::string::npos);
    k.locals[1].elements = 2001;
    const std::string large = emit({k}, cuda_dialect(), false);
    CHECK(large.find("unsigned int k_local_bytes = 56016;") != std::string::npos);
    CHECK(large.find("float* const a = (float*)(gst_local + 0);") != std::string::npos);
    CHECK(large.find("double* const b = (double*)(gst_local + 40000);") != std::string::npos);
    CHECK(emit({k}, opencl_dialect(), false).find("__local double b[2001] __attribute__((aligned(128)));") !=
          std::string::npos);
    if (has_nvrtc()) {
        const binary b = cuda().compile(hopper(), {large, cuda_dialect().compile_options});
        CHECK(b.bytes.find("k_local_bytes") != std::string::npos);
        CHECK(b.metrics.at("local_bytes") == 0);
    }
}
