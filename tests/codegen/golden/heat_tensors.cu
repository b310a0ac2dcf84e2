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

// u[t+1] on 60 × 32 × 16 points: work-group 8 × 4 × 1, block merge 4 × 2 × 1, cyclic merge 1 × 1 × 1, vector width 4, loads from global memory through local memory, streaming 16 planes along z, 1 at a time, retimed, prefetched 3 passes ahead, tiles with their halo copied as wholes
extern "C" __global__ void __launch_bounds__(32) heat_u(
    float* __restrict__ u_t_plus_1,
    const float* __restrict__ u_t,
    const __grid_constant__ gst_tensor u_t_tensor,
    const float alpha_param)
{
    __shared__ __align__(128) float u_t_halo[1248];
    __shared__ __align__(16) int arrived_boxes[6];
    const int x_tile = (int)blockIdx.x * 32;
    const int x0 = x_tile + (int)threadIdx.x * 4;
    const int y_tile = (int)blockIdx.y * 8;
    const int y0 = y_tile + (int)threadIdx.y * 2;
    gst_prepare_boxes(arrived_boxes, 3, 1);
    const int beyond = x_tile < 0 || x_tile >= 29 ? 1 : 0;
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
        if (0 < 18) {
            gst_copy_box<1600>(u_t_halo + 0, u_t_tensor, x_tile, y_tile, 0, arrived_boxes + 2 * 0);
        }
        if (1 < 18) {
            gst_copy_box<1600>(u_t_halo + 416, u_t_tensor, x_tile, y_tile, 1, arrived_boxes + 2 * 1);
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
            __syncthreads();
            const int c0_u_t_slot = (pass + 2) % 3 * 416;
            if (pass + 2 < 18) {
                gst_copy_box<1600>(u_t_halo + c0_u_t_slot, u_t_tensor, x_tile, y_tile, max(min(newest + 2, 16), -1) + 1, arrived_boxes + 2 * ((pass + 2) % 3));
            }
            gst_await_phase(arrived_boxes + 2 * (pass % 3), pass / 3 % 2);
            const int u_t_own0 = pass % 3 * 416 + (44 + (int)threadIdx.y * 80 + (int)threadIdx.x * 4);
            const gst_vector<float, 4> u_t_own0_0 = *(const gst_vector<float, 4>*)(u_t_halo + u_t_own0);
            const gst_vector<float, 4> u_t_own0_4 = *(const gst_vector<float, 4>*)(u_t_halo + u_t_own0 + 40);
            u_t_in0_0 = u_t_own0_0.s[0];
            u_t_in0_1 = u_t_own0_0.s[1];
            u_t_in0_2 = u_t_own0_0.s[2];
            u_t_in0_3 = u_t_own0_0.s[3];
            u_t_in0_4 = u_t_own0_4.s[0];
            u_t_in0_5 = u_t_own0_4.s[1];
            u_t_in0_6 = u_t_own0_4.s[2];
            u_t_in0_7 = u_t_own0_4.s[3];
            // time step 1, plane 1
            const float s0r0_u_sum0_0 = u_sum0_0_0 + alpha_param * u_t_in0_0;
            const float s0r0_u_sum0_1 = u_sum0_0_1 + alpha_param * u_t_in0_1;
            const float s0r0_u_sum0_2 = u_sum0_0_2 + alpha_param * u_t_in0_2;
            const float s0r0_u_sum0_3 = u_sum0_0_3 + alpha_param * u_t_in0_3;
            const float s0r0_u_sum0_4 = u_sum0_0_4 + alpha_param * u_t_in0_4;
            const float s0r0_u_sum0_5 = u_sum0_0_5 + alpha_param * u_t_in0_5;
            const float s0r0_u_sum0_6 = u_sum0_0_6 + alpha_param * u_t_in0_6;
            const float s0r0_u_sum0_7 = u_sum0_0_7 + alpha_param * u_t_in0_7;
            const int s0r0_u_t_tile_back0 = pass % 3 * 416 + (44 + (int)threadIdx.y * 80 + (int)threadIdx.x * 4);
            const float s0r0_u_t_m1_p0_p1 = u_t_halo[s0r0_u_t_tile_back0 - 1];
            const gst_vector<float, 4> s0r0_u_t_p0_m1_p1 = *(const gst_vector<float, 4>*)(u_t_halo + s0r0_u_t_tile_back0 - 40);
            const float s0r0_u_sum1_0 = u_sum0_1_0 + u_t_in0_0 + alpha_param * (s0r0_u_t_m1_p0_p1 + u_t_in0_1 + s0r0_u_t_p0_m1_p1.s[0] + u_t_in0_4 - 6.0f * u_t_in0_0);
            const float s0r0_u_sum1_1 = u_sum0_1_1 + u_t_in0_1 + alpha_param * (u_t_in0_0 + u_t_in0_2 + s0r0_u_t_p0_m1_p1.s[1] + u_t_in0_5 - 6.0f * u_t_in0_1);
            const float s0r0_u_sum1_2 = u_sum0_1_2 + u_t_in0_2 + alpha_param * (u_t_in0_1 + u_t_in0_3 + s0r0_u_t_p0_m1_p1.s[2] + u_t_in0_6 - 6.0f * u_t_in0_2);
            const float s0r0_u_t_p4_p0_p1 = u_t_halo[s0r0_u_t_tile_back0 + 4];
            const float s0r0_u_sum1_3 = u_sum0_1_3 + u_t_in0_3 + alpha_param * (u_t_in0_2 + s0r0_u_t_p4_p0_p1 + s0r0_u_t_p0_m1_p1.s[3] + u_t_in0_7 - 6.0f * u_t_in0_3);
            const float s0r0_u_t_m1_p1_p1 = u_t_halo[s0r0_u_t_tile_back0 + 40 - 1];
            const gst_vector<float, 4> s0r0_u_t_p0_p2_p1 = *(const gst_vector<float, 4>*)(u_t_halo + s0r0_u_t_tile_back0 + 80);
            const float s0r0_u_sum1_4 = u_sum0_1_4 + u_t_in0_4 + alpha_param * (s0r0_u_t_m1_p1_p1 + u_t_in0_5 + u_t_in0_0 + s0r0_u_t_p0_p2_p1.s[0] - 6.0f * u_t_in0_4);
            const float s0r0_u_sum1_5 = u_sum0_1_5 + u_t_in0_5 + alpha_param * (u_t_in0_4 + u_t_in0_6 + u_t_in0_1 + s0r0_u_t_p0_p2_p1.s[1] - 6.0f * u_t_in0_5);
            const float s0r0_u_sum1_6 = u_sum0_1_6 + u_t_in0_6 + alpha_param * (u_t_in0_5 + u_t_in0_7 + u_t_in0_2 + s0r0_u_t_p0_p2_p1.s[2] - 6.0f * u_t_in0_6);
            const float s0r0_u_t_p4_p1_p1 = u_t_halo[s0r0_u_t_tile_back0 + 40 + 4];
            const float s0r0_u_sum1_7 = u_sum0_1_7 + u_t_in0_7 + alpha_param * (u_t_in0_6 + s0r0_u_t_p4_p1_p1 + u_t_in0_3 + s0r0_u_t_p0_p2_p1.s[3] - 6.0f * u_t_in0_7);
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
                    *(gst_vector<float, 4>*)&u_t_plus_1[w0_u_to0] = gst_vector<float, 4>{s0r0_u_next_0, s0r0_u_next_1, s0r0_u_next_2, s0r0_u_next_3};
                }
                const int w0_u_to1 = 4432 + w0_plane * 2176 + (y0 + 1) * 64 + x0;
                if (x0 + 3 < 60) {
                    *(gst_vector<float, 4>*)&u_t_plus_1[w0_u_to1] = gst_vector<float, 4>{s0r0_u_next_4, s0r0_u_next_5, s0r0_u_next_6, s0r0_u_next_7};
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
    for (int inner = beyond; inner < 1; ++inner) {
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
        if (0 < 18) {
            gst_copy_box<1600>(u_t_halo + 0, u_t_tensor, x_tile, y_tile, 0, arrived_boxes + 2 * 0);
        }
        if (1 < 18) {
            gst_copy_box<1600>(u_t_halo + 416, u_t_tensor, x_tile, y_tile, 1, arrived_boxes + 2 * 1);
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
            __syncthreads();
            const int c0_u_t_slot = (pass + 2) % 3 * 416;
            if (pass + 2 < 18) {
                gst_copy_box<1600>(u_t_halo + c0_u_t_slot, u_t_tensor, x_tile, y_tile, max(min(newest + 2, 16), -1) + 1, arrived_boxes + 2 * ((pass + 2) % 3));
            }
            gst_await_phase(arrived_boxes + 2 * (pass % 3), pass / 3 % 2);
            const int u_t_own0 = pass % 3 * 416 + (44 + (int)threadIdx.y * 80 + (int)threadIdx.x * 4);
            const gst_vector<float, 4> u_t_own0_0 = *(const gst_vector<float, 4>*)(u_t_halo + u_t_own0);
            const gst_vector<float, 4> u_t_own0_4 = *(const gst_vector<float, 4>*)(u_t_halo + u_t_own0 + 40);
            u_t_in0_0 = u_t_own0_0.s[0];
            u_t_in0_1 = u_t_own0_0.s[1];
            u_t_in0_2 = u_t_own0_0.s[2];
            u_t_in0_3 = u_t_own0_0.s[3];
            u_t_in0_4 = u_t_own0_4.s[0];
            u_t_in0_5 = u_t_own0_4.s[1];
            u_t_in0_6 = u_t_own0_4.s[2];
            u_t_in0_7 = u_t_own0_4.s[3];
            // time step 1, plane 1
            const float s0r0_u_sum0_0 = u_sum0_0_0 + alpha_param * u_t_in0_0;
            const float s0r0_u_sum0_1 = u_sum0_0_1 + alpha_param * u_t_in0_1;
            const float s0r0_u_sum0_2 = u_sum0_0_2 + alpha_param * u_t_in0_2;
            const float s0r0_u_sum0_3 = u_sum0_0_3 + alpha_param * u_t_in0_3;
            const float s0r0_u_sum0_4 = u_sum0_0_4 + alpha_param * u_t_in0_4;
            const float s0r0_u_sum0_5 = u_sum0_0_5 + alpha_param * u_t_in0_5;
            const float s0r0_u_sum0_6 = u_sum0_0_6 + alpha_param * u_t_in0_6;
            const float s0r0_u_sum0_7 = u_sum0_0_7 + alpha_param * u_t_in0_7;
            const int s0r0_u_t_tile_back0 = pass % 3 * 416 + (44 + (int)threadIdx.y * 80 + (int)threadIdx.x * 4);
            const float s0r0_u_t_m1_p0_p1 = u_t_halo[s0r0_u_t_tile_back0 - 1];
            const gst_vector<float, 4> s0r0_u_t_p0_m1_p1 = *(const gst_vector<float, 4>*)(u_t_halo + s0r0_u_t_tile_back0 - 40);
            const float s0r0_u_sum1_0 = u_sum0_1_0 + u_t_in0_0 + alpha_param * (s0r0_u_t_m1_p0_p1 + u_t_in0_1 + s0r0_u_t_p0_m1_p1.s[0] + u_t_in0_4 - 6.0f * u_t_in0_0);
            const float s0r0_u_sum1_1 = u_sum0_1_1 + u_t_in0_1 + alpha_param * (u_t_in0_0 + u_t_in0_2 + s0r0_u_t_p0_m1_p1.s[1] + u_t_in0_5 - 6.0f * u_t_in0_1);
            const float s0r0_u_sum1_2 = u_sum0_1_2 + u_t_in0_2 + alpha_param * (u_t_in0_1 + u_t_in0_3 + s0r0_u_t_p0_m1_p1.s[2] + u_t_in0_6 - 6.0f * u_t_in0_2);
            const float s0r0_u_t_p4_p0_p1 = u_t_halo[s0r0_u_t_tile_back0 + 4];
            const float s0r0_u_sum1_3 = u_sum0_1_3 + u_t_in0_3 + alpha_param * (u_t_in0_2 + s0r0_u_t_p4_p0_p1 + s0r0_u_t_p0_m1_p1.s[3] + u_t_in0_7 - 6.0f * u_t_in0_3);
            const float s0r0_u_t_m1_p1_p1 = u_t_halo[s0r0_u_t_tile_back0 + 40 - 1];
            const gst_vector<float, 4> s0r0_u_t_p0_p2_p1 = *(const gst_vector<float, 4>*)(u_t_halo + s0r0_u_t_tile_back0 + 80);
            const float s0r0_u_sum1_4 = u_sum0_1_4 + u_t_in0_4 + alpha_param * (s0r0_u_t_m1_p1_p1 + u_t_in0_5 + u_t_in0_0 + s0r0_u_t_p0_p2_p1.s[0] - 6.0f * u_t_in0_4);
            const float s0r0_u_sum1_5 = u_sum0_1_5 + u_t_in0_5 + alpha_param * (u_t_in0_4 + u_t_in0_6 + u_t_in0_1 + s0r0_u_t_p0_p2_p1.s[1] - 6.0f * u_t_in0_5);
            const float s0r0_u_sum1_6 = u_sum0_1_6 + u_t_in0_6 + alpha_param * (u_t_in0_5 + u_t_in0_7 + u_t_in0_2 + s0r0_u_t_p0_p2_p1.s[2] - 6.0f * u_t_in0_6);
            const float s0r0_u_t_p4_p1_p1 = u_t_halo[s0r0_u_t_tile_back0 + 40 + 4];
            const float s0r0_u_sum1_7 = u_sum0_1_7 + u_t_in0_7 + alpha_param * (u_t_in0_6 + s0r0_u_t_p4_p1_p1 + u_t_in0_3 + s0r0_u_t_p0_p2_p1.s[3] - 6.0f * u_t_in0_7);
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
                *(gst_vector<float, 4>*)&u_t_plus_1[w0_u_to0] = gst_vector<float, 4>{s0r0_u_next_0, s0r0_u_next_1, s0r0_u_next_2, s0r0_u_next_3};
                const int w0_u_to1 = 4432 + w0_plane * 2176 + (y0 + 1) * 64 + x0;
                *(gst_vector<float, 4>*)&u_t_plus_1[w0_u_to1] = gst_vector<float, 4>{s0r0_u_next_4, s0r0_u_next_5, s0r0_u_next_6, s0r0_u_next_7};
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

