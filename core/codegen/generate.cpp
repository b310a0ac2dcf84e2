#include "core/codegen/generate.hpp"

#include "core/codegen/emit.hpp"
#include "core/codegen/lower.hpp"
#include "core/codegen/rotation.hpp"
#include "core/codegen/stream_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace gst {

namespace {
constexpr std::uint64_t widest_image = 16384;
} // namespace

std::uint64_t allocated_elements(const array_layout& layout) {
    return (static_cast<std::uint64_t>(layout.elements) + widest_image - 1) / widest_image * widest_image;
}

std::uint64_t image_width_for(const array_layout& layout, std::uint64_t widest, std::uint64_t highest) {
    std::uint64_t width = widest_image;
    while (width > widest) {
        width /= 2;
    }
    return width == 0 || allocated_elements(layout) / width > highest ? 0 : width;
}

std::uint64_t memory_of(const program& p, bool images_copied) {
    std::uint64_t bytes = 0;
    for (std::size_t f = 0; f < p.types.size(); ++f) {
        const std::uint64_t array =
            allocated_elements(p.layout) * size_of(p.types[f]) * static_cast<std::uint64_t>(buffers_of(p, f));
        bytes += array * (images_copied && p.images[f].width > 0 ? 2 : 1);
    }
    return bytes;
}

namespace {

/// Layout, types and kept levels of every program of a stencil.
program frame_of(const stencil& s, extent3 size, std::int64_t alignment) {
    program p;
    p.layout = make_layout(size, reach_of(s), alignment);
    std::vector<std::uint8_t> updated(s.fields.size(), 0);
    for (const update& u : s.updates) {
        updated[u.field] = 1;
    }
    for (std::size_t f = 0; f < s.fields.size(); ++f) {
        p.types.push_back(s.fields[f].type);
        p.coefficient.push_back(updated[f] ? 0 : 1);
        p.kept.push_back(s.fields[f].history + 1);
    }
    p.images.resize(s.fields.size());
    return p;
}

/// Every update is a kernel of its own.
lowered_program lower_step(const stencil& s, extent3 size, std::int64_t alignment, const schedule& how) {
    lowered_program out{{}, frame_of(s, size, alignment)};
    program& p = out.rest;
    std::vector<std::uint8_t> imaged(s.fields.size(), 0);
    std::vector<lowered_kernel> updates;
    for (std::size_t u = 0; u < s.updates.size(); ++u) {
        updates.push_back(how.stream_axis < 0 ? lower_update(s, u, p.layout, how)
                                              : lower_stream(s, {u}, p.layout, how));
        for (const kernel_argument& a : updates.back().launch.arguments) {
            if (const auto* f = std::get_if<field_argument>(&a); f && f->as_image) {
                imaged[f->field] = 1;
                p.images[f->field] = {how.image_width, allocated_elements(p.layout) / how.image_width,
                                      s.fields[f->field].type};
            }
        }
    }
    std::vector<nest::kernel> update_kernels, halo_kernels;
    const auto add = [&](lowered_kernel&& k, std::vector<nest::kernel>& kernels, std::uint32_t module) {
        k.launch.local_bytes = nest::local_places(k.kernel).back();
        kernels.push_back(std::move(k.kernel));
        k.launch.module = module;
        p.call.emplace_back(std::move(k.launch));
    };
    for (std::size_t u = 0; u < updates.size(); ++u) {
        const std::uint32_t field = s.updates[u].field;
        p.error_factor = std::max(p.error_factor, updates[u].error_factor);
        add(std::move(updates[u]), update_kernels, 0);
        if (auto halo = lower_halo(s, field, p.layout, "halo", [](const boundary&) { return true; })) {
            add(std::move(*halo), halo_kernels, 1);
        }
        if (imaged[field]) {
            p.call.emplace_back(image_copy{field, 1});
        }
    }
    out.modules.push_back(std::move(update_kernels));
    if (!halo_kernels.empty()) {
        out.modules.push_back(std::move(halo_kernels));
    }
    return out;
}

/// Whether updates read neighbours of a field at time levels before t.
bool reads_neighbours_before(const stencil& s, std::uint32_t field) {
    return std::any_of(s.updates.begin(), s.updates.end(), [&](const update& u) {
        const std::vector<node_id> nodes = reachable(s, u.value);
        return std::any_of(nodes.begin(), nodes.end(), [&](node_id n) {
            const auto* r = std::get_if<ir::read>(&s.nodes[n].op);
            return r && r->field == field && r->level < 0 && r->at != offset3{};
        });
    });
}

/// All updates, several steps of them, are one kernel; the remainder is a plain program. Beyond periodic faces such a
/// kernel reads the points that those of the halo stand for, unless it is one of loops.
lowered_program lower_steps(const stencil& s, extent3 size, std::int64_t alignment, const schedule& how) {
    lowered_program out = lower_step(s, size, alignment, default_schedule(size));
    program& p = out.rest;
    p.remainder = std::move(p.call);
    p.call.clear();
    for (program_operation& o : p.remainder) {
        ++std::get<launch>(o).module;
    }
    p.steps = how.steps;
    std::vector<std::size_t> updates(s.updates.size());
    std::iota(updates.begin(), updates.end(), std::size_t{0});
    lowered_kernel steps = lower_stream(s, updates, p.layout, how);
    p.error_factor = steps.error_factor;
    steps.launch.local_bytes = nest::local_places(steps.kernel).back();
    out.modules.insert(out.modules.begin(), {std::move(steps.kernel)});
    p.call.emplace_back(std::move(steps.launch));
    constexpr std::uint32_t halo_module = 2;
    for (const program_operation& o : p.remainder) {
        const launch& whole = std::get<launch>(o);
        if (whole.module != halo_module) {
            continue;
        }
        const std::uint32_t field = std::get<field_argument>(whole.arguments.front()).field;
        const int history = s.fields[field].history;
        const auto fill = [&](std::vector<program_operation>& list, launch l, int newest, int oldest) {
            for (int level = newest; level >= oldest; --level) {
                std::get<field_argument>(l.arguments.front()).level = level;
                list.emplace_back(l);
            }
        };
        const int written = std::max(how.steps - history, 1); // the oldest
        const int read = reads_neighbours_before(s, field) ? written : how.steps;
        const bool leaves_faces = !how.loops && has_periodic_faces(s.fields[field]);
        if (!leaves_faces) {
            fill(p.call, whole, how.steps, read);
        } else if (auto copies = lower_halo(s, field, p.layout, "copies", is_copied)) {
            copies->launch.module = halo_module;
            out.modules[halo_module].push_back(std::move(copies->kernel));
            fill(p.call, copies->launch, how.steps, read);
        }
        if (leaves_faces || read > written) {
            fill(p.halos, whole, leaves_faces ? 0 : -1, -history);
        }
    }
    return out;
}

} // namespace

lowered_program lower(const stencil& s, extent3 size, std::int64_t alignment, const schedule& how) {
    return how.steps > 1 ? lower_steps(s, size, alignment, how) : lower_step(s, size, alignment, how);
}

program spell(lowered_program p, const dialect& language) {
    const bool wide = needs_wide_index(static_cast<std::uint64_t>(p.rest.layout.elements));
    for (const auto& m : p.modules) {
        p.rest.modules.push_back(emit_module(m, language, wide));
    }
    return std::move(p.rest);
}

program generate(const stencil& s, extent3 size, std::int64_t alignment, const schedule& how, const dialect& language) {
    return spell(lower(s, size, alignment, how), language);
}

} // namespace gst
