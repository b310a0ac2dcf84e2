static inline void gst_copy_async(__local void* to, __global const void* from, const int bytes, const int n) {
    const int piece = bytes < 16 ? bytes : 16;
#pragma unroll
    for (int at = 0; at < n * bytes; at += piece) {
        const uint local_at = (uint)(size_t)((__local char*)to + at);
        const ulong global_at = (ulong)((__global const char*)from + at);
        if (piece == 16) {
            __asm__ volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(local_at), "l"(global_at) : "memory");
        } else if (piece == 8) {
            __asm__ volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(local_at), "l"(global_at) : "memory");
        } else {
            __asm__ volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(local_at), "l"(global_at) : "memory");
        }
    }
}
static inline float __attribute__((overloadable)) gst_shuffle_up(float a, uint by) {
    __asm__ volatile("shfl.sync.up.b32 %0, %0, %1, 0, 0xffffffff;" : "+f"(a) : "r"(by));
    return a;
}
static inline float __attribute__((overloadable)) gst_shuffle_down(float a, uint by) {
    __asm__ volatile("shfl.sync.down.b32 %0, %0, %1, 31, 0xffffffff;" : "+f"(a) : "r"(by));
    return a;
}
static inline int __attribute__((overloadable)) gst_shuffle_up(int a, uint by) {
    return as_int(gst_shuffle_up(as_float(a), by));
}
static inline int __attribute__((overloadable)) gst_shuffle_down(int a, uint by) {
    return as_int(gst_shuffle_down(as_float(a), by));
}

// heat[t+2] on 60 × 32 × 16 points: work-group 32 × 2 × 1, block merge 2 × 2 × 1, cyclic merge 1 × 1 × 1, vector width 2, loads from global memory through local memory, streaming 16 planes along z, 1 at a time, prefetched 3 passes ahead, tiles with their halo, shuffled, 2 time steps in 1 stage groups
__kernel void heat_2_steps(
    __global float* restrict u_t_plus_2,
    __global const float* restrict u_t,
    const float alpha_param)
{
    __local float u_t_tiles[896] __attribute__((aligned(128)));
    __local float u_t_halo[1536] __attribute__((aligned(128)));
    const int x0 = -2 + (int)get_local_id(0) * 2;
    const int y_tile = (int)get_group_id(1) * 2 - 1;
    const int y0 = y_tile + (int)get_local_id(1) * 2;
    const int beyond = -2 < 0 || -2 >= -3 || (y_tile < 0 || y_tile >= 29) ? ((int)get_work_dim() - 2) : 0;
    // a tile that reaches beyond the grid
    for (int edge = 0; edge < beyond; ++edge) {
        const int x_piece0 = max(min(x0, 60), -2);
        const int y_load0 = max(min(y0, 32), -1);
        const int y_load1 = max(min(y0 + 1, 32), -1);
        float u_t_queue0_0_0 = 0.0f;
        float u_t_queue0_0_1 = 0.0f;
        float u_t_queue0_0_2 = 0.0f;
        float u_t_queue0_0_3 = 0.0f;
        float u_t_queue0_1_0 = 0.0f;
        float u_t_queue0_1_1 = 0.0f;
        float u_t_queue0_1_2 = 0.0f;
        float u_t_queue0_1_3 = 0.0f;
        float u_t_queue1_0_0 = 0.0f;
        float u_t_queue1_0_1 = 0.0f;
        float u_t_queue1_0_2 = 0.0f;
        float u_t_queue1_0_3 = 0.0f;
        float u_t_queue1_1_0 = 0.0f;
        float u_t_queue1_1_1 = 0.0f;
        float u_t_queue1_1_2 = 0.0f;
        float u_t_queue1_1_3 = 0.0f;
        const int item = (int)get_local_id(1) * 32 + (int)get_local_id(0);
        const int halo0_row = item / 32;
        const int halo0_column = item % 32 * 2;
        const int halo0_to = halo0_row * 64 + halo0_column;
        const int halo0_from = 4432 + max(min(y_tile + halo0_row - 1, 32), -1) * 64 + max(min(-2 + halo0_column, 60), -2);
        const int halo1_from = 4432 + max(min(y_tile + halo0_row + 1, 32), -1) * 64 + max(min(-2 + halo0_column, 60), -2);
        const int halo2_from = 4432 + max(min(y_tile + halo0_row + 3, 32), -1) * 64 + max(min(-2 + halo0_column, 60), -2);
        gst_copy_async(u_t_halo + halo0_to, &u_t[halo0_from - 2176], sizeof(float2), 1);
        gst_copy_async(u_t_halo + halo0_to + 128, &u_t[halo1_from - 2176], sizeof(float2), 1);
        gst_copy_async(u_t_halo + halo0_to + 256, &u_t[halo2_from - 2176], sizeof(float2), 1);
        __asm__ volatile("cp.async.commit_group;" ::: "memory");
        gst_copy_async(u_t_halo + 384 + halo0_to, &u_t[halo0_from], sizeof(float2), 1);
        gst_copy_async(u_t_halo + 384 + halo0_to + 128, &u_t[halo1_from], sizeof(float2), 1);
        gst_copy_async(u_t_halo + 384 + halo0_to + 256, &u_t[halo2_from], sizeof(float2), 1);
        __asm__ volatile("cp.async.commit_group;" ::: "memory");
        int turn = 0;
        for (int phase = 0; phase < 2; ++phase) {
            for (int pass = phase < 1 ? 0 : 17; pass < (phase < 1 ? 3 : 19); ++pass) {
                const int newest = -1 + pass;
                const int s1r0_u_t_tile = 128 + turn * 384 + (int)get_local_id(1) * 128 + (int)get_local_id(0) * 2;
                *(__local float2*)(u_t_tiles + s1r0_u_t_tile) = (float2)(u_t_queue1_1_0, u_t_queue1_1_1);
                *(__local float2*)(u_t_tiles + s1r0_u_t_tile + 64) = (float2)(u_t_queue1_1_2, u_t_queue1_1_3);
                float u_t_in0_0 = 0.0f;
                float u_t_in0_1 = 0.0f;
                float u_t_in0_2 = 0.0f;
                float u_t_in0_3 = 0.0f;
                __asm__ volatile("cp.async.wait_group 1;" ::: "memory");
                barrier(CLK_LOCAL_MEM_FENCE);
                const int c0_u_t_slot = (pass + 2) % 4 * 384;
                const int c0_u_t_plane = max(min(newest + 2, 16), -1) * 2176;
                gst_copy_async(u_t_halo + c0_u_t_slot + halo0_to, &u_t[halo0_from + c0_u_t_plane], sizeof(float2), 1);
                gst_copy_async(u_t_halo + c0_u_t_slot + halo0_to + 128, &u_t[halo1_from + c0_u_t_plane], sizeof(float2), 1);
                gst_copy_async(u_t_halo + c0_u_t_slot + halo0_to + 256, &u_t[halo2_from + c0_u_t_plane], sizeof(float2), 1);
                __asm__ volatile("cp.async.commit_group;" ::: "memory");
                const int u_t_own0 = pass % 4 * 384 + (64 + (int)get_local_id(1) * 128 + (int)get_local_id(0) * 2);
                const float2 u_t_own0_0 = *(__local const float2*)(u_t_halo + u_t_own0);
                const float2 u_t_own0_2 = *(__local const float2*)(u_t_halo + u_t_own0 + 64);
                u_t_in0_0 = u_t_own0_0.s0;
                u_t_in0_1 = u_t_own0_0.s1;
                u_t_in0_2 = u_t_own0_2.s0;
                u_t_in0_3 = u_t_own0_2.s1;
                const int s0r0_come = newest;
                const int s0r0_result = newest - 1;
                // time step 1, plane 1
                const float s0r0_u_t_m1_p0_p0 = gst_shuffle_up(u_t_queue0_1_1, 1);
                const int s0r0_u_t_tile_back1 = (pass + 3) % 4 * 384 + (64 + (int)get_local_id(1) * 128 + (int)get_local_id(0) * 2);
                const float2 s0r0_u_t_p0_m1_p0 = *(__local const float2*)(u_t_halo + s0r0_u_t_tile_back1 - 64);
                const float s0r0_u_result_0 = u_t_queue0_1_0 + alpha_param * (s0r0_u_t_m1_p0_p0 + u_t_queue0_1_1 + s0r0_u_t_p0_m1_p0.s0 + u_t_queue0_1_2 + u_t_queue0_0_0 + u_t_in0_0 - 6.0f * u_t_queue0_1_0);
                const float s0r0_u_t_p2_p0_p0 = gst_shuffle_down(u_t_queue0_1_0, 1);
                const float s0r0_u_result_1 = u_t_queue0_1_1 + alpha_param * (u_t_queue0_1_0 + s0r0_u_t_p2_p0_p0 + s0r0_u_t_p0_m1_p0.s1 + u_t_queue0_1_3 + u_t_queue0_0_1 + u_t_in0_1 - 6.0f * u_t_queue0_1_1);
                const float s0r0_u_t_m1_p1_p0 = gst_shuffle_up(u_t_queue0_1_3, 1);
                const float2 s0r0_u_t_p0_p2_p0 = *(__local const float2*)(u_t_halo + s0r0_u_t_tile_back1 + 128);
                const float s0r0_u_result_2 = u_t_queue0_1_2 + alpha_param * (s0r0_u_t_m1_p1_p0 + u_t_queue0_1_3 + u_t_queue0_1_0 + s0r0_u_t_p0_p2_p0.s0 + u_t_queue0_0_2 + u_t_in0_2 - 6.0f * u_t_queue0_1_2);
                const float s0r0_u_t_p2_p1_p0 = gst_shuffle_down(u_t_queue0_1_2, 1);
                const float s0r0_u_result_3 = u_t_queue0_1_3 + alpha_param * (u_t_queue0_1_2 + s0r0_u_t_p2_p1_p0 + u_t_queue0_1_1 + s0r0_u_t_p0_p2_p0.s1 + u_t_queue0_0_3 + u_t_in0_3 - 6.0f * u_t_queue0_1_3);
                const float s0r0_u_next_0 = s0r0_u_result_0;
                const float s0r0_u_next_1 = s0r0_u_result_1;
                const float s0r0_u_next_2 = s0r0_u_result_2;
                const float s0r0_u_next_3 = s0r0_u_result_3;
                const float s0r0_u_t_kept_0 = s0r0_result < 0 || s0r0_result >= 16 || x0 >= 60 || y0 < 0 ? u_t_queue0_1_0 : s0r0_u_next_0;
                const float s0r0_u_t_kept_1 = s0r0_result < 0 || s0r0_result >= 16 || x0 + 1 < 0 || y0 < 0 ? u_t_queue0_1_1 : s0r0_u_next_1;
                const float s0r0_u_t_kept_2 = s0r0_result < 0 || s0r0_result >= 16 || x0 >= 60 || y0 + 1 >= 32 ? u_t_queue0_1_2 : s0r0_u_next_2;
                const float s0r0_u_t_kept_3 = s0r0_result < 0 || s0r0_result >= 16 || x0 + 1 < 0 || y0 + 1 >= 32 ? u_t_queue0_1_3 : s0r0_u_next_3;
                const int s1r0_come = newest - 1;
                const int s1r0_result = newest - 1 - 1;
                // time step 2, plane 1
                const float s1r0_u_t_m1_p0_p0 = gst_shuffle_up(u_t_queue1_1_1, 1);
                const float2 s1r0_u_t_p0_m1_p0 = *(__local const float2*)(u_t_tiles + s1r0_u_t_tile - 64);
                const float s1r0_u_result_0 = u_t_queue1_1_0 + alpha_param * (s1r0_u_t_m1_p0_p0 + u_t_queue1_1_1 + s1r0_u_t_p0_m1_p0.s0 + u_t_queue1_1_2 + u_t_queue1_0_0 + s0r0_u_t_kept_0 - 6.0f * u_t_queue1_1_0);
                const float s1r0_u_t_p2_p0_p0 = gst_shuffle_down(u_t_queue1_1_0, 1);
                const float s1r0_u_result_1 = u_t_queue1_1_1 + alpha_param * (u_t_queue1_1_0 + s1r0_u_t_p2_p0_p0 + s1r0_u_t_p0_m1_p0.s1 + u_t_queue1_1_3 + u_t_queue1_0_1 + s0r0_u_t_kept_1 - 6.0f * u_t_queue1_1_1);
                const float s1r0_u_t_m1_p1_p0 = gst_shuffle_up(u_t_queue1_1_3, 1);
                const float2 s1r0_u_t_p0_p2_p0 = *(__local const float2*)(u_t_tiles + s1r0_u_t_tile + 128);
                const float s1r0_u_result_2 = u_t_queue1_1_2 + alpha_param * (s1r0_u_t_m1_p1_p0 + u_t_queue1_1_3 + u_t_queue1_1_0 + s1r0_u_t_p0_p2_p0.s0 + u_t_queue1_0_2 + s0r0_u_t_kept_2 - 6.0f * u_t_queue1_1_2);
                const float s1r0_u_t_p2_p1_p0 = gst_shuffle_down(u_t_queue1_1_2, 1);
                const float s1r0_u_result_3 = u_t_queue1_1_3 + alpha_param * (u_t_queue1_1_2 + s1r0_u_t_p2_p1_p0 + u_t_queue1_1_1 + s1r0_u_t_p0_p2_p0.s1 + u_t_queue1_0_3 + s0r0_u_t_kept_3 - 6.0f * u_t_queue1_1_3);
                const float s1r0_u_next_0 = s1r0_u_result_0;
                const float s1r0_u_next_1 = s1r0_u_result_1;
                const float s1r0_u_next_2 = s1r0_u_result_2;
                const float s1r0_u_next_3 = s1r0_u_result_3;
                const int w0_plane = newest - 2;
                const int w0_u_to0 = 4432 + w0_plane * 2176 + y0 * 64 + x0;
                if (0 <= w0_plane && w0_plane < 16 && ((int)get_local_id(1) * 2 >= 1 && (int)get_local_id(1) * 2 < 3 && ((int)get_local_id(0) * 2 >= 2 && (int)get_local_id(0) * 2 < 62))) {
                    *(__global float2*)&u_t_plus_2[w0_u_to0] = (float2)(s1r0_u_next_0, s1r0_u_next_1);
                }
                const int w0_u_to1 = 4432 + w0_plane * 2176 + (y0 + 1) * 64 + x0;
                if (0 <= w0_plane && w0_plane < 16 && ((int)get_local_id(1) * 2 + 1 >= 1 && (int)get_local_id(1) * 2 + 1 < 3 && ((int)get_local_id(0) * 2 >= 2 && (int)get_local_id(0) * 2 < 62))) {
                    *(__global float2*)&u_t_plus_2[w0_u_to1] = (float2)(s1r0_u_next_2, s1r0_u_next_3);
                }
                u_t_queue1_0_0 = u_t_queue1_1_0;
                u_t_queue1_0_1 = u_t_queue1_1_1;
                u_t_queue1_0_2 = u_t_queue1_1_2;
                u_t_queue1_0_3 = u_t_queue1_1_3;
                u_t_queue1_1_0 = s0r0_u_t_kept_0;
                u_t_queue1_1_1 = s0r0_u_t_kept_1;
                u_t_queue1_1_2 = s0r0_u_t_kept_2;
                u_t_queue1_1_3 = s0r0_u_t_kept_3;
                u_t_queue0_0_0 = u_t_queue0_1_0;
                u_t_queue0_0_1 = u_t_queue0_1_1;
                u_t_queue0_0_2 = u_t_queue0_1_2;
                u_t_queue0_0_3 = u_t_queue0_1_3;
                u_t_queue0_1_0 = u_t_in0_0;
                u_t_queue0_1_1 = u_t_in0_1;
                u_t_queue0_1_2 = u_t_in0_2;
                u_t_queue0_1_3 = u_t_in0_3;
                turn = 1 - turn;
            }
            for (int pass = 3; pass < (phase < 1 ? 17 : 3); ++pass) {
                const int newest = -1 + pass;
                const int s1r0_u_t_tile = 128 + turn * 384 + (int)get_local_id(1) * 128 + (int)get_local_id(0) * 2;
                *(__local float2*)(u_t_tiles + s1r0_u_t_tile) = (float2)(u_t_queue1_1_0, u_t_queue1_1_1);
                *(__local float2*)(u_t_tiles + s1r0_u_t_tile + 64) = (float2)(u_t_queue1_1_2, u_t_queue1_1_3);
                float u_t_in0_0 = 0.0f;
                float u_t_in0_1 = 0.0f;
                float u_t_in0_2 = 0.0f;
                float u_t_in0_3 = 0.0f;
                __asm__ volatile("cp.async.wait_group 1;" ::: "memory");
                barrier(CLK_LOCAL_MEM_FENCE);
                const int c0_u_t_slot = (pass + 2) % 4 * 384;
                const int c0_u_t_plane = max(min(newest + 2, 16), -1) * 2176;
                gst_copy_async(u_t_halo + c0_u_t_slot + halo0_to, &u_t[halo0_from + c0_u_t_plane], sizeof(float2), 1);
                gst_copy_async(u_t_halo + c0_u_t_slot + halo0_to + 128, &u_t[halo1_from + c0_u_t_plane], sizeof(float2), 1);
                gst_copy_async(u_t_halo + c0_u_t_slot + halo0_to + 256, &u_t[halo2_from + c0_u_t_plane], sizeof(float2), 1);
                __asm__ volatile("cp.async.commit_group;" ::: "memory");
                const int u_t_own0 = pass % 4 * 384 + (64 + (int)get_local_id(1) * 128 + (int)get_local_id(0) * 2);
                const float2 u_t_own0_0 = *(__local const float2*)(u_t_halo + u_t_own0);
                const float2 u_t_own0_2 = *(__local const float2*)(u_t_halo + u_t_own0 + 64);
                u_t_in0_0 = u_t_own0_0.s0;
                u_t_in0_1 = u_t_own0_0.s1;
                u_t_in0_2 = u_t_own0_2.s0;
                u_t_in0_3 = u_t_own0_2.s1;
                // time step 1, plane 1
                const float s0r0_u_t_m1_p0_p0 = gst_shuffle_up(u_t_queue0_1_1, 1);
                const int s0r0_u_t_tile_back1 = (pass + 3) % 4 * 384 + (64 + (int)get_local_id(1) * 128 + (int)get_local_id(0) * 2);
                const float2 s0r0_u_t_p0_m1_p0 = *(__local const float2*)(u_t_halo + s0r0_u_t_tile_back1 - 64);
                const float s0r0_u_result_0 = u_t_queue0_1_0 + alpha_param * (s0r0_u_t_m1_p0_p0 + u_t_queue0_1_1 + s0r0_u_t_p0_m1_p0.s0 + u_t_queue0_1_2 + u_t_queue0_0_0 + u_t_in0_0 - 6.0f * u_t_queue0_1_0);
                const float s0r0_u_t_p2_p0_p0 = gst_shuffle_down(u_t_queue0_1_0, 1);
                const float s0r0_u_result_1 = u_t_queue0_1_1 + alpha_param * (u_t_queue0_1_0 + s0r0_u_t_p2_p0_p0 + s0r0_u_t_p0_m1_p0.s1 + u_t_queue0_1_3 + u_t_queue0_0_1 + u_t_in0_1 - 6.0f * u_t_queue0_1_1);
                const float s0r0_u_t_m1_p1_p0 = gst_shuffle_up(u_t_queue0_1_3, 1);
                const float2 s0r0_u_t_p0_p2_p0 = *(__local const float2*)(u_t_halo + s0r0_u_t_tile_back1 + 128);
                const float s0r0_u_result_2 = u_t_queue0_1_2 + alpha_param * (s0r0_u_t_m1_p1_p0 + u_t_queue0_1_3 + u_t_queue0_1_0 + s0r0_u_t_p0_p2_p0.s0 + u_t_queue0_0_2 + u_t_in0_2 - 6.0f * u_t_queue0_1_2);
                const float s0r0_u_t_p2_p1_p0 = gst_shuffle_down(u_t_queue0_1_2, 1);
                const float s0r0_u_result_3 = u_t_queue0_1_3 + alpha_param * (u_t_queue0_1_2 + s0r0_u_t_p2_p1_p0 + u_t_queue0_1_1 + s0r0_u_t_p0_p2_p0.s1 + u_t_queue0_0_3 + u_t_in0_3 - 6.0f * u_t_queue0_1_3);
                const float s0r0_u_next_0 = s0r0_u_result_0;
                const float s0r0_u_next_1 = s0r0_u_result_1;
                const float s0r0_u_next_2 = s0r0_u_result_2;
                const float s0r0_u_next_3 = s0r0_u_result_3;
                const float s0r0_u_t_kept_0 = x0 >= 60 || y0 < 0 ? u_t_queue0_1_0 : s0r0_u_next_0;
                const float s0r0_u_t_kept_1 = x0 + 1 < 0 || y0 < 0 ? u_t_queue0_1_1 : s0r0_u_next_1;
                const float s0r0_u_t_kept_2 = x0 >= 60 || y0 + 1 >= 32 ? u_t_queue0_1_2 : s0r0_u_next_2;
                const float s0r0_u_t_kept_3 = x0 + 1 < 0 || y0 + 1 >= 32 ? u_t_queue0_1_3 : s0r0_u_next_3;
                // time step 2, plane 1
                const float s1r0_u_t_m1_p0_p0 = gst_shuffle_up(u_t_queue1_1_1, 1);
                const float2 s1r0_u_t_p0_m1_p0 = *(__local const float2*)(u_t_tiles + s1r0_u_t_tile - 64);
                const float s1r0_u_result_0 = u_t_queue1_1_0 + alpha_param * (s1r0_u_t_m1_p0_p0 + u_t_queue1_1_1 + s1r0_u_t_p0_m1_p0.s0 + u_t_queue1_1_2 + u_t_queue1_0_0 + s0r0_u_t_kept_0 - 6.0f * u_t_queue1_1_0);
                const float s1r0_u_t_p2_p0_p0 = gst_shuffle_down(u_t_queue1_1_0, 1);
                const float s1r0_u_result_1 = u_t_queue1_1_1 + alpha_param * (u_t_queue1_1_0 + s1r0_u_t_p2_p0_p0 + s1r0_u_t_p0_m1_p0.s1 + u_t_queue1_1_3 + u_t_queue1_0_1 + s0r0_u_t_kept_1 - 6.0f * u_t_queue1_1_1);
                const float s1r0_u_t_m1_p1_p0 = gst_shuffle_up(u_t_queue1_1_3, 1);
                const float2 s1r0_u_t_p0_p2_p0 = *(__local const float2*)(u_t_tiles + s1r0_u_t_tile + 128);
                const float s1r0_u_result_2 = u_t_queue1_1_2 + alpha_param * (s1r0_u_t_m1_p1_p0 + u_t_queue1_1_3 + u_t_queue1_1_0 + s1r0_u_t_p0_p2_p0.s0 + u_t_queue1_0_2 + s0r0_u_t_kept_2 - 6.0f * u_t_queue1_1_2);
                const float s1r0_u_t_p2_p1_p0 = gst_shuffle_down(u_t_queue1_1_2, 1);
                const float s1r0_u_result_3 = u_t_queue1_1_3 + alpha_param * (u_t_queue1_1_2 + s1r0_u_t_p2_p1_p0 + u_t_queue1_1_1 + s1r0_u_t_p0_p2_p0.s1 + u_t_queue1_0_3 + s0r0_u_t_kept_3 - 6.0f * u_t_queue1_1_3);
                const float s1r0_u_next_0 = s1r0_u_result_0;
                const float s1r0_u_next_1 = s1r0_u_result_1;
                const float s1r0_u_next_2 = s1r0_u_result_2;
                const float s1r0_u_next_3 = s1r0_u_result_3;
                const int w0_plane = newest - 2;
                const int w0_u_to0 = 4432 + w0_plane * 2176 + y0 * 64 + x0;
                if (0 <= w0_plane && w0_plane < 16 && ((int)get_local_id(1) * 2 >= 1 && (int)get_local_id(1) * 2 < 3 && ((int)get_local_id(0) * 2 >= 2 && (int)get_local_id(0) * 2 < 62))) {
                    *(__global float2*)&u_t_plus_2[w0_u_to0] = (float2)(s1r0_u_next_0, s1r0_u_next_1);
                }
                const int w0_u_to1 = 4432 + w0_plane * 2176 + (y0 + 1) * 64 + x0;
                if (0 <= w0_plane && w0_plane < 16 && ((int)get_local_id(1) * 2 + 1 >= 1 && (int)get_local_id(1) * 2 + 1 < 3 && ((int)get_local_id(0) * 2 >= 2 && (int)get_local_id(0) * 2 < 62))) {
                    *(__global float2*)&u_t_plus_2[w0_u_to1] = (float2)(s1r0_u_next_2, s1r0_u_next_3);
                }
                u_t_queue1_0_0 = u_t_queue1_1_0;
                u_t_queue1_0_1 = u_t_queue1_1_1;
                u_t_queue1_0_2 = u_t_queue1_1_2;
                u_t_queue1_0_3 = u_t_queue1_1_3;
                u_t_queue1_1_0 = s0r0_u_t_kept_0;
                u_t_queue1_1_1 = s0r0_u_t_kept_1;
                u_t_queue1_1_2 = s0r0_u_t_kept_2;
                u_t_queue1_1_3 = s0r0_u_t_kept_3;
                u_t_queue0_0_0 = u_t_queue0_1_0;
                u_t_queue0_0_1 = u_t_queue0_1_1;
                u_t_queue0_0_2 = u_t_queue0_1_2;
                u_t_queue0_0_3 = u_t_queue0_1_3;
                u_t_queue0_1_0 = u_t_in0_0;
                u_t_queue0_1_1 = u_t_in0_1;
                u_t_queue0_1_2 = u_t_in0_2;
                u_t_queue0_1_3 = u_t_in0_3;
                turn = 1 - turn;
            }
        }
    }
    // a tile inside of the grid
    for (int inner = beyond; inner < ((int)get_work_dim() - 2); ++inner) {
        float u_t_queue0_0_0 = 0.0f;
        float u_t_queue0_0_1 = 0.0f;
        float u_t_queue0_0_2 = 0.0f;
        float u_t_queue0_0_3 = 0.0f;
        float u_t_queue0_1_0 = 0.0f;
        float u_t_queue0_1_1 = 0.0f;
        float u_t_queue0_1_2 = 0.0f;
        float u_t_queue0_1_3 = 0.0f;
        float u_t_queue1_0_0 = 0.0f;
        float u_t_queue1_0_1 = 0.0f;
        float u_t_queue1_0_2 = 0.0f;
        float u_t_queue1_0_3 = 0.0f;
        float u_t_queue1_1_0 = 0.0f;
        float u_t_queue1_1_1 = 0.0f;
        float u_t_queue1_1_2 = 0.0f;
        float u_t_queue1_1_3 = 0.0f;
        const int item = (int)get_local_id(1) * 32 + (int)get_local_id(0);
        const int halo0_row = item / 32;
        const int halo0_column = item % 32 * 2;
        const int halo0_to = halo0_row * 64 + halo0_column;
        const int halo0_from = 4432 + (y_tile + halo0_row - 1) * 64 + (-2 + halo0_column);
        gst_copy_async(u_t_halo + halo0_to, &u_t[halo0_from - 2176], sizeof(float2), 1);
        gst_copy_async(u_t_halo + halo0_to + 128, &u_t[halo0_from - 2176 + 128], sizeof(float2), 1);
        gst_copy_async(u_t_halo + halo0_to + 256, &u_t[halo0_from - 2176 + 256], sizeof(float2), 1);
        __asm__ volatile("cp.async.commit_group;" ::: "memory");
        gst_copy_async(u_t_halo + 384 + halo0_to, &u_t[halo0_from], sizeof(float2), 1);
        gst_copy_async(u_t_halo + 384 + halo0_to + 128, &u_t[halo0_from + 128], sizeof(float2), 1);
        gst_copy_async(u_t_halo + 384 + halo0_to + 256, &u_t[halo0_from + 256], sizeof(float2), 1);
        __asm__ volatile("cp.async.commit_group;" ::: "memory");
        int turn = 0;
        for (int phase = 0; phase < 2; ++phase) {
            for (int pass = phase < 1 ? 0 : 17; pass < (phase < 1 ? 3 : 19); ++pass) {
                const int newest = -1 + pass;
                const int s1r0_u_t_tile = 128 + turn * 384 + (int)get_local_id(1) * 128 + (int)get_local_id(0) * 2;
                *(__local float2*)(u_t_tiles + s1r0_u_t_tile) = (float2)(u_t_queue1_1_0, u_t_queue1_1_1);
                *(__local float2*)(u_t_tiles + s1r0_u_t_tile + 64) = (float2)(u_t_queue1_1_2, u_t_queue1_1_3);
                float u_t_in0_0 = 0.0f;
                float u_t_in0_1 = 0.0f;
                float u_t_in0_2 = 0.0f;
                float u_t_in0_3 = 0.0f;
                __asm__ volatile("cp.async.wait_group 1;" ::: "memory");
                barrier(CLK_LOCAL_MEM_FENCE);
                const int c0_u_t_slot = (pass + 2) % 4 * 384;
                const int c0_u_t_plane = max(min(newest + 2, 16), -1) * 2176;
                gst_copy_async(u_t_halo + c0_u_t_slot + halo0_to, &u_t[halo0_from + c0_u_t_plane], sizeof(float2), 1);
                gst_copy_async(u_t_halo + c0_u_t_slot + halo0_to + 128, &u_t[halo0_from + c0_u_t_plane + 128], sizeof(float2), 1);
                gst_copy_async(u_t_halo + c0_u_t_slot + halo0_to + 256, &u_t[halo0_from + c0_u_t_plane + 256], sizeof(float2), 1);
                __asm__ volatile("cp.async.commit_group;" ::: "memory");
                const int u_t_own0 = pass % 4 * 384 + (64 + (int)get_local_id(1) * 128 + (int)get_local_id(0) * 2);
                const float2 u_t_own0_0 = *(__local const float2*)(u_t_halo + u_t_own0);
                const float2 u_t_own0_2 = *(__local const float2*)(u_t_halo + u_t_own0 + 64);
                u_t_in0_0 = u_t_own0_0.s0;
                u_t_in0_1 = u_t_own0_0.s1;
                u_t_in0_2 = u_t_own0_2.s0;
                u_t_in0_3 = u_t_own0_2.s1;
                const int s0r0_come = newest;
                const int s0r0_result = newest - 1;
                // time step 1, plane 1
                const float s0r0_u_t_m1_p0_p0 = gst_shuffle_up(u_t_queue0_1_1, 1);
                const int s0r0_u_t_tile_back1 = (pass + 3) % 4 * 384 + (64 + (int)get_local_id(1) * 128 + (int)get_local_id(0) * 2);
                const float2 s0r0_u_t_p0_m1_p0 = *(__local const float2*)(u_t_halo + s0r0_u_t_tile_back1 - 64);
                const float s0r0_u_result_0 = u_t_queue0_1_0 + alpha_param * (s0r0_u_t_m1_p0_p0 + u_t_queue0_1_1 + s0r0_u_t_p0_m1_p0.s0 + u_t_queue0_1_2 + u_t_queue0_0_0 + u_t_in0_0 - 6.0f * u_t_queue0_1_0);
                const float s0r0_u_t_p2_p0_p0 = gst_shuffle_down(u_t_queue0_1_0, 1);
                const float s0r0_u_result_1 = u_t_queue0_1_1 + alpha_param * (u_t_queue0_1_0 + s0r0_u_t_p2_p0_p0 + s0r0_u_t_p0_m1_p0.s1 + u_t_queue0_1_3 + u_t_queue0_0_1 + u_t_in0_1 - 6.0f * u_t_queue0_1_1);
                const float s0r0_u_t_m1_p1_p0 = gst_shuffle_up(u_t_queue0_1_3, 1);
                const float2 s0r0_u_t_p0_p2_p0 = *(__local const float2*)(u_t_halo + s0r0_u_t_tile_back1 + 128);
                const float s0r0_u_result_2 = u_t_queue0_1_2 + alpha_param * (s0r0_u_t_m1_p1_p0 + u_t_queue0_1_3 + u_t_queue0_1_0 + s0r0_u_t_p0_p2_p0.s0 + u_t_queue0_0_2 + u_t_in0_2 - 6.0f * u_t_queue0_1_2);
                const float s0r0_u_t_p2_p1_p0 = gst_shuffle_down(u_t_queue0_1_2, 1);
                const float s0r0_u_result_3 = u_t_queue0_1_3 + alpha_param * (u_t_queue0_1_2 + s0r0_u_t_p2_p1_p0 + u_t_queue0_1_1 + s0r0_u_t_p0_p2_p0.s1 + u_t_queue0_0_3 + u_t_in0_3 - 6.0f * u_t_queue0_1_3);
                const float s0r0_u_next_0 = s0r0_u_result_0;
                const float s0r0_u_next_1 = s0r0_u_result_1;
                const float s0r0_u_next_2 = s0r0_u_result_2;
                const float s0r0_u_next_3 = s0r0_u_result_3;
                const float s0r0_u_t_kept_0 = s0r0_result < 0 || s0r0_result >= 16 ? u_t_queue0_1_0 : s0r0_u_next_0;
                const float s0r0_u_t_kept_1 = s0r0_result < 0 || s0r0_result >= 16 ? u_t_queue0_1_1 : s0r0_u_next_1;
                const float s0r0_u_t_kept_2 = s0r0_result < 0 || s0r0_result >= 16 ? u_t_queue0_1_2 : s0r0_u_next_2;
                const float s0r0_u_t_kept_3 = s0r0_result < 0 || s0r0_result >= 16 ? u_t_queue0_1_3 : s0r0_u_next_3;
                const int s1r0_come = newest - 1;
                const int s1r0_result = newest - 1 - 1;
                // time step 2, plane 1
                const float s1r0_u_t_m1_p0_p0 = gst_shuffle_up(u_t_queue1_1_1, 1);
                const float2 s1r0_u_t_p0_m1_p0 = *(__local const float2*)(u_t_tiles + s1r0_u_t_tile - 64);
                const float s1r0_u_result_0 = u_t_queue1_1_0 + alpha_param * (s1r0_u_t_m1_p0_p0 + u_t_queue1_1_1 + s1r0_u_t_p0_m1_p0.s0 + u_t_queue1_1_2 + u_t_queue1_0_0 + s0r0_u_t_kept_0 - 6.0f * u_t_queue1_1_0);
                const float s1r0_u_t_p2_p0_p0 = gst_shuffle_down(u_t_queue1_1_0, 1);
                const float s1r0_u_result_1 = u_t_queue1_1_1 + alpha_param * (u_t_queue1_1_0 + s1r0_u_t_p2_p0_p0 + s1r0_u_t_p0_m1_p0.s1 + u_t_queue1_1_3 + u_t_queue1_0_1 + s0r0_u_t_kept_1 - 6.0f * u_t_queue1_1_1);
                const float s1r0_u_t_m1_p1_p0 = gst_shuffle_up(u_t_queue1_1_3, 1);
                const float2 s1r0_u_t_p0_p2_p0 = *(__local const float2*)(u_t_tiles + s1r0_u_t_tile + 128);
                const float s1r0_u_result_2 = u_t_queue1_1_2 + alpha_param * (s1r0_u_t_m1_p1_p0 + u_t_queue1_1_3 + u_t_queue1_1_0 + s1r0_u_t_p0_p2_p0.s0 + u_t_queue1_0_2 + s0r0_u_t_kept_2 - 6.0f * u_t_queue1_1_2);
                const float s1r0_u_t_p2_p1_p0 = gst_shuffle_down(u_t_queue1_1_2, 1);
                const float s1r0_u_result_3 = u_t_queue1_1_3 + alpha_param * (u_t_queue1_1_2 + s1r0_u_t_p2_p1_p0 + u_t_queue1_1_1 + s1r0_u_t_p0_p2_p0.s1 + u_t_queue1_0_3 + s0r0_u_t_kept_3 - 6.0f * u_t_queue1_1_3);
                const float s1r0_u_next_0 = s1r0_u_result_0;
                const float s1r0_u_next_1 = s1r0_u_result_1;
                const float s1r0_u_next_2 = s1r0_u_result_2;
                const float s1r0_u_next_3 = s1r0_u_result_3;
                const int w0_plane = newest - 2;
                const int w0_u_to0 = 4432 + w0_plane * 2176 + y0 * 64 + x0;
                if (0 <= w0_plane && w0_plane < 16 && ((int)get_local_id(1) * 2 >= 1 && (int)get_local_id(1) * 2 < 3 && ((int)get_local_id(0) * 2 >= 2 && (int)get_local_id(0) * 2 < 62))) {
                    *(__global float2*)&u_t_plus_2[w0_u_to0] = (float2)(s1r0_u_next_0, s1r0_u_next_1);
                }
                const int w0_u_to1 = 4432 + w0_plane * 2176 + (y0 + 1) * 64 + x0;
                if (0 <= w0_plane && w0_plane < 16 && ((int)get_local_id(1) * 2 + 1 >= 1 && (int)get_local_id(1) * 2 + 1 < 3 && ((int)get_local_id(0) * 2 >= 2 && (int)get_local_id(0) * 2 < 62))) {
                    *(__global float2*)&u_t_plus_2[w0_u_to1] = (float2)(s1r0_u_next_2, s1r0_u_next_3);
                }
                u_t_queue1_0_0 = u_t_queue1_1_0;
                u_t_queue1_0_1 = u_t_queue1_1_1;
                u_t_queue1_0_2 = u_t_queue1_1_2;
                u_t_queue1_0_3 = u_t_queue1_1_3;
                u_t_queue1_1_0 = s0r0_u_t_kept_0;
                u_t_queue1_1_1 = s0r0_u_t_kept_1;
                u_t_queue1_1_2 = s0r0_u_t_kept_2;
                u_t_queue1_1_3 = s0r0_u_t_kept_3;
                u_t_queue0_0_0 = u_t_queue0_1_0;
                u_t_queue0_0_1 = u_t_queue0_1_1;
                u_t_queue0_0_2 = u_t_queue0_1_2;
                u_t_queue0_0_3 = u_t_queue0_1_3;
                u_t_queue0_1_0 = u_t_in0_0;
                u_t_queue0_1_1 = u_t_in0_1;
                u_t_queue0_1_2 = u_t_in0_2;
                u_t_queue0_1_3 = u_t_in0_3;
                turn = 1 - turn;
            }
            for (int pass = 3; pass < (phase < 1 ? 17 : 3); ++pass) {
                const int newest = -1 + pass;
                const int s1r0_u_t_tile = 128 + turn * 384 + (int)get_local_id(1) * 128 + (int)get_local_id(0) * 2;
                *(__local float2*)(u_t_tiles + s1r0_u_t_tile) = (float2)(u_t_queue1_1_0, u_t_queue1_1_1);
                *(__local float2*)(u_t_tiles + s1r0_u_t_tile + 64) = (float2)(u_t_queue1_1_2, u_t_queue1_1_3);
                float u_t_in0_0 = 0.0f;
                float u_t_in0_1 = 0.0f;
                float u_t_in0_2 = 0.0f;
                float u_t_in0_3 = 0.0f;
                __asm__ volatile("cp.async.wait_group 1;" ::: "memory");
                barrier(CLK_LOCAL_MEM_FENCE);
                const int c0_u_t_slot = (pass + 2) % 4 * 384;
                const int c0_u_t_plane = max(min(newest + 2, 16), -1) * 2176;
                gst_copy_async(u_t_halo + c0_u_t_slot + halo0_to, &u_t[halo0_from + c0_u_t_plane], sizeof(float2), 1);
                gst_copy_async(u_t_halo + c0_u_t_slot + halo0_to + 128, &u_t[halo0_from + c0_u_t_plane + 128], sizeof(float2), 1);
                gst_copy_async(u_t_halo + c0_u_t_slot + halo0_to + 256, &u_t[halo0_from + c0_u_t_plane + 256], sizeof(float2), 1);
                __asm__ volatile("cp.async.commit_group;" ::: "memory");
                const int u_t_own0 = pass % 4 * 384 + (64 + (int)get_local_id(1) * 128 + (int)get_local_id(0) * 2);
                const float2 u_t_own0_0 = *(__local const float2*)(u_t_halo + u_t_own0);
                const float2 u_t_own0_2 = *(__local const float2*)(u_t_halo + u_t_own0 + 64);
                u_t_in0_0 = u_t_own0_0.s0;
                u_t_in0_1 = u_t_own0_0.s1;
                u_t_in0_2 = u_t_own0_2.s0;
                u_t_in0_3 = u_t_own0_2.s1;
                // time step 1, plane 1
                const float s0r0_u_t_m1_p0_p0 = gst_shuffle_up(u_t_queue0_1_1, 1);
                const int s0r0_u_t_tile_back1 = (pass + 3) % 4 * 384 + (64 + (int)get_local_id(1) * 128 + (int)get_local_id(0) * 2);
                const float2 s0r0_u_t_p0_m1_p0 = *(__local const float2*)(u_t_halo + s0r0_u_t_tile_back1 - 64);
                const float s0r0_u_result_0 = u_t_queue0_1_0 + alpha_param * (s0r0_u_t_m1_p0_p0 + u_t_queue0_1_1 + s0r0_u_t_p0_m1_p0.s0 + u_t_queue0_1_2 + u_t_queue0_0_0 + u_t_in0_0 - 6.0f * u_t_queue0_1_0);
                const float s0r0_u_t_p2_p0_p0 = gst_shuffle_down(u_t_queue0_1_0, 1);
                const float s0r0_u_result_1 = u_t_queue0_1_1 + alpha_param * (u_t_queue0_1_0 + s0r0_u_t_p2_p0_p0 + s0r0_u_t_p0_m1_p0.s1 + u_t_queue0_1_3 + u_t_queue0_0_1 + u_t_in0_1 - 6.0f * u_t_queue0_1_1);
                const float s0r0_u_t_m1_p1_p0 = gst_shuffle_up(u_t_queue0_1_3, 1);
                const float2 s0r0_u_t_p0_p2_p0 = *(__local const float2*)(u_t_halo + s0r0_u_t_tile_back1 + 128);
                const float s0r0_u_result_2 = u_t_queue0_1_2 + alpha_param * (s0r0_u_t_m1_p1_p0 + u_t_queue0_1_3 + u_t_queue0_1_0 + s0r0_u_t_p0_p2_p0.s0 + u_t_queue0_0_2 + u_t_in0_2 - 6.0f * u_t_queue0_1_2);
                const float s0r0_u_t_p2_p1_p0 = gst_shuffle_down(u_t_queue0_1_2, 1);
                const float s0r0_u_result_3 = u_t_queue0_1_3 + alpha_param * (u_t_queue0_1_2 + s0r0_u_t_p2_p1_p0 + u_t_queue0_1_1 + s0r0_u_t_p0_p2_p0.s1 + u_t_queue0_0_3 + u_t_in0_3 - 6.0f * u_t_queue0_1_3);
                const float s0r0_u_next_0 = s0r0_u_result_0;
                const float s0r0_u_next_1 = s0r0_u_result_1;
                const float s0r0_u_next_2 = s0r0_u_result_2;
                const float s0r0_u_next_3 = s0r0_u_result_3;
                // time step 2, plane 1
                const float s1r0_u_t_m1_p0_p0 = gst_shuffle_up(u_t_queue1_1_1, 1);
                const float2 s1r0_u_t_p0_m1_p0 = *(__local const float2*)(u_t_tiles + s1r0_u_t_tile - 64);
                const float s1r0_u_result_0 = u_t_queue1_1_0 + alpha_param * (s1r0_u_t_m1_p0_p0 + u_t_queue1_1_1 + s1r0_u_t_p0_m1_p0.s0 + u_t_queue1_1_2 + u_t_queue1_0_0 + s0r0_u_next_0 - 6.0f * u_t_queue1_1_0);
                const float s1r0_u_t_p2_p0_p0 = gst_shuffle_down(u_t_queue1_1_0, 1);
                const float s1r0_u_result_1 = u_t_queue1_1_1 + alpha_param * (u_t_queue1_1_0 + s1r0_u_t_p2_p0_p0 + s1r0_u_t_p0_m1_p0.s1 + u_t_queue1_1_3 + u_t_queue1_0_1 + s0r0_u_next_1 - 6.0f * u_t_queue1_1_1);
                const float s1r0_u_t_m1_p1_p0 = gst_shuffle_up(u_t_queue1_1_3, 1);
                const float2 s1r0_u_t_p0_p2_p0 = *(__local const float2*)(u_t_tiles + s1r0_u_t_tile + 128);
                const float s1r0_u_result_2 = u_t_queue1_1_2 + alpha_param * (s1r0_u_t_m1_p1_p0 + u_t_queue1_1_3 + u_t_queue1_1_0 + s1r0_u_t_p0_p2_p0.s0 + u_t_queue1_0_2 + s0r0_u_next_2 - 6.0f * u_t_queue1_1_2);
                const float s1r0_u_t_p2_p1_p0 = gst_shuffle_down(u_t_queue1_1_2, 1);
                const float s1r0_u_result_3 = u_t_queue1_1_3 + alpha_param * (u_t_queue1_1_2 + s1r0_u_t_p2_p1_p0 + u_t_queue1_1_1 + s1r0_u_t_p0_p2_p0.s1 + u_t_queue1_0_3 + s0r0_u_next_3 - 6.0f * u_t_queue1_1_3);
                const float s1r0_u_next_0 = s1r0_u_result_0;
                const float s1r0_u_next_1 = s1r0_u_result_1;
                const float s1r0_u_next_2 = s1r0_u_result_2;
                const float s1r0_u_next_3 = s1r0_u_result_3;
                const int w0_plane = newest - 2;
                const int w0_u_to0 = 4432 + w0_plane * 2176 + y0 * 64 + x0;
                if (0 <= w0_plane && w0_plane < 16 && ((int)get_local_id(1) * 2 >= 1 && (int)get_local_id(1) * 2 < 3 && ((int)get_local_id(0) * 2 >= 2 && (int)get_local_id(0) * 2 < 62))) {
                    *(__global float2*)&u_t_plus_2[w0_u_to0] = (float2)(s1r0_u_next_0, s1r0_u_next_1);
                }
                const int w0_u_to1 = 4432 + w0_plane * 2176 + (y0 + 1) * 64 + x0;
                if (0 <= w0_plane && w0_plane < 16 && ((int)get_local_id(1) * 2 + 1 >= 1 && (int)get_local_id(1) * 2 + 1 < 3 && ((int)get_local_id(0) * 2 >= 2 && (int)get_local_id(0) * 2 < 62))) {
                    *(__global float2*)&u_t_plus_2[w0_u_to1] = (float2)(s1r0_u_next_2, s1r0_u_next_3);
                }
                u_t_queue1_0_0 = u_t_queue1_1_0;
                u_t_queue1_0_1 = u_t_queue1_1_1;
                u_t_queue1_0_2 = u_t_queue1_1_2;
                u_t_queue1_0_3 = u_t_queue1_1_3;
                u_t_queue1_1_0 = s0r0_u_next_0;
                u_t_queue1_1_1 = s0r0_u_next_1;
                u_t_queue1_1_2 = s0r0_u_next_2;
                u_t_queue1_1_3 = s0r0_u_next_3;
                u_t_queue0_0_0 = u_t_queue0_1_0;
                u_t_queue0_0_1 = u_t_queue0_1_1;
                u_t_queue0_0_2 = u_t_queue0_1_2;
                u_t_queue0_0_3 = u_t_queue0_1_3;
                u_t_queue0_1_0 = u_t_in0_0;
                u_t_queue0_1_1 = u_t_in0_1;
                u_t_queue0_1_2 = u_t_in0_2;
                u_t_queue0_1_3 = u_t_in0_3;
                turn = 1 - turn;
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

