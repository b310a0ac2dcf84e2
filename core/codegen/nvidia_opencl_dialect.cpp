#include "core/codegen/dialect.hpp"

namespace gst {

namespace {

/// PTX ISA, "shfl.sync": from the lane so many below or above; lanes without such a neighbour keep their own.
constexpr const char* shuffles =
    R"(static inline float __attribute__((overloadable)) gst_shuffle_up(float a, uint by) {
    __asm__ volatile("shfl.sync.up.b32 %0, %0, %1, 0, 0xffffffff;" : "+f"(a) : "r"(by));
    return a;
}
static inline float __attribute__((overloadable)) gst_shuffle_down(float a, uint by) {
    __asm__ volatile("shfl.sync.down.b32 %0, %0, %1, 31, 0xffffffff;" : "+f"(a) : "r"(by));
    return a;
}
static inline int __attribute__((overloadable)) gst_shuffle_up(int a, uint by) {
    return as_int(gst_shuffle_up(as_float(a), by));
}
static inline int __attribute__((overloadable)) gst_shuffle_down(int a, uint by) {
    return as_int(gst_shuffle_down(as_float(a), by));
}
)";

constexpr const char* shuffles_of_f64 =
    R"(static inline double __attribute__((overloadable)) gst_shuffle_up(double a, uint by) {
    const int2 words = as_int2(a);
    return as_double((int2)(gst_shuffle_up(words.x, by), gst_shuffle_up(words.y, by)));
}
static inline double __attribute__((overloadable)) gst_shuffle_down(double a, uint by) {
    const int2 words = as_int2(a);
    return as_double((int2)(gst_shuffle_down(words.x, by), gst_shuffle_down(words.y, by)));
}
)";

/// `n` copies of `bytes` each, 4, 8 or a multiple of 16 (PTX ISA, "cp.async").
constexpr const char* asynchronous_copies =
    R"(static inline void gst_copy_async(__local void* to, __global const void* from, const int bytes, const int n) {
    const int piece = bytes < 16 ? bytes : 16;
#pragma unroll
    for (int at = 0; at < n * bytes; at += piece) {
        const uint local_at = (uint)(size_t)((__local char*)to + at);
        const ulong global_at = (ulong)((__global const char*)from + at);
        if (piece == 16) {
            __asm__ volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(local_at), "l"(global_at) : "memory");
        } else if (piece == 8) {
            __asm__ volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(local_at), "l"(global_at) : "memory");
        } else {
            __asm__ volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(local_at), "l"(global_at) : "memory");
        }
    }
}
)";

} // namespace

const dialect& nvidia_opencl_dialect() {
    static const dialect language = [] {
        dialect d = opencl_dialect();
        d.bounded_work_items = 256; // without a required size the driver launches no larger work-group
        d.sub_group = 32;
        d.joins_branches = true;
        d.words.insert({
            // With a required size the compiler ignores the option, and takes fewer registers than are there.
            {"kernel of groups at once", "__kernel void {name}("},
            {"option of groups at once", " -cl-nv-maxrregcount={registers}"},
            {"shuffle up", "gst_shuffle_up({a}, {by})"},
            {"shuffle down", "gst_shuffle_down({a}, {by})"},
            {"uses shuffles", shuffles},
            {"uses shuffles of f64", shuffles_of_f64},
            {"asynchronous copy", "gst_copy_async({local} + {to}, &{array}[{at}], sizeof({vector}), {width})"},
            {"commit copies", "__asm__ volatile(\"cp.async.commit_group;\" ::: \"memory\")"},
            {"await copies", "__asm__ volatile(\"cp.async.wait_group {pending};\" ::: \"memory\")"},
            {"uses asynchronous copies", asynchronous_copies},
        });
        // Sums of indices become an address once, as those of aligned vectors do in CUDA.
        d.words["vector load"] = "*(__global const {vector}*)&{array}[{at}]";
        d.words["vector store"] = "*(__global {vector}*)&{array}[{at}] = {what}";
        return d;
    }();
    return language;
}

} // namespace gst
