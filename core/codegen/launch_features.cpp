#include "core/codegen/launch_features.hpp"

#include <algorithm>

namespace gst {

namespace {

double number(std::uint64_t n) {
    return static_cast<double>(n);
}

double work_items(const launch_profile& p) {
    return number(p.work_group[0]) * number(p.work_group[1]) * number(p.work_group[2]);
}

double per_read(double what, const launch_profile& p) {
    return p.region_reads > 0 ? what / p.region_reads : 0;
}

struct declared {
    const char *name, *unit, *definition, *source;
    double (*value)(const launch_profile& p);
};

constexpr declared all_features[] = {
    {"work_group_x", "work-items", "of a work-group along x", "Han, launch configuration",
     [](const launch_profile& p) { return number(p.work_group[0]); }},
    {"work_group_y", "work-items", "of a work-group along y", "Han, launch configuration",
     [](const launch_profile& p) { return number(p.work_group[1]); }},
    {"work_group_z", "work-items", "of a work-group along z", "Han, launch configuration",
     [](const launch_profile& p) { return number(p.work_group[2]); }},
    {"work_items", "work-items", "of a work-group", "Han, launch configuration", work_items},
    {"work_groups", "work-groups", "of a launch", "Han, launch configuration",
     [](const launch_profile& p) { return p.work_groups; }},
    {"parallel_groups", "work-groups", "of a launch, of more than 4,096 so many: more keep no device busier",
     "Han, launch configuration", [](const launch_profile& p) { return std::min(p.work_groups, 4096.0); }},
    {"points_per_item", "points", "that a work-item computes, of a streaming one in a pass of its loop",
     "Han, work units per work-item", [](const launch_profile& p) { return p.points_per_item; }},
    {"vector_width", "points", "of one read or write", "Garvey §4.5",
     [](const launch_profile& p) { return static_cast<double>(p.vector_width); }},
    {"time_steps", "steps", "that a launch computes", "GeST Table 1",
     [](const launch_profile& p) { return static_cast<double>(p.time_steps); }},
    {"region_x", "points", "of the box that a work-group reads at a time, along x", "Han, region to be cached",
     [](const launch_profile& p) { return number(p.region[0]); }},
    {"region_y", "points", "of the box that a work-group reads at a time, along y", "Han, region to be cached",
     [](const launch_profile& p) { return number(p.region[1]); }},
    {"region_z", "points", "of the box that a work-group reads at a time, along z", "Han, region to be cached",
     [](const launch_profile& p) { return number(p.region[2]); }},
    {"region_rows", "rows", "along x of that box", "Han, region to be cached",
     [](const launch_profile& p) { return number(p.region[1]) * number(p.region[2]); }},
    {"region_bytes", "bytes", "of local memory that the boxes of all arrays read at several points take",
     "Han, region to be cached", [](const launch_profile& p) { return p.region_bytes; }},
    {"region_reuse", "1", "reads of these arrays by a work-group over the elements of their boxes", "Han, data reuse",
     [](const launch_profile& p) { return p.region_reuse; }},
    {"region_reads", "per point", "reads of these arrays", "Han, data reuse",
     [](const launch_profile& p) { return p.region_reads / p.points_per_item; }},
    {"loop_reads", "per iteration", "of them in one iteration of the loops of a point; where it has none, per point",
     "Han, stencil pattern", [](const launch_profile& p) { return p.loop_reads; }},
    {"transactions", "per element", "of 128 bytes that 32 work-items make to read an element each",
     "Han, memory non-coalescing", [](const launch_profile& p) { return p.transactions; }},
    {"context_reads", "per item", "reads of other arrays by a work-item", "Han, context accesses",
     [](const launch_profile& p) { return p.context_reads; }},
    {"context_per_read", "1", "transactions for reads of other arrays over reads of these arrays",
     "Han, context accesses", [](const launch_profile& p) { return per_read(p.context_transactions, p); }},
    {"item_operations", "per item", "operations of a work-item", "Han, computation",
     [](const launch_profile& p) { return p.operations; }},
    {"operations_per_read", "1", "operations beyond a multiplication and an addition per read, over these reads",
     "Han, computation",
     [](const launch_profile& p) { return per_read(std::max(p.operations - 2 * p.region_reads, 0.0), p); }},
    {"register_estimate", "values", "that a work-item may hold at once: results, what they read, planes in queues",
     "Han, register usage", [](const launch_profile& p) { return p.registers; }},
    {"local_bytes", "bytes", "of local memory that the work-group uses: those of the region, or none",
     "Han, local memory usage", [](const launch_profile& p) { return p.local_bytes; }},
};

} // namespace

features launch_features(const launch_profile& p) {
    features out;
    for (const declared& f : all_features) {
        out.push_back({f.name, f.unit, f.definition, f.source, f.value(p)});
    }
    return out;
}

std::vector<double> launch_values(const launch_profile& p) {
    std::vector<double> out;
    out.reserve(std::size(all_features));
    for (const declared& f : all_features) {
        out.push_back(f.value(p));
    }
    return out;
}

const std::vector<std::string>& local_memory_features() {
    static const std::vector<std::string> names{
        "work_group_x", "work_items",       "parallel_groups",    "points_per_item", "region_x",
        "region_rows",  "region_bytes",     "region_reuse",       "region_reads",    "loop_reads",
        "transactions", "context_per_read", "operations_per_read"};
    return names;
}

} // namespace gst
