template<int barrier, int work_items> __device__ inline void gst_arrive_at() {
    asm volatile("bar.arrive %0, %1;" ::"n"(barrier), "n"(work_items));
}
template<int work_items> __device__ inline void gst_await_at(int barrier) {
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "n"(work_items) : "memory");
}
__device__ inline void gst_await_phase(int* counter, unsigned int phase) {
#if __CUDA_ARCH__ >= 800
    for (unsigned int done = 0; !done;) {
#if __CUDA_ARCH__ >= 900
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
#else
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
#endif
                     : "=r"(done)
                     : "r"((unsigned int)__cvta_generic_to_shared(counter)), "r"(phase)
                     : "memory");
    }
#else
    __syncthreads();
#endif
}
struct alignas(64) gst_tensor { unsigned char bytes[128]; };
__device__ inline unsigned int gst_in_shared(const void* at) {
    return (unsigned int)__cvta_generic_to_shared(at);
}
__device__ inline void gst_prepare_boxes(int* counters, int number, int boxes) {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    if (threadIdx.x + threadIdx.y + threadIdx.z == 0) {
        for (int i = 0; i < number; ++i) {
            asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(gst_in_shared(counters + 2 * i)), "r"(boxes)
                         : "memory");
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
}
__device__ inline void gst_end_boxes(int* counters, int number) {
    if (threadIdx.x + threadIdx.y + threadIdx.z == 0) {
        for (int i = 0; i < number; ++i) {
            asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(gst_in_shared(counters + 2 * i)) : "memory");
        }
    }
}
template<int awaited_bytes>
__device__ inline void gst_copy_box(void* to, const gst_tensor& from, int x, int y, int z, int* counter) {
    if (threadIdx.x + threadIdx.y + threadIdx.z == 0) {
        if constexpr (awaited_bytes > 0) {
            asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
            asm volatile("{ .reg .b64 state; mbarrier.arrive.expect_tx.shared.b64 state, [%0], %1; }" ::"r"(
                             gst_in_shared(counter)),
                         "n"(awaited_bytes)
                         : "memory");
        }
        asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                     "[%0], [%1, {%2, %3, %4}], [%5];" ::"r"(gst_in_shared(to)),
                     "l"(&from), "r"(x), "r"(y), "r"(z), "r"(gst_in_shared(counter))
                     : "memory");
    }
}
template<class T, int n> struct alignas(sizeof(T) * n < 16 ? sizeof(T) * n : 16) gst_vector { T s[n]; };
template<class V, class T> __device__ inline V gst_load(const T* from) {
    V v;
#pragma unroll
    for (int i = 0; i < sizeof(V) / sizeof(T); ++i) v.s[i] = from[i];
    return v;
}
template<class V, class T> __device__ inline void gst_store(T* to, const V& v) {
#pragma unroll
    for (int i = 0; i < sizeof(V) / sizeof(T); ++i) to[i] = v.s[i];
}

// waves[t+2] on 60 × 32 × 16 points: work-group 8 × 4 × 1, block merge 4 × 1 × 1, cyclic merge 1 × 1 × 1, vector width 4, loads from global memory through local memory, streaming 16 planes along z, 1 at a time, retimed, prefetched 3 passes ahead, tiles with their halo and columns beside copied as wholes, 2 time steps in 2 stage groups with tiles of their own, 1 rows per work-item in the first, the second begins 8 tenths of its reads later, in code of their own, what completes sums left to the second
extern "C" __global__ void __launch_bounds__(96) waves_2_steps(
    float* __restrict__ u_t_plus_2,
    float* __restrict__ u_t_plus_1,
    const float* __restrict__ u_t,
    const __grid_constant__ gst_tensor u_t_tensor,
    const float* __restrict__ u_t_minus_1,
    const float* __restrict__ c_coef)
{
    __shared__ __align__(128) float u_t_halo[2304];
    __shared__ __align__(16) int arrived_boxes[6];
    __shared__ __align__(16) float u_t_stage[720];
    __shared__ __align__(16) float u_terms_left[512];
    const int x_tile = (int)blockIdx.x * 32;
    const int y_tile = (int)blockIdx.y * 4;
    gst_prepare_boxes(arrived_boxes, 3, 1);
    const int item = (int)threadIdx.x;
    const int stage_group = item < 64 ? 0 : 1;
    if (item >= 60 && item < 64) return;
    const int of_group = stage_group == 0 ? item : item - 64;
    const int lane = stage_group == 0 ? of_group % 10 : of_group % 8;
    const int lane_row = stage_group == 0 ? min(of_group / 10, 5) : of_group / 8;
    if (stage_group == 0) {
        const int x0 = x_tile + lane * 4 - (stage_group == 0 ? 4 : 0);
        const int y0 = y_tile + (stage_group == 0 ? lane_row - 1 : lane_row);
        const int beyond = x_tile - 4 < 0 || x_tile - 4 >= 21 || (y_tile - 1 < 0 || y_tile - 1 >= 27) ? 1 : 0;
        // a tile that reaches beyond the grid
        for (int edge = 0; edge < beyond; ++edge) {
            float u_sum0_0_0 = 0.0f;
            float u_sum0_0_1 = 0.0f;
            float u_sum0_0_2 = 0.0f;
            float u_sum0_0_3 = 0.0f;
            float u_sum0_1_0 = 0.0f;
            float u_sum0_1_1 = 0.0f;
            float u_sum0_1_2 = 0.0f;
            float u_sum0_1_3 = 0.0f;
            float u_t_minus_1_beside0_0 = 0.0f;
            float u_t_minus_1_beside0_1 = 0.0f;
            float u_t_minus_1_beside0_2 = 0.0f;
            float u_t_minus_1_beside0_3 = 0.0f;
            float c_coef_beside0_0 = 0.0f;
            float c_coef_beside0_1 = 0.0f;
            float c_coef_beside0_2 = 0.0f;
            float c_coef_beside0_3 = 0.0f;
            if (0 < 20) {
                gst_copy_box<2304>(u_t_halo + 0, u_t_tensor, x_tile - 4, y_tile - 1, 0, arrived_boxes + 2 * 0);
            }
            if (1 < 20) {
                gst_copy_box<2304>(u_t_halo + 576, u_t_tensor, x_tile - 4, y_tile - 1, 1, arrived_boxes + 2 * 1);
            }
            const int b0_u_t_minus_1_beside_row0 = 2256 + max(min(y0, 32), -1) * 64;
            const gst_vector<float, 4> b0_u_t_minus_1_beside_0 = *(const gst_vector<float, 4>*)&u_t_minus_1[b0_u_t_minus_1_beside_row0 + max(min(x0, 60), -4)];
            const int b0_c_coef_beside_row0 = 2256 + max(min(y0, 32), -1) * 64;
            const gst_vector<float, 4> b0_c_coef_beside_0 = *(const gst_vector<float, 4>*)&c_coef[b0_c_coef_beside_row0 + max(min(x0, 60), -4)];
            u_t_minus_1_beside0_0 = b0_u_t_minus_1_beside_0.s[0];
            u_t_minus_1_beside0_1 = b0_u_t_minus_1_beside_0.s[1];
            u_t_minus_1_beside0_2 = b0_u_t_minus_1_beside_0.s[2];
            u_t_minus_1_beside0_3 = b0_u_t_minus_1_beside_0.s[3];
            c_coef_beside0_0 = b0_c_coef_beside_0.s[0];
            c_coef_beside0_1 = b0_c_coef_beside_0.s[1];
            c_coef_beside0_2 = b0_c_coef_beside_0.s[2];
            c_coef_beside0_3 = b0_c_coef_beside_0.s[3];
            for (int phase = 0; phase < 2; ++phase) {
                for (int pass = phase < 1 ? 0 : 17; pass < (phase < 1 ? 4 : 20); ++pass) {
                    const int newest = -1 + pass;
                    gst_await_at<96>(stage_group + 1);
                    const int c0_u_t_slot = (pass + 2) % 4 * 576;
                    if (pass + 2 < 20) {
                        gst_copy_box<2304>(u_t_halo + c0_u_t_slot, u_t_tensor, x_tile - 4, y_tile - 1, max(min(newest + 2, 16), -1) + 1, arrived_boxes + 2 * ((pass + 2) % 3));
                    }
                    gst_await_phase(arrived_boxes + 2 * (pass % 3), pass / 3 % 2);
                    const int u_t_own0 = pass % 4 * 576 + (76 + lane_row * 72 + lane * 4);
                    const gst_vector<float, 4> u_t_own0_0 = *(const gst_vector<float, 4>*)(u_t_halo + u_t_own0);
                    const int s0r0_come = newest;
                    const int s0r0_result = newest - 1;
                    // time step 1, plane 1
                    const float s0r0_u_sum0_0 = u_sum0_0_0 + u_t_own0_0.s[0];
                    const float s0r0_u_sum0_1 = u_sum0_0_1 + u_t_own0_0.s[1];
                    const float s0r0_u_sum0_2 = u_sum0_0_2 + u_t_own0_0.s[2];
                    const float s0r0_u_sum0_3 = u_sum0_0_3 + u_t_own0_0.s[3];
                    const int s0r0_u_t_tile_back0 = pass % 4 * 576 + (76 + lane_row * 72 + lane * 4);
                    const float s0r0_u_t_m1_p0_p1 = u_t_halo[s0r0_u_t_tile_back0 - 1];
                    const gst_vector<float, 4> s0r0_u_t_p0_m1_p1 = *(const gst_vector<float, 4>*)(u_t_halo + s0r0_u_t_tile_back0 - 72);
                    const gst_vector<float, 4> s0r0_u_t_p0_p1_p1 = *(const gst_vector<float, 4>*)(u_t_halo + s0r0_u_t_tile_back0 + 72);
                    gst_arrive_at<2, 96>();
                    const float s0r0_u_sum1_0 = u_sum0_1_0 + s0r0_u_t_m1_p0_p1 + u_t_own0_0.s[1] + s0r0_u_t_p0_m1_p1.s[0] + s0r0_u_t_p0_p1_p1.s[0] - 6.0f * u_t_own0_0.s[0];
                    const float s0r0_u_sum1_1 = u_sum0_1_1 + u_t_own0_0.s[0] + u_t_own0_0.s[2] + s0r0_u_t_p0_m1_p1.s[1] + s0r0_u_t_p0_p1_p1.s[1] - 6.0f * u_t_own0_0.s[1];
                    const float s0r0_u_sum1_2 = u_sum0_1_2 + u_t_own0_0.s[1] + u_t_own0_0.s[3] + s0r0_u_t_p0_m1_p1.s[2] + s0r0_u_t_p0_p1_p1.s[2] - 6.0f * u_t_own0_0.s[2];
                    const float s0r0_u_t_p4_p0_p1 = u_t_halo[s0r0_u_t_tile_back0 + 4];
                    const float s0r0_u_sum1_3 = u_sum0_1_3 + u_t_own0_0.s[2] + s0r0_u_t_p4_p0_p1 + s0r0_u_t_p0_m1_p1.s[3] + s0r0_u_t_p0_p1_p1.s[3] - 6.0f * u_t_own0_0.s[3];
                    const float s0r0_u_sum2_0 = u_t_own0_0.s[0];
                    const float s0r0_u_sum2_1 = u_t_own0_0.s[1];
                    const float s0r0_u_sum2_2 = u_t_own0_0.s[2];
                    const float s0r0_u_sum2_3 = u_t_own0_0.s[3];
                    const int s0r0_u_t_centre = (pass + 3) % 4 * 576 + (76 + lane_row * 72 + lane * 4);
                    const gst_vector<float, 4> s0r0_u_t_centre_0 = *(const gst_vector<float, 4>*)(u_t_halo + s0r0_u_t_centre);
                    const float s0r0_u_next_0 = s0r0_u_sum0_0 * c_coef_beside0_0 + (2.0f * s0r0_u_t_centre_0.s[0] - u_t_minus_1_beside0_0);
                    const float s0r0_u_next_1 = s0r0_u_sum0_1 * c_coef_beside0_1 + (2.0f * s0r0_u_t_centre_0.s[1] - u_t_minus_1_beside0_1);
                    const float s0r0_u_next_2 = s0r0_u_sum0_2 * c_coef_beside0_2 + (2.0f * s0r0_u_t_centre_0.s[2] - u_t_minus_1_beside0_2);
                    const float s0r0_u_next_3 = s0r0_u_sum0_3 * c_coef_beside0_3 + (2.0f * s0r0_u_t_centre_0.s[3] - u_t_minus_1_beside0_3);
                    const int s0r0_u_t_kept_in_tile = (pass + 3) % 4 * 576 + (76 + lane_row * 72 + lane * 4);
                    float s0r0_u_t_kept_0 = s0r0_u_next_0;
                    float s0r0_u_t_kept_1 = s0r0_u_next_1;
                    float s0r0_u_t_kept_2 = s0r0_u_next_2;
                    float s0r0_u_t_kept_3 = s0r0_u_next_3;
                    if (s0r0_result < 0 || s0r0_result >= 16 || x0 + 3 < 0 || (y0 < 0 || y0 >= 32) || x0 >= 60) {
                        const gst_vector<float, 4> s0r0_u_t_kept_from_0 = *(const gst_vector<float, 4>*)(u_t_halo + s0r0_u_t_kept_in_tile);
                        s0r0_u_t_kept_0 = s0r0_u_t_kept_from_0.s[0];
                        s0r0_u_t_kept_1 = s0r0_u_t_kept_from_0.s[1];
                        s0r0_u_t_kept_2 = s0r0_u_t_kept_from_0.s[2];
                        s0r0_u_t_kept_3 = s0r0_u_t_kept_from_0.s[3];
                    }
                    if (item < 60) {
                        const int s0r0_left_column = lane * 4 - 4;
                        const int s0r0_left_slot = pass % 4 * 128;
                        if (s0r0_left_column >= 0 && s0r0_left_column < 32) {
                            const int s0r0_left_row0 = lane_row - 1;
                            if (s0r0_left_row0 >= 0 && s0r0_left_row0 < 4) {
                                *(gst_vector<float, 4>*)(u_terms_left + s0r0_left_slot + s0r0_left_row0 * 32 + s0r0_left_column) = gst_vector<float, 4>{2.0f * s0r0_u_t_kept_0 - s0r0_u_t_centre_0.s[0], 2.0f * s0r0_u_t_kept_1 - s0r0_u_t_centre_0.s[1], 2.0f * s0r0_u_t_kept_2 - s0r0_u_t_centre_0.s[2], 2.0f * s0r0_u_t_kept_3 - s0r0_u_t_centre_0.s[3]};
                            }
                        }
                    }
                    const int s0r0_u_t_minus_1_beside_row0 = 4432 + max(min(s0r0_come, 16), -1) * 2176 + max(min(y0, 32), -1) * 64;
                    const gst_vector<float, 4> s0r0_u_t_minus_1_beside_0 = *(const gst_vector<float, 4>*)&u_t_minus_1[s0r0_u_t_minus_1_beside_row0 + max(min(x0, 60), -4)];
                    const int s0r0_c_coef_beside_row0 = 4432 + max(min(s0r0_come, 16), -1) * 2176 + max(min(y0, 32), -1) * 64;
                    const gst_vector<float, 4> s0r0_c_coef_beside_0 = *(const gst_vector<float, 4>*)&c_coef[s0r0_c_coef_beside_row0 + max(min(x0, 60), -4)];
                    if (item < 60) {
                        const int u_t_shown0 = pass % 3 * 240 + lane_row * 40 + lane * 4;
                        *(gst_vector<float, 4>*)(u_t_stage + u_t_shown0) = gst_vector<float, 4>{s0r0_u_t_kept_0, s0r0_u_t_kept_1, s0r0_u_t_kept_2, s0r0_u_t_kept_3};
                    }
                    u_sum0_0_0 = s0r0_u_sum1_0;
                    u_sum0_0_1 = s0r0_u_sum1_1;
                    u_sum0_0_2 = s0r0_u_sum1_2;
                    u_sum0_0_3 = s0r0_u_sum1_3;
                    u_sum0_1_0 = s0r0_u_sum2_0;
                    u_sum0_1_1 = s0r0_u_sum2_1;
                    u_sum0_1_2 = s0r0_u_sum2_2;
                    u_sum0_1_3 = s0r0_u_sum2_3;
                    u_t_minus_1_beside0_0 = s0r0_u_t_minus_1_beside_0.s[0];
                    u_t_minus_1_beside0_1 = s0r0_u_t_minus_1_beside_0.s[1];
                    u_t_minus_1_beside0_2 = s0r0_u_t_minus_1_beside_0.s[2];
                    u_t_minus_1_beside0_3 = s0r0_u_t_minus_1_beside_0.s[3];
                    c_coef_beside0_0 = s0r0_c_coef_beside_0.s[0];
                    c_coef_beside0_1 = s0r0_c_coef_beside_0.s[1];
                    c_coef_beside0_2 = s0r0_c_coef_beside_0.s[2];
                    c_coef_beside0_3 = s0r0_c_coef_beside_0.s[3];
                }
                for (int pass = 4; pass < (phase < 1 ? 17 : 4); ++pass) {
                    const int newest = -1 + pass;
                    gst_await_at<96>(stage_group + 1);
                    const int c0_u_t_slot = (pass + 2) % 4 * 576;
                    if (pass + 2 < 20) {
                        gst_copy_box<2304>(u_t_halo + c0_u_t_slot, u_t_tensor, x_tile - 4, y_tile - 1, max(min(newest + 2, 16), -1) + 1, arrived_boxes + 2 * ((pass + 2) % 3));
                    }
                    gst_await_phase(arrived_boxes + 2 * (pass % 3), pass / 3 % 2);
                    const int u_t_own0 = pass % 4 * 576 + (76 + lane_row * 72 + lane * 4);
                    const gst_vector<float, 4> u_t_own0_0 = *(const gst_vector<float, 4>*)(u_t_halo + u_t_own0);
                    // time step 1, plane 1
                    const float s0r0_u_sum0_0 = u_sum0_0_0 + u_t_own0_0.s[0];
                    const float s0r0_u_sum0_1 = u_sum0_0_1 + u_t_own0_0.s[1];
                    const float s0r0_u_sum0_2 = u_sum0_0_2 + u_t_own0_0.s[2];
                    const float s0r0_u_sum0_3 = u_sum0_0_3 + u_t_own0_0.s[3];
                    const int s0r0_u_t_tile_back0 = pass % 4 * 576 + (76 + lane_row * 72 + lane * 4);
                    const float s0r0_u_t_m1_p0_p1 = u_t_halo[s0r0_u_t_tile_back0 - 1];
                    const gst_vector<float, 4> s0r0_u_t_p0_m1_p1 = *(const gst_vector<float, 4>*)(u_t_halo + s0r0_u_t_tile_back0 - 72);
                    const gst_vector<float, 4> s0r0_u_t_p0_p1_p1 = *(const gst_vector<float, 4>*)(u_t_halo + s0r0_u_t_tile_back0 + 72);
                    gst_arrive_at<2, 96>();
                    const float s0r0_u_sum1_0 = u_sum0_1_0 + s0r0_u_t_m1_p0_p1 + u_t_own0_0.s[1] + s0r0_u_t_p0_m1_p1.s[0] + s0r0_u_t_p0_p1_p1.s[0] - 6.0f * u_t_own0_0.s[0];
                    const float s0r0_u_sum1_1 = u_sum0_1_1 + u_t_own0_0.s[0] + u_t_own0_0.s[2] + s0r0_u_t_p0_m1_p1.s[1] + s0r0_u_t_p0_p1_p1.s[1] - 6.0f * u_t_own0_0.s[1];
                    const float s0r0_u_sum1_2 = u_sum0_1_2 + u_t_own0_0.s[1] + u_t_own0_0.s[3] + s0r0_u_t_p0_m1_p1.s[2] + s0r0_u_t_p0_p1_p1.s[2] - 6.0f * u_t_own0_0.s[2];
                    const float s0r0_u_t_p4_p0_p1 = u_t_halo[s0r0_u_t_tile_back0 + 4];
                    const float s0r0_u_sum1_3 = u_sum0_1_3 + u_t_own0_0.s[2] + s0r0_u_t_p4_p0_p1 + s0r0_u_t_p0_m1_p1.s[3] + s0r0_u_t_p0_p1_p1.s[3] - 6.0f * u_t_own0_0.s[3];
                    const float s0r0_u_sum2_0 = u_t_own0_0.s[0];
                    const float s0r0_u_sum2_1 = u_t_own0_0.s[1];
                    const float s0r0_u_sum2_2 = u_t_own0_0.s[2];
                    const float s0r0_u_sum2_3 = u_t_own0_0.s[3];
                    const int s0r0_u_t_centre = (pass + 3) % 4 * 576 + (76 + lane_row * 72 + lane * 4);
                    const gst_vector<float, 4> s0r0_u_t_centre_0 = *(const gst_vector<float, 4>*)(u_t_halo + s0r0_u_t_centre);
                    const float s0r0_u_next_0 = s0r0_u_sum0_0 * c_coef_beside0_0 + (2.0f * s0r0_u_t_centre_0.s[0] - u_t_minus_1_beside0_0);
                    const float s0r0_u_next_1 = s0r0_u_sum0_1 * c_coef_beside0_1 + (2.0f * s0r0_u_t_centre_0.s[1] - u_t_minus_1_beside0_1);
                    const float s0r0_u_next_2 = s0r0_u_sum0_2 * c_coef_beside0_2 + (2.0f * s0r0_u_t_centre_0.s[2] - u_t_minus_1_beside0_2);
                    const float s0r0_u_next_3 = s0r0_u_sum0_3 * c_coef_beside0_3 + (2.0f * s0r0_u_t_centre_0.s[3] - u_t_minus_1_beside0_3);
                    const int s0r0_u_t_kept_in_tile = (pass + 3) % 4 * 576 + (76 + lane_row * 72 + lane * 4);
                    float s0r0_u_t_kept_0 = s0r0_u_next_0;
                    float s0r0_u_t_kept_1 = s0r0_u_next_1;
                    float s0r0_u_t_kept_2 = s0r0_u_next_2;
                    float s0r0_u_t_kept_3 = s0r0_u_next_3;
                    if (x0 + 3 < 0 || (y0 < 0 || y0 >= 32) || x0 >= 60) {
                        const gst_vector<float, 4> s0r0_u_t_kept_from_0 = *(const gst_vector<float, 4>*)(u_t_halo + s0r0_u_t_kept_in_tile);
                        s0r0_u_t_kept_0 = s0r0_u_t_kept_from_0.s[0];
                        s0r0_u_t_kept_1 = s0r0_u_t_kept_from_0.s[1];
                        s0r0_u_t_kept_2 = s0r0_u_t_kept_from_0.s[2];
                        s0r0_u_t_kept_3 = s0r0_u_t_kept_from_0.s[3];
                    }
                    if (item < 60) {
                        const int s0r0_left_column = lane * 4 - 4;
                        const int s0r0_left_slot = pass % 4 * 128;
                        if (s0r0_left_column >= 0 && s0r0_left_column < 32) {
                            const int s0r0_left_row0 = lane_row - 1;
                            if (s0r0_left_row0 >= 0 && s0r0_left_row0 < 4) {
                                *(gst_vector<float, 4>*)(u_terms_left + s0r0_left_slot + s0r0_left_row0 * 32 + s0r0_left_column) = gst_vector<float, 4>{2.0f * s0r0_u_t_kept_0 - s0r0_u_t_centre_0.s[0], 2.0f * s0r0_u_t_kept_1 - s0r0_u_t_centre_0.s[1], 2.0f * s0r0_u_t_kept_2 - s0r0_u_t_centre_0.s[2], 2.0f * s0r0_u_t_kept_3 - s0r0_u_t_centre_0.s[3]};
                            }
                        }
                    }
                    const int s0r0_u_t_minus_1_beside_row0 = 4432 + newest * 2176 + max(min(y0, 32), -1) * 64;
                    const gst_vector<float, 4> s0r0_u_t_minus_1_beside_0 = *(const gst_vector<float, 4>*)&u_t_minus_1[s0r0_u_t_minus_1_beside_row0 + max(min(x0, 60), -4)];
                    const int s0r0_c_coef_beside_row0 = 4432 + newest * 2176 + max(min(y0, 32), -1) * 64;
                    const gst_vector<float, 4> s0r0_c_coef_beside_0 = *(const gst_vector<float, 4>*)&c_coef[s0r0_c_coef_beside_row0 + max(min(x0, 60), -4)];
                    if (item < 60) {
                        const int u_t_shown0 = pass % 3 * 240 + lane_row * 40 + lane * 4;
                        *(gst_vector<float, 4>*)(u_t_stage + u_t_shown0) = gst_vector<float, 4>{s0r0_u_t_kept_0, s0r0_u_t_kept_1, s0r0_u_t_kept_2, s0r0_u_t_kept_3};
                    }
                    u_sum0_0_0 = s0r0_u_sum1_0;
                    u_sum0_0_1 = s0r0_u_sum1_1;
                    u_sum0_0_2 = s0r0_u_sum1_2;
                    u_sum0_0_3 = s0r0_u_sum1_3;
                    u_sum0_1_0 = s0r0_u_sum2_0;
                    u_sum0_1_1 = s0r0_u_sum2_1;
                    u_sum0_1_2 = s0r0_u_sum2_2;
                    u_sum0_1_3 = s0r0_u_sum2_3;
                    u_t_minus_1_beside0_0 = s0r0_u_t_minus_1_beside_0.s[0];
                    u_t_minus_1_beside0_1 = s0r0_u_t_minus_1_beside_0.s[1];
                    u_t_minus_1_beside0_2 = s0r0_u_t_minus_1_beside_0.s[2];
                    u_t_minus_1_beside0_3 = s0r0_u_t_minus_1_beside_0.s[3];
                    c_coef_beside0_0 = s0r0_c_coef_beside_0.s[0];
                    c_coef_beside0_1 = s0r0_c_coef_beside_0.s[1];
                    c_coef_beside0_2 = s0r0_c_coef_beside_0.s[2];
                    c_coef_beside0_3 = s0r0_c_coef_beside_0.s[3];
                }
            }
        }
        // a tile inside of the grid
        for (int inner = beyond; inner < 1; ++inner) {
            float u_sum0_0_0 = 0.0f;
            float u_sum0_0_1 = 0.0f;
            float u_sum0_0_2 = 0.0f;
            float u_sum0_0_3 = 0.0f;
            float u_sum0_1_0 = 0.0f;
            float u_sum0_1_1 = 0.0f;
            float u_sum0_1_2 = 0.0f;
            float u_sum0_1_3 = 0.0f;
            float u_t_minus_1_beside0_0 = 0.0f;
            float u_t_minus_1_beside0_1 = 0.0f;
            float u_t_minus_1_beside0_2 = 0.0f;
            float u_t_minus_1_beside0_3 = 0.0f;
            float c_coef_beside0_0 = 0.0f;
            float c_coef_beside0_1 = 0.0f;
            float c_coef_beside0_2 = 0.0f;
            float c_coef_beside0_3 = 0.0f;
            if (0 < 20) {
                gst_copy_box<2304>(u_t_halo + 0, u_t_tensor, x_tile - 4, y_tile - 1, 0, arrived_boxes + 2 * 0);
            }
            if (1 < 20) {
                gst_copy_box<2304>(u_t_halo + 576, u_t_tensor, x_tile - 4, y_tile - 1, 1, arrived_boxes + 2 * 1);
            }
            const int b0_u_t_minus_1_beside_row0 = 2256 + y0 * 64;
            const gst_vector<float, 4> b0_u_t_minus_1_beside_0 = *(const gst_vector<float, 4>*)&u_t_minus_1[b0_u_t_minus_1_beside_row0 + x0];
            const int b0_c_coef_beside_row0 = 2256 + y0 * 64;
            const gst_vector<float, 4> b0_c_coef_beside_0 = *(const gst_vector<float, 4>*)&c_coef[b0_c_coef_beside_row0 + x0];
            u_t_minus_1_beside0_0 = b0_u_t_minus_1_beside_0.s[0];
            u_t_minus_1_beside0_1 = b0_u_t_minus_1_beside_0.s[1];
            u_t_minus_1_beside0_2 = b0_u_t_minus_1_beside_0.s[2];
            u_t_minus_1_beside0_3 = b0_u_t_minus_1_beside_0.s[3];
            c_coef_beside0_0 = b0_c_coef_beside_0.s[0];
            c_coef_beside0_1 = b0_c_coef_beside_0.s[1];
            c_coef_beside0_2 = b0_c_coef_beside_0.s[2];
            c_coef_beside0_3 = b0_c_coef_beside_0.s[3];
            for (int phase = 0; phase < 2; ++phase) {
                for (int pass = phase < 1 ? 0 : 17; pass < (phase < 1 ? 4 : 20); ++pass) {
                    const int newest = -1 + pass;
                    gst_await_at<96>(stage_group + 1);
                    const int c0_u_t_slot = (pass + 2) % 4 * 576;
                    if (pass + 2 < 20) {
                        gst_copy_box<2304>(u_t_halo + c0_u_t_slot, u_t_tensor, x_tile - 4, y_tile - 1, max(min(newest + 2, 16), -1) + 1, arrived_boxes + 2 * ((pass + 2) % 3));
                    }
                    gst_await_phase(arrived_boxes + 2 * (pass % 3), pass / 3 % 2);
                    const int u_t_own0 = pass % 4 * 576 + (76 + lane_row * 72 + lane * 4);
                    const gst_vector<float, 4> u_t_own0_0 = *(const gst_vector<float, 4>*)(u_t_halo + u_t_own0);
                    const int s0r0_come = newest;
                    const int s0r0_result = newest - 1;
                    // time step 1, plane 1
                    const float s0r0_u_sum0_0 = u_sum0_0_0 + u_t_own0_0.s[0];
                    const float s0r0_u_sum0_1 = u_sum0_0_1 + u_t_own0_0.s[1];
                    const float s0r0_u_sum0_2 = u_sum0_0_2 + u_t_own0_0.s[2];
                    const float s0r0_u_sum0_3 = u_sum0_0_3 + u_t_own0_0.s[3];
                    const int s0r0_u_t_tile_back0 = pass % 4 * 576 + (76 + lane_row * 72 + lane * 4);
                    const float s0r0_u_t_m1_p0_p1 = u_t_halo[s0r0_u_t_tile_back0 - 1];
                    const gst_vector<float, 4> s0r0_u_t_p0_m1_p1 = *(const gst_vector<float, 4>*)(u_t_halo + s0r0_u_t_tile_back0 - 72);
                    const gst_vector<float, 4> s0r0_u_t_p0_p1_p1 = *(const gst_vector<float, 4>*)(u_t_halo + s0r0_u_t_tile_back0 + 72);
                    gst_arrive_at<2, 96>();
                    const float s0r0_u_sum1_0 = u_sum0_1_0 + s0r0_u_t_m1_p0_p1 + u_t_own0_0.s[1] + s0r0_u_t_p0_m1_p1.s[0] + s0r0_u_t_p0_p1_p1.s[0] - 6.0f * u_t_own0_0.s[0];
                    const float s0r0_u_sum1_1 = u_sum0_1_1 + u_t_own0_0.s[0] + u_t_own0_0.s[2] + s0r0_u_t_p0_m1_p1.s[1] + s0r0_u_t_p0_p1_p1.s[1] - 6.0f * u_t_own0_0.s[1];
                    const float s0r0_u_sum1_2 = u_sum0_1_2 + u_t_own0_0.s[1] + u_t_own0_0.s[3] + s0r0_u_t_p0_m1_p1.s[2] + s0r0_u_t_p0_p1_p1.s[2] - 6.0f * u_t_own0_0.s[2];
                    const float s0r0_u_t_p4_p0_p1 = u_t_halo[s0r0_u_t_tile_back0 + 4];
                    const float s0r0_u_sum1_3 = u_sum0_1_3 + u_t_own0_0.s[2] + s0r0_u_t_p4_p0_p1 + s0r0_u_t_p0_m1_p1.s[3] + s0r0_u_t_p0_p1_p1.s[3] - 6.0f * u_t_own0_0.s[3];
                    const float s0r0_u_sum2_0 = u_t_own0_0.s[0];
                    const float s0r0_u_sum2_1 = u_t_own0_0.s[1];
                    const float s0r0_u_sum2_2 = u_t_own0_0.s[2];
                    const float s0r0_u_sum2_3 = u_t_own0_0.s[3];
                    const int s0r0_u_t_centre = (pass + 3) % 4 * 576 + (76 + lane_row * 72 + lane * 4);
                    const gst_vector<float, 4> s0r0_u_t_centre_0 = *(const gst_vector<float, 4>*)(u_t_halo + s0r0_u_t_centre);
                    const float s0r0_u_next_0 = s0r0_u_sum0_0 * c_coef_beside0_0 + (2.0f * s0r0_u_t_centre_0.s[0] - u_t_minus_1_beside0_0);
                    const float s0r0_u_next_1 = s0r0_u_sum0_1 * c_coef_beside0_1 + (2.0f * s0r0_u_t_centre_0.s[1] - u_t_minus_1_beside0_1);
                    const float s0r0_u_next_2 = s0r0_u_sum0_2 * c_coef_beside0_2 + (2.0f * s0r0_u_t_centre_0.s[2] - u_t_minus_1_beside0_2);
                    const float s0r0_u_next_3 = s0r0_u_sum0_3 * c_coef_beside0_3 + (2.0f * s0r0_u_t_centre_0.s[3] - u_t_minus_1_beside0_3);
                    const int s0r0_u_t_kept_in_tile = (pass + 3) % 4 * 576 + (76 + lane_row * 72 + lane * 4);
                    float s0r0_u_t_kept_0 = s0r0_u_next_0;
                    float s0r0_u_t_kept_1 = s0r0_u_next_1;
                    float s0r0_u_t_kept_2 = s0r0_u_next_2;
                    float s0r0_u_t_kept_3 = s0r0_u_next_3;
                    if (s0r0_result < 0 || s0r0_result >= 16) {
                        const gst_vector<float, 4> s0r0_u_t_kept_from_0 = *(const gst_vector<float, 4>*)(u_t_halo + s0r0_u_t_kept_in_tile);
                        s0r0_u_t_kept_0 = s0r0_u_t_kept_from_0.s[0];
                        s0r0_u_t_kept_1 = s0r0_u_t_kept_from_0.s[1];
                        s0r0_u_t_kept_2 = s0r0_u_t_kept_from_0.s[2];
                        s0r0_u_t_kept_3 = s0r0_u_t_kept_from_0.s[3];
                    }
                    if (item < 60) {
                        const int s0r0_left_column = lane * 4 - 4;
                        const int s0r0_left_slot = pass % 4 * 128;
                        if (s0r0_left_column >= 0 && s0r0_left_column < 32) {
                            const int s0r0_left_row0 = lane_row - 1;
                            if (s0r0_left_row0 >= 0 && s0r0_left_row0 < 4) {
                                *(gst_vector<float, 4>*)(u_terms_left + s0r0_left_slot + s0r0_left_row0 * 32 + s0r0_left_column) = gst_vector<float, 4>{2.0f * s0r0_u_t_kept_0 - s0r0_u_t_centre_0.s[0], 2.0f * s0r0_u_t_kept_1 - s0r0_u_t_centre_0.s[1], 2.0f * s0r0_u_t_kept_2 - s0r0_u_t_centre_0.s[2], 2.0f * s0r0_u_t_kept_3 - s0r0_u_t_centre_0.s[3]};
                            }
                        }
                    }
                    const int s0r0_u_t_minus_1_beside_row0 = 4432 + max(min(s0r0_come, 16), -1) * 2176 + y0 * 64;
                    const gst_vector<float, 4> s0r0_u_t_minus_1_beside_0 = *(const gst_vector<float, 4>*)&u_t_minus_1[s0r0_u_t_minus_1_beside_row0 + x0];
                    const int s0r0_c_coef_beside_row0 = 4432 + max(min(s0r0_come, 16), -1) * 2176 + y0 * 64;
                    const gst_vector<float, 4> s0r0_c_coef_beside_0 = *(const gst_vector<float, 4>*)&c_coef[s0r0_c_coef_beside_row0 + x0];
                    if (item < 60) {
                        const int u_t_shown0 = pass % 3 * 240 + lane_row * 40 + lane * 4;
                        *(gst_vector<float, 4>*)(u_t_stage + u_t_shown0) = gst_vector<float, 4>{s0r0_u_t_kept_0, s0r0_u_t_kept_1, s0r0_u_t_kept_2, s0r0_u_t_kept_3};
                    }
                    u_sum0_0_0 = s0r0_u_sum1_0;
                    u_sum0_0_1 = s0r0_u_sum1_1;
                    u_sum0_0_2 = s0r0_u_sum1_2;
                    u_sum0_0_3 = s0r0_u_sum1_3;
                    u_sum0_1_0 = s0r0_u_sum2_0;
                    u_sum0_1_1 = s0r0_u_sum2_1;
                    u_sum0_1_2 = s0r0_u_sum2_2;
                    u_sum0_1_3 = s0r0_u_sum2_3;
                    u_t_minus_1_beside0_0 = s0r0_u_t_minus_1_beside_0.s[0];
                    u_t_minus_1_beside0_1 = s0r0_u_t_minus_1_beside_0.s[1];
                    u_t_minus_1_beside0_2 = s0r0_u_t_minus_1_beside_0.s[2];
                    u_t_minus_1_beside0_3 = s0r0_u_t_minus_1_beside_0.s[3];
                    c_coef_beside0_0 = s0r0_c_coef_beside_0.s[0];
                    c_coef_beside0_1 = s0r0_c_coef_beside_0.s[1];
                    c_coef_beside0_2 = s0r0_c_coef_beside_0.s[2];
                    c_coef_beside0_3 = s0r0_c_coef_beside_0.s[3];
                }
                for (int pass = 4; pass < (phase < 1 ? 17 : 4); ++pass) {
                    const int newest = -1 + pass;
                    gst_await_at<96>(stage_group + 1);
                    const int c0_u_t_slot = (pass + 2) % 4 * 576;
                    if (pass + 2 < 20) {
                        gst_copy_box<2304>(u_t_halo + c0_u_t_slot, u_t_tensor, x_tile - 4, y_tile - 1, max(min(newest + 2, 16), -1) + 1, arrived_boxes + 2 * ((pass + 2) % 3));
                    }
                    gst_await_phase(arrived_boxes + 2 * (pass % 3), pass / 3 % 2);
                    const int u_t_own0 = pass % 4 * 576 + (76 + lane_row * 72 + lane * 4);
                    const gst_vector<float, 4> u_t_own0_0 = *(const gst_vector<float, 4>*)(u_t_halo + u_t_own0);
                    // time step 1, plane 1
                    const float s0r0_u_sum0_0 = u_sum0_0_0 + u_t_own0_0.s[0];
                    const float s0r0_u_sum0_1 = u_sum0_0_1 + u_t_own0_0.s[1];
                    const float s0r0_u_sum0_2 = u_sum0_0_2 + u_t_own0_0.s[2];
                    const float s0r0_u_sum0_3 = u_sum0_0_3 + u_t_own0_0.s[3];
                    const int s0r0_u_t_tile_back0 = pass % 4 * 576 + (76 + lane_row * 72 + lane * 4);
                    const float s0r0_u_t_m1_p0_p1 = u_t_halo[s0r0_u_t_tile_back0 - 1];
                    const gst_vector<float, 4> s0r0_u_t_p0_m1_p1 = *(const gst_vector<float, 4>*)(u_t_halo + s0r0_u_t_tile_back0 - 72);
                    const gst_vector<float, 4> s0r0_u_t_p0_p1_p1 = *(const gst_vector<float, 4>*)(u_t_halo + s0r0_u_t_tile_back0 + 72);
                    gst_arrive_at<2, 96>();
                    const float s0r0_u_sum1_0 = u_sum0_1_0 + s0r0_u_t_m1_p0_p1 + u_t_own0_0.s[1] + s0r0_u_t_p0_m1_p1.s[0] + s0r0_u_t_p0_p1_p1.s[0] - 6.0f * u_t_own0_0.s[0];
                    const float s0r0_u_sum1_1 = u_sum0_1_1 + u_t_own0_0.s[0] + u_t_own0_0.s[2] + s0r0_u_t_p0_m1_p1.s[1] + s0r0_u_t_p0_p1_p1.s[1] - 6.0f * u_t_own0_0.s[1];
                    const float s0r0_u_sum1_2 = u_sum0_1_2 + u_t_own0_0.s[1] + u_t_own0_0.s[3] + s0r0_u_t_p0_m1_p1.s[2] + s0r0_u_t_p0_p1_p1.s[2] - 6.0f * u_t_own0_0.s[2];
                    const float s0r0_u_t_p4_p0_p1 = u_t_halo[s0r0_u_t_tile_back0 + 4];
                    const float s0r0_u_sum1_3 = u_sum0_1_3 + u_t_own0_0.s[2] + s0r0_u_t_p4_p0_p1 + s0r0_u_t_p0_m1_p1.s[3] + s0r0_u_t_p0_p1_p1.s[3] - 6.0f * u_t_own0_0.s[3];
                    const float s0r0_u_sum2_0 = u_t_own0_0.s[0];
                    const float s0r0_u_sum2_1 = u_t_own0_0.s[1];
                    const float s0r0_u_sum2_2 = u_t_own0_0.s[2];
                    const float s0r0_u_sum2_3 = u_t_own0_0.s[3];
                    const int s0r0_u_t_centre = (pass + 3) % 4 * 576 + (76 + lane_row * 72 + lane * 4);
                    const gst_vector<float, 4> s0r0_u_t_centre_0 = *(const gst_vector<float, 4>*)(u_t_halo + s0r0_u_t_centre);
                    const float s0r0_u_next_0 = s0r0_u_sum0_0 * c_coef_beside0_0 + (2.0f * s0r0_u_t_centre_0.s[0] - u_t_minus_1_beside0_0);
                    const float s0r0_u_next_1 = s0r0_u_sum0_1 * c_coef_beside0_1 + (2.0f * s0r0_u_t_centre_0.s[1] - u_t_minus_1_beside0_1);
                    const float s0r0_u_next_2 = s0r0_u_sum0_2 * c_coef_beside0_2 + (2.0f * s0r0_u_t_centre_0.s[2] - u_t_minus_1_beside0_2);
                    const float s0r0_u_next_3 = s0r0_u_sum0_3 * c_coef_beside0_3 + (2.0f * s0r0_u_t_centre_0.s[3] - u_t_minus_1_beside0_3);
                    if (item < 60) {
                        const int s0r0_left_column = lane * 4 - 4;
                        const int s0r0_left_slot = pass % 4 * 128;
                        if (s0r0_left_column >= 0 && s0r0_left_column < 32) {
                            const int s0r0_left_row0 = lane_row - 1;
                            if (s0r0_left_row0 >= 0 && s0r0_left_row0 < 4) {
                                *(gst_vector<float, 4>*)(u_terms_left + s0r0_left_slot + s0r0_left_row0 * 32 + s0r0_left_column) = gst_vector<float, 4>{2.0f * s0r0_u_next_0 - s0r0_u_t_centre_0.s[0], 2.0f * s0r0_u_next_1 - s0r0_u_t_centre_0.s[1], 2.0f * s0r0_u_next_2 - s0r0_u_t_centre_0.s[2], 2.0f * s0r0_u_next_3 - s0r0_u_t_centre_0.s[3]};
                            }
                        }
                    }
                    const int s0r0_u_t_minus_1_beside_row0 = 4432 + newest * 2176 + y0 * 64;
                    const gst_vector<float, 4> s0r0_u_t_minus_1_beside_0 = *(const gst_vector<float, 4>*)&u_t_minus_1[s0r0_u_t_minus_1_beside_row0 + x0];
                    const int s0r0_c_coef_beside_row0 = 4432 + newest * 2176 + y0 * 64;
                    const gst_vector<float, 4> s0r0_c_coef_beside_0 = *(const gst_vector<float, 4>*)&c_coef[s0r0_c_coef_beside_row0 + x0];
                    if (item < 60) {
                        const int u_t_shown0 = pass % 3 * 240 + lane_row * 40 + lane * 4;
                        *(gst_vector<float, 4>*)(u_t_stage + u_t_shown0) = gst_vector<float, 4>{s0r0_u_next_0, s0r0_u_next_1, s0r0_u_next_2, s0r0_u_next_3};
                    }
                    u_sum0_0_0 = s0r0_u_sum1_0;
                    u_sum0_0_1 = s0r0_u_sum1_1;
                    u_sum0_0_2 = s0r0_u_sum1_2;
                    u_sum0_0_3 = s0r0_u_sum1_3;
                    u_sum0_1_0 = s0r0_u_sum2_0;
                    u_sum0_1_1 = s0r0_u_sum2_1;
                    u_sum0_1_2 = s0r0_u_sum2_2;
                    u_sum0_1_3 = s0r0_u_sum2_3;
                    u_t_minus_1_beside0_0 = s0r0_u_t_minus_1_beside_0.s[0];
                    u_t_minus_1_beside0_1 = s0r0_u_t_minus_1_beside_0.s[1];
                    u_t_minus_1_beside0_2 = s0r0_u_t_minus_1_beside_0.s[2];
                    u_t_minus_1_beside0_3 = s0r0_u_t_minus_1_beside_0.s[3];
                    c_coef_beside0_0 = s0r0_c_coef_beside_0.s[0];
                    c_coef_beside0_1 = s0r0_c_coef_beside_0.s[1];
                    c_coef_beside0_2 = s0r0_c_coef_beside_0.s[2];
                    c_coef_beside0_3 = s0r0_c_coef_beside_0.s[3];
                }
            }
        }
        gst_await_at<96>(1);
    } else {
        const int x0 = x_tile + lane * 4 - (stage_group == 0 ? 4 : 0);
        const int y0 = y_tile + (stage_group == 0 ? lane_row - 1 : lane_row);
        gst_arrive_at<1, 96>();
        const int beyond = x_tile - 4 < 0 || x_tile - 4 >= 21 || (y_tile - 1 < 0 || y_tile - 1 >= 27) ? 1 : 0;
        // a tile that reaches beyond the grid
        for (int edge = 0; edge < beyond; ++edge) {
            float u_sum0_0_0 = 0.0f;
            float u_sum0_0_1 = 0.0f;
            float u_sum0_0_2 = 0.0f;
            float u_sum0_0_3 = 0.0f;
            float u_sum0_1_0 = 0.0f;
            float u_sum0_1_1 = 0.0f;
            float u_sum0_1_2 = 0.0f;
            float u_sum0_1_3 = 0.0f;
            float u_t_minus_1_beside0_0 = 0.0f;
            float u_t_minus_1_beside0_1 = 0.0f;
            float u_t_minus_1_beside0_2 = 0.0f;
            float u_t_minus_1_beside0_3 = 0.0f;
            float c_coef_beside0_0 = 0.0f;
            float c_coef_beside0_1 = 0.0f;
            float c_coef_beside0_2 = 0.0f;
            float c_coef_beside0_3 = 0.0f;
            const int b0_c_coef_beside_row0 = 2256 + max(min(y0, 32), -1) * 64;
            const gst_vector<float, 4> b0_c_coef_beside_0 = *(const gst_vector<float, 4>*)&c_coef[b0_c_coef_beside_row0 + max(min(x0, 60), -4)];
            c_coef_beside0_0 = b0_c_coef_beside_0.s[0];
            c_coef_beside0_1 = b0_c_coef_beside_0.s[1];
            c_coef_beside0_2 = b0_c_coef_beside_0.s[2];
            c_coef_beside0_3 = b0_c_coef_beside_0.s[3];
            for (int phase = 0; phase < 2; ++phase) {
                for (int pass = phase < 1 ? 0 : 17; pass < (phase < 1 ? 4 : 20); ++pass) {
                    const int newest = -1 + pass;
                    gst_await_at<96>(stage_group + 1);
                    const int c0_u_t_slot = (pass + 2) % 4 * 576;
                    const int plane = newest - 2;
                    gst_arrive_at<1, 96>();
                    const int u_t_own0 = (pass + 2) % 3 * 240 + (44 + lane_row * 40 + lane * 4);
                    const gst_vector<float, 4> u_t_own0_0 = *(const gst_vector<float, 4>*)(u_t_stage + u_t_own0);
                    const int f0_plane = plane;
                    if (0 <= f0_plane && f0_plane < 16) {
                        const int f0_u_t_plus_1_to0 = 4432 + f0_plane * 2176 + y0 * 64 + x0;
                        if (x0 + 3 < 60) {
                            *(gst_vector<float, 4>*)&u_t_plus_1[f0_u_t_plus_1_to0] = gst_vector<float, 4>{u_t_own0_0.s[0], u_t_own0_0.s[1], u_t_own0_0.s[2], u_t_own0_0.s[3]};
                        }
                    }
                    const int s0r0_come = plane;
                    const int s0r0_result = plane - 1;
                    // time step 1, plane 1
                    const float s0r0_u_sum0_0 = u_sum0_0_0 + u_t_own0_0.s[0];
                    const float s0r0_u_sum0_1 = u_sum0_0_1 + u_t_own0_0.s[1];
                    const float s0r0_u_sum0_2 = u_sum0_0_2 + u_t_own0_0.s[2];
                    const float s0r0_u_sum0_3 = u_sum0_0_3 + u_t_own0_0.s[3];
                    const int s0r0_u_t_tile_back0 = (pass + 2) % 3 * 240 + (44 + lane_row * 40 + lane * 4);
                    const float s0r0_u_t_m1_p0_p1 = u_t_stage[s0r0_u_t_tile_back0 - 1];
                    const gst_vector<float, 4> s0r0_u_t_p0_m1_p1 = *(const gst_vector<float, 4>*)(u_t_stage + s0r0_u_t_tile_back0 - 40);
                    const gst_vector<float, 4> s0r0_u_t_p0_p1_p1 = *(const gst_vector<float, 4>*)(u_t_stage + s0r0_u_t_tile_back0 + 40);
                    const float s0r0_u_sum1_0 = u_sum0_1_0 + s0r0_u_t_m1_p0_p1 + u_t_own0_0.s[1] + s0r0_u_t_p0_m1_p1.s[0] + s0r0_u_t_p0_p1_p1.s[0] - 6.0f * u_t_own0_0.s[0];
                    const float s0r0_u_sum1_1 = u_sum0_1_1 + u_t_own0_0.s[0] + u_t_own0_0.s[2] + s0r0_u_t_p0_m1_p1.s[1] + s0r0_u_t_p0_p1_p1.s[1] - 6.0f * u_t_own0_0.s[1];
                    const float s0r0_u_sum1_2 = u_sum0_1_2 + u_t_own0_0.s[1] + u_t_own0_0.s[3] + s0r0_u_t_p0_m1_p1.s[2] + s0r0_u_t_p0_p1_p1.s[2] - 6.0f * u_t_own0_0.s[2];
                    const float s0r0_u_t_p4_p0_p1 = u_t_stage[s0r0_u_t_tile_back0 + 4];
                    const float s0r0_u_sum1_3 = u_sum0_1_3 + u_t_own0_0.s[2] + s0r0_u_t_p4_p0_p1 + s0r0_u_t_p0_m1_p1.s[3] + s0r0_u_t_p0_p1_p1.s[3] - 6.0f * u_t_own0_0.s[3];
                    const float s0r0_u_sum2_0 = u_t_own0_0.s[0];
                    const float s0r0_u_sum2_1 = u_t_own0_0.s[1];
                    const float s0r0_u_sum2_2 = u_t_own0_0.s[2];
                    const float s0r0_u_sum2_3 = u_t_own0_0.s[3];
                    const int s0r0_u_terms_left = (pass + 2) % 4 * 128 + lane_row * 32 + lane * 4;
                    const gst_vector<float, 4> s0r0_u_terms_left_0 = *(const gst_vector<float, 4>*)(u_terms_left + s0r0_u_terms_left);
                    const float s0r0_u_next_0 = s0r0_u_sum0_0 * c_coef_beside0_0 + s0r0_u_terms_left_0.s[0];
                    const float s0r0_u_next_1 = s0r0_u_sum0_1 * c_coef_beside0_1 + s0r0_u_terms_left_0.s[1];
                    const float s0r0_u_next_2 = s0r0_u_sum0_2 * c_coef_beside0_2 + s0r0_u_terms_left_0.s[2];
                    const float s0r0_u_next_3 = s0r0_u_sum0_3 * c_coef_beside0_3 + s0r0_u_terms_left_0.s[3];
                    const int s0r0_c_coef_beside_row0 = 4432 + max(min(s0r0_come, 16), -1) * 2176 + max(min(y0, 32), -1) * 64;
                    const gst_vector<float, 4> s0r0_c_coef_beside_0 = *(const gst_vector<float, 4>*)&c_coef[s0r0_c_coef_beside_row0 + max(min(x0, 60), -4)];
                    const int w0_plane = plane - 1;
                    if (0 <= w0_plane && w0_plane < 16) {
                        const int w0_u_to0 = 4432 + w0_plane * 2176 + y0 * 64 + x0;
                        if (x0 + 3 < 60) {
                            *(gst_vector<float, 4>*)&u_t_plus_2[w0_u_to0] = gst_vector<float, 4>{s0r0_u_next_0, s0r0_u_next_1, s0r0_u_next_2, s0r0_u_next_3};
                        }
                    }
                    u_sum0_0_0 = s0r0_u_sum1_0;
                    u_sum0_0_1 = s0r0_u_sum1_1;
                    u_sum0_0_2 = s0r0_u_sum1_2;
                    u_sum0_0_3 = s0r0_u_sum1_3;
                    u_sum0_1_0 = s0r0_u_sum2_0;
                    u_sum0_1_1 = s0r0_u_sum2_1;
                    u_sum0_1_2 = s0r0_u_sum2_2;
                    u_sum0_1_3 = s0r0_u_sum2_3;
                    c_coef_beside0_0 = s0r0_c_coef_beside_0.s[0];
                    c_coef_beside0_1 = s0r0_c_coef_beside_0.s[1];
                    c_coef_beside0_2 = s0r0_c_coef_beside_0.s[2];
                    c_coef_beside0_3 = s0r0_c_coef_beside_0.s[3];
                }
                for (int pass = 4; pass < (phase < 1 ? 17 : 4); ++pass) {
                    const int newest = -1 + pass;
                    gst_await_at<96>(stage_group + 1);
                    const int c0_u_t_slot = (pass + 2) % 4 * 576;
                    const int plane = newest - 2;
                    gst_arrive_at<1, 96>();
                    const int u_t_own0 = (pass + 2) % 3 * 240 + (44 + lane_row * 40 + lane * 4);
                    const gst_vector<float, 4> u_t_own0_0 = *(const gst_vector<float, 4>*)(u_t_stage + u_t_own0);
                    const int f0_plane = plane;
                    if (0 <= f0_plane && f0_plane < 16) {
                        const int f0_u_t_plus_1_to0 = 4432 + f0_plane * 2176 + y0 * 64 + x0;
                        if (x0 + 3 < 60) {
                            *(gst_vector<float, 4>*)&u_t_plus_1[f0_u_t_plus_1_to0] = gst_vector<float, 4>{u_t_own0_0.s[0], u_t_own0_0.s[1], u_t_own0_0.s[2], u_t_own0_0.s[3]};
                        }
                    }
                    // time step 1, plane 1
                    const float s0r0_u_sum0_0 = u_sum0_0_0 + u_t_own0_0.s[0];
                    const float s0r0_u_sum0_1 = u_sum0_0_1 + u_t_own0_0.s[1];
                    const float s0r0_u_sum0_2 = u_sum0_0_2 + u_t_own0_0.s[2];
                    const float s0r0_u_sum0_3 = u_sum0_0_3 + u_t_own0_0.s[3];
                    const int s0r0_u_t_tile_back0 = (pass + 2) % 3 * 240 + (44 + lane_row * 40 + lane * 4);
                    const float s0r0_u_t_m1_p0_p1 = u_t_stage[s0r0_u_t_tile_back0 - 1];
                    const gst_vector<float, 4> s0r0_u_t_p0_m1_p1 = *(const gst_vector<float, 4>*)(u_t_stage + s0r0_u_t_tile_back0 - 40);
                    const gst_vector<float, 4> s0r0_u_t_p0_p1_p1 = *(const gst_vector<float, 4>*)(u_t_stage + s0r0_u_t_tile_back0 + 40);
                    const float s0r0_u_sum1_0 = u_sum0_1_0 + s0r0_u_t_m1_p0_p1 + u_t_own0_0.s[1] + s0r0_u_t_p0_m1_p1.s[0] + s0r0_u_t_p0_p1_p1.s[0] - 6.0f * u_t_own0_0.s[0];
                    const float s0r0_u_sum1_1 = u_sum0_1_1 + u_t_own0_0.s[0] + u_t_own0_0.s[2] + s0r0_u_t_p0_m1_p1.s[1] + s0r0_u_t_p0_p1_p1.s[1] - 6.0f * u_t_own0_0.s[1];
                    const float s0r0_u_sum1_2 = u_sum0_1_2 + u_t_own0_0.s[1] + u_t_own0_0.s[3] + s0r0_u_t_p0_m1_p1.s[2] + s0r0_u_t_p0_p1_p1.s[2] - 6.0f * u_t_own0_0.s[2];
                    const float s0r0_u_t_p4_p0_p1 = u_t_stage[s0r0_u_t_tile_back0 + 4];
                    const float s0r0_u_sum1_3 = u_sum0_1_3 + u_t_own0_0.s[2] + s0r0_u_t_p4_p0_p1 + s0r0_u_t_p0_m1_p1.s[3] + s0r0_u_t_p0_p1_p1.s[3] - 6.0f * u_t_own0_0.s[3];
                    const float s0r0_u_sum2_0 = u_t_own0_0.s[0];
                    const float s0r0_u_sum2_1 = u_t_own0_0.s[1];
                    const float s0r0_u_sum2_2 = u_t_own0_0.s[2];
                    const float s0r0_u_sum2_3 = u_t_own0_0.s[3];
                    const int s0r0_u_terms_left = (pass + 2) % 4 * 128 + lane_row * 32 + lane * 4;
                    const gst_vector<float, 4> s0r0_u_terms_left_0 = *(const gst_vector<float, 4>*)(u_terms_left + s0r0_u_terms_left);
                    const float s0r0_u_next_0 = s0r0_u_sum0_0 * c_coef_beside0_0 + s0r0_u_terms_left_0.s[0];
                    const float s0r0_u_next_1 = s0r0_u_sum0_1 * c_coef_beside0_1 + s0r0_u_terms_left_0.s[1];
                    const float s0r0_u_next_2 = s0r0_u_sum0_2 * c_coef_beside0_2 + s0r0_u_terms_left_0.s[2];
                    const float s0r0_u_next_3 = s0r0_u_sum0_3 * c_coef_beside0_3 + s0r0_u_terms_left_0.s[3];
                    const int s0r0_c_coef_beside_row0 = 4432 + plane * 2176 + max(min(y0, 32), -1) * 64;
                    const gst_vector<float, 4> s0r0_c_coef_beside_0 = *(const gst_vector<float, 4>*)&c_coef[s0r0_c_coef_beside_row0 + max(min(x0, 60), -4)];
                    const int w0_plane = plane - 1;
                    if (0 <= w0_plane && w0_plane < 16) {
                        const int w0_u_to0 = 4432 + w0_plane * 2176 + y0 * 64 + x0;
                        if (x0 + 3 < 60) {
                            *(gst_vector<float, 4>*)&u_t_plus_2[w0_u_to0] = gst_vector<float, 4>{s0r0_u_next_0, s0r0_u_next_1, s0r0_u_next_2, s0r0_u_next_3};
                        }
                    }
                    u_sum0_0_0 = s0r0_u_sum1_0;
                    u_sum0_0_1 = s0r0_u_sum1_1;
                    u_sum0_0_2 = s0r0_u_sum1_2;
                    u_sum0_0_3 = s0r0_u_sum1_3;
                    u_sum0_1_0 = s0r0_u_sum2_0;
                    u_sum0_1_1 = s0r0_u_sum2_1;
                    u_sum0_1_2 = s0r0_u_sum2_2;
                    u_sum0_1_3 = s0r0_u_sum2_3;
                    c_coef_beside0_0 = s0r0_c_coef_beside_0.s[0];
                    c_coef_beside0_1 = s0r0_c_coef_beside_0.s[1];
                    c_coef_beside0_2 = s0r0_c_coef_beside_0.s[2];
                    c_coef_beside0_3 = s0r0_c_coef_beside_0.s[3];
                }
            }
        }
        // a tile inside of the grid
        for (int inner = beyond; inner < 1; ++inner) {
            float u_sum0_0_0 = 0.0f;
            float u_sum0_0_1 = 0.0f;
            float u_sum0_0_2 = 0.0f;
            float u_sum0_0_3 = 0.0f;
            float u_sum0_1_0 = 0.0f;
            float u_sum0_1_1 = 0.0f;
            float u_sum0_1_2 = 0.0f;
            float u_sum0_1_3 = 0.0f;
            float u_t_minus_1_beside0_0 = 0.0f;
            float u_t_minus_1_beside0_1 = 0.0f;
            float u_t_minus_1_beside0_2 = 0.0f;
            float u_t_minus_1_beside0_3 = 0.0f;
            float c_coef_beside0_0 = 0.0f;
            float c_coef_beside0_1 = 0.0f;
            float c_coef_beside0_2 = 0.0f;
            float c_coef_beside0_3 = 0.0f;
            const int b0_c_coef_beside_row0 = 2256 + y0 * 64;
            const gst_vector<float, 4> b0_c_coef_beside_0 = *(const gst_vector<float, 4>*)&c_coef[b0_c_coef_beside_row0 + x0];
            c_coef_beside0_0 = b0_c_coef_beside_0.s[0];
            c_coef_beside0_1 = b0_c_coef_beside_0.s[1];
            c_coef_beside0_2 = b0_c_coef_beside_0.s[2];
            c_coef_beside0_3 = b0_c_coef_beside_0.s[3];
            for (int phase = 0; phase < 2; ++phase) {
                for (int pass = phase < 1 ? 0 : 17; pass < (phase < 1 ? 4 : 20); ++pass) {
                    const int newest = -1 + pass;
                    gst_await_at<96>(stage_group + 1);
                    const int c0_u_t_slot = (pass + 2) % 4 * 576;
                    const int plane = newest - 2;
                    gst_arrive_at<1, 96>();
                    const int u_t_own0 = (pass + 2) % 3 * 240 + (44 + lane_row * 40 + lane * 4);
                    const gst_vector<float, 4> u_t_own0_0 = *(const gst_vector<float, 4>*)(u_t_stage + u_t_own0);
                    const int f0_plane = plane;
                    if (0 <= f0_plane && f0_plane < 16) {
                        const int f0_u_t_plus_1_to0 = 4432 + f0_plane * 2176 + y0 * 64 + x0;
                        *(gst_vector<float, 4>*)&u_t_plus_1[f0_u_t_plus_1_to0] = gst_vector<float, 4>{u_t_own0_0.s[0], u_t_own0_0.s[1], u_t_own0_0.s[2], u_t_own0_0.s[3]};
                    }
                    const int s0r0_come = plane;
                    const int s0r0_result = plane - 1;
                    // time step 1, plane 1
                    const float s0r0_u_sum0_0 = u_sum0_0_0 + u_t_own0_0.s[0];
                    const float s0r0_u_sum0_1 = u_sum0_0_1 + u_t_own0_0.s[1];
                    const float s0r0_u_sum0_2 = u_sum0_0_2 + u_t_own0_0.s[2];
                    const float s0r0_u_sum0_3 = u_sum0_0_3 + u_t_own0_0.s[3];
                    const int s0r0_u_t_tile_back0 = (pass + 2) % 3 * 240 + (44 + lane_row * 40 + lane * 4);
                    const float s0r0_u_t_m1_p0_p1 = u_t_stage[s0r0_u_t_tile_back0 - 1];
                    const gst_vector<float, 4> s0r0_u_t_p0_m1_p1 = *(const gst_vector<float, 4>*)(u_t_stage + s0r0_u_t_tile_back0 - 40);
                    const gst_vector<float, 4> s0r0_u_t_p0_p1_p1 = *(const gst_vector<float, 4>*)(u_t_stage + s0r0_u_t_tile_back0 + 40);
                    const float s0r0_u_sum1_0 = u_sum0_1_0 + s0r0_u_t_m1_p0_p1 + u_t_own0_0.s[1] + s0r0_u_t_p0_m1_p1.s[0] + s0r0_u_t_p0_p1_p1.s[0] - 6.0f * u_t_own0_0.s[0];
                    const float s0r0_u_sum1_1 = u_sum0_1_1 + u_t_own0_0.s[0] + u_t_own0_0.s[2] + s0r0_u_t_p0_m1_p1.s[1] + s0r0_u_t_p0_p1_p1.s[1] - 6.0f * u_t_own0_0.s[1];
                    const float s0r0_u_sum1_2 = u_sum0_1_2 + u_t_own0_0.s[1] + u_t_own0_0.s[3] + s0r0_u_t_p0_m1_p1.s[2] + s0r0_u_t_p0_p1_p1.s[2] - 6.0f * u_t_own0_0.s[2];
                    const float s0r0_u_t_p4_p0_p1 = u_t_stage[s0r0_u_t_tile_back0 + 4];
                    const float s0r0_u_sum1_3 = u_sum0_1_3 + u_t_own0_0.s[2] + s0r0_u_t_p4_p0_p1 + s0r0_u_t_p0_m1_p1.s[3] + s0r0_u_t_p0_p1_p1.s[3] - 6.0f * u_t_own0_0.s[3];
                    const float s0r0_u_sum2_0 = u_t_own0_0.s[0];
                    const float s0r0_u_sum2_1 = u_t_own0_0.s[1];
                    const float s0r0_u_sum2_2 = u_t_own0_0.s[2];
                    const float s0r0_u_sum2_3 = u_t_own0_0.s[3];
                    const int s0r0_u_terms_left = (pass + 2) % 4 * 128 + lane_row * 32 + lane * 4;
                    const gst_vector<float, 4> s0r0_u_terms_left_0 = *(const gst_vector<float, 4>*)(u_terms_left + s0r0_u_terms_left);
                    const float s0r0_u_next_0 = s0r0_u_sum0_0 * c_coef_beside0_0 + s0r0_u_terms_left_0.s[0];
                    const float s0r0_u_next_1 = s0r0_u_sum0_1 * c_coef_beside0_1 + s0r0_u_terms_left_0.s[1];
                    const float s0r0_u_next_2 = s0r0_u_sum0_2 * c_coef_beside0_2 + s0r0_u_terms_left_0.s[2];
                    const float s0r0_u_next_3 = s0r0_u_sum0_3 * c_coef_beside0_3 + s0r0_u_terms_left_0.s[3];
                    const int s0r0_c_coef_beside_row0 = 4432 + max(min(s0r0_come, 16), -1) * 2176 + y0 * 64;
                    const gst_vector<float, 4> s0r0_c_coef_beside_0 = *(const gst_vector<float, 4>*)&c_coef[s0r0_c_coef_beside_row0 + x0];
                    const int w0_plane = plane - 1;
                    if (0 <= w0_plane && w0_plane < 16) {
                        const int w0_u_to0 = 4432 + w0_plane * 2176 + y0 * 64 + x0;
                        *(gst_vector<float, 4>*)&u_t_plus_2[w0_u_to0] = gst_vector<float, 4>{s0r0_u_next_0, s0r0_u_next_1, s0r0_u_next_2, s0r0_u_next_3};
                    }
                    u_sum0_0_0 = s0r0_u_sum1_0;
                    u_sum0_0_1 = s0r0_u_sum1_1;
                    u_sum0_0_2 = s0r0_u_sum1_2;
                    u_sum0_0_3 = s0r0_u_sum1_3;
                    u_sum0_1_0 = s0r0_u_sum2_0;
                    u_sum0_1_1 = s0r0_u_sum2_1;
                    u_sum0_1_2 = s0r0_u_sum2_2;
                    u_sum0_1_3 = s0r0_u_sum2_3;
                    c_coef_beside0_0 = s0r0_c_coef_beside_0.s[0];
                    c_coef_beside0_1 = s0r0_c_coef_beside_0.s[1];
                    c_coef_beside0_2 = s0r0_c_coef_beside_0.s[2];
                    c_coef_beside0_3 = s0r0_c_coef_beside_0.s[3];
                }
                for (int pass = 4; pass < (phase < 1 ? 17 : 4); ++pass) {
                    const int newest = -1 + pass;
                    gst_await_at<96>(stage_group + 1);
                    const int c0_u_t_slot = (pass + 2) % 4 * 576;
                    const int plane = newest - 2;
                    gst_arrive_at<1, 96>();
                    const int u_t_own0 = (pass + 2) % 3 * 240 + (44 + lane_row * 40 + lane * 4);
                    const gst_vector<float, 4> u_t_own0_0 = *(const gst_vector<float, 4>*)(u_t_stage + u_t_own0);
                    const int f0_plane = plane;
                    if (0 <= f0_plane && f0_plane < 16) {
                        const int f0_u_t_plus_1_to0 = 4432 + f0_plane * 2176 + y0 * 64 + x0;
                        *(gst_vector<float, 4>*)&u_t_plus_1[f0_u_t_plus_1_to0] = gst_vector<float, 4>{u_t_own0_0.s[0], u_t_own0_0.s[1], u_t_own0_0.s[2], u_t_own0_0.s[3]};
                    }
                    // time step 1, plane 1
                    const float s0r0_u_sum0_0 = u_sum0_0_0 + u_t_own0_0.s[0];
                    const float s0r0_u_sum0_1 = u_sum0_0_1 + u_t_own0_0.s[1];
                    const float s0r0_u_sum0_2 = u_sum0_0_2 + u_t_own0_0.s[2];
                    const float s0r0_u_sum0_3 = u_sum0_0_3 + u_t_own0_0.s[3];
                    const int s0r0_u_t_tile_back0 = (pass + 2) % 3 * 240 + (44 + lane_row * 40 + lane * 4);
                    const float s0r0_u_t_m1_p0_p1 = u_t_stage[s0r0_u_t_tile_back0 - 1];
                    const gst_vector<float, 4> s0r0_u_t_p0_m1_p1 = *(const gst_vector<float, 4>*)(u_t_stage + s0r0_u_t_tile_back0 - 40);
                    const gst_vector<float, 4> s0r0_u_t_p0_p1_p1 = *(const gst_vector<float, 4>*)(u_t_stage + s0r0_u_t_tile_back0 + 40);
                    const float s0r0_u_sum1_0 = u_sum0_1_0 + s0r0_u_t_m1_p0_p1 + u_t_own0_0.s[1] + s0r0_u_t_p0_m1_p1.s[0] + s0r0_u_t_p0_p1_p1.s[0] - 6.0f * u_t_own0_0.s[0];
                    const float s0r0_u_sum1_1 = u_sum0_1_1 + u_t_own0_0.s[0] + u_t_own0_0.s[2] + s0r0_u_t_p0_m1_p1.s[1] + s0r0_u_t_p0_p1_p1.s[1] - 6.0f * u_t_own0_0.s[1];
                    const float s0r0_u_sum1_2 = u_sum0_1_2 + u_t_own0_0.s[1] + u_t_own0_0.s[3] + s0r0_u_t_p0_m1_p1.s[2] + s0r0_u_t_p0_p1_p1.s[2] - 6.0f * u_t_own0_0.s[2];
                    const float s0r0_u_t_p4_p0_p1 = u_t_stage[s0r0_u_t_tile_back0 + 4];
                    const float s0r0_u_sum1_3 = u_sum0_1_3 + u_t_own0_0.s[2] + s0r0_u_t_p4_p0_p1 + s0r0_u_t_p0_m1_p1.s[3] + s0r0_u_t_p0_p1_p1.s[3] - 6.0f * u_t_own0_0.s[3];
                    const float s0r0_u_sum2_0 = u_t_own0_0.s[0];
                    const float s0r0_u_sum2_1 = u_t_own0_0.s[1];
                    const float s0r0_u_sum2_2 = u_t_own0_0.s[2];
                    const float s0r0_u_sum2_3 = u_t_own0_0.s[3];
                    const int s0r0_u_terms_left = (pass + 2) % 4 * 128 + lane_row * 32 + lane * 4;
                    const gst_vector<float, 4> s0r0_u_terms_left_0 = *(const gst_vector<float, 4>*)(u_terms_left + s0r0_u_terms_left);
                    const float s0r0_u_next_0 = s0r0_u_sum0_0 * c_coef_beside0_0 + s0r0_u_terms_left_0.s[0];
                    const float s0r0_u_next_1 = s0r0_u_sum0_1 * c_coef_beside0_1 + s0r0_u_terms_left_0.s[1];
                    const float s0r0_u_next_2 = s0r0_u_sum0_2 * c_coef_beside0_2 + s0r0_u_terms_left_0.s[2];
                    const float s0r0_u_next_3 = s0r0_u_sum0_3 * c_coef_beside0_3 + s0r0_u_terms_left_0.s[3];
                    const int s0r0_c_coef_beside_row0 = 4432 + plane * 2176 + y0 * 64;
                    const gst_vector<float, 4> s0r0_c_coef_beside_0 = *(const gst_vector<float, 4>*)&c_coef[s0r0_c_coef_beside_row0 + x0];
                    const int w0_plane = plane - 1;
                    if (0 <= w0_plane && w0_plane < 16) {
                        const int w0_u_to0 = 4432 + w0_plane * 2176 + y0 * 64 + x0;
                        *(gst_vector<float, 4>*)&u_t_plus_2[w0_u_to0] = gst_vector<float, 4>{s0r0_u_next_0, s0r0_u_next_1, s0r0_u_next_2, s0r0_u_next_3};
                    }
                    u_sum0_0_0 = s0r0_u_sum1_0;
                    u_sum0_0_1 = s0r0_u_sum1_1;
                    u_sum0_0_2 = s0r0_u_sum1_2;
                    u_sum0_0_3 = s0r0_u_sum1_3;
                    u_sum0_1_0 = s0r0_u_sum2_0;
                    u_sum0_1_1 = s0r0_u_sum2_1;
                    u_sum0_1_2 = s0r0_u_sum2_2;
                    u_sum0_1_3 = s0r0_u_sum2_3;
                    c_coef_beside0_0 = s0r0_c_coef_beside_0.s[0];
                    c_coef_beside0_1 = s0r0_c_coef_beside_0.s[1];
                    c_coef_beside0_2 = s0r0_c_coef_beside_0.s[2];
                    c_coef_beside0_3 = s0r0_c_coef_beside_0.s[3];
                }
            }
        }
    }
}

// u[t+1] on 60 × 32 × 16 points: work-group 32 × 8 × 1, block merge 1 × 1 × 1, cyclic merge 1 × 1 × 1, vector width 1, loads from global memory
extern "C" __global__ void __launch_bounds__(256) waves_u(
    float* __restrict__ u_t_plus_1,
    const float* __restrict__ u_t_minus_1,
    const float* __restrict__ u_t,
    const float* __restrict__ c_coef)
{
    const int x0 = (int)blockIdx.x * 32 + (int)threadIdx.x;
    const int y0 = (int)blockIdx.y * 8 + (int)threadIdx.y;
    const int z0 = (int)blockIdx.z;
    if ((int)blockIdx.x < 1) {
        const int i = 4432 + x0 + y0 * 64 + z0 * 2176;
        const float v1 = u_t[i];
        u_t_plus_1[i] = 2.0f * v1 - u_t_minus_1[i] + c_coef[i] * (u_t[i - 1] + u_t[i + 1] + u_t[i - 64] + u_t[i + 64] + u_t[i - 2176] + u_t[i + 2176] - 6.0f * v1);
    } else if (x0 < 60) {
        const int i = 4432 + x0 + y0 * 64 + z0 * 2176;
        const float v1 = u_t[i];
        u_t_plus_1[i] = 2.0f * v1 - u_t_minus_1[i] + c_coef[i] * (u_t[i - 1] + u_t[i + 1] + u_t[i - 64] + u_t[i + 64] + u_t[i - 2176] + u_t[i + 2176] - 6.0f * v1);
    }
}

