#include "tests/codegen/emulated_lanes.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace gst {

namespace {

constexpr int most_work_items = 1024;

/// What would come from beyond the sub-group is the work-item's own value, as with CUDA's shuffles. No constant is
/// added to the array: such a place is the same for all of PoCL's threads (3.1), whose work-groups would overwrite each
/// other's values.
std::string shuffle_of(const std::string& type) {
    return fmt::format("static inline {0} __attribute__((overloadable)) gst_shuffle({0} a, int by, int lanes,\n"
                       "    __local int* int_lanes, __local float* float_lanes, __local double* double_lanes) {{\n"
                       "    __local {0}* all = {0}_lanes;\n"
                       "    const int item = get_local_id(0) +\n"
                       "        get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));\n"
                       "    all[item] = a;\n"
                       "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                       "    const int lane = item % lanes + by;\n"
                       "    const int from = lane >= 0 && lane < lanes ? item + by : item;\n"
                       "    const {0} out = all[from];\n"
                       "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                       "    return out;\n"
                       "}}\n",
                       type);
}

} // namespace

dialect with_emulated_lanes(dialect d, int lanes) {
    if (d.name != "opencl" || d.sub_group != 0) {
        throw std::logic_error("the dialect has lanes of its own");
    }
    d.sub_group = lanes;
    const std::string rest = fmt::format("{}, int_lanes, float_lanes, double_lanes)", lanes);
    d.words["shuffle up"] = "gst_shuffle({a}, -{by}, " + rest;
    d.words["shuffle down"] = "gst_shuffle({a}, {by}, " + rest;
    return d;
}

module_source with_lanes(module_source m) {
    if (m.text.find("gst_shuffle(") == std::string::npos) {
        return m;
    }
    std::string arrays;
    for (const char* type : {"int", "float", "double"}) {
        arrays += fmt::format("    __local {0} {0}_lanes[{1}];\n", type, most_work_items);
    }
    const std::string body = "\n{\n"; // of a kernel
    for (std::size_t at = m.text.find(body); at != std::string::npos; at = m.text.find(body, at + 1)) {
        m.text.insert(at + body.size(), arrays);
    }
    m.text = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" + shuffle_of("int") + shuffle_of("float") +
             shuffle_of("double") + m.text;
    return m;
}

} // namespace gst
