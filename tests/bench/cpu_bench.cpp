// The tuned heat3d (7 points, f32, preset full) on an OpenCL CPU against the same loop in C++ with OpenMP and against
// the device's best copy of as many bytes. The three take turns, so that what else the machine does hits them alike.
//
//     build/bin/cpu_bench [seconds of tuning = 120] [points per axis = 512]

#include "core/app/pipeline.hpp"
#include "core/codegen/copy.hpp"
#include "core/measure/repetitions.hpp"
#include "tests/bench/heat3d_openmp.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>
#include <vector>

using namespace gst;

namespace {

constexpr int rounds = 9;

/// ms per step of the loop by hand: the median of a few steps after one that warms up.
double openmp_ms(std::vector<float>& a, std::vector<float>& b, std::int64_t n) {
    std::vector<double> times;
    for (int i = 0; i < 6; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        heat3d_openmp(a.data(), b.data(), n, 0.1f);
        times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
        std::swap(a, b);
    }
    times.erase(times.begin());
    return median(times);
}

} // namespace

int main(int argc, char** argv) {
    const std::string seconds = argc > 1 ? argv[1] : "120";
    const std::int64_t n = argc > 2 ? std::atoll(argv[2]) : 512;
    const auto store = std::filesystem::temp_directory_path() / fmt::format("gst_cpu_bench_{}.db", ::getpid());
    const config c = read_config(std::filesystem::path(GST_SOURCE_DIR) / "examples/heat3d/app.toml",
                                 {fmt::format("grid.size=[{0},{0},{0}]", n), "backend.device=cpu", "space.preset=full",
                                  "budget.seconds=" + seconds, "budget.evaluations=0", "store.path=" + store.string()});
    const stencil s = read_stencil(c);
    const tuning_request r = read_request(c, s);
    const target t = find_target(c);
    const tuning_outcome tuned = tune(c, r, t, "cpu_bench", false, {});
    std::filesystem::remove(store);
    if (!tuned.best) {
        fmt::print("no configuration was found\n");
        return 1;
    }

    device_evaluator device(make_workload(r, t.device), t.backend, t.device, c.measure);
    device.prepare();
    const double bytes = 8.0 * static_cast<double>(n * n * n);
    const std::uint64_t elements = static_cast<std::uint64_t>(n * n * n) / 16384 * 16384;
    const copy_benchmark ways = make_copy_benchmark(elements, t.device.language);
    const auto copies = device.compilers().compile_all({ways.module}).front();
    const std::int64_t halo_points = (n + 2) * (n + 2) * (n + 2);
    std::vector<float> a(static_cast<std::size_t>(halo_points)), b(a.size());
    fill_openmp(a.data(), halo_points, 1);
    fill_openmp(b.data(), halo_points, 1);

    fmt::print("{}, {}³ points, {}\n\n{:>8} {:>12} {:>12} {:>12}\n", t.device.name, n, tuned.report.best->text, "round",
               "tuned ms", "OpenMP ms", "copy ms");
    std::vector<double> of_tuned, of_openmp, of_copy, against_openmp, against_copy;
    for (int round = 0; round < rounds; ++round) {
        of_tuned.push_back(device.remeasure(*tuned.best).time);
        of_openmp.push_back(openmp_ms(a, b, n));
        of_copy.push_back(bytes / device.session().bandwidth(elements * 4, ways, copies).gigabytes_per_second / 1e6);
        against_openmp.push_back(of_openmp.back() / of_tuned.back());
        against_copy.push_back(of_copy.back() / of_tuned.back());
        fmt::print("{:>8} {:>12.2f} {:>12.2f} {:>12.2f}\n", round + 1, of_tuned.back(), of_openmp.back(),
                   of_copy.back());
    }
    fmt::print("{:>8} {:>12.2f} {:>12.2f} {:>12.2f}\n\n", "median", median(of_tuned), median(of_openmp),
               median(of_copy));
    fmt::print("speed of the loop by hand  {:.2f} (median over rounds; target 1.0)\n", median(against_openmp));
    fmt::print("share of the best copy     {:.2f} (median over rounds; target 0.80)\n", median(against_copy));
    return 0;
}
