#ifdef __has_builtin
#if __has_builtin(__builtin_prefetch)
#define GST_PREFETCH(from) __builtin_prefetch((const void*)(size_t)(from), 0, 3)
#endif
#endif
#ifndef GST_PREFETCH
#define GST_PREFETCH(from) prefetch(from, 1)
#endif
#ifdef __has_builtin
#if __has_builtin(__builtin_nontemporal_store)
#define GST_STREAM(to, what) __builtin_nontemporal_store(what, to)
#endif
#endif
#ifndef GST_STREAM
#define GST_STREAM(to, what) *(to) = (what)
#endif

// heat[t+3] on 60 × 32 × 16 points: work-group 1 × 1 × 1, block merge 64 × 16 × 1, cyclic merge 1 × 1 × 1, vector width 8, loads from global memory through local memory, streaming 16 planes along z, 1 at a time, 3 time steps in loops
__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void heat_3_steps(
    __global float* restrict u_t_plus_3,
    __global const float* restrict u_t,
    const float alpha_param)
{
    __local float u_t_rings[8640] __attribute__((aligned(128)));
    const int y_tile = (int)get_group_id(1) * 10 - 3;
    const int y0 = y_tile;
    const int y_own_end = min(y_tile + 13, 32);
    for (int pass = 0; pass < 20; ++pass) {
        // the first time step
        const int plane_first = pass - 2;
        if (plane_first >= 0 && plane_first < 16) {
            const int to_first = (plane_first + 6) % 3 * 1440;
            const int y_from_first = max(y_tile + 1, 0);
            const int y_to_first = min(y_own_end + 2, 32);
            for (int y = y_from_first; y < y_to_first; ++y) {
                const int row = 4432 + y * 64 + plane_first * 2176;
                const int ring_row = (y + 1 - y_tile) * 80 + 8;
                for (int x = 0; x < 56; x += 8) {
                    const int i = row + x;
                    const int k = ring_row + x;
                    GST_PREFETCH(u_t + i + 4352);
                    const float8 u_t_row_0_0_0 = *(__global const float8*)(u_t + i);
                    const float8 u_t_row_0_0_m8 = *(__global const float8*)(u_t + i - 8);
                    const float8 u_t_row_0_0_8 = *(__global const float8*)(u_t + i + 8);
                    const float8 u_t_row_m1_0_0 = *(__global const float8*)(u_t + i - 64);
                    const float8 u_t_row_1_0_0 = *(__global const float8*)(u_t + i + 64);
                    const float8 u_t_row_0_m1_0 = *(__global const float8*)(u_t + i - 2176);
                    const float8 u_t_row_0_1_0 = *(__global const float8*)(u_t + i + 2176);
                    *(__local float8*)(u_t_rings + to_first + k) = u_t_row_0_0_0 + alpha_param * ((float8)(u_t_row_0_0_m8.s7, u_t_row_0_0_0.s0, u_t_row_0_0_0.s1, u_t_row_0_0_0.s2, u_t_row_0_0_0.s3, u_t_row_0_0_0.s4, u_t_row_0_0_0.s5, u_t_row_0_0_0.s6) + (float8)(u_t_row_0_0_0.s1, u_t_row_0_0_0.s2, u_t_row_0_0_0.s3, u_t_row_0_0_0.s4, u_t_row_0_0_0.s5, u_t_row_0_0_0.s6, u_t_row_0_0_0.s7, u_t_row_0_0_8.s0) + u_t_row_m1_0_0 + u_t_row_1_0_0 + u_t_row_0_m1_0 + u_t_row_0_1_0 - 6.0f * u_t_row_0_0_0);
                }
                #pragma clang loop vectorize(disable)
                for (int x = 56; x < 60; ++x) {
                    const int i = row + x;
                    const int k = ring_row + x;
                    const float u_v0 = u_t[i];
                    u_t_rings[to_first + k] = u_v0 + alpha_param * (u_t[i - 1] + u_t[i + 1] + u_t[i - 64] + u_t[i + 64] + u_t[i - 2176] + u_t[i + 2176] - 6.0f * u_v0);
                }
                u_t_rings[to_first + ring_row - 1] = u_t[row - 1];
                u_t_rings[to_first + ring_row + 60] = u_t[row + 60];
            }
            if (y_tile + 1 < 0) {
                #pragma clang loop vectorize(disable)
                for (int x = -1; x < 61; ++x) {
                    u_t_rings[to_first + ((0 - y_tile) * 80 + 8) + x] = u_t[4368 + plane_first * 2176 + x];
                }
            }
            if (y_own_end + 2 >= 33) {
                #pragma clang loop vectorize(disable)
                for (int x = -1; x < 61; ++x) {
                    u_t_rings[to_first + ((33 - y_tile) * 80 + 8) + x] = u_t[6480 + plane_first * 2176 + x];
                }
            }
        } else {
            if (plane_first >= -1 && plane_first < 0) {
                const int y_from = max(y_tile + 1, -1);
                const int y_to = min(y_own_end + 2, 33);
                for (int y = y_from; y < y_to; ++y) {
                    const int from_row = 4432 + y * 64 + plane_first * 2176;
                    const int to_row = (plane_first + 6) % 3 * 1440 + ((y + 1 - y_tile) * 80 + 8);
                    #pragma clang loop vectorize(disable)
                    for (int x = -1; x < 61; ++x) {
                        u_t_rings[to_row + x] = u_t[from_row + x];
                    }
                }
            }
            if (plane_first >= 16 && plane_first < 17) {
                const int y_from = max(y_tile + 1, -1);
                const int y_to = min(y_own_end + 2, 33);
                for (int y = y_from; y < y_to; ++y) {
                    const int from_row = 4432 + y * 64 + plane_first * 2176;
                    const int to_row = (plane_first + 6) % 3 * 1440 + ((y + 1 - y_tile) * 80 + 8);
                    #pragma clang loop vectorize(disable)
                    for (int x = -1; x < 61; ++x) {
                        u_t_rings[to_row + x] = u_t[from_row + x];
                    }
                }
            }
        }
        // those between
        const int steps_end = min(pass / 2 + 1, 2);
        for (int s = 1; s < steps_end; ++s) {
            const int plane = pass - 2 - s;
            if (plane >= 0 && plane < 16) {
                const int u_t_plane_m1 = (s - 1) * 4320 + (plane - 1 + 6) % 3 * 1440;
                const int u_t_plane_0 = (s - 1) * 4320 + (plane + 6) % 3 * 1440;
                const int u_t_plane_1 = (s - 1) * 4320 + (plane + 1 + 6) % 3 * 1440;
                const int to = s * 4320 + (plane + 6) % 3 * 1440;
                const int y_from = max(y_tile + 3 - (2 - s), 0);
                const int y_to = min(y_own_end + (2 - s), 32);
                for (int y = y_from; y < y_to; ++y) {
                    const int row = 4432 + y * 64 + plane * 2176;
                    const int ring_row = (y + 1 - y_tile) * 80 + 8;
                    const int x_from = max(0 - (2 - s + 7) / 8 * 8, 0);
                    const int x_to = min(60 + (2 - s + 7) / 8 * 8, 56);
                    for (int x = x_from; x < x_to; x += 8) {
                        const int i = row + x;
                        const int k = ring_row + x;
                        const float8 u_t_rings_row_0_0_0 = *(__local const float8*)(u_t_rings + u_t_plane_0 + k);
                        const float8 u_t_rings_row_0_0_m8 = *(__local const float8*)(u_t_rings + u_t_plane_0 + k - 8);
                        const float8 u_t_rings_row_0_0_8 = *(__local const float8*)(u_t_rings + u_t_plane_0 + k + 8);
                        const float8 u_t_rings_row_m1_0_0 = *(__local const float8*)(u_t_rings + u_t_plane_0 + k - 80);
                        const float8 u_t_rings_row_1_0_0 = *(__local const float8*)(u_t_rings + u_t_plane_0 + k + 80);
                        const float8 u_t_rings_row_0_m1_0 = *(__local const float8*)(u_t_rings + u_t_plane_m1 + k);
                        const float8 u_t_rings_row_0_1_0 = *(__local const float8*)(u_t_rings + u_t_plane_1 + k);
                        *(__local float8*)(u_t_rings + to + k) = u_t_rings_row_0_0_0 + alpha_param * ((float8)(u_t_rings_row_0_0_m8.s7, u_t_rings_row_0_0_0.s0, u_t_rings_row_0_0_0.s1, u_t_rings_row_0_0_0.s2, u_t_rings_row_0_0_0.s3, u_t_rings_row_0_0_0.s4, u_t_rings_row_0_0_0.s5, u_t_rings_row_0_0_0.s6) + (float8)(u_t_rings_row_0_0_0.s1, u_t_rings_row_0_0_0.s2, u_t_rings_row_0_0_0.s3, u_t_rings_row_0_0_0.s4, u_t_rings_row_0_0_0.s5, u_t_rings_row_0_0_0.s6, u_t_rings_row_0_0_0.s7, u_t_rings_row_0_0_8.s0) + u_t_rings_row_m1_0_0 + u_t_rings_row_1_0_0 + u_t_rings_row_0_m1_0 + u_t_rings_row_0_1_0 - 6.0f * u_t_rings_row_0_0_0);
                    }
                    #pragma clang loop vectorize(disable)
                    for (int x = max(56, 0 - (2 - s)); x < min(60 + (2 - s), 60); ++x) {
                        const int i = row + x;
                        const int k = ring_row + x;
                        const float u_v0 = u_t_rings[u_t_plane_0 + k];
                        u_t_rings[to + k] = u_v0 + alpha_param * (u_t_rings[u_t_plane_0 + k - 1] + u_t_rings[u_t_plane_0 + k + 1] + u_t_rings[u_t_plane_0 + k - 80] + u_t_rings[u_t_plane_0 + k + 80] + u_t_rings[u_t_plane_m1 + k] + u_t_rings[u_t_plane_1 + k] - 6.0f * u_v0);
                    }
                    u_t_rings[to + ring_row - 1] = u_t[row - 1];
                    u_t_rings[to + ring_row + 60] = u_t[row + 60];
                }
                if (y_tile + 3 - (2 - s) < 0) {
                    const int x_from_low_u_t = max(0 - (2 - s), -1);
                    const int x_to_low_u_t = min(60 + (2 - s), 61);
                    #pragma clang loop vectorize(disable)
                    for (int x = x_from_low_u_t; x < x_to_low_u_t; ++x) {
                        u_t_rings[to + ((0 - y_tile) * 80 + 8) + x] = u_t[4368 + plane * 2176 + x];
                    }
                }
                if (y_own_end + (2 - s) >= 33) {
                    const int x_from_high_u_t = max(0 - (2 - s), -1);
                    const int x_to_high_u_t = min(60 + (2 - s), 61);
                    #pragma clang loop vectorize(disable)
                    for (int x = x_from_high_u_t; x < x_to_high_u_t; ++x) {
                        u_t_rings[to + ((33 - y_tile) * 80 + 8) + x] = u_t[6480 + plane * 2176 + x];
                    }
                }
            } else {
                if (plane >= -1 && plane < 0) {
                    const int y_from = max(y_tile + 3 - (2 - s), -1);
                    const int y_to = min(y_own_end + (2 - s), 33);
                    for (int y = y_from; y < y_to; ++y) {
                        const int from_row = 4432 + y * 64 + plane * 2176;
                        const int to_row = s * 4320 + (plane + 6) % 3 * 1440 + ((y + 1 - y_tile) * 80 + 8);
                        const int x_from = max(0 - (2 - s), -1);
                        const int x_to = min(60 + (2 - s), 61);
                        #pragma clang loop vectorize(disable)
                        for (int x = x_from; x < x_to; ++x) {
                            u_t_rings[to_row + x] = u_t[from_row + x];
                        }
                    }
                }
                if (plane >= 16 && plane < 17) {
                    const int y_from = max(y_tile + 3 - (2 - s), -1);
                    const int y_to = min(y_own_end + (2 - s), 33);
                    for (int y = y_from; y < y_to; ++y) {
                        const int from_row = 4432 + y * 64 + plane * 2176;
                        const int to_row = s * 4320 + (plane + 6) % 3 * 1440 + ((y + 1 - y_tile) * 80 + 8);
                        const int x_from = max(0 - (2 - s), -1);
                        const int x_to = min(60 + (2 - s), 61);
                        #pragma clang loop vectorize(disable)
                        for (int x = x_from; x < x_to; ++x) {
                            u_t_rings[to_row + x] = u_t[from_row + x];
                        }
                    }
                }
            }
        }
        // the last one
        if (pass >= 4) {
            const int plane_last = pass - 2 - 2;
            const int u_t_plane_m1_last = 4320 + (plane_last - 1 + 6) % 3 * 1440;
            const int u_t_plane_0_last = 4320 + (plane_last + 6) % 3 * 1440;
            const int u_t_plane_1_last = 4320 + (plane_last + 1 + 6) % 3 * 1440;
            const int y_from_last = y_tile + 3;
            const int y_to_last = y_own_end;
            for (int y = y_from_last; y < y_to_last; ++y) {
                const int row = 4432 + y * 64 + plane_last * 2176;
                const int ring_row = (y + 1 - y_tile) * 80 + 8;
                for (int x = 0; x < 56; x += 8) {
                    const int i = row + x;
                    const int k = ring_row + x;
                    const float8 u_t_rings_row_0_0_0 = *(__local const float8*)(u_t_rings + u_t_plane_0_last + k);
                    const float8 u_t_rings_row_0_0_m8 = *(__local const float8*)(u_t_rings + u_t_plane_0_last + k - 8);
                    const float8 u_t_rings_row_0_0_8 = *(__local const float8*)(u_t_rings + u_t_plane_0_last + k + 8);
                    const float8 u_t_rings_row_m1_0_0 = *(__local const float8*)(u_t_rings + u_t_plane_0_last + k - 80);
                    const float8 u_t_rings_row_1_0_0 = *(__local const float8*)(u_t_rings + u_t_plane_0_last + k + 80);
                    const float8 u_t_rings_row_0_m1_0 = *(__local const float8*)(u_t_rings + u_t_plane_m1_last + k);
                    const float8 u_t_rings_row_0_1_0 = *(__local const float8*)(u_t_rings + u_t_plane_1_last + k);
                    GST_STREAM((__global float8*)(u_t_plus_3 + i), u_t_rings_row_0_0_0 + alpha_param * ((float8)(u_t_rings_row_0_0_m8.s7, u_t_rings_row_0_0_0.s0, u_t_rings_row_0_0_0.s1, u_t_rings_row_0_0_0.s2, u_t_rings_row_0_0_0.s3, u_t_rings_row_0_0_0.s4, u_t_rings_row_0_0_0.s5, u_t_rings_row_0_0_0.s6) + (float8)(u_t_rings_row_0_0_0.s1, u_t_rings_row_0_0_0.s2, u_t_rings_row_0_0_0.s3, u_t_rings_row_0_0_0.s4, u_t_rings_row_0_0_0.s5, u_t_rings_row_0_0_0.s6, u_t_rings_row_0_0_0.s7, u_t_rings_row_0_0_8.s0) + u_t_rings_row_m1_0_0 + u_t_rings_row_1_0_0 + u_t_rings_row_0_m1_0 + u_t_rings_row_0_1_0 - 6.0f * u_t_rings_row_0_0_0));
                }
                #pragma clang loop vectorize(disable)
                for (int x = 56; x < 60; ++x) {
                    const int i = row + x;
                    const int k = ring_row + x;
                    const float u_v0 = u_t_rings[u_t_plane_0_last + k];
                    u_t_plus_3[i] = u_v0 + alpha_param * (u_t_rings[u_t_plane_0_last + k - 1] + u_t_rings[u_t_plane_0_last + k + 1] + u_t_rings[u_t_plane_0_last + k - 80] + u_t_rings[u_t_plane_0_last + k + 80] + u_t_rings[u_t_plane_m1_last + k] + u_t_rings[u_t_plane_1_last + k] - 6.0f * u_v0);
                }
            }
        }
    }
}

// u[t+1] on 60 × 32 × 16 points: work-group 32 × 8 × 1, block merge 1 × 1 × 1, cyclic merge 1 × 1 × 1, vector width 1, loads from global memory
__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void heat_u(
    __global float* restrict u_t_plus_1,
    __global const float* restrict u_t,
    const float alpha_param)
{
    const int x0 = (int)get_group_id(0) * 32 + (int)get_local_id(0);
    const int y0 = (int)get_group_id(1) * 8 + (int)get_local_id(1);
    const int z0 = (int)get_group_id(2);
    if ((int)get_group_id(0) < 1) {
        const int i = 4432 + x0 + y0 * 64 + z0 * 2176;
        const float v0 = u_t[i];
        u_t_plus_1[i] = v0 + alpha_param * (u_t[i - 1] + u_t[i + 1] + u_t[i - 64] + u_t[i + 64] + u_t[i - 2176] + u_t[i + 2176] - 6.0f * v0);
    } else if (x0 < 60) {
        const int i = 4432 + x0 + y0 * 64 + z0 * 2176;
        const float v0 = u_t[i];
        u_t_plus_1[i] = v0 + alpha_param * (u_t[i - 1] + u_t[i + 1] + u_t[i - 64] + u_t[i + 64] + u_t[i - 2176] + u_t[i + 2176] - 6.0f * v0);
    }
}

