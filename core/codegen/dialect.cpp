#include "core/codegen/dialect.hpp"

namespace gst {

std::map<std::string, std::string> with_common_words(std::map<std::string, std::string> own) {
    own.insert({
        {"literal f16", "((half){number}f)"},
        {"literal f32", "{number}f"},
        {"literal f64", "{number}"},
        {"real minimum", "fmin"},
        {"real maximum", "fmax"},
        {"index minimum", "min"},
        {"index maximum", "max"},
        {"real remainder", "fmod"},
        {"power", "pow"},
        {"absolute", "fabs"},
        {"square_root", "sqrt"},
        {"reciprocal square root", "rsqrt"},
        {"reciprocal square root of normal f64", "rsqrt"},
        {"exponential", "exp"},
        {"logarithm", "log"},
        {"sine", "sin"},
        {"cosine", "cos"},
        {"tangent", "tan"},
        {"arc_tangent", "atan"},
        {"hyperbolic_tangent", "tanh"},
        {"floor", "floor"},
        {"ceiling", "ceil"},
        {"round", "round"},
    });
    return own;
}

const dialect& opencl_dialect() {
    static const dialect language{
        .name = "opencl",
        .file_suffix = ".cl",
        .compile_options = "-cl-std=CL1.2",
        .vector_arithmetic = true,
        .joins_branches = false,
        .static_local_bytes = 0,
        .bounded_work_items = 0,
        .sub_group = 0,
        .words = with_common_words({
            // types
            {"boolean", "bool"},
            {"i32", "int"},
            {"u32", "uint"},
            {"f16", "half"},
            {"stored f16", "half"},
            {"f32", "float"},
            {"f64", "double"},
            {"index", "int"},
            {"wide index", "long"},
            {"uses f16", "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"},
            {"uses f64", "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"},
            // declarations
            {"kernel", "__kernel __attribute__((reqd_work_group_size({0}, {1}, {2})))\nvoid {name}("},
            {"device function", "static inline"},
            {"input", "__global const {type}* restrict {name}"},
            {"output", "__global {type}* restrict {name}"},
            {"in_out", "__global {type}* {name}"},
            {"image", "__read_only image2d_t {name}"},
            {"local array", "__local {type} {name}[{elements}] __attribute__((aligned(128)))"},
            {"constant table", "__constant {type} {name}[{elements}] = {{{numbers}}}"},
            // where am I
            {"local id", "get_local_id({axis})"},
            {"group id", "get_group_id({axis})"},
            {"global id", "get_global_id({axis})"},
            {"one", "((int)get_work_dim() - 2)"}, // launches have three axes
            {"barrier", "barrier(CLK_LOCAL_MEM_FENCE)"},
            // memory
            {"vector", "{type}{width}"},
            {"vector load", "*(__global const {vector}*)({array} + {at})"},
            {"vector store", "*(__global {vector}*)({array} + {at}) = {what}"},
            {"local vector load", "*(__local const {vector}*)({array} + {at})"},
            {"local vector store", "*(__local {vector}*)({array} + {at}) = {what}"},
            {"streaming vector store", "GST_STREAM((__global {vector}*)({array} + {at}), {what})"},
            {"uses streaming stores", "#ifdef __has_builtin\n"
                                      "#if __has_builtin(__builtin_nontemporal_store)\n"
                                      "#define GST_STREAM(to, what) __builtin_nontemporal_store(what, to)\n"
                                      "#endif\n"
                                      "#endif\n"
                                      "#ifndef GST_STREAM\n"
                                      "#define GST_STREAM(to, what) *(to) = (what)\n"
                                      "#endif\n"},
            {"seldom", "#pragma clang loop vectorize(disable)"}, // two thirds of PoCL's time for tiles in loops
            {"unrolled", "#pragma unroll {iterations}"},
            {"cache prefetch", "GST_PREFETCH({array} + {at})"},
            {"uses cache prefetches",
             "#ifdef __has_builtin\n"
             "#if __has_builtin(__builtin_prefetch)\n"
             "#define GST_PREFETCH(from) __builtin_prefetch((const void*)(size_t)(from), 0, 3)\n"
             "#endif\n"
             "#endif\n"
             "#ifndef GST_PREFETCH\n"
             "#define GST_PREFETCH(from) prefetch(from, 1)\n"
             "#endif\n"},
            {"unaligned vector load", "vload{width}(0, {array} + {at})"},
            {"unaligned vector store", "vstore{width}({what}, 0, {array} + {at})"},
            {"lane", "{vector}.s{hex}"},
            {"compose", "({vector})({lanes})"},
            {"load f16", "vload_half({at}, {array})"},
            {"store f16", "vstore_half_rte({what}, {at}, {array})"},
            {"vector load f16", "vload_half{width}(0, {array} + {at})"},
            {"vector store f16", "vstore_half{width}_rte({what}, 0, {array} + {at})"},
            {"unaligned vector load f16", "vload_half{width}(0, {array} + {at})"},
            {"unaligned vector store f16", "vstore_half{width}_rte({what}, 0, {array} + {at})"},
            // NVIDIA's compiler (driver 580.159) takes minutes for 300 reads without a sampler, a second with this one.
            {"uses images", "__constant sampler_t gst_texel = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | "
                            "CLK_FILTER_NEAREST;\n"},
            {"image load f16", "gst_half(read_imageui({image}, gst_texel, (int2)({x}, {y})).x)"},
            {"uses f16 images", "static inline float gst_half(uint bits) {\n"
                                "    const ushort half_bits = (ushort)bits;\n"
                                "    return vload_half(0, (const __private half*)&half_bits);\n"
                                "}\n"},
            {"image load f32", "read_imagef({image}, gst_texel, (int2)({x}, {y})).x"},
            {"image load i32", "read_imagei({image}, gst_texel, (int2)({x}, {y})).x"},
            {"image load f64", "as_double(convert_ushort4(read_imageui({image}, gst_texel, (int2)({x}, {y}))))"},
            {"atomic add", "atomic_add({array} + {at}, {what})"},
            {"atomic minimum", "atomic_min({array} + {at}, {what})"},
            {"atomic maximum", "atomic_max({array} + {at}, {what})"},
            // arithmetic
            {"infinity", "INFINITY"},
            {"not a number", "NAN"},
            {"renewed", "({a})"}, // as it is
            {"negated i32", "(int)(0 - (uint){a})"},
            {"bits of f32", "as_uint({a})"},
        })};
    return language;
}

} // namespace gst
