#ifdef __has_builtin
#if __has_builtin(__builtin_nontemporal_store)
#define GST_STREAM(to, what) __builtin_nontemporal_store(what, to)
#endif
#endif
#ifndef GST_STREAM
#define GST_STREAM(to, what) *(to) = (what)
#endif

// u[t+1] on 62 × 32 × 16 points: work-group 2 × 1 × 4, block merge 4 × 2 × 1, cyclic merge 1 × 1 × 1, vector width 4, loads from global memory
__kernel __attribute__((reqd_work_group_size(2, 1, 4)))
void heat_u(
    __global float* restrict u_t_plus_1,
    __global const float* restrict u_t,
    const float alpha_param)
{
    const int x0 = (int)get_group_id(0) * 8 + (int)get_local_id(0) * 4;
    const int y0 = (int)get_group_id(1) * 2;
    const int z0 = (int)get_group_id(2) * 4 + (int)get_local_id(2);
    if ((int)get_group_id(0) < 7) {
        const int i = 4432 + x0 + y0 * 64 + z0 * 2176;
        const float4 u_t_row_0_0_0 = *(__global const float4*)(u_t + i);
        const float4 u_t_row_0_0_m4 = *(__global const float4*)(u_t + i - 4);
        const float4 u_t_row_0_0_4 = *(__global const float4*)(u_t + i + 4);
        const float4 u_t_row_m1_0_0 = *(__global const float4*)(u_t + i - 64);
        const float4 u_t_row_1_0_0 = *(__global const float4*)(u_t + i + 64);
        const float4 u_t_row_0_m1_0 = *(__global const float4*)(u_t + i - 2176);
        const float4 u_t_row_0_1_0 = *(__global const float4*)(u_t + i + 2176);
        const float4 result_0 = u_t_row_0_0_0 + alpha_param * ((float4)(u_t_row_0_0_m4.s3, u_t_row_0_0_0.s0, u_t_row_0_0_0.s1, u_t_row_0_0_0.s2) + (float4)(u_t_row_0_0_0.s1, u_t_row_0_0_0.s2, u_t_row_0_0_0.s3, u_t_row_0_0_4.s0) + u_t_row_m1_0_0 + u_t_row_1_0_0 + u_t_row_0_m1_0 + u_t_row_0_1_0 - 6.0f * u_t_row_0_0_0);
        const float4 u_t_row_1_0_m4 = *(__global const float4*)(u_t + i + 60);
        const float4 u_t_row_1_0_4 = *(__global const float4*)(u_t + i + 68);
        const float4 u_t_row_2_0_0 = *(__global const float4*)(u_t + i + 128);
        const float4 u_t_row_1_m1_0 = *(__global const float4*)(u_t + i - 2112);
        const float4 u_t_row_1_1_0 = *(__global const float4*)(u_t + i + 2240);
        const float4 result_1 = u_t_row_1_0_0 + alpha_param * ((float4)(u_t_row_1_0_m4.s3, u_t_row_1_0_0.s0, u_t_row_1_0_0.s1, u_t_row_1_0_0.s2) + (float4)(u_t_row_1_0_0.s1, u_t_row_1_0_0.s2, u_t_row_1_0_0.s3, u_t_row_1_0_4.s0) + u_t_row_0_0_0 + u_t_row_2_0_0 + u_t_row_1_m1_0 + u_t_row_1_1_0 - 6.0f * u_t_row_1_0_0);
        GST_STREAM((__global float4*)(u_t_plus_1 + i), result_0);
        GST_STREAM((__global float4*)(u_t_plus_1 + i + 64), result_1);
    } else if (x0 < 62) {
        if (x0 + 4 <= 62) {
            const int i = 4432 + x0 + y0 * 64 + z0 * 2176;
            const float4 u_t_row_0_0_0 = *(__global const float4*)(u_t + i);
            const float4 u_t_row_0_0_m4 = *(__global const float4*)(u_t + i - 4);
            const float4 u_t_row_0_0_4 = *(__global const float4*)(u_t + i + 4);
            const float4 u_t_row_m1_0_0 = *(__global const float4*)(u_t + i - 64);
            const float4 u_t_row_1_0_0 = *(__global const float4*)(u_t + i + 64);
            const float4 u_t_row_0_m1_0 = *(__global const float4*)(u_t + i - 2176);
            const float4 u_t_row_0_1_0 = *(__global const float4*)(u_t + i + 2176);
            const float4 result_0 = u_t_row_0_0_0 + alpha_param * ((float4)(u_t_row_0_0_m4.s3, u_t_row_0_0_0.s0, u_t_row_0_0_0.s1, u_t_row_0_0_0.s2) + (float4)(u_t_row_0_0_0.s1, u_t_row_0_0_0.s2, u_t_row_0_0_0.s3, u_t_row_0_0_4.s0) + u_t_row_m1_0_0 + u_t_row_1_0_0 + u_t_row_0_m1_0 + u_t_row_0_1_0 - 6.0f * u_t_row_0_0_0);
            const float4 u_t_row_1_0_m4 = *(__global const float4*)(u_t + i + 60);
            const float4 u_t_row_1_0_4 = *(__global const float4*)(u_t + i + 68);
            const float4 u_t_row_2_0_0 = *(__global const float4*)(u_t + i + 128);
            const float4 u_t_row_1_m1_0 = *(__global const float4*)(u_t + i - 2112);
            const float4 u_t_row_1_1_0 = *(__global const float4*)(u_t + i + 2240);
            const float4 result_1 = u_t_row_1_0_0 + alpha_param * ((float4)(u_t_row_1_0_m4.s3, u_t_row_1_0_0.s0, u_t_row_1_0_0.s1, u_t_row_1_0_0.s2) + (float4)(u_t_row_1_0_0.s1, u_t_row_1_0_0.s2, u_t_row_1_0_0.s3, u_t_row_1_0_4.s0) + u_t_row_0_0_0 + u_t_row_2_0_0 + u_t_row_1_m1_0 + u_t_row_1_1_0 - 6.0f * u_t_row_1_0_0);
            GST_STREAM((__global float4*)(u_t_plus_1 + i), result_0);
            GST_STREAM((__global float4*)(u_t_plus_1 + i + 64), result_1);
        } else {
            for (int x_rest = x0; x_rest < 62; ++x_rest) {
                const int i = 4432 + x_rest + y0 * 64 + z0 * 2176;
                const float u_t_at_0 = u_t[i];
                const float u_t_at_yp1 = u_t[i + 64];
                const float result_0 = u_t_at_0 + alpha_param * (u_t[i - 1] + u_t[i + 1] + u_t[i - 64] + u_t_at_yp1 + u_t[i - 2176] + u_t[i + 2176] - 6.0f * u_t_at_0);
                const float result_1 = u_t_at_yp1 + alpha_param * (u_t[i + 63] + u_t[i + 65] + u_t_at_0 + u_t[i + 128] + u_t[i - 2112] + u_t[i + 2240] - 6.0f * u_t_at_yp1);
                u_t_plus_1[i] = result_0;
                u_t_plus_1[i + 64] = result_1;
            }
        }
    }
}

