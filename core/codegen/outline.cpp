#include "core/base/overloaded.hpp"
#include "core/codegen/emit.hpp"

#include <fmt/format.h>

namespace gst {

namespace {

using namespace nest;

/// The loops, branches, loads and stores of a block, one per line.
void outline_block(const block& b, int depth, std::string& out) {
    const std::string indent(static_cast<std::size_t>(depth) * 2, ' ');
    std::size_t declared = 0;
    const auto flush = [&] {
        if (declared > 0) {
            out += fmt::format("{}{} values\n", indent, declared);
            declared = 0;
        }
    };
    for (const statement& s : b) {
        if (std::holds_alternative<declare>(s.what) || std::holds_alternative<assign>(s.what)) {
            ++declared;
            continue;
        }
        flush();
        std::visit(
            overloaded{
                [&](const declare&) {},
                [&](const assign&) {},
                [&](const declare_vector& d) {
                    out += fmt::format("{}load {} × {} of {}\n", indent, d.name, d.width, d.array);
                },
                [&](const store& t) { out += fmt::format("{}store {}{}\n", indent, t.local ? "local " : "", t.array); },
                [&](const vector_store& t) { out += fmt::format("{}store {} × {}\n", indent, t.array, t.width); },
                [&](const loop& l) {
                    const auto begin = literal(l.begin);
                    const auto end = literal(l.end);
                    const auto step = literal(l.step);
                    out += begin && end && step
                               ? fmt::format("{}for {} in {} … {} by {}\n", indent, l.name, *begin, *end, *step)
                               : fmt::format("{}for {} by {}\n", indent, l.name, step ? std::to_string(*step) : "…");
                    outline_block(l.body, depth + 1, out);
                },
                [&](const branch& c) {
                    out += indent + "if\n";
                    outline_block(c.yes, depth + 1, out);
                    if (!c.no.empty()) {
                        out += indent + "else\n";
                        outline_block(c.no, depth + 1, out);
                    }
                },
                [&](const barrier&) { out += indent + "barrier\n"; },
                [&](const prepare_arrivals&) {},
                [&](const arrive&) { out += indent + "arrive\n"; },
                [&](const await_arrivals&) { out += indent + "await arrivals\n"; },
                [&](const arrive_at& a) { out += fmt::format("{}arrive at barrier {}\n", indent, a.barrier); },
                [&](const end_idle&) { out += indent + "idle work-items end\n"; },
                [&](const await_at&) { out += indent + "await at a barrier\n"; },
                [&](const in_parts& p) {
                    out += indent + "in parts\n";
                    outline_block(p.body, depth + 1, out);
                },
                [&](const comment& c) { out += indent + "# " + c.text + "\n"; },
                [&](const async_copy& a) {
                    out += fmt::format("{}copy {} to {} × {} ahead\n", indent, a.array, a.local, a.width);
                },
                [&](const prepare_boxes&) {},
                [&](const copy_box& c) {
                    out += fmt::format("{}copy a box of {} to {}: {} × {} × {}\n", indent, c.tensor, c.local,
                                       c.shape.box[0], c.shape.box[1], c.shape.box[2]);
                },
                [&](const await_boxes&) { out += indent + "await boxes\n"; },
                [&](const cache_prefetch& p) { out += fmt::format("{}prefetch {}\n", indent, p.array); },
                [&](const commit_copies&) {},
                [&](const await_copies& a) {
                    out += fmt::format("{}await copies but {} batches\n", indent, a.pending);
                },
                [&](const atomic& a) { out += fmt::format("{}atomic {}\n", indent, a.array); },
            },
            s.what);
    }
    flush();
}

} // namespace

std::string outline(const kernel& k) {
    std::string out = fmt::format("kernel {}: {}\n  work-group {} × {} × {}\n", k.name, k.about, k.work_group[0],
                                  k.work_group[1], k.work_group[2]);
    for (const local_array& a : k.locals) {
        out += fmt::format("  local {}[{}] of {}\n", a.name, a.elements, name_of(a.stored));
    }
    for (const constant_table& t : k.constants) {
        out += fmt::format("  constant {}[{}] of {}\n", t.name, t.elements.size(), name_of(t.stored));
    }
    outline_block(k.body, 1, out);
    return out;
}

} // namespace gst
