#pragma once

#include "core/codegen/program.hpp"

namespace gst {

/// A program of single steps as one whose calls advance several: its operations so many times over, but for those that
/// write a level that no buffer gets. No step number may be read, and what is left out by nobody.
inline program several_steps(program p, int steps) {
    if (steps == 1) {
        return p;
    }
    p.steps = steps;
    p.remainder = std::move(p.call);
    p.call.clear();
    for (int step = 0; step < steps; ++step) {
        for (program_operation o : p.remainder) {
            bool written = true;
            const auto shift = [&](std::uint32_t field, int& level) {
                if (p.coefficient[field] == 0) {
                    level += step;
                    written = written && (level <= 0 || steps - level < p.kept[field]);
                }
            };
            if (auto* copy = std::get_if<image_copy>(&o)) {
                shift(copy->field, copy->level);
            } else {
                for (kernel_argument& a : std::get<launch>(o).arguments) {
                    if (auto* f = std::get_if<field_argument>(&a)) {
                        shift(f->field, f->level);
                    }
                }
            }
            if (written) {
                p.call.push_back(std::move(o));
            }
        }
    }
    return p;
}

} // namespace gst
