static inline int gst_divide(int a, int b) { return b == 0 ? 0 : b == -1 ? (int)(0 - (uint)a) : a / b; }
static inline int gst_remainder(int a, int b) { return b == 0 || b == -1 ? 0 : a % b; }

// u[t+1] on 100 × 1 × 1 points: work-group 64 × 1 × 1, block merge 1 × 1 × 1, cyclic merge 1 × 1 × 1, vector width 1, loads from global memory
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void wave_u(
    __global int* restrict u_t_plus_1,
    __global const int* restrict u_t_minus_1,
    __global const int* restrict u_t)
{
    const int x0 = (int)get_group_id(0) * 64 + (int)get_local_id(0);
    if ((int)get_group_id(0) < 1) {
        const int i = 16 + x0;
        u_t_plus_1[i] = (int)((uint)(int)((uint)(int)((uint)2 * (uint)u_t[i]) - (uint)u_t_minus_1[i]) + (uint)(int)((uint)gst_divide(u_t[i - 1], 2) + (uint)gst_remainder(u_t[i + 1], 3)));
    } else if (x0 < 100) {
        const int i = 16 + x0;
        u_t_plus_1[i] = (int)((uint)(int)((uint)(int)((uint)2 * (uint)u_t[i]) - (uint)u_t_minus_1[i]) + (uint)(int)((uint)gst_divide(u_t[i - 1], 2) + (uint)gst_remainder(u_t[i + 1], 3)));
    }
}

// halo of u[t+1]
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void wave_u_halo(
    __global int* u_t_plus_1)
{
    const int n = (int)get_global_id(0);
    if (n < 64) {
        // beyond the low face of x: periodic
        if (n < 1) {
            const int taken0 = u_t_plus_1[115];
            u_t_plus_1[15] = taken0;
        }
    } else {
        // beyond the high face of x: periodic
        const int m = n - 64;
        if (m < 1) {
            const int taken0 = u_t_plus_1[16];
            u_t_plus_1[116] = taken0;
        }
    }
}

