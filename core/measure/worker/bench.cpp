#include "core/measure/worker/bench.hpp"

#include "core/base/hash.hpp"
#include "core/codegen/verification.hpp"
#include "core/measure/frame.hpp"
#include "core/measure/typed_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace gst::worker {

using nlohmann::json;

namespace {

/// Timed steps after which the data is restored: values that grow or fade without end change the speed of arithmetic.
constexpr unsigned most_steps_on_data = 256;

std::size_t slots_of(const bound_program& p, std::size_t field) {
    return p.coefficient[field] != 0 ? 1 : static_cast<std::size_t>(p.levels[field]);
}

} // namespace

bench::bench(opened_device& on, const json& request)
    : on_(on), fields_(request.at("fields").get<std::vector<field>>()),
      shape_(request.at("reference").get<bound_program>()),
      error_field_(request.at("error_field").get<std::vector<int>>()),
      parameters_(request.at("parameters").get<std::vector<double>>()), data_{request.at("seed").get<std::uint64_t>()},
      comparing_(&on.module(request.at("comparison").get<std::string>())),
      comparison_global_(request.at("global").get<range3>()), comparison_local_(request.at("local").get<range3>()) {
    for (std::size_t f = 0; f < fields_.size(); ++f) {
        steps_ = std::max(steps_, static_cast<unsigned>(slots_of(shape_, f)) + 1);
    }
    result_ = on.device->allocate(sizeof(comparison_result), nullptr, nullptr);
    fill_pristine();
    run_reference(shape_);
}

json bench::report() const {
    return json{{"unchecked", unchecked_}, {"reference_ms", reference_ms_}};
}

std::uint64_t bench::bytes_of(std::size_t field) const {
    return shape_.allocated * size_of(shape_.types[field]);
}

void bench::fill_pristine() {
    const array_layout& layout = shape_.layout;
    for (std::size_t f = 0; f < fields_.size(); ++f) {
        const scalar type = fields_[f].type;
        const std::uint64_t row_bytes = static_cast<std::uint64_t>(layout.row) * size_of(type);
        const auto rows_per_piece = std::max<std::int64_t>(1, static_cast<std::int64_t>(piece_bytes / row_bytes));
        std::array<std::byte, 8> poison{};
        put_poison(type, poison.data());
        pristine_.emplace_back();
        working_.emplace_back();
        const std::size_t slots = slots_of(shape_, f);
        for (std::size_t s = 0; s < slots; ++s) {
            // Slot 0 holds t, slot 1 t+1, and from the last slot down are t-1, t-2 …
            const int age = s == 0 ? 0 : s == 1 ? -1 : static_cast<int>(slots - s);
            kept_buffer kept{on_.device->allocate(bytes_of(f), nullptr, nullptr), ""};
            std::vector<std::byte> piece;
            for (std::int64_t row = 0; row < rows_of(layout); row += rows_per_piece) {
                piece.resize(static_cast<std::size_t>(std::min(rows_per_piece, rows_of(layout) - row)) * row_bytes);
                initial_rows(fields_[f], layout, data_, age, row, piece);
                on_.device->write(*kept.buffer, static_cast<std::uint64_t>(row) * row_bytes, piece);
            }
            fill(*on_.device, *kept.buffer, static_cast<std::uint64_t>(layout.elements) * size_of(type), bytes_of(f),
                 std::span(poison).first(size_of(type)));
            kept.digest = digest_of(*on_.device, *kept.buffer, bytes_of(f));
            pristine_.back().push_back(std::move(kept));
            working_.back().push_back(on_.device->allocate(bytes_of(f), nullptr, nullptr));
        }
    }
}

field_slots bench::working_slots() const {
    field_slots slots;
    for (const auto& field_buffers : working_) {
        slots.emplace_back();
        for (const auto& buffer : field_buffers) {
            slots.back().push_back(buffer.get());
        }
    }
    return slots;
}

void bench::run_reference(const bound_program& reference) {
    std::vector<std::vector<std::unique_ptr<memory>>> errors; // the fields after the stencil's own
    field_slots slots = working_slots();
    const std::array<std::byte, 8> zero{};
    for (std::size_t f = fields_.size(); f < reference.types.size(); ++f) {
        errors.emplace_back();
        slots.emplace_back();
        for (std::size_t s = 0; s < slots_of(reference, f); ++s) {
            errors.back().push_back(on_.device->allocate(bytes_of(f), nullptr, nullptr));
            fill(*on_.device, *errors.back().back(), 0, bytes_of(f),
                 std::span(zero).first(size_of(reference.types[f])));
            slots.back().push_back(errors.back().back().get());
        }
    }
    program_run run(on_, reference, parameters_, std::move(slots));
    restore(run);
    run.advance(steps_ - 1);
    reference_ms_ = run.advance(1); // the last step is warm
    reference_.resize(fields_.size());
    error_.resize(fields_.size());
    for (std::size_t f = 0; f < fields_.size(); ++f) {
        if (reference.coefficient[f] != 0) {
            continue;
        }
        reference_[f].buffer = on_.device->allocate(bytes_of(f), nullptr, nullptr);
        const command copy = copy_command{&run.level(f, 0), reference_[f].buffer.get(), bytes_of(f)};
        on_.device->run({&copy, 1});
        reference_[f].digest = digest_of(*on_.device, *reference_[f].buffer, bytes_of(f));
        if (error_field_[f] >= 0) {
            const auto e = static_cast<std::size_t>(error_field_[f]);
            error_[f].buffer = std::move(errors.at(e - fields_.size())[slot_of(reference, e, run.step(), 0)]);
            error_[f].digest = digest_of(*on_.device, *error_[f].buffer, bytes_of(e));
        }
        const comparison c = compare(f, *reference_[f].buffer);
        if (c.wrong > 0) {
            throw std::runtime_error(
                fmt::format("the comparison kernel of {} finds the reference different from itself at {} "
                            "points: the device computes wrongly",
                            fields_[f].name, c.wrong));
        }
        unchecked_ += c.unchecked;
    }
}

void bench::restore(program_run& run) {
    std::vector<command> copies;
    for (std::size_t f = 0; f < fields_.size(); ++f) {
        for (std::size_t s = 0; s < working_[f].size(); ++s) {
            copies.emplace_back(copy_command{pristine_[f][s].buffer.get(), working_[f][s].get(), bytes_of(f)});
        }
    }
    on_.device->run(copies);
    run.begin(0);
    since_restore_ = 0;
}

bench::comparison bench::compare(std::size_t field, memory& value) {
    comparison_result r;
    r.first_wrong = 0xffffffff;
    on_.device->write(*result_, 0, std::as_bytes(std::span(&r, 1)));
    launch l;
    l.kernel = fmt::format("compare_{}", field);
    l.global = comparison_global_;
    l.local = comparison_local_;
    std::vector<memory*> buffers{&value, reference_[field].buffer.get()};
    if (error_[field].buffer) {
        buffers.push_back(error_[field].buffer.get());
    }
    buffers.push_back(result_.get());
    for (std::uint32_t i = 0; i < buffers.size(); ++i) {
        l.arguments.emplace_back(extra_argument{i});
    }
    const command c = extra_launch(l, *comparing_, buffers);
    on_.device->run({&c, 1});
    on_.device->read(*result_, 0, std::as_writable_bytes(std::span(&r, 1)));
    return {r.wrong, r.first_wrong, r.unbounded, static_cast<double>(std::bit_cast<float>(r.worst))};
}

json bench::verify(bound_program p) {
    current_.reset();
    current_ = std::make_unique<program_run>(on_, std::move(p), parameters_, working_slots());
    restore(*current_);
    current_->advance(steps_);
    json out{{"wrong", 0}, {"metrics", current_->metrics()}};
    double worst = 0;
    for (std::size_t f = 0; f < fields_.size(); ++f) {
        if (!reference_[f].buffer) {
            continue;
        }
        memory& value = current_->level(f, 0);
        const comparison c = compare(f, value);
        worst = std::max(worst, c.worst);
        if (c.wrong > 0) {
            out["wrong"] = c.wrong;
            out["damaged"] = damaged();
            out["first"] = describe_wrong(f, c, value);
            return out;
        }
    }
    out["metrics"]["error_of_bound"] = worst; // greatest |value − reference| / (2 × bound)
    return out;
}

double bench::element(memory& m, scalar type, std::uint64_t index) {
    std::array<std::byte, 8> bytes{};
    on_.device->read(m, index * size_of(type), std::span(bytes).first(size_of(type)));
    return get_value(type, bytes.data());
}

json bench::describe_wrong(std::size_t field, const comparison& c, memory& value) {
    const scalar type = fields_[field].type;
    const int digits = type == scalar::f64 ? 16 : 8;
    const auto shown = [&](memory& m) { return fmt::format("{:.{}g}", element(m, type, c.first), digits); };
    json first{{"field", fields_[field].name},
               {"element", c.first},
               {"got", shown(value)},
               {"expected", shown(*reference_[field].buffer)}};
    if (const auto point = point_of(shape_.layout, static_cast<std::int64_t>(c.first))) {
        first["point"] = *point;
    }
    if (error_[field].buffer) {
        const scalar error_type = shape_.types[static_cast<std::size_t>(error_field_[field])];
        first["bound"] = fmt::format("{:.3g}", 2 * element(*error_[field].buffer, error_type, c.first));
    }
    return first;
}

bool bench::damaged() {
    const auto differs = [&](const kept_buffer& kept, std::size_t field) {
        return kept.buffer && digest_of(*on_.device, *kept.buffer, bytes_of(field)) != kept.digest;
    };
    for (std::size_t f = 0; f < fields_.size(); ++f) {
        if (differs(reference_[f], f) ||
            (error_[f].buffer && differs(error_[f], static_cast<std::size_t>(error_field_[f]))) ||
            std::any_of(pristine_[f].begin(), pristine_[f].end(),
                        [&](const kept_buffer& k) { return differs(k, f); })) {
            return true;
        }
    }
    return false;
}

void bench::flush() {
    const std::uint64_t bytes = on_.info.cache_bytes > 0 ? on_.info.cache_bytes : std::uint64_t{64} << 20;
    for (auto& buffer : flush_) {
        if (!buffer) {
            const std::array<std::byte, 4> zero{};
            buffer = on_.device->allocate(bytes, nullptr, nullptr);
            fill(*on_.device, *buffer, 0, bytes, zero);
        }
    }
    const command copy = copy_command{flush_[0].get(), flush_[1].get(), bytes};
    on_.device->run({&copy, 1});
}

timing bench::time(const timing_method& how, double best) {
    if (!current_) {
        throw std::runtime_error("no program has been verified");
    }
    restore(*current_);
    return repeat(how, best, [&](unsigned steps) {
        if (since_restore_ >= most_steps_on_data) {
            restore(*current_);
        }
        since_restore_ += steps;
        if (how.flush_cache) {
            flush();
        }
        return current_->advance(steps);
    });
}

} // namespace gst::worker
