#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// e[t+1] on 37 × 16 × 1 points: work-group 4 × 2 × 1, block merge 4 × 1 × 1, cyclic merge 1 × 1 × 1, vector width 2, loads from global memory
__kernel __attribute__((reqd_work_group_size(4, 2, 1)))
void staged_e(
    __global double* restrict e_t_plus_1,
    __global const double* restrict e_t,
    __global const double* restrict h_t,
    __global const half* restrict k_coef)
{
    const int x0 = (int)get_group_id(0) * 16 + (int)get_local_id(0) * 4;
    const int y0 = (int)get_group_id(1) * 2 + (int)get_local_id(1);
    if ((int)get_group_id(0) < 2) {
        for (int x = x0; x < x0 + 4; x += 2) {
            const int i = 40 + x + y0 * 39;
            const double2 e_t_row_0_0_0 = vload2(0, e_t + i);
            const double2 h_t_row_0_0_0 = vload2(0, h_t + i);
            const double2 h_t_row_0_0_m1 = vload2(0, h_t + i - 1);
            const double result_0 = e_t_row_0_0_0.s0 + (double)vload_half(i, k_coef) * (h_t_row_0_0_0.s0 - h_t_row_0_0_m1.s0);
            const double result_1 = e_t_row_0_0_0.s1 + (double)vload_half(i + 1, k_coef) * (h_t_row_0_0_0.s1 - h_t_row_0_0_0.s0);
            vstore2((double2)(result_0, result_1), 0, e_t_plus_1 + i);
        }
    } else {
        const int x_end0 = min(x0 + 4, 37);
        for (int x = x0; x < x_end0; x += 2) {
            if (x + 2 <= 37) {
                const int i = 40 + x + y0 * 39;
                const double2 e_t_row_0_0_0 = vload2(0, e_t + i);
                const double2 h_t_row_0_0_0 = vload2(0, h_t + i);
                const double2 h_t_row_0_0_m1 = vload2(0, h_t + i - 1);
                const double result_0 = e_t_row_0_0_0.s0 + (double)vload_half(i, k_coef) * (h_t_row_0_0_0.s0 - h_t_row_0_0_m1.s0);
                const double result_1 = e_t_row_0_0_0.s1 + (double)vload_half(i + 1, k_coef) * (h_t_row_0_0_0.s1 - h_t_row_0_0_0.s0);
                vstore2((double2)(result_0, result_1), 0, e_t_plus_1 + i);
            } else {
                for (int x_rest = x; x_rest < 37; ++x_rest) {
                    const int i = 40 + x_rest + y0 * 39;
                    e_t_plus_1[i] = e_t[i] + (double)vload_half(i, k_coef) * (h_t[i] - h_t[i - 1]);
                }
            }
        }
    }
}

// h[t+1] on 37 × 16 × 1 points: work-group 4 × 2 × 1, block merge 4 × 1 × 1, cyclic merge 1 × 1 × 1, vector width 2, loads from global memory
__kernel __attribute__((reqd_work_group_size(4, 2, 1)))
void staged_h(
    __global double* restrict h_t_plus_1,
    __global const double* restrict e_t_plus_1,
    __global const double* restrict h_t)
{
    const int x0 = (int)get_group_id(0) * 16 + (int)get_local_id(0) * 4;
    const int y0 = (int)get_group_id(1) * 2 + (int)get_local_id(1);
    if ((int)get_group_id(0) < 2) {
        for (int x = x0; x < x0 + 4; x += 2) {
            const int i = 40 + x + y0 * 39;
            const double2 h_t_row_0_0_0 = vload2(0, h_t + i);
            const double2 e_t_plus_1_row_1_0_0 = vload2(0, e_t_plus_1 + i + 39);
            const double2 e_t_plus_1_row_0_0_0 = vload2(0, e_t_plus_1 + i);
            const double result_0 = fmax(h_t_row_0_0_0.s0, 0.0) + ((double)(int)x > 2.0 ? e_t_plus_1_row_1_0_0.s0 : e_t_plus_1_row_0_0_0.s0 / 3.0);
            const double result_1 = fmax(h_t_row_0_0_0.s1, 0.0) + ((double)(int)(x + 1) > 2.0 ? e_t_plus_1_row_1_0_0.s1 : e_t_plus_1_row_0_0_0.s1 / 3.0);
            vstore2((double2)(result_0, result_1), 0, h_t_plus_1 + i);
        }
    } else {
        const int x_end0 = min(x0 + 4, 37);
        for (int x = x0; x < x_end0; x += 2) {
            if (x + 2 <= 37) {
                const int i = 40 + x + y0 * 39;
                const double2 h_t_row_0_0_0 = vload2(0, h_t + i);
                const double2 e_t_plus_1_row_1_0_0 = vload2(0, e_t_plus_1 + i + 39);
                const double2 e_t_plus_1_row_0_0_0 = vload2(0, e_t_plus_1 + i);
                const double result_0 = fmax(h_t_row_0_0_0.s0, 0.0) + ((double)(int)x > 2.0 ? e_t_plus_1_row_1_0_0.s0 : e_t_plus_1_row_0_0_0.s0 / 3.0);
                const double result_1 = fmax(h_t_row_0_0_0.s1, 0.0) + ((double)(int)(x + 1) > 2.0 ? e_t_plus_1_row_1_0_0.s1 : e_t_plus_1_row_0_0_0.s1 / 3.0);
                vstore2((double2)(result_0, result_1), 0, h_t_plus_1 + i);
            } else {
                for (int x_rest = x; x_rest < 37; ++x_rest) {
                    const int i = 40 + x_rest + y0 * 39;
                    h_t_plus_1[i] = fmax(h_t[i], 0.0) + ((double)(int)x_rest > 2.0 ? e_t_plus_1[i + 39] : e_t_plus_1[i] / 3.0);
                }
            }
        }
    }
}

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// halo of e[t+1]
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void staged_e_halo(
    __global double* e_t_plus_1)
{
    const int n = (int)get_global_id(0);
    // beyond the low face of y: mirror
    if (n < 37) {
        const int x0 = n % 37;
        const double taken0 = e_t_plus_1[40 + x0 + 39];
        e_t_plus_1[40 + x0 - 39] = taken0;
    }
}

// halo of h[t+1]
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void staged_h_halo(
    __global double* h_t_plus_1)
{
    const int n = (int)get_global_id(0);
    if (n < 64) {
        // beyond the low face of x: clamp
        if (n < 16) {
            const int y0 = n % 16;
            const double taken0 = h_t_plus_1[40 + y0 * 39];
            h_t_plus_1[39 + y0 * 39] = taken0;
        }
    } else {
        // beyond the high face of x: clamp
        const int m = n - 64;
        if (m < 16) {
            const int y0 = m % 16;
            const double taken0 = h_t_plus_1[76 + y0 * 39];
            h_t_plus_1[77 + y0 * 39] = taken0;
        }
    }
}

