static inline float gst_half(uint bits) {
    const ushort half_bits = (ushort)bits;
    return vload_half(0, (const __private half*)&half_bits);
}
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__constant sampler_t gst_texel = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;

// e[t+1] on 32 × 16 × 1 points: work-group 4 × 2 × 1, block merge 1 × 1 × 1, cyclic merge 1 × 1 × 1, vector width 1, loads from an image
__kernel __attribute__((reqd_work_group_size(4, 2, 1)))
void staged_e(
    __global double* restrict e_t_plus_1,
    __read_only image2d_t e_t,
    __read_only image2d_t h_t,
    __read_only image2d_t k_coef)
{
    const int x0 = (int)get_group_id(0) * 4 + (int)get_local_id(0);
    const int y0 = (int)get_group_id(1) * 2 + (int)get_local_id(1);
    const int i = 112 + x0 + y0 * 48;
    e_t_plus_1[i] = as_double(convert_ushort4(read_imageui(e_t, gst_texel, (int2)(i & 8191, i >> 13)))) + (double)gst_half(read_imageui(k_coef, gst_texel, (int2)(i & 8191, i >> 13)).x) * (as_double(convert_ushort4(read_imageui(h_t, gst_texel, (int2)(i & 8191, i >> 13)))) - as_double(convert_ushort4(read_imageui(h_t, gst_texel, (int2)((i - 1) & 8191, (i - 1) >> 13)))));
}

// h[t+1] on 32 × 16 × 1 points: work-group 4 × 2 × 1, block merge 1 × 1 × 1, cyclic merge 1 × 1 × 1, vector width 1, loads from an image
__kernel __attribute__((reqd_work_group_size(4, 2, 1)))
void staged_h(
    __global double* restrict h_t_plus_1,
    __read_only image2d_t e_t_plus_1,
    __read_only image2d_t h_t)
{
    const int x0 = (int)get_group_id(0) * 4 + (int)get_local_id(0);
    const int y0 = (int)get_group_id(1) * 2 + (int)get_local_id(1);
    const int i = 112 + x0 + y0 * 48;
    h_t_plus_1[i] = fmax(as_double(convert_ushort4(read_imageui(h_t, gst_texel, (int2)(i & 8191, i >> 13)))), 0.0) + ((double)(int)x0 > 2.0 ? as_double(convert_ushort4(read_imageui(e_t_plus_1, gst_texel, (int2)((i + 48) & 8191, (i + 48) >> 13)))) : as_double(convert_ushort4(read_imageui(e_t_plus_1, gst_texel, (int2)(i & 8191, i >> 13)))) / 3.0);
}

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// halo of e[t+1]
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void staged_e_halo(
    __global double* e_t_plus_1)
{
    const int n = (int)get_global_id(0);
    // beyond the low face of y: mirror
    if (n < 32) {
        const int x0 = n % 32;
        const double taken0 = e_t_plus_1[112 + x0 + 48];
        e_t_plus_1[112 + x0 - 48] = taken0;
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
            const double taken0 = h_t_plus_1[112 + y0 * 48];
            h_t_plus_1[111 + y0 * 48] = taken0;
        }
    } else {
        // beyond the high face of x: clamp
        const int m = n - 64;
        if (m < 16) {
            const int y0 = m % 16;
            const double taken0 = h_t_plus_1[143 + y0 * 48];
            h_t_plus_1[144 + y0 * 48] = taken0;
        }
    }
}

