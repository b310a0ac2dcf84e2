// Compiled as its user would: -O3 -march=native -fopenmp.

#include "tests/bench/heat3d_openmp.hpp"

void heat3d_openmp(const float* __restrict u, float* __restrict next, std::int64_t n, float alpha) {
    const std::int64_t row = n + 2;
    const std::int64_t plane = row * row;
#pragma omp parallel for collapse(2) schedule(static)
    for (std::int64_t z = 1; z <= n; ++z) {
        for (std::int64_t y = 1; y <= n; ++y) {
            for (std::int64_t x = 1; x <= n; ++x) {
                const std::int64_t i = z * plane + y * row + x;
                next[i] = u[i] + alpha * (u[i - 1] + u[i + 1] + u[i - row] + u[i + row] + u[i - plane] + u[i + plane] -
                                          6.0f * u[i]);
            }
        }
    }
}

void fill_openmp(float* to, std::int64_t n, float value) {
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < n; ++i) {
        to[i] = value;
    }
}
