#include "core/codegen/generate.hpp"
#include "dsl/dsl.hpp"
#include "tests/catch.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace gst;

namespace {

struct golden {
    const char* name; ///< tests/codegen/golden/<name>.cl or .cu
    const char* text;
    extent3 size;
    std::int64_t alignment;
    schedule how;
    const dialect* language = &opencl_dialect();
};

constexpr const char* heat = R"(
stencil heat(x, y, z) {
    param  alpha = 0.1
    field  u
    u[t+1] = u + alpha * (u[x-1] + u[x+1] + u[y-1] + u[y+1] + u[z-1] + u[z+1] - 6*u)
}
)";
constexpr const char* staged = R"(
stencil staged(x, y) {
    field  e : f64 { x-: periodic; x+: clamp; y-: mirror; y+: constant(1.5) }
    field  h : f64 { all: clamp }
    coef   k : f16
    e[t+1] = e + k * (h - h[x-1])
    h[t+1] = max(h, 0) + select(x > 2, e[t+1, y+1], e[t+1] / 3)
}
)";
constexpr const char* waves = R"(
stencil waves(x, y, z) {
    field  u
    coef   c
    u[t+1] = 2*u - u[t-1] + c * (u[x-1] + u[x+1] + u[y-1] + u[y+1] + u[z-1] + u[z+1] - 6*u)
}
)";
constexpr const char* wave = R"(
stencil wave(x) {
    field  u : i32 { all: periodic }
    u[t+1] = 2*u - u[t-1] + (u[x-1] / 2 + u[x+1] % 3)
}
)";
constexpr const char* seam = R"(
stencil seam(x, y, z) {
    field  u { x: periodic; y: periodic }
    u[t+1] = 0.2*u + 0.1*u[x-2] + 0.15*u[x+1] + 0.3*u[y-1] + 0.25*u[z+1]
}
)";

std::vector<golden> all_goldens() {
    schedule tile;
    tile.work_group = {8, 4, 1};
    tile.cyclic = {2, 1, 3};
    tile.local = true;
    schedule vector;
    vector.work_group = {2, 1, 4};
    vector.block = {4, 2, 1};
    vector.vector_width = 4;
    vector.vector_arithmetic = vector.streaming_stores = true;
    schedule image;
    image.work_group = {4, 2, 1};
    image.image = true;
    image.image_width = 8192;
    schedule lanes;
    lanes.work_group = {4, 2, 1};
    lanes.block = {4, 1, 1};
    lanes.vector_width = 2;
    schedule loops;
    loops.block = {64, 16, 1};
    loops.vector_width = 8;
    loops.stream_axis = 2;
    loops.stream_length = 16;
    loops.steps = 3;
    loops.local = loops.loops = loops.vector_arithmetic = loops.streaming_stores = loops.cache_prefetch = true;
    schedule halo;
    halo.work_group = {8, 4, 1};
    halo.block = {4, 2, 1};
    halo.vector_width = 4;
    halo.stream_axis = 2;
    halo.stream_length = 16;
    halo.local = halo.retiming = halo.prefetch = halo.halo = true;
    halo.ahead = 3;
    schedule wholes = halo;
    wholes.tensor_copies = true;
    schedule stages = wholes;
    stages.steps = 2;
    stages.block = {4, 1, 1};
    stages.halo_columns = stages.stage_tiles = true;
    stages.arrival = 8;
    schedule own_code = stages;
    own_code.code = stage_code::tiles;
    schedule left = own_code;
    left.left_arrays = 1;
    schedule terms = left;
    terms.left_terms = true;
    terms.left_arrays = 0;
    schedule again = own_code;
    again.rematerialization = true;
    schedule late = own_code;
    late.late_sums = 2;
    schedule own_loops = stages;
    own_loops.code = stage_code::loops;
    own_loops.arrival = 0;
    own_loops.equal_shares = true;
    own_loops.multiprocessors = 3;
    schedule shuffled = halo;
    shuffled.work_group = {32, 2, 1};
    shuffled.block = {2, 2, 1};
    shuffled.vector_width = 2;
    shuffled.steps = 2;
    shuffled.groups_at_once = 3;
    shuffled.retiming = false;
    shuffled.shuffle = true;
    return {
        {"heat_default", heat, {64, 32, 16}, padded_rows, default_schedule({64, 32, 16})},
        {"heat_local", heat, {60, 32, 16}, padded_rows, tile},
        {"heat_vector", heat, {62, 32, 16}, padded_rows, vector},
        {"heat_halo", heat, {60, 32, 16}, padded_rows, halo},
        {"heat_tensors", heat, {60, 32, 16}, padded_rows, wholes},
        {"heat_tensors", heat, {60, 32, 16}, padded_rows, wholes, &cuda_dialect()},
        {"heat_stages", heat, {60, 32, 16}, padded_rows, stages, &cuda_dialect()},
        {"heat_own_code", heat, {60, 32, 16}, padded_rows, own_code, &cuda_dialect()},
        {"heat_places_again", heat, {60, 32, 16}, padded_rows, again, &cuda_dialect()},
        {"heat_late_sums", heat, {60, 32, 16}, padded_rows, late, &cuda_dialect()},
        {"heat_own_loops", heat, {60, 32, 16}, padded_rows, own_loops, &cuda_dialect()},
        {"waves_stages", waves, {60, 32, 16}, padded_rows, left, &cuda_dialect()},
        {"waves_terms", waves, {60, 32, 16}, padded_rows, terms, &cuda_dialect()},
        {"seam_stages", seam, {64, 32, 16}, padded_rows, own_code, &cuda_dialect()},
        {"heat_shuffles", heat, {60, 32, 16}, padded_rows, shuffled, &nvidia_opencl_dialect()},
        {"heat_loops", heat, {60, 32, 16}, padded_rows, loops},
        {"staged_image", staged, {32, 16, 1}, padded_rows, image},
        {"staged_lanes", staged, {37, 16, 1}, raw_rows, lanes},
        {"wave_default", wave, {100, 1, 1}, padded_rows, default_schedule({100, 1, 1})},
    };
}

} // namespace

// What a change of the generator changes is seen in these files; GST_APPROVE=1 writes them anew.
TEST_CASE("programs are spelled as the golden files have them") {
    const std::string folder = std::string(GST_SOURCE_DIR) + "/tests/codegen/golden/";
    for (const golden& g : all_goldens()) {
        const stencil s = dsl::compile(std::make_shared<source>(source{std::string(g.name) + ".gst", g.text})).front();
        std::string text;
        for (const module_source& m : generate(s, g.size, g.alignment, g.how, *g.language).modules) {
            text += m.text + "\n";
        }
        const std::string file = folder + g.name + g.language->file_suffix;
        if (std::getenv("GST_APPROVE") != nullptr) {
            std::ofstream(file) << text;
        }
        std::ostringstream approved;
        approved << std::ifstream(file).rdbuf();
        INFO(file);
        CHECK(text == approved.str());
    }
}
