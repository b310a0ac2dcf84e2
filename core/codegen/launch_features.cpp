#include "core/codegen/launch_features.hpp"

#include <algorithm>
#include <cmath>

namespace gst {

namespace {

double number(std::uint64_t n) {
    return static_cast<double>(n);
}

double work_items(const launch_profile& p) {
    return number(p.work_group[0]) * number(p.work_group[1]) * number(p.work_group[2]);
}

constexpr double segment_bytes = 128; ///< of one transaction with the memory

double per_read(double what, const launch_profile& p) {
    return p.region_reads > 0 ? what / p.region_reads : 0;
}

/// 1 where there is neither.
double ratio(double a, double b) {
    return b > 0 ? a / b : 1;
}

/// What the features compare.
struct estimates {
    launch_cycles without, with;
    explicit estimates(const launch_profile& p)
        : without(estimated_cycles(p, false)), with(estimated_cycles(p, true)) {}
};

struct declared {
    const char *name, *unit, *definition, *source;
    double (*value)(const launch_profile& p, const estimates& e);
};

constexpr declared all_features[] = {
    {"work_group_x", "work-items", "of a work-group along x", "Han, launch configuration",
     [](const launch_profile& p, const estimates&) { return number(p.work_group[0]); }},
    {"work_group_y", "work-items", "of a work-group along y", "Han, launch configuration",
     [](const launch_profile& p, const estimates&) { return number(p.work_group[1]); }},
    {"work_group_z", "work-items", "of a work-group along z", "Han, launch configuration",
     [](const launch_profile& p, const estimates&) { return number(p.work_group[2]); }},
    {"work_items", "work-items", "of a work-group", "Han, launch configuration",
     [](const launch_profile& p, const estimates&) { return work_items(p); }},
    {"work_groups", "work-groups", "of a launch", "Han, launch configuration",
     [](const launch_profile& p, const estimates&) { return p.work_groups; }},
    {"parallel_groups", "work-groups", "of a launch, of more than 4,096 so many: more keep no device busier",
     "Han, launch configuration",
     [](const launch_profile& p, const estimates&) { return std::min(p.work_groups, 4096.0); }},
    {"points_per_item", "points", "that a work-item computes, of a streaming one in a pass of its loop",
     "Han, work units per work-item", [](const launch_profile& p, const estimates&) { return p.points_per_item; }},
    {"vector_width", "points", "of one read or write", "Garvey §4.5",
     [](const launch_profile& p, const estimates&) { return static_cast<double>(p.vector_width); }},
    {"time_steps", "steps", "that a launch computes", "GeST Table 1",
     [](const launch_profile& p, const estimates&) { return static_cast<double>(p.time_steps); }},
    {"region_x", "points", "of the box that a work-group reads at a time, along x", "Han, region to be cached",
     [](const launch_profile& p, const estimates&) { return number(p.region[0]); }},
    {"region_y", "points", "of the box that a work-group reads at a time, along y", "Han, region to be cached",
     [](const launch_profile& p, const estimates&) { return number(p.region[1]); }},
    {"region_z", "points", "of the box that a work-group reads at a time, along z", "Han, region to be cached",
     [](const launch_profile& p, const estimates&) { return number(p.region[2]); }},
    {"region_rows", "rows", "along x of that box", "Han, region to be cached",
     [](const launch_profile& p, const estimates&) { return number(p.region[1]) * number(p.region[2]); }},
    {"region_bytes", "bytes", "of local memory that the boxes of all arrays read at several points take",
     "Han, region to be cached", [](const launch_profile& p, const estimates&) { return p.region_bytes; }},
    {"region_reuse", "1", "reads of these arrays by a work-group over the elements of their boxes", "Han, data reuse",
     [](const launch_profile& p, const estimates&) { return p.region_reuse; }},
    {"region_reads", "per point", "reads of these arrays", "Han, data reuse",
     [](const launch_profile& p, const estimates&) { return p.region_reads / p.points_per_item; }},
    {"loop_reads", "per iteration", "of them in one iteration of the loops of a point; where it has none, per point",
     "Han, stencil pattern", [](const launch_profile& p, const estimates&) { return p.loop_reads; }},
    {"transactions", "per element", "of 128 bytes that 32 work-items make to read an element each",
     "Han, memory non-coalescing", [](const launch_profile& p, const estimates&) { return p.transactions; }},
    {"context_reads", "per item", "reads of other arrays by a work-item", "Han, context accesses",
     [](const launch_profile& p, const estimates&) { return p.context_reads; }},
    {"context_per_read", "1", "transactions for reads of other arrays over reads of these arrays",
     "Han, context accesses",
     [](const launch_profile& p, const estimates&) { return per_read(p.context_transactions, p); }},
    {"item_operations", "per item", "operations of a work-item", "Han, computation",
     [](const launch_profile& p, const estimates&) { return p.operations; }},
    {"operations_per_read", "1", "operations beyond a multiplication and an addition per read, over these reads",
     "Han, computation",
     [](const launch_profile& p, const estimates&) {
         return per_read(std::max(p.operations - 2 * p.region_reads, 0.0), p);
     }},
    {"register_estimate", "values", "that a work-item may hold at once: results, what they read, planes in queues",
     "Han, register usage", [](const launch_profile& p, const estimates&) { return p.registers; }},
    {"local_bytes", "bytes", "of local memory that the work-group uses: those of the region, or none",
     "Han, local memory usage", [](const launch_profile& p, const estimates&) { return p.local_bytes; }},
    {"region_copies", "per point", "times that a work-group fills the region", "Han §2.1, overhead",
     [](const launch_profile& p, const estimates&) { return p.region_copies / p.points_per_item; }},
    {"bank_conflicts", "per read", "accesses to a bank of local memory for which 32 work-items wait",
     "Han, local memory usage", [](const launch_profile& p, const estimates&) { return p.bank_conflicts; }},
    {"sectors", "per read", "of 32 bytes that 32 work-items touch", "Han, memory non-coalescing",
     [](const launch_profile& p, const estimates&) { return p.sectors; }},
    {"elements", "per read", "that 32 work-items read, each counted once", "Han, data reuse between threads",
     [](const launch_profile& p, const estimates&) { return p.elements; }},
    {"row_alignment", "bytes",
     "greatest power of two by which rows are apart, from 128 to 16,384: rows far apart "
     "displace each other in a cache",
     "Hennessy and Patterson, conflict misses",
     [](const launch_profile& p, const estimates&) { return std::clamp(p.row_alignment, 128.0, 16384.0); }},
    {"array_bytes", "bytes",
     "of the arrays that the region is part of, of more than 64 MiB so many: no cache holds more",
     "Han, region to be cached",
     [](const launch_profile& p, const estimates&) { return std::min(p.array_bytes, 67108864.0); }},
    {"resident_bytes", "bytes", "of lines that the work-groups of a multiprocessor read at a time", "Han, data reuse",
     [](const launch_profile& p, const estimates& e) {
         return segment_bytes * p.touched_lines * e.without.resident / work_items(p);
     }},
    {"resident_items", "work-items", "of a multiprocessor that run at a time without local memory", "Han, parallelism",
     [](const launch_profile&, const estimates& e) { return e.without.resident; }},
    {"loop_operations", "per point", "in the loops of a point", "Han, computation",
     [](const launch_profile& p, const estimates&) { return p.loop_operations; }},
    {"distinct_reads", "per point", "elements of these arrays that are read, each counted once",
     "Han §2.1, reuse in a thread", [](const launch_profile& p, const estimates&) { return p.distinct_reads; }},
    {"alike_points", "points", "of a work-item that read the same of these arrays", "Han §2.1, reuse in a thread",
     [](const launch_profile& p, const estimates&) { return p.alike_points; }},
    {"item_rows", "rows", "of these arrays that a point reads in", "Han, home access pattern",
     [](const launch_profile& p, const estimates&) { return p.item_rows; }},
    {"item_columns", "elements", "of the box that a point reads, along a row", "Han, home access pattern",
     [](const launch_profile& p, const estimates&) { return p.item_columns; }},
    {"lines_per_read", "1", "lines of 128 bytes in these rows over the elements that are read",
     "Han, home access pattern",
     [](const launch_profile& p, const estimates&) {
         return p.distinct_reads > 0 ? p.item_rows * (1 + (p.item_columns - 1) / 32) / p.distinct_reads : 0;
     }},
    {"estimated_speedup", "1", "estimated cycles without local memory over those with it", "Han §2.1",
     [](const launch_profile&, const estimates& e) { return ratio(e.without.all, e.with.all); }},
    {"access_ratio", "1", "estimated cycles of loads and stores without local memory over those with it",
     "Han §2.1, transactions",
     [](const launch_profile&, const estimates& e) { return ratio(e.without.access, e.with.access); }},
    {"access_saved", "1", "the difference of these over all estimated cycles without it", "Han §2.1, transactions",
     [](const launch_profile&, const estimates& e) { return (e.without.access - e.with.access) / e.without.all; }},
    {"latency_ratio", "1", "estimated cycles of waiting without local memory over those with it",
     "Han §2.1, parallelism",
     [](const launch_profile&, const estimates& e) { return ratio(e.without.latency, e.with.latency); }},
    {"latency_share", "1", "of the estimated cycles without local memory: waiting", "Han §2.1, parallelism",
     [](const launch_profile&, const estimates& e) { return e.without.latency / e.without.all; }},
    {"computation_share", "1", "of the estimated latency with local memory: operations", "Han, computation",
     [](const launch_profile&, const estimates& e) { return e.with.computation; }},
    {"context_share", "1", "of the estimated cycles with local memory: reads of other arrays", "Han, context accesses",
     [](const launch_profile&, const estimates& e) { return e.with.context / e.with.all; }},
};

} // namespace

launch_cycles estimated_cycles(const launch_profile& p, bool local) {
    constexpr double multiprocessors = 132; // of an H200
    constexpr double most_items = 2048, most_groups = 32, most_local = 227 * 1024.0, local_of_group = 1024;
    constexpr double most_unrolled = 160; // operations of loops that compilers unroll
    constexpr double far_rows = 8192;     // bytes: their lines fall into the same sets of a cache

    const double items = work_items(p);
    const double warps = items / 32;
    const double points = p.points_per_item;
    // Unrolled loops keep in registers what they read again, and what the next points read.
    const bool unrolled = p.loop_operations <= most_unrolled;
    const bool kept = unrolled && (!local || p.region_copies <= 1);
    const double alike = kept ? p.alike_points : 1;
    const double loops_alike = p.loop_context_reads > 0 ? 1 : alike;
    const double reads = (unrolled ? p.distinct_reads : p.region_reads / points) / alike;
    const double loops = unrolled ? 0 : p.iterations / loops_alike;
    const double context_reads = p.context_reads / points;
    const double operations =
        (p.operations / points + context_reads) / 2 - p.loop_operations / 2 * (1 - 1 / loops_alike);
    const double serial = std::max(4.6 * operations, 0.0);

    // One warp alone needs no barrier, and its copy is simpler.
    const double copies = (warps > 1 ? 1 : 0.7) * p.region_copies / points;
    double groups = std::min(std::floor(most_items / items), most_groups);
    if (local) {
        groups = std::min(groups, std::floor(most_local / (p.region_bytes + local_of_group)));
    }
    groups = std::clamp(groups, 1.0, std::max(std::ceil(p.work_groups / multiprocessors), 1.0));

    launch_cycles c;
    c.resident = groups * items;
    c.context = 0.3 * context_reads + 0.7 * p.context_transactions / points;
    double instructions = 4 * loops;
    c.latency = 500 + serial;
    if (local) {
        c.access = c.context + 0.75 * reads * p.bank_conflicts + 2 * copies * p.region_segments / warps;
        instructions += 4 * copies * p.region_segments / warps;
        c.latency += 15 * loops + 90 * copies * std::ceil(p.region_segments / warps) + 500 * p.region_copies / points;
    } else {
        const double transactions = p.transactions * (p.row_alignment >= far_rows ? 1.25 : 1);
        c.access = c.context + reads * (0.3 + 0.7 * transactions);
        c.latency += 20 * loops;
    }
    c.computation = serial / c.latency;
    c.latency /= c.resident / 32;
    const double begin = 150 / warps / points; // of a work-group
    // What overlaps in part is added in squares.
    c.all = std::sqrt(instructions * instructions + c.access * c.access + c.latency * c.latency + begin * begin);
    return c;
}

features launch_features(const launch_profile& p) {
    const estimates e(p);
    features out;
    for (const declared& f : all_features) {
        out.push_back({f.name, f.unit, f.definition, f.source, f.value(p, e)});
    }
    return out;
}

std::vector<double> launch_values(const launch_profile& p) {
    std::vector<double> out;
    out.reserve(std::size(all_features));
    const estimates e(p);
    for (const declared& f : all_features) {
        out.push_back(f.value(p, e));
    }
    return out;
}

const std::vector<std::string>& local_memory_features() {
    static const std::vector<std::string> names{
        "work_items",          "points_per_item", "region_x",       "region_rows",    "transactions",
        "operations_per_read", "region_copies",   "bank_conflicts", "sectors",        "elements",
        "row_alignment",       "array_bytes",     "resident_bytes", "resident_items", "loop_operations",
        "distinct_reads",      "alike_points",    "item_rows",      "item_columns",   "lines_per_read",
        "estimated_speedup",   "access_ratio",    "access_saved",   "latency_ratio",  "latency_share",
        "computation_share",   "context_share"};
    return names;
}

} // namespace gst
