#include "core/measure/worker/program_run.hpp"

#include "core/measure/typed_values.hpp"

#include <fmt/format.h>

namespace gst::worker {

namespace {

std::string scalar_bytes(scalar type, double value) {
    std::string bytes(size_of(type), '\0');
    put_value(type, value, reinterpret_cast<std::byte*>(bytes.data()));
    return bytes;
}

} // namespace

std::size_t slot_of(const bound_program& p, std::size_t field, std::int64_t t, int level) {
    if (p.coefficient[field] != 0) {
        return 0;
    }
    const std::int64_t levels = p.levels[field];
    return static_cast<std::size_t>(((t + level) % levels + levels) % levels);
}

program_run::program_run(opened_device& on, bound_program p, std::vector<double> parameters, field_slots slots)
    : on_(on), program_(std::move(p)), parameters_(std::move(parameters)), slots_(std::move(slots)),
      images_(slots_.size()) {
    for (const std::string& id : program_.modules) {
        modules_.push_back(&on.module(id));
    }
    for (std::size_t f = 0; f < slots_.size(); ++f) {
        if (program_.images[f].width == 0) {
            continue;
        }
        for (memory* buffer : slots_[f]) {
            const std::uint64_t bytes = program_.allocated * size_of(program_.types[f]);
            images_[f].push_back(on.device->allocate(bytes, &program_.images[f], buffer));
        }
    }
}

void program_run::begin(std::int64_t t) {
    t_ = t;
    if (on_.info.image_from_buffer) {
        return;
    }
    std::vector<command> copies;
    for (std::size_t f = 0; f < slots_.size(); ++f) {
        for (std::size_t s = 0; s < images_[f].size(); ++s) {
            copies.emplace_back(
                copy_command{slots_[f][s], images_[f][s].get(), program_.allocated * size_of(program_.types[f])});
        }
    }
    if (!copies.empty()) {
        on_.device->run(copies);
    }
}

double program_run::advance(unsigned steps) {
    std::vector<command> commands;
    commands.reserve(steps * program_.step.size());
    for (unsigned i = 0; i < steps; ++i) {
        append_step(commands, t_ + i);
    }
    const double ms = on_.device->run(commands);
    t_ += steps;
    return ms;
}

std::map<std::string, double> program_run::metrics() const {
    std::map<std::string, double> all;
    for (const executable* m : modules_) {
        all.merge(m->metrics());
    }
    return all;
}

void program_run::append_step(std::vector<command>& out, std::int64_t t) const {
    for (const operation& o : program_.step) {
        if (const auto* l = std::get_if<launch>(&o)) {
            out.push_back(resolved(*l, *modules_.at(l->module), t));
        } else if (!on_.info.image_from_buffer) {
            const auto& copy = std::get<image_copy>(o);
            const std::size_t slot = slot_of(program_, copy.field, t, copy.level);
            out.emplace_back(copy_command{slots_[copy.field][slot], images_[copy.field].at(slot).get(),
                                          program_.allocated * size_of(program_.types[copy.field])});
        }
    }
}

command program_run::resolved(const launch& l, executable& from, std::int64_t t) const {
    launch_command c{&from, l.kernel, l.global, l.local, l.offset, {}};
    c.arguments.reserve(l.arguments.size());
    for (const kernel_argument& a : l.arguments) {
        if (const auto* f = std::get_if<field_argument>(&a)) {
            const std::size_t slot = slot_of(program_, f->field, t, f->level);
            c.arguments.emplace_back(f->as_image ? images_.at(f->field).at(slot).get() : slots_.at(f->field).at(slot));
        } else if (const auto* p = std::get_if<parameter_argument>(&a)) {
            c.arguments.emplace_back(scalar_bytes(p->type, parameters_.at(p->index)));
        } else if (std::holds_alternative<step_argument>(a)) {
            c.arguments.emplace_back(scalar_bytes(scalar::i32, static_cast<double>(t)));
        } else {
            throw std::runtime_error(fmt::format("the kernel {} wants a buffer that no program has", l.kernel));
        }
    }
    return c;
}

command extra_launch(const launch& l, executable& from, std::span<memory* const> extras) {
    launch_command c{&from, l.kernel, l.global, l.local, l.offset, {}};
    for (const kernel_argument& a : l.arguments) {
        c.arguments.emplace_back(extras[std::get<extra_argument>(a).index]);
    }
    return c;
}

} // namespace gst::worker
