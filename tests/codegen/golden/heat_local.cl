// u[t+1] on 60 × 32 × 16 points: work-group 8 × 4 × 1, block merge 1 × 1 × 1, cyclic merge 2 × 1 × 3, vector width 1, loads from global memory through local memory
__kernel __attribute__((reqd_work_group_size(8, 4, 1)))
void heat_u(
    __global float* restrict u_t_plus_1,
    __global const float* restrict u_t,
    const float alpha_param)
{
    __local float u_t_tile[540] __attribute__((aligned(128)));
    const int x_group = (int)get_group_id(0) * 16;
    const int y_group = (int)get_group_id(1) * 4;
    const int z_group = (int)get_group_id(2) * 3;
    const int tz_end0 = min(5, 18 - z_group);
    for (int tz = 0; tz < tz_end0; ++tz) {
        for (int ty = (int)get_local_id(1); ty < 6; ty += 4) {
            const int tx_end1 = min(18, 62 - x_group);
            for (int tx = (int)get_local_id(0); tx < tx_end1; tx += 8) {
                u_t_tile[tx + ty * 18 + tz * 108] = u_t[2191 + (x_group + tx) + (y_group + ty) * 64 + (z_group + tz) * 2176];
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int x0 = x_group + (int)get_local_id(0);
    const int y0 = y_group + (int)get_local_id(1);
    const int z0 = z_group;
    if ((int)get_group_id(0) < 3 && (int)get_group_id(2) < 5) {
        for (int z = z0; z < z0 + 3; ++z) {
            for (int x = x0; x < x0 + 16; x += 8) {
                const int i = 4432 + x + y0 * 64 + z * 2176;
                const int u_t_l = x - x_group + (y0 - y_group) * 18 + (z - z_group) * 108;
                const float v0 = u_t_tile[u_t_l + 127];
                u_t_plus_1[i] = v0 + alpha_param * (u_t_tile[u_t_l + 126] + u_t_tile[u_t_l + 128] + u_t_tile[u_t_l + 109] + u_t_tile[u_t_l + 145] + u_t_tile[u_t_l + 19] + u_t_tile[u_t_l + 235] - 6.0f * v0);
            }
        }
    } else {
        const int z_end2 = min(z0 + 3, 16);
        for (int z = z0; z < z_end2; ++z) {
            const int x_end3 = min(x0 + 16, 60);
            for (int x = x0; x < x_end3; x += 8) {
                const int i = 4432 + x + y0 * 64 + z * 2176;
                const int u_t_l = x - x_group + (y0 - y_group) * 18 + (z - z_group) * 108;
                const float v0 = u_t_tile[u_t_l + 127];
                u_t_plus_1[i] = v0 + alpha_param * (u_t_tile[u_t_l + 126] + u_t_tile[u_t_l + 128] + u_t_tile[u_t_l + 109] + u_t_tile[u_t_l + 145] + u_t_tile[u_t_l + 19] + u_t_tile[u_t_l + 235] - 6.0f * v0);
            }
        }
    }
}

