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

program_run::program_run(opened_device& on, bound_program p, std::vector<double> parameters, field_buffers buffers)
    : on_(on), program_(std::move(p)), parameters_(std::move(parameters)), buffers_(std::move(buffers)),
      images_(buffers_.size()), rotations_(rotations_of(program_)) {
    for (const std::string& id : program_.modules) {
        modules_.push_back(&on.module(id));
    }
    for (std::size_t f = 0; f < buffers_.size(); ++f) {
        if (program_.images[f].width == 0) {
            continue;
        }
        for (memory* buffer : buffers_[f]) {
            const std::uint64_t bytes = program_.allocated * size_of(program_.types[f]);
            images_[f].push_back(on.device->allocate(bytes, &program_.images[f], buffer));
        }
    }
}

void program_run::begin(std::int64_t t) {
    t_ = t;
    leaves_halos_ = false;
    rotations_ = rotations_of(program_);
    if (on_.info.image_from_buffer) {
        return;
    }
    std::vector<command> copies;
    for (std::size_t f = 0; f < buffers_.size(); ++f) {
        for (std::size_t b = 0; b < images_[f].size(); ++b) {
            copies.emplace_back(
                copy_command{buffers_[f][b], images_[f][b].get(), program_.allocated * size_of(program_.types[f])});
        }
    }
    if (!copies.empty()) {
        on_.device->run(copies);
    }
}

double program_run::advance(unsigned steps) {
    const auto per_call = static_cast<unsigned>(program_.steps);
    const unsigned calls = steps / per_call;
    const unsigned left = steps % per_call;
    std::vector<command> commands;
    commands.reserve(calls * program_.call.size() + program_.halos.size() + left * program_.remainder.size());
    for (unsigned i = 0; i < calls; ++i) {
        append(commands, program_.call, program_.steps);
    }
    leaves_halos_ = leaves_halos_ || (calls > 0 && !program_.halos.empty());
    if (left > 0) {
        append_left_halos(commands);
    }
    for (unsigned i = 0; i < left; ++i) {
        append(commands, program_.remainder, 1);
    }
    return on_.device->run(commands);
}

memory& program_run::level(std::size_t field, int age) {
    std::vector<command> commands;
    append_left_halos(commands);
    if (!commands.empty()) {
        on_.device->run(commands);
    }
    return *buffers_.at(field)[rotations_[field].held(age)];
}

named_numbers program_run::metrics() const {
    named_numbers all;
    for (const executable* m : modules_) {
        all.merge(m->metrics());
    }
    return all;
}

void program_run::append(std::vector<command>& out, const std::vector<program_operation>& list, int steps) {
    for (const program_operation& o : list) {
        if (const auto* l = std::get_if<launch>(&o)) {
            out.push_back(resolved(*l, *modules_.at(l->module), steps));
        } else if (!on_.info.image_from_buffer) {
            const auto& copy = std::get<image_copy>(o);
            const std::size_t buffer = rotations_.at(copy.field).buffer_of(copy.level, steps);
            out.emplace_back(copy_command{buffers_[copy.field][buffer], images_[copy.field].at(buffer).get(),
                                          program_.allocated * size_of(program_.types[copy.field])});
        }
    }
    for (rotation& r : rotations_) {
        r.advance(steps);
    }
    t_ += steps;
}

void program_run::append_left_halos(std::vector<command>& out) {
    if (leaves_halos_) {
        append(out, program_.halos, 0);
        leaves_halos_ = false;
    }
}

command program_run::resolved(const launch& l, executable& from, int steps) const {
    launch_command c{&from, l.kernel, l.global, l.local, l.offset, {}};
    c.arguments.reserve(l.arguments.size());
    for (const kernel_argument& a : l.arguments) {
        const auto buffer_of = [&](const field_argument& f) {
            return rotations_.at(f.field).buffer_of(f.level, steps);
        };
        if (const auto* f = std::get_if<field_argument>(&a)) {
            const std::size_t buffer = buffer_of(*f);
            c.arguments.emplace_back(f->as_image ? images_[f->field].at(buffer).get() : buffers_[f->field][buffer]);
        } else if (const auto* p = std::get_if<parameter_argument>(&a)) {
            c.arguments.emplace_back(scalar_bytes(p->type, parameters_.at(p->index)));
        } else if (const auto* t = std::get_if<tensor_argument>(&a)) {
            c.arguments.emplace_back(tensor{buffers_[t->of.field][buffer_of(t->of)], t->shape});
        } else if (std::holds_alternative<step_argument>(a)) {
            c.arguments.emplace_back(scalar_bytes(scalar::i32, static_cast<double>(t_)));
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
