#include "core/measure/worker/bench.hpp"

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

} // namespace

bench::bench(opened_device& on, const json& request)
    : on_(on), fields_(request.at("fields").get<std::vector<field>>()),
      shape_(request.at("reference").get<bound_program>()),
      error_field_(request.at("error_field").get<std::vector<int>>()),
      parameters_(request.at("parameters").get<std::vector<double>>()), data_{request.at("seed").get<std::uint64_t>()},
      comparing_(&on.module(request.at("comparison").get<std::string>())),
      comparison_global_(request.at("global").get<range3>()), comparison_local_(request.at("local").get<range3>()) {
    result_ = on.device->allocate(sizeof(comparison_result), nullptr, nullptr);
    fill_pristine();
    add_reference(steps_to_verify(shape_));
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
        const auto begin_of = [&](std::int64_t row) {
            return static_cast<std::uint64_t>(layout.begin_of_row(row)) * size_of(type);
        };
        const auto rows_per_piece = std::max<std::int64_t>(1, static_cast<std::int64_t>(piece_bytes / row_bytes));
        std::array<std::byte, 8> poison{};
        put_poison(type, poison.data());
        pristine_.emplace_back();
        for (int buffer = 0; buffer < buffers_of(shape_, f); ++buffer) {
            const int age = buffer < shape_.kept[f] ? buffer : -1;
            kept_buffer kept{on_.device->allocate(bytes_of(f), nullptr, nullptr), {}};
            std::vector<std::byte> piece;
            for (std::int64_t row = 0; row < layout.rows(); row += rows_per_piece) {
                piece.resize(static_cast<std::size_t>(std::min(rows_per_piece, layout.rows() - row)) * row_bytes);
                initial_rows(fields_[f], layout, data_, age, row, piece);
                on_.device->write(*kept.buffer, begin_of(row), piece);
            }
            const auto element = std::span(poison).first(size_of(type));
            fill(*on_.device, *kept.buffer, 0, begin_of(0), element);
            fill(*on_.device, *kept.buffer, begin_of(layout.rows()), bytes_of(f), element);
            kept.digest = digest(*kept.buffer, bytes_of(f));
            pristine_.back().push_back(std::move(kept));
        }
    }
}

/// The working buffers that a program needs; makes those that no program before needed.
field_buffers bench::working_buffers(const bound_program& p) {
    field_buffers buffers(fields_.size());
    working_.resize(fields_.size());
    for (std::size_t f = 0; f < fields_.size(); ++f) {
        const auto needed = static_cast<std::size_t>(buffers_of(p, f));
        while (working_[f].size() < needed) {
            working_[f].push_back(on_.device->allocate(bytes_of(f), nullptr, nullptr));
        }
        for (std::size_t b = 0; b < needed; ++b) {
            buffers[f].push_back(working_[f][b].get());
        }
    }
    return buffers;
}

/// Some calls and a step of the remainder: two calls, or more until every buffer of a program of single steps would
/// have been written. With several steps per call one more than a power of two from 8 on, so that programs of
/// different numbers of steps share a reference: on a large grid it takes longer than all else. The next power where
/// the calls alone would come to it.
unsigned bench::steps_to_verify(const bound_program& p) const {
    const auto per_call = static_cast<unsigned>(p.steps);
    unsigned calls = 2;
    for (std::size_t f = 0; f < fields_.size(); ++f) {
        const auto buffers = static_cast<unsigned>(buffers_of(shape_, f));
        calls = std::max(calls, (buffers + per_call - 1) / per_call);
    }
    if (per_call == 1) {
        return calls + 1;
    }
    const unsigned power = std::bit_ceil(std::max(calls * per_call, 8U));
    return (power + 1) % per_call == 0 ? 2 * power + 1 : power + 1;
}

std::uint64_t bench::reference_bytes() const {
    std::uint64_t bytes = 0;
    for (std::size_t f = 0; f < fields_.size(); ++f) {
        bytes += shape_.coefficient[f] != 0 ? 0 : bytes_of(f);
        bytes += error_field_[f] < 0 ? 0 : bytes_of(static_cast<std::size_t>(error_field_[f]));
    }
    return bytes;
}

std::uint64_t bench::grown_bytes() const {
    std::uint64_t bytes = (references_.size() - 1) * reference_bytes();
    for (std::size_t f = 0; f < fields_.size(); ++f) {
        bytes += (working_[f].size() - static_cast<std::size_t>(buffers_of(shape_, f))) * bytes_of(f);
    }
    return bytes;
}

const reference_result* bench::find_reference(unsigned steps) {
    const auto found = std::find_if(references_.begin(), references_.end(),
                                    [&](const reference_result& r) { return r.steps == steps; });
    if (found == references_.end()) {
        return nullptr;
    }
    std::rotate(found, found + 1, references_.end());
    return &references_.back();
}

/// References for several numbers of steps stay, as many as half of the device's memory holds.
const reference_result& bench::add_reference(unsigned steps) {
    while (!references_.empty() && (references_.size() + 1) * reference_bytes() > on_.info.memory_bytes / 2) {
        references_.erase(references_.begin());
    }
    references_.push_back(run_reference(steps));
    return references_.back();
}

reference_result bench::run_reference(unsigned steps) {
    std::vector<std::vector<std::unique_ptr<memory>>> errors; // the fields after the stencil's own
    field_buffers buffers = working_buffers(shape_);
    const std::array<std::byte, 8> zero{};
    for (std::size_t f = fields_.size(); f < shape_.types.size(); ++f) {
        errors.emplace_back();
        buffers.emplace_back();
        for (int b = 0; b < buffers_of(shape_, f); ++b) {
            errors.back().push_back(on_.device->allocate(bytes_of(f), nullptr, nullptr));
            fill(*on_.device, *errors.back().back(), 0, bytes_of(f), std::span(zero).first(size_of(shape_.types[f])));
            buffers.back().push_back(errors.back().back().get());
        }
    }
    program_run run(on_, shape_, parameters_, std::move(buffers));
    restore(run);
    run.advance(steps - 1);
    reference_ms_ = run.advance(1); // the last step is warm
    reference_result result{steps, std::vector<kept_buffer>(fields_.size()), std::vector<kept_buffer>(fields_.size())};
    unchecked_ = 0;
    for (std::size_t f = 0; f < fields_.size(); ++f) {
        if (shape_.coefficient[f] != 0) {
            continue;
        }
        kept_buffer& value = result.values[f];
        value.buffer = on_.device->allocate(bytes_of(f), nullptr, nullptr);
        const command copy = copy_command{&run.level(f, 0), value.buffer.get(), bytes_of(f)};
        on_.device->run({&copy, 1});
        value.digest = digest(*value.buffer, bytes_of(f));
        if (error_field_[f] >= 0) {
            const auto e = static_cast<std::size_t>(error_field_[f]);
            kept_buffer& error = result.errors[f];
            for (std::unique_ptr<memory>& buffer : errors.at(e - fields_.size())) {
                if (buffer.get() == &run.level(e, 0)) {
                    error.buffer = std::move(buffer);
                }
            }
            error.digest = digest(*error.buffer, bytes_of(e));
        }
        const comparison c = compare(f, *value.buffer, result, 2);
        if (c.wrong > 0) {
            throw std::runtime_error(
                fmt::format("the comparison kernel of {} finds the reference different from itself at {} "
                            "points: the device computes wrongly",
                            fields_[f].name, c.wrong));
        }
        unchecked_ += c.unchecked;
    }
    return result;
}

void bench::restore(program_run& run) {
    std::vector<command> copies;
    for (std::size_t f = 0; f < fields_.size(); ++f) {
        for (std::size_t b = 0; b < static_cast<std::size_t>(buffers_of(run.program(), f)); ++b) {
            const kept_buffer& from = pristine_[f][std::min(b, pristine_[f].size() - 1)];
            copies.emplace_back(copy_command{from.buffer.get(), working_[f][b].get(), bytes_of(f)});
        }
    }
    on_.device->run(copies);
    run.begin(0);
    since_restore_ = 0;
}

result_numbers bench::ask(const launch& l, std::vector<memory*> buffers, const result_numbers& numbers) {
    buffers.push_back(result_.get());
    on_.device->write(*result_, 0, std::as_bytes(std::span(numbers)));
    const command c = extra_launch(l, *comparing_, buffers);
    on_.device->run({&c, 1});
    result_numbers out{};
    on_.device->read(*result_, 0, std::as_writable_bytes(std::span(out)));
    return out;
}

bench::comparison bench::compare(std::size_t field, memory& value, const reference_result& expected,
                                 std::uint32_t bounds) {
    launch l;
    l.kernel = fmt::format("compare_{}", field);
    l.global = comparison_global_;
    l.local = comparison_local_;
    std::vector<memory*> buffers{&value, expected.values[field].buffer.get()};
    if (expected.errors[field].buffer) {
        buffers.push_back(expected.errors[field].buffer.get());
    }
    for (std::uint32_t i = 0; i <= buffers.size(); ++i) {
        l.arguments.emplace_back(extra_argument{i});
    }
    comparison_result begun;
    begun.bounds = bounds;
    const auto r = std::bit_cast<comparison_result>(ask(l, std::move(buffers), std::bit_cast<result_numbers>(begun)));
    return {r.wrong, r.first_wrong, r.unbounded, static_cast<double>(std::bit_cast<float>(r.worst)), bounds};
}

array_digest bench::digest(memory& m, std::uint64_t bytes) {
    const result_numbers sums = ask(digest_launch(bytes), {&m}, {});
    return {sums[0], sums[1]};
}

json bench::verify(bound_program p) {
    current_.reset();
    const unsigned steps = steps_to_verify(p);
    const reference_result* at_hand = find_reference(steps);
    if (at_hand == nullptr && damaged()) {
        return {{"wrong", 0}, {"damaged", true}, {"metrics", json::object()}, {"grown_bytes", grown_bytes()}};
    }
    const reference_result& expected = at_hand != nullptr ? *at_hand : add_reference(steps);
    field_buffers buffers = working_buffers(p);
    current_ = std::make_unique<program_run>(on_, std::move(p), parameters_, std::move(buffers));
    restore(*current_);
    const auto per_call = static_cast<unsigned>(current_->program().steps);
    const unsigned calls = (steps - 1) / per_call;
    current_->advance((calls - 1) * per_call);
    const double call_ms = current_->advance(per_call); // warm
    current_->advance(steps - calls * per_call);
    since_restore_ = steps;
    json out{{"wrong", 0},     {"damaged", false},  {"metrics", current_->metrics()}, {"grown_bytes", grown_bytes()},
             {"calls", calls}, {"call_ms", call_ms}};
    const auto bounds = static_cast<std::uint32_t>(1 + current_->program().error_factor);
    double worst = 0;
    for (std::size_t f = 0; f < fields_.size(); ++f) {
        if (!expected.values[f].buffer) {
            continue;
        }
        memory& value = current_->level(f, 0);
        const comparison c = compare(f, value, expected, bounds);
        worst = std::max(worst, c.worst);
        if (c.wrong > 0) {
            out["wrong"] = c.wrong;
            out["damaged"] = damaged();
            out["first"] = describe_wrong(f, c, value, expected);
            return out;
        }
    }
    out["metrics"]["error_of_bound"] = worst; // greatest share of what is allowed
    return out;
}

double bench::element(memory& m, scalar type, std::uint64_t index) {
    std::array<std::byte, 8> bytes{};
    on_.device->read(m, index * size_of(type), std::span(bytes).first(size_of(type)));
    return get_value(type, bytes.data());
}

json bench::describe_wrong(std::size_t field, const comparison& c, memory& value, const reference_result& expected) {
    const scalar type = fields_[field].type;
    const int digits = type == scalar::f64 ? 16 : 8;
    const auto shown = [&](memory& m) { return fmt::format("{:.{}g}", element(m, type, c.first), digits); };
    json first{{"field", fields_[field].name},
               {"element", c.first},
               {"got", shown(value)},
               {"expected", shown(*expected.values[field].buffer)}};
    if (const auto point = point_of(shape_.layout, static_cast<std::int64_t>(c.first))) {
        first["point"] = *point;
    }
    if (expected.errors[field].buffer) {
        const scalar error_type = shape_.types[static_cast<std::size_t>(error_field_[field])];
        first["bound"] = fmt::format("{:.3g}", c.bounds * element(*expected.errors[field].buffer, error_type, c.first));
    }
    return first;
}

bool bench::damaged() {
    const auto differs = [&](const kept_buffer& kept, std::size_t field) {
        return kept.buffer && digest(*kept.buffer, bytes_of(field)) != kept.digest;
    };
    for (std::size_t f = 0; f < fields_.size(); ++f) {
        if (std::any_of(pristine_[f].begin(), pristine_[f].end(),
                        [&](const kept_buffer& k) { return differs(k, f); })) {
            return true;
        }
        for (const reference_result& r : references_) {
            if (differs(r.values[f], f) || differs(r.errors[f], static_cast<std::size_t>(error_field_[f]))) {
                return true;
            }
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
    const int per_call = current_->program().steps;
    if (per_call > 1) {
        restore(*current_); // the verification has ended with a step of the remainder
    }
    const auto repetition = [&](unsigned steps) {
        if (since_restore_ >= most_steps_on_data) {
            restore(*current_);
        }
        since_restore_ += steps;
        if (how.flush_cache) {
            flush();
        }
        return current_->advance(steps);
    };
    return repeat(how, best, repetition, static_cast<unsigned>(per_call));
}

} // namespace gst::worker
