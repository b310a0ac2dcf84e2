// u[t+1] on 64 × 32 × 16 points: work-group 64 × 4 × 1, block merge 1 × 1 × 1, cyclic merge 1 × 1 × 1, vector width 1, loads from global memory
__kernel __attribute__((reqd_work_group_size(64, 4, 1)))
void heat_u(
    __global float* restrict u_t_plus_1,
    __global const float* restrict u_t,
    const float alpha_param)
{
    const int x0 = (int)get_local_id(0);
    const int y0 = (int)get_group_id(1) * 4 + (int)get_local_id(1);
    const int z0 = (int)get_group_id(2);
    const int i = 5536 + x0 + y0 * 80 + z0 * 2720;
    const float v0 = u_t[i];
    u_t_plus_1[i] = v0 + alpha_param * (u_t[i - 1] + u_t[i + 1] + u_t[i - 80] + u_t[i + 80] + u_t[i - 2720] + u_t[i + 2720] - 6.0f * v0);
}

