// u[t+1] on 60 × 32 × 16 points: work-group 8 × 4 × 1, block merge 4 × 2 × 1, cyclic merge 1 × 1 × 1, vector width 4, loads from global memory through local memory, streaming 16 planes along z, 1 at a time, retimed, prefetched 3 passes ahead, tiles with their halo
__kernel __attribute__((reqd_work_group_size(8, 4, 1)))
void heat_u(
    __global float* restrict u_t_plus_1,
    __global const float* restrict u_t,
    const float alpha_param)
{
    __local float u_t_halo[1200] __attribute__((aligned(128)));
    const int x_tile = (int)get_group_id(0) * 32;
    const int x0 = x_tile + (int)get_local_id(0) * 4;
    const int y_tile = (int)get_group_id(1) * 8;
    const int y0 = y_tile + (int)get_local_id(1) * 2;
    const int beyond = x_tile < 0 || x_tile >= 29 ? ((int)get_work_dim() - 2) : 0;
    // a tile that reaches beyond the grid
    for (int edge = 0; edge < beyond; ++edge) {
        const int x_piece0 = max(min(x0, 60), -4);
        const int y_load0 = max(min(y0, 32), -1);
        const int y_load1 = max(min(y0 + 1, 32), -1);
        float u_sum0_0_0 = 0.0f;
        float u_sum0_0_1 = 0.0f;
        float u_sum0_0_2 = 0.0f;
        float u_sum0_0_3 = 0.0f;
        float u_sum0_0_4 = 0.0f;
        float u_sum0_0_5 = 0.0f;
        float u_sum0_0_6 = 0.0f;
        float u_sum0_0_7 = 0.0f;
        float u_sum0_1_0 = 0.0f;
        float u_sum0_1_1 = 0.0f;
        float u_sum0_1_2 = 0.0f;
        float u_sum0_1_3 = 0.0f;
        float u_sum0_1_4 = 0.0f;
        float u_sum0_1_5 = 0.0f;
        float u_sum0_1_6 = 0.0f;
        float u_sum0_1_7 = 0.0f;
        const int item = (int)get_local_id(1) * 8 + (int)get_local_id(0);
        const int halo0_row = item / 8;
        const int halo0_column = item % 8 * 4 + 4;
        const int halo0_to = halo0_row * 40 + halo0_column;
        const int halo0_from = 4432 + max(min(y_tile + halo0_row - 1, 32), -1) * 64 + max(min(x_tile + halo0_column - 4, 60), -4);
        const int halo1_from = 4432 + max(min(y_tile + halo0_row + 3, 32), -1) * 64 + max(min(x_tile + halo0_column - 4, 60), -4);
        const int halo2_from = 4432 + max(min(y_tile + halo0_row + 7, 32), -1) * 64 + max(min(x_tile + halo0_column - 4, 60), -4);
        const int halo3_row = item / 2;
        const int halo3_column = item % 2 * 4 + (item % 2 < 1 ? 0 : 32);
        const int halo3_to = halo3_row * 40 + halo3_column;
        const int halo3_from = 4432 + max(min(y_tile + halo3_row - 1, 32), -1) * 64 + max(min(x_tile + halo3_column - 4, 60), -4);
        *(__local float4*)(u_t_halo + halo0_to) = *(__global const float4*)(u_t + halo0_from - 2176);
        *(__local float4*)(u_t_halo + halo0_to + 160) = *(__global const float4*)(u_t + halo1_from - 2176);
        if (item < 16) {
            *(__local float4*)(u_t_halo + halo0_to + 320) = *(__global const float4*)(u_t + halo2_from - 2176);
        }
        if (item < 20) {
            *(__local float4*)(u_t_halo + halo3_to) = *(__global const float4*)(u_t + halo3_from - 2176);
        }
        *(__local float4*)(u_t_halo + 400 + halo0_to) = *(__global const float4*)(u_t + halo0_from);
        *(__local float4*)(u_t_halo + 400 + halo0_to + 160) = *(__global const float4*)(u_t + halo1_from);
        if (item < 16) {
            *(__local float4*)(u_t_halo + 400 + halo0_to + 320) = *(__global const float4*)(u_t + halo2_from);
        }
        if (item < 20) {
            *(__local float4*)(u_t_halo + 400 + halo3_to) = *(__global const float4*)(u_t + halo3_from);
        }
        for (int pass = 0; pass < 18; ++pass) {
            const int newest = -1 + pass;
            float u_t_in0_0 = 0.0f;
            float u_t_in0_1 = 0.0f;
            float u_t_in0_2 = 0.0f;
            float u_t_in0_3 = 0.0f;
            float u_t_in0_4 = 0.0f;
            float u_t_in0_5 = 0.0f;
            float u_t_in0_6 = 0.0f;
            float u_t_in0_7 = 0.0f;
            barrier(CLK_LOCAL_MEM_FENCE);
            const int c0_u_t_slot = (pass + 2) % 3 * 400;
            const int c0_u_t_plane = max(min(newest + 2, 16), -1) * 2176;
            *(__local float4*)(u_t_halo + c0_u_t_slot + halo0_to) = *(__global const float4*)(u_t + halo0_from + c0_u_t_plane);
            *(__local float4*)(u_t_halo + c0_u_t_slot + halo0_to + 160) = *(__global const float4*)(u_t + halo1_from + c0_u_t_plane);
            if (item < 16) {
                *(__local float4*)(u_t_halo + c0_u_t_slot + halo0_to + 320) = *(__global const float4*)(u_t + halo2_from + c0_u_t_plane);
            }
            if (item < 20) {
                *(__local float4*)(u_t_halo + c0_u_t_slot + halo3_to) = *(__global const float4*)(u_t + halo3_from + c0_u_t_plane);
            }
            const int u_t_own0 = pass % 3 * 400 + (44 + (int)get_local_id(1) * 80 + (int)get_local_id(0) * 4);
            const float4 u_t_own0_0 = *(__local const float4*)(u_t_halo + u_t_own0);
            const float4 u_t_own0_4 = *(__local const float4*)(u_t_halo + u_t_own0 + 40);
            u_t_in0_0 = u_t_own0_0.s0;
            u_t_in0_1 = u_t_own0_0.s1;
            u_t_in0_2 = u_t_own0_0.s2;
            u_t_in0_3 = u_t_own0_0.s3;
            u_t_in0_4 = u_t_own0_4.s0;
            u_t_in0_5 = u_t_own0_4.s1;
            u_t_in0_6 = u_t_own0_4.s2;
            u_t_in0_7 = u_t_own0_4.s3;
            // time step 1, plane 1
            const float s0r0_u_sum0_0 = u_sum0_0_0 + alpha_param * u_t_in0_0;
            const float s0r0_u_sum0_1 = u_sum0_0_1 + alpha_param * u_t_in0_1;
            const float s0r0_u_sum0_2 = u_sum0_0_2 + alpha_param * u_t_in0_2;
            const float s0r0_u_sum0_3 = u_sum0_0_3 + alpha_param * u_t_in0_3;
            const float s0r0_u_sum0_4 = u_sum0_0_4 + alpha_param * u_t_in0_4;
            const float s0r0_u_sum0_5 = u_sum0_0_5 + alpha_param * u_t_in0_5;
            const float s0r0_u_sum0_6 = u_sum0_0_6 + alpha_param * u_t_in0_6;
            const float s0r0_u_sum0_7 = u_sum0_0_7 + alpha_param * u_t_in0_7;
            const int s0r0_u_t_tile_back0 = pass % 3 * 400 + (44 + (int)get_local_id(1) * 80 + (int)get_local_id(0) * 4);
            const float s0r0_u_t_m1_p0_p1 = u_t_halo[s0r0_u_t_tile_back0 - 1];
            const float4 s0r0_u_t_p0_m1_p1 = *(__local const float4*)(u_t_halo + s0r0_u_t_tile_back0 - 40);
            const float s0r0_u_sum1_0 = u_sum0_1_0 + u_t_in0_0 + alpha_param * (s0r0_u_t_m1_p0_p1 + u_t_in0_1 + s0r0_u_t_p0_m1_p1.s0 + u_t_in0_4 - 6.0f * u_t_in0_0);
            const float s0r0_u_sum1_1 = u_sum0_1_1 + u_t_in0_1 + alpha_param * (u_t_in0_0 + u_t_in0_2 + s0r0_u_t_p0_m1_p1.s1 + u_t_in0_5 - 6.0f * u_t_in0_1);
            const float s0r0_u_sum1_2 = u_sum0_1_2 + u_t_in0_2 + alpha_param * (u_t_in0_1 + u_t_in0_3 + s0r0_u_t_p0_m1_p1.s2 + u_t_in0_6 - 6.0f * u_t_in0_2);
            const float s0r0_u_t_p4_p0_p1 = u_t_halo[s0r0_u_t_tile_back0 + 4];
            const float s0r0_u_sum1_3 = u_sum0_1_3 + u_t_in0_3 + alpha_param * (u_t_in0_2 + s0r0_u_t_p4_p0_p1 + s0r0_u_t_p0_m1_p1.s3 + u_t_in0_7 - 6.0f * u_t_in0_3);
            const float s0r0_u_t_m1_p1_p1 = u_t_halo[s0r0_u_t_tile_back0 + 40 - 1];
            const float4 s0r0_u_t_p0_p2_p1 = *(__local const float4*)(u_t_halo + s0r0_u_t_tile_back0 + 80);
            const float s0r0_u_sum1_4 = u_sum0_1_4 + u_t_in0_4 + alpha_param * (s0r0_u_t_m1_p1_p1 + u_t_in0_5 + u_t_in0_0 + s0r0_u_t_p0_p2_p1.s0 - 6.0f * u_t_in0_4);
            const float s0r0_u_sum1_5 = u_sum0_1_5 + u_t_in0_5 + alpha_param * (u_t_in0_4 + u_t_in0_6 + u_t_in0_1 + s0r0_u_t_p0_p2_p1.s1 - 6.0f * u_t_in0_5);
            const float s0r0_u_sum1_6 = u_sum0_1_6 + u_t_in0_6 + alpha_param * (u_t_in0_5 + u_t_in0_7 + u_t_in0_2 + s0r0_u_t_p0_p2_p1.s2 - 6.0f * u_t_in0_6);
            const float s0r0_u_t_p4_p1_p1 = u_t_halo[s0r0_u_t_tile_back0 + 40 + 4];
            const float s0r0_u_sum1_7 = u_sum0_1_7 + u_t_in0_7 + alpha_param * (u_t_in0_6 + s0r0_u_t_p4_p1_p1 + u_t_in0_3 + s0r0_u_t_p0_p2_p1.s3 - 6.0f * u_t_in0_7);
            const float s0r0_u_sum2_0 = alpha_param * u_t_in0_0;
            const float s0r0_u_sum2_1 = alpha_param * u_t_in0_1;
            const float s0r0_u_sum2_2 = alpha_param * u_t_in0_2;
            const float s0r0_u_sum2_3 = alpha_param * u_t_in0_3;
            const float s0r0_u_sum2_4 = alpha_param * u_t_in0_4;
            const float s0r0_u_sum2_5 = alpha_param * u_t_in0_5;
            const float s0r0_u_sum2_6 = alpha_param * u_t_in0_6;
            const float s0r0_u_sum2_7 = alpha_param * u_t_in0_7;
            const float s0r0_u_next_0 = s0r0_u_sum0_0;
            const float s0r0_u_next_1 = s0r0_u_sum0_1;
            const float s0r0_u_next_2 = s0r0_u_sum0_2;
            const float s0r0_u_next_3 = s0r0_u_sum0_3;
            const float s0r0_u_next_4 = s0r0_u_sum0_4;
            const float s0r0_u_next_5 = s0r0_u_sum0_5;
            const float s0r0_u_next_6 = s0r0_u_sum0_6;
            const float s0r0_u_next_7 = s0r0_u_sum0_7;
            const int w0_plane = newest - 1;
            if (0 <= w0_plane && w0_plane < 16) {
                const int w0_u_to0 = 4432 + w0_plane * 2176 + y0 * 64 + x0;
                if (x0 + 3 < 60) {
                    *(__global float4*)(u_t_plus_1 + w0_u_to0) = (float4)(s0r0_u_next_0, s0r0_u_next_1, s0r0_u_next_2, s0r0_u_next_3);
                }
                const int w0_u_to1 = 4432 + w0_plane * 2176 + (y0 + 1) * 64 + x0;
                if (x0 + 3 < 60) {
                    *(__global float4*)(u_t_plus_1 + w0_u_to1) = (float4)(s0r0_u_next_4, s0r0_u_next_5, s0r0_u_next_6, s0r0_u_next_7);
                }
            }
            u_sum0_0_0 = s0r0_u_sum1_0;
            u_sum0_0_1 = s0r0_u_sum1_1;
            u_sum0_0_2 = s0r0_u_sum1_2;
            u_sum0_0_3 = s0r0_u_sum1_3;
            u_sum0_0_4 = s0r0_u_sum1_4;
            u_sum0_0_5 = s0r0_u_sum1_5;
            u_sum0_0_6 = s0r0_u_sum1_6;
            u_sum0_0_7 = s0r0_u_sum1_7;
            u_sum0_1_0 = s0r0_u_sum2_0;
            u_sum0_1_1 = s0r0_u_sum2_1;
            u_sum0_1_2 = s0r0_u_sum2_2;
            u_sum0_1_3 = s0r0_u_sum2_3;
            u_sum0_1_4 = s0r0_u_sum2_4;
            u_sum0_1_5 = s0r0_u_sum2_5;
            u_sum0_1_6 = s0r0_u_sum2_6;
            u_sum0_1_7 = s0r0_u_sum2_7;
        }
    }
    // a tile inside of the grid
    for (int inner = beyond; inner < ((int)get_work_dim() - 2); ++inner) {
        float u_sum0_0_0 = 0.0f;
        float u_sum0_0_1 = 0.0f;
        float u_sum0_0_2 = 0.0f;
        float u_sum0_0_3 = 0.0f;
        float u_sum0_0_4 = 0.0f;
        float u_sum0_0_5 = 0.0f;
        float u_sum0_0_6 = 0.0f;
        float u_sum0_0_7 = 0.0f;
        float u_sum0_1_0 = 0.0f;
        float u_sum0_1_1 = 0.0f;
        float u_sum0_1_2 = 0.0f;
        float u_sum0_1_3 = 0.0f;
        float u_sum0_1_4 = 0.0f;
        float u_sum0_1_5 = 0.0f;
        float u_sum0_1_6 = 0.0f;
        float u_sum0_1_7 = 0.0f;
        const int item = (int)get_local_id(1) * 8 + (int)get_local_id(0);
        const int halo0_row = item / 8;
        const int halo0_column = item % 8 * 4 + 4;
        const int halo0_to = halo0_row * 40 + halo0_column;
        const int halo0_from = 4432 + (y_tile + halo0_row - 1) * 64 + (x_tile + halo0_column - 4);
        const int halo3_row = item / 2;
        const int halo3_column = item % 2 * 4 + (item % 2 < 1 ? 0 : 32);
        const int halo3_to = halo3_row * 40 + halo3_column;
        const int halo3_from = 4432 + (y_tile + halo3_row - 1) * 64 + (x_tile + halo3_column - 4);
        *(__local float4*)(u_t_halo + halo0_to) = *(__global const float4*)(u_t + halo0_from - 2176);
        *(__local float4*)(u_t_halo + halo0_to + 160) = *(__global const float4*)(u_t + halo0_from - 2176 + 256);
        if (item < 16) {
            *(__local float4*)(u_t_halo + halo0_to + 320) = *(__global const float4*)(u_t + halo0_from - 2176 + 512);
        }
        if (item < 20) {
            *(__local float4*)(u_t_halo + halo3_to) = *(__global const float4*)(u_t + halo3_from - 2176);
        }
        *(__local float4*)(u_t_halo + 400 + halo0_to) = *(__global const float4*)(u_t + halo0_from);
        *(__local float4*)(u_t_halo + 400 + halo0_to + 160) = *(__global const float4*)(u_t + halo0_from + 256);
        if (item < 16) {
            *(__local float4*)(u_t_halo + 400 + halo0_to + 320) = *(__global const float4*)(u_t + halo0_from + 512);
        }
        if (item < 20) {
            *(__local float4*)(u_t_halo + 400 + halo3_to) = *(__global const float4*)(u_t + halo3_from);
        }
        for (int pass = 0; pass < 18; ++pass) {
            const int newest = -1 + pass;
            float u_t_in0_0 = 0.0f;
            float u_t_in0_1 = 0.0f;
            float u_t_in0_2 = 0.0f;
            float u_t_in0_3 = 0.0f;
            float u_t_in0_4 = 0.0f;
            float u_t_in0_5 = 0.0f;
            float u_t_in0_6 = 0.0f;
            float u_t_in0_7 = 0.0f;
            barrier(CLK_LOCAL_MEM_FENCE);
            const int c0_u_t_slot = (pass + 2) % 3 * 400;
            const int c0_u_t_plane = max(min(newest + 2, 16), -1) * 2176;
            *(__local float4*)(u_t_halo + c0_u_t_slot + halo0_to) = *(__global const float4*)(u_t + halo0_from + c0_u_t_plane);
            *(__local float4*)(u_t_halo + c0_u_t_slot + halo0_to + 160) = *(__global const float4*)(u_t + halo0_from + c0_u_t_plane + 256);
            if (item < 16) {
                *(__local float4*)(u_t_halo + c0_u_t_slot + halo0_to + 320) = *(__global const float4*)(u_t + halo0_from + c0_u_t_plane + 512);
            }
            if (item < 20) {
                *(__local float4*)(u_t_halo + c0_u_t_slot + halo3_to) = *(__global const float4*)(u_t + halo3_from + c0_u_t_plane);
            }
            const int u_t_own0 = pass % 3 * 400 + (44 + (int)get_local_id(1) * 80 + (int)get_local_id(0) * 4);
            const float4 u_t_own0_0 = *(__local const float4*)(u_t_halo + u_t_own0);
            const float4 u_t_own0_4 = *(__local const float4*)(u_t_halo + u_t_own0 + 40);
            u_t_in0_0 = u_t_own0_0.s0;
            u_t_in0_1 = u_t_own0_0.s1;
            u_t_in0_2 = u_t_own0_0.s2;
            u_t_in0_3 = u_t_own0_0.s3;
            u_t_in0_4 = u_t_own0_4.s0;
            u_t_in0_5 = u_t_own0_4.s1;
            u_t_in0_6 = u_t_own0_4.s2;
            u_t_in0_7 = u_t_own0_4.s3;
            // time step 1, plane 1
            const float s0r0_u_sum0_0 = u_sum0_0_0 + alpha_param * u_t_in0_0;
            const float s0r0_u_sum0_1 = u_sum0_0_1 + alpha_param * u_t_in0_1;
            const float s0r0_u_sum0_2 = u_sum0_0_2 + alpha_param * u_t_in0_2;
            const float s0r0_u_sum0_3 = u_sum0_0_3 + alpha_param * u_t_in0_3;
            const float s0r0_u_sum0_4 = u_sum0_0_4 + alpha_param * u_t_in0_4;
            const float s0r0_u_sum0_5 = u_sum0_0_5 + alpha_param * u_t_in0_5;
            const float s0r0_u_sum0_6 = u_sum0_0_6 + alpha_param * u_t_in0_6;
            const float s0r0_u_sum0_7 = u_sum0_0_7 + alpha_param * u_t_in0_7;
            const int s0r0_u_t_tile_back0 = pass % 3 * 400 + (44 + (int)get_local_id(1) * 80 + (int)get_local_id(0) * 4);
            const float s0r0_u_t_m1_p0_p1 = u_t_halo[s0r0_u_t_tile_back0 - 1];
            const float4 s0r0_u_t_p0_m1_p1 = *(__local const float4*)(u_t_halo + s0r0_u_t_tile_back0 - 40);
            const float s0r0_u_sum1_0 = u_sum0_1_0 + u_t_in0_0 + alpha_param * (s0r0_u_t_m1_p0_p1 + u_t_in0_1 + s0r0_u_t_p0_m1_p1.s0 + u_t_in0_4 - 6.0f * u_t_in0_0);
            const float s0r0_u_sum1_1 = u_sum0_1_1 + u_t_in0_1 + alpha_param * (u_t_in0_0 + u_t_in0_2 + s0r0_u_t_p0_m1_p1.s1 + u_t_in0_5 - 6.0f * u_t_in0_1);
            const float s0r0_u_sum1_2 = u_sum0_1_2 + u_t_in0_2 + alpha_param * (u_t_in0_1 + u_t_in0_3 + s0r0_u_t_p0_m1_p1.s2 + u_t_in0_6 - 6.0f * u_t_in0_2);
            const float s0r0_u_t_p4_p0_p1 = u_t_halo[s0r0_u_t_tile_back0 + 4];
            const float s0r0_u_sum1_3 = u_sum0_1_3 + u_t_in0_3 + alpha_param * (u_t_in0_2 + s0r0_u_t_p4_p0_p1 + s0r0_u_t_p0_m1_p1.s3 + u_t_in0_7 - 6.0f * u_t_in0_3);
            const float s0r0_u_t_m1_p1_p1 = u_t_halo[s0r0_u_t_tile_back0 + 40 - 1];
            const float4 s0r0_u_t_p0_p2_p1 = *(__local const float4*)(u_t_halo + s0r0_u_t_tile_back0 + 80);
            const float s0r0_u_sum1_4 = u_sum0_1_4 + u_t_in0_4 + alpha_param * (s0r0_u_t_m1_p1_p1 + u_t_in0_5 + u_t_in0_0 + s0r0_u_t_p0_p2_p1.s0 - 6.0f * u_t_in0_4);
            const float s0r0_u_sum1_5 = u_sum0_1_5 + u_t_in0_5 + alpha_param * (u_t_in0_4 + u_t_in0_6 + u_t_in0_1 + s0r0_u_t_p0_p2_p1.s1 - 6.0f * u_t_in0_5);
            const float s0r0_u_sum1_6 = u_sum0_1_6 + u_t_in0_6 + alpha_param * (u_t_in0_5 + u_t_in0_7 + u_t_in0_2 + s0r0_u_t_p0_p2_p1.s2 - 6.0f * u_t_in0_6);
            const float s0r0_u_t_p4_p1_p1 = u_t_halo[s0r0_u_t_tile_back0 + 40 + 4];
            const float s0r0_u_sum1_7 = u_sum0_1_7 + u_t_in0_7 + alpha_param * (u_t_in0_6 + s0r0_u_t_p4_p1_p1 + u_t_in0_3 + s0r0_u_t_p0_p2_p1.s3 - 6.0f * u_t_in0_7);
            const float s0r0_u_sum2_0 = alpha_param * u_t_in0_0;
            const float s0r0_u_sum2_1 = alpha_param * u_t_in0_1;
            const float s0r0_u_sum2_2 = alpha_param * u_t_in0_2;
            const float s0r0_u_sum2_3 = alpha_param * u_t_in0_3;
            const float s0r0_u_sum2_4 = alpha_param * u_t_in0_4;
            const float s0r0_u_sum2_5 = alpha_param * u_t_in0_5;
            const float s0r0_u_sum2_6 = alpha_param * u_t_in0_6;
            const float s0r0_u_sum2_7 = alpha_param * u_t_in0_7;
            const float s0r0_u_next_0 = s0r0_u_sum0_0;
            const float s0r0_u_next_1 = s0r0_u_sum0_1;
            const float s0r0_u_next_2 = s0r0_u_sum0_2;
            const float s0r0_u_next_3 = s0r0_u_sum0_3;
            const float s0r0_u_next_4 = s0r0_u_sum0_4;
            const float s0r0_u_next_5 = s0r0_u_sum0_5;
            const float s0r0_u_next_6 = s0r0_u_sum0_6;
            const float s0r0_u_next_7 = s0r0_u_sum0_7;
            const int w0_plane = newest - 1;
            if (0 <= w0_plane && w0_plane < 16) {
                const int w0_u_to0 = 4432 + w0_plane * 2176 + y0 * 64 + x0;
                *(__global float4*)(u_t_plus_1 + w0_u_to0) = (float4)(s0r0_u_next_0, s0r0_u_next_1, s0r0_u_next_2, s0r0_u_next_3);
                const int w0_u_to1 = 4432 + w0_plane * 2176 + (y0 + 1) * 64 + x0;
                *(__global float4*)(u_t_plus_1 + w0_u_to1) = (float4)(s0r0_u_next_4, s0r0_u_next_5, s0r0_u_next_6, s0r0_u_next_7);
            }
            u_sum0_0_0 = s0r0_u_sum1_0;
            u_sum0_0_1 = s0r0_u_sum1_1;
            u_sum0_0_2 = s0r0_u_sum1_2;
            u_sum0_0_3 = s0r0_u_sum1_3;
            u_sum0_0_4 = s0r0_u_sum1_4;
            u_sum0_0_5 = s0r0_u_sum1_5;
            u_sum0_0_6 = s0r0_u_sum1_6;
            u_sum0_0_7 = s0r0_u_sum1_7;
            u_sum0_1_0 = s0r0_u_sum2_0;
            u_sum0_1_1 = s0r0_u_sum2_1;
            u_sum0_1_2 = s0r0_u_sum2_2;
            u_sum0_1_3 = s0r0_u_sum2_3;
            u_sum0_1_4 = s0r0_u_sum2_4;
            u_sum0_1_5 = s0r0_u_sum2_5;
            u_sum0_1_6 = s0r0_u_sum2_6;
            u_sum0_1_7 = s0r0_u_sum2_7;
        }
    }
}

