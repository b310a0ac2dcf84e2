#include "core/app/time_loop.hpp"

#include "core/app/file_text.hpp"
#include "core/app/initial.hpp"
#include "core/base/error.hpp"
#include "core/measure/device_session.hpp"
#include "core/report/throughput.hpp"
#include "core/run/checkpoint.hpp"
#include "core/run/initial_state.hpp"
#include "core/run/npy.hpp"
#include "core/run/run_plan.hpp"
#include "core/run/vti.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace gst {

using toml_document::mistake;

namespace {

using clock = std::chrono::steady_clock;

double since(clock::time_point begin) {
    return std::chrono::duration<double>(clock::now() - begin).count();
}

run_state first_state(const config& c, const tuning_request& r) {
    const std::filesystem::path& checkpoint = c.run.checkpoint.value;
    if (c.run.resume.value && std::filesystem::exists(checkpoint)) {
        return load_checkpoint(checkpoint, r.stencil, r.size, r.parameters);
    }
    return make_initial_state(r.stencil, r.size, read_initial_data(c, r.stencil));
}

/// Fields that files are written for: the named ones, or all that are updated.
std::vector<std::size_t> output_fields(const config& c, const stencil& s) {
    std::vector<std::size_t> out;
    for (std::size_t f = 0; f < s.fields.size(); ++f) {
        const auto& wanted = c.run.fields.value;
        const bool named = std::find(wanted.begin(), wanted.end(), s.fields[f].name) != wanted.end();
        if (wanted.empty() ? !s.fields[f].coefficient : named) {
            out.push_back(f);
        }
    }
    return out;
}

bool is_finite(const field_values& v) {
    return std::all_of(v.data.begin(), v.data.end(), [](double d) { return std::isfinite(d); });
}

/// The program and its state on the device, and what files are made of it.
class time_loop {
  public:
    time_loop(const config& c, const tuning_request& r, const target& t, const program& p)
        : config_(c), request_(r), compilers_(t.backend, t.device, {}, 1), device_(t.backend, t.device, {}),
          state_(first_state(c, r)), step_(state_.step), newest_(r.stencil.fields.size()) {
        const interpreter_state values = to_interpreter(state_);
        for (const std::vector<field_values>& levels : values.levels) {
            began_finite_.push_back(is_finite(levels.front()));
        }
        device_.start(r.stencil, build(compilers_, p), r.parameters, values);
    }

    std::int64_t step() const { return step_; }

    double advance(std::int64_t steps) {
        step_ += steps;
        return device_.advance(static_cast<unsigned>(steps));
    }

    /// The norm of what the last step changed, of the updated field where it is largest.
    double residual() {
        const norm which = config_.run.residual_norm.value == "rms" ? norm::rms : norm::maximum;
        double largest = 0;
        for (std::size_t f = 0; f < request_.stencil.fields.size(); ++f) {
            if (request_.stencil.fields[f].coefficient) {
                continue;
            }
            field_data now = state_.levels[f][0];
            field_data before = now;
            from_values(newest(f), now);
            from_values(device_.read(f, 1), before);
            const double change = norm_of_change(now, before, which);
            largest = std::isnan(change) ? change : std::max(largest, change);
        }
        return largest;
    }

    /// Whether a field whose values were finite when the loop began has others now.
    bool diverged() {
        for (std::size_t f = 0; f < began_finite_.size(); ++f) {
            if (!request_.stencil.fields[f].coefficient && began_finite_[f] && !is_finite(newest(f))) {
                return true;
            }
        }
        return false;
    }

    void write(std::vector<std::filesystem::path>& written) {
        const std::filesystem::path& folder = config_.run.output.value;
        std::filesystem::create_directories(folder);
        std::vector<field_data> fields;
        for (const std::size_t f : output_fields(config_, request_.stencil)) {
            fields.push_back(state_.levels[f][0]);
            from_values(newest(f), fields.back());
        }
        const auto& formats = config_.run.format.value;
        if (std::find(formats.begin(), formats.end(), "npy") != formats.end()) {
            for (const field_data& d : fields) {
                written.push_back(folder / fmt::format("{}_{:06}.npy", d.name, step_));
                write_npy(written.back(), d);
            }
        }
        if (std::find(formats.begin(), formats.end(), "vti") != formats.end()) {
            written.push_back(folder / fmt::format("{}_{:06}.vti", request_.stencil.name, step_));
            write_vti(written.back(), fields);
        }
    }

    void save() {
        state_.step = step_;
        for (std::size_t f = 0; f < state_.levels.size(); ++f) {
            for (std::size_t age = 0; !request_.stencil.fields[f].coefficient && age < state_.levels[f].size(); ++age) {
                from_values(age == 0 ? newest(f) : device_.read(f, static_cast<int>(age)), state_.levels[f][age]);
            }
        }
        save_checkpoint(config_.run.checkpoint.value, request_.stencil, request_.size, request_.parameters, state_);
    }

  private:
    /// A field at t, read once after each call.
    const field_values& newest(std::size_t f) {
        auto& [of_step, values] = newest_[f];
        if (of_step != step_) {
            values = device_.read(f, 0);
            of_step = step_;
        }
        return values;
    }

    const config& config_;
    const tuning_request& request_;
    compile_pool compilers_;
    device_session device_;
    run_state state_;
    std::int64_t step_;
    struct read_values {
        std::int64_t of_step = -1;
        field_values values;
    };
    std::vector<read_values> newest_; ///< per field
    std::vector<bool> began_finite_;  ///< per field; not where they mark what is no part of the problem, or far away
};

run_plan plan_of(const config& c) {
    const bool writes = !c.run.output.value.empty();
    const bool saves = !c.run.checkpoint.value.empty();
    run_plan plan;
    plan.steps = c.run.steps.value;
    plan.output_every = writes ? c.run.every.value : 0;
    plan.output_at_end = writes;
    plan.residual_every = c.run.residual.value > 0 ? c.run.residual_every.value : 0;
    plan.checkpoint_every = saves ? c.run.checkpoint_every.value : 0;
    plan.checkpoint_at_end = saves;
    return plan;
}

} // namespace

void check_time_loop(const config& c, const tuning_request& r) {
    // The state, and its copy as doubles on the way to the device.
    std::uint64_t bytes = memory_of_state(r.stencil, r.size);
    for (const field& f : r.stencil.fields) {
        bytes += memory_of_state(r.stencil, r.size) / size_of(f.type);
    }
    const auto machine =
        static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    if (bytes > machine) {
        throw user_error(mistake(c.grid.size.written,
                                 fmt::format("the time loop needs {} bytes of memory on this grid; the machine has {}",
                                             with_separators(bytes), with_separators(machine)),
                                 "choose a smaller grid"));
    }
    read_initial_data(c, r.stencil);
}

void prepare_files(const config& c, const tuning_request& r) {
    const auto prepare = [](const setting<std::filesystem::path>& wanted, const std::filesystem::path& folder) {
        if (const std::error_code failed = make_writable(folder)) {
            throw user_error(mistake(
                wanted.written, fmt::format("nothing can be written into '{}' ({})", folder.string(), failed.message()),
                "name another folder"));
        }
    };
    if (!c.run.output.value.empty()) {
        prepare(c.run.output, c.run.output.value);
    }
    const std::filesystem::path& checkpoint = c.run.checkpoint.value;
    if (checkpoint.empty()) {
        return;
    }
    prepare(c.run.checkpoint, checkpoint.parent_path());
    if (std::filesystem::is_directory(checkpoint)) {
        throw user_error(mistake(c.run.checkpoint.written, fmt::format("'{}' is a folder", checkpoint.string()),
                                 "name a file for the checkpoint"));
    }
    if (c.run.resume.value && std::filesystem::exists(checkpoint)) {
        load_checkpoint(checkpoint, r.stencil, r.size, r.parameters);
    }
}

loop_outcome run_time_loop(const config& c, const tuning_request& r, const target& t, const program& p, bool quiet,
                           const std::function<bool()>& interrupted) {
    const clock::time_point begin = clock::now();
    loop_outcome out;
    time_loop loop(c, r, t, p);
    const run_plan plan = plan_of(c);
    out.first_step = loop.step();
    std::int64_t piece = p.steps; // between two looks at the keyboard: whole calls, about half a second
    while (!out.interrupted && !out.converged && !out.diverged) {
        const run_slice slice = next_slice(plan, loop.step());
        if (slice.steps == 0) {
            break;
        }
        const std::int64_t end = loop.step() + slice.steps;
        // The residual needs t-1, which may not be there but after a single step.
        const std::int64_t before_last = slice.residual && p.steps > 1 ? end - 1 : end;
        while (loop.step() < end && !out.interrupted) {
            const clock::time_point piece_begin = clock::now();
            const std::int64_t steps = loop.step() < before_last ? std::min(piece, before_last - loop.step()) : 1;
            out.device_ms += loop.advance(steps);
            out.steps += steps;
            if (since(piece_begin) < 0.25 && piece < (1 << 20)) {
                piece *= 2;
            }
            out.interrupted = interrupted();
        }
        if (slice.residual && !out.interrupted) {
            out.residual = loop.residual();
            out.converged = *out.residual <= c.run.residual.value;
            if (!quiet) {
                print_note(fmt::format("step {}: residual {:.3g}", loop.step(), *out.residual));
            }
        }
        // Who interrupts a run that leaves nothing does not wait for its values.
        out.diverged = (!out.interrupted || plan.output_at_end || plan.checkpoint_at_end) && loop.diverged();
        const bool last = slice.last || out.converged || out.diverged || out.interrupted;
        if ((slice.output && !out.interrupted) || (last && plan.output_at_end)) {
            loop.write(out.written);
        }
        // The last checkpoint of finite values is kept.
        if (!out.diverged && ((slice.checkpoint && !out.interrupted) || (last && plan.checkpoint_at_end))) {
            loop.save();
            if (out.written.empty() || out.written.back() != c.run.checkpoint.value) {
                out.written.push_back(c.run.checkpoint.value);
            }
        }
    }
    out.seconds = since(begin);
    return out;
}

} // namespace gst
