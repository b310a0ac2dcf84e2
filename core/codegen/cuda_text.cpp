#include "core/codegen/cuda_text.hpp"

namespace gst::cuda_text {

/// A half as a number, each operation rounded once: PTX adds and multiplies halves; everything else goes through f32,
/// which is wide enough that rounding its result once more changes nothing.
const char* const half_arithmetic = R"(struct half {
    unsigned short bits;
    half() = default;
    __device__ half(float v) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(v)); }
    __device__ half(double v) { asm("cvt.rn.f16.f64 %0, %1;" : "=h"(bits) : "d"(v)); }
    __device__ half(int v) { asm("cvt.rn.f16.s32 %0, %1;" : "=h"(bits) : "r"(v)); }
    __device__ operator float() const {
        float v;
        asm("cvt.f32.f16 %0, %1;" : "=f"(v) : "h"(bits));
        return v;
    }
};
__device__ inline half operator+(half a, half b) {
    asm("add.f16 %0, %1, %2;" : "=h"(a.bits) : "h"(a.bits), "h"(b.bits));
    return a;
}
__device__ inline half operator-(half a, half b) {
    asm("sub.f16 %0, %1, %2;" : "=h"(a.bits) : "h"(a.bits), "h"(b.bits));
    return a;
}
__device__ inline half operator*(half a, half b) {
    asm("mul.f16 %0, %1, %2;" : "=h"(a.bits) : "h"(a.bits), "h"(b.bits));
    return a;
}
__device__ inline half operator/(half a, half b) { return (float)a / (float)b; }
__device__ inline half operator-(half a) {
    a.bits ^= 0x8000;
    return a;
}
#define GST_OF_HALF(f) __device__ inline half f(half a) { return f((float)a); }
#define GST_OF_HALVES(f) __device__ inline half f(half a, half b) { return f((float)a, (float)b); }
GST_OF_HALF(fabs) GST_OF_HALF(sqrt) GST_OF_HALF(rsqrt) GST_OF_HALF(exp) GST_OF_HALF(log) GST_OF_HALF(sin) GST_OF_HALF(cos)
GST_OF_HALF(tan) GST_OF_HALF(atan) GST_OF_HALF(tanh) GST_OF_HALF(floor) GST_OF_HALF(ceil) GST_OF_HALF(round)
GST_OF_HALVES(fmin) GST_OF_HALVES(fmax) GST_OF_HALVES(fmod) GST_OF_HALVES(pow)
)";

const char* const stored_halves = R"(__device__ inline float gst_from_half(unsigned short bits) {
    float v;
    asm("cvt.f32.f16 %0, %1;" : "=f"(v) : "h"(bits));
    return v;
}
__device__ inline unsigned short gst_to_half(float v) {
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(v));
    return bits;
}
template<int n> struct alignas(2 * n < 16 ? 2 * n : 16) gst_halves { unsigned short s[n]; };
template<class V, class Halves> __device__ inline V gst_from_halves(const Halves& bits) {
    V v;
#pragma unroll
    for (int i = 0; i < sizeof(V) / sizeof(float); ++i) v.s[i] = gst_from_half(bits[i]);
    return v;
}
template<class V, class Halves> __device__ inline void gst_to_halves(Halves&& bits, const V& v) {
#pragma unroll
    for (int i = 0; i < sizeof(V) / sizeof(float); ++i) bits[i] = gst_to_half(v.s[i]);
}
template<class V> __device__ inline V gst_load_halves(const unsigned short* from) {
    const auto bits = *(const gst_halves<sizeof(V) / sizeof(float)>*)from;
    return gst_from_halves<V>(bits.s);
}
template<class V> __device__ inline void gst_store_halves(unsigned short* to, const V& v) {
    gst_halves<sizeof(V) / sizeof(float)> bits;
    gst_to_halves(bits.s, v);
    *(gst_halves<sizeof(V) / sizeof(float)>*)to = bits;
}
)";

/// CUDA's own vectors end at 16 bytes, the widest access; these go on as several of them.
const char* const vectors =
    R"(template<class T, int n> struct alignas(sizeof(T) * n < 16 ? sizeof(T) * n : 16) gst_vector { T s[n]; };
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
)";

/// ptxas makes loads of their own of lanes that are needed where those between them are not, but not of parts of
/// numbers of 64 bits. (Elements that were stored as floats: a barrier lies between a store and such a load.)
const char* const whole_vector_loads =
    R"(template<class V> __device__ inline V gst_load_whole(const float* from) {
    const ulonglong2 all = *(const ulonglong2*)from;
    return {__uint_as_float((unsigned int)all.x), __uint_as_float((unsigned int)(all.x >> 32)),
            __uint_as_float((unsigned int)all.y), __uint_as_float((unsigned int)(all.y >> 32))};
}
)";

const char* const streaming_stores =
    R"(template<class V> __device__ inline void gst_stream(V* to, const V& v) {
    if constexpr (sizeof(V) < 16) {
        float2 all;
        memcpy(&all, &v, sizeof all);
        __stcs((float2*)to, all);
    } else {
#pragma unroll
        for (int i = 0; i < sizeof(V) / sizeof(float4); ++i) {
            float4 part;
            memcpy(&part, (const float4*)&v + i, sizeof part);
            __stcs((float4*)to + i, part);
        }
    }
}
)";

/// From compute capability 8.0 on without a register on the way; n copies of one V each.
const char* const asynchronous_copies =
    R"(template<class V, int n> __device__ inline void gst_copy_async(void* to, const void* from) {
    constexpr int bytes = sizeof(V) < 16 ? sizeof(V) : 16;
#pragma unroll
    for (int at = 0; at < n * (int)sizeof(V); at += bytes) {
#if __CUDA_ARCH__ >= 800
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(
                         (unsigned int)__cvta_generic_to_shared((char*)to + at)),
                     "l"((const char*)from + at), "n"(bytes)
                     : "memory");
#else
        memcpy((char*)to + at, (const char*)from + at, bytes);
#endif
    }
}
__device__ inline void gst_commit_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
template<int pending> __device__ inline void gst_await_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
#endif
}
)";

/// From compute capability 8.0 on a counter of arrivals in shared memory (mbarrier; PTX ISA, "Parallel Synchronization
/// and Communication Instructions").
const char* const barriers_in_halves =
    R"(__device__ inline void gst_prepare_arrivals(int* counter, int work_items) {
#if __CUDA_ARCH__ >= 800
    if (threadIdx.x + threadIdx.y + threadIdx.z == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"((unsigned int)__cvta_generic_to_shared(counter)),
                     "r"(work_items)
                     : "memory");
    }
    __syncthreads();
#endif
}
__device__ inline unsigned long long gst_arrive(int* counter) {
    unsigned long long token = 0;
#if __CUDA_ARCH__ >= 800
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
                 : "=l"(token)
                 : "r"((unsigned int)__cvta_generic_to_shared(counter))
                 : "memory");
#endif
    return token;
}
__device__ inline void gst_await_arrivals(int* counter, unsigned long long token) {
#if __CUDA_ARCH__ >= 800
    for (unsigned int done = 0; !done;) {
#if __CUDA_ARCH__ >= 900
        asm volatile("{ .reg .pred p; mbarrier.try_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
#else
        asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
#endif
                     : "=r"(done)
                     : "r"((unsigned int)__cvta_generic_to_shared(counter)), "l"(token)
                     : "memory");
    }
#else
    __syncthreads();
#endif
}
)";

/// Compilers may move reads and writes of local memory past an arrival (ptxas does not): what was written, or read, of
/// what the others now read, or overwrite, was so before those who arrive awaited their last barrier, which they may
/// not be moved past.
const char* const numbered_barriers =
    R"(template<int barrier, int work_items> __device__ inline void gst_arrive_at() {
    asm volatile("bar.arrive %0, %1;" ::"n"(barrier), "n"(work_items));
}
template<int work_items> __device__ inline void gst_await_at(int barrier) {
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "n"(work_items) : "memory");
}
)";

/// From compute capability 9.0 on: bulk tensor copies (PTX ISA, "cp.async.bulk.tensor", "mbarrier"). Others are not
/// asked for them. They write through another proxy than work-items read: a barrier alone keeps no copy behind reads
/// that are still on their way, a fence between the barrier and the copy does (PTX ISA, "Async proxy"; D. Lustig et
/// al., Mixed-proxy extensions for the NVIDIA PTX memory consistency model, ISCA 2022).
const char* const tensors =
    R"(struct alignas(64) gst_tensor { unsigned char bytes[128]; };
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
)";

/// The same counters, awaited by the parity of what they have counted so far.
const char* const phases =
    R"(__device__ inline void gst_await_phase(int* counter, unsigned int phase) {
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
)";

/// No instruction, but what comes out may be any number, each time that it is passed.
const char* const renewed_values = R"(__device__ inline int gst_renewed(int a) {
    asm volatile("" : "+r"(a));
    return a;
}
__device__ inline long gst_renewed(long a) {
    asm volatile("" : "+l"(a));
    return a;
}
)";

/// ptxas 13.0 for sm_90 makes one instruction of max(max(a, -b), c) and forgets the sign of b. It does not see through
/// this.
const char* const negation = R"(__device__ inline int gst_negate(int a) {
    asm("not.b32 %0, %0;" : "+r"(a));
    return (int)((unsigned int)a + 1);
}
)";

/// CUDA's own rsqrt branches to where it treats what is not normal, so that a work-item computes its points one after
/// the other. Here they are computed side by side: one step of Householder's method of order 3 on the device's
/// approximation (PTX ISA, "rsqrt.approx.ftz.f64"). Of infinity, whose approximation is 0, the step takes a number.
const char* const roots_of_normal_f64 = R"(__device__ inline double gst_rsqrt_of_normal(double a) {
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(a));
    const double finite = __hiloint2double(min(__double2hiint(a), 0x7fefffff), __double2loint(a));
    const double e = fma(-finite * y, y, 1.0);
    return fma(e * y, fma(0.375, e, 0.5), y);
}
)";

const char* const f64_images = R"(__device__ inline double gst_fetch_f64(unsigned long long image, int at) {
    const int2 words = tex1Dfetch<int2>(image, at);
    return __hiloint2double(words.y, words.x);
}
)";

} // namespace gst::cuda_text
