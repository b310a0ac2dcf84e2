#include "core/measure/device_session.hpp"

#include "core/codegen/rotation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gst {

using nlohmann::json;

namespace {

constexpr std::size_t most_loaded = 24; ///< modules on the device at a time

std::vector<std::string> ids_of(const std::vector<std::shared_ptr<const compiled>>& modules) {
    std::vector<std::string> ids;
    for (const auto& m : modules) {
        ids.push_back(m->id);
    }
    return ids;
}

/// Bytes of a program's buffers, and of its images beside them.
struct program_bytes {
    std::uint64_t buffers = 0;
    std::uint64_t images = 0;
};
program_bytes bytes_of(const bound_program& p) {
    program_bytes bytes;
    for (std::size_t f = 0; f < p.types.size(); ++f) {
        const std::uint64_t all = p.allocated * size_of(p.types[f]) * static_cast<std::uint64_t>(buffers_of(p, f));
        bytes.buffers += all;
        bytes.images += p.images[f].width > 0 ? all : 0;
    }
    return bytes;
}

std::string describe_wrong(const json& body) {
    const json& first = body.at("first");
    std::string where = "in the padding";
    if (first.contains("point")) {
        const auto p = first.at("point").get<extent3>();
        where = fmt::format("at ({}, {}, {})", p[0], p[1], p[2]);
    }
    std::string text = fmt::format("{} wrong points; the first: {} {} is {} instead of {}",
                                   body.at("wrong").get<std::uint64_t>(), first.at("field").get<std::string>(), where,
                                   first.at("got").get<std::string>(), first.at("expected").get<std::string>());
    if (first.contains("bound")) {
        text += fmt::format(" ± {}", first.at("bound").get<std::string>());
    }
    return text;
}

} // namespace

built_program build(compile_pool& compilers, program p) {
    built_program built;
    built.modules = compilers.compile_all(p.modules);
    for (const auto& m : built.modules) {
        if (m->outcome != status::correct) {
            throw compile_error(m->message + (m->compiler_failed
                                                  ? "\n  measure.compile_deadline and measure.memory say how "
                                                    "long a compiler may take, and how much memory"
                                                  : ""));
        }
    }
    built.what = std::move(p);
    return built;
}

device_session::device_session(backend_choice from, device_info target, worker_limits limits)
    : from_(std::move(from)), target_(std::move(target)), limits_(limits) {}

device_session::~device_session() = default;

std::uint64_t device_session::memory_limit() const {
    return limits_.memory_bytes > 0 ? limits_.memory_bytes : default_memory_limit();
}

worker_link::allowance device_session::allowance(std::uint64_t more_memory, int steps) const {
    worker_link::allowance allowed{limits_.configuration_seconds + 20 * report_.seconds * steps, 0};
    if (settled_bytes_ > 0) {
        allowed.memory_bytes = settled_bytes_ + grown_bytes_ + memory_limit() + more_memory;
    }
    return allowed;
}

void device_session::tell(const json& request, const worker_link::allowance& allowed,
                          std::span<const std::byte> payload) {
    link_->ask(request, payload, allowed);
}

void device_session::restart() {
    link_.reset();
}

void device_session::connect() {
    if (link_ && link_->alive()) {
        return;
    }
    for (unsigned attempt = 1;; ++attempt) {
        try {
            link_.reset();
            loaded_.clear();
            started_.reset();
            settled_bytes_ = 0;
            launcher_.run([&] { link_ = std::make_unique<worker_link>("measure", "the device worker"); });
            tell({{"ask", "open"}, {"file", from_.file}, {"options", to_json(from_.options)}, {"device", target_}},
                 {limits_.setup_seconds, 0});
            opened_bytes_ = link_->resident_bytes();
            if (!setup_.is_null()) {
                report_ = set_up_worker();
            }
            return;
        } catch (const refused& error) {
            link_.reset();
            throw machine_error(fmt::format("the device {} cannot be used: {}", target_.name, error.what()));
        } catch (const machine_error& error) {
            link_.reset();
            if (attempt >= limits_.attempts) {
                throw machine_error(
                    fmt::format("the device {} cannot be used: {} ({} attempts)", target_.name, error.what(), attempt));
            }
        }
    }
}

void device_session::load(const std::vector<std::shared_ptr<const compiled>>& modules) {
    for (const auto& m : modules) {
        const auto found = std::find(loaded_.begin(), loaded_.end(), m->id);
        if (found != loaded_.end()) {
            std::rotate(found, found + 1, loaded_.end());
            continue;
        }
        tell({{"ask", "load"}, {"id", m->id}}, allowance(), std::as_bytes(std::span(m->code.bytes)));
        loaded_.push_back(m->id);
    }
}

setup_report device_session::setup(const workload& w, const std::vector<std::shared_ptr<const compiled>>& modules,
                                   const std::shared_ptr<const compiled>& comparison) {
    const verification& v = w.reference;
    const bound_program reference = bind_modules(v.reference, ids_of(modules));
    reference_bytes_ = bytes_of(reference).buffers;
    setup_ = {{"ask", "setup"},
              {"fields", w.stencil.fields},
              {"reference", reference},
              {"error_field", v.error_field},
              {"comparison", comparison->id},
              {"global", v.comparison_global},
              {"local", v.comparison_local},
              {"parameters", w.parameters},
              {"seed", w.data_seed}};
    setup_modules_ = modules;
    setup_modules_.push_back(comparison);
    if (!link_ || !link_->alive() || started_ || link_->resident_bytes() > opened_bytes_ + memory_limit() / 2) {
        restart();
        connect();
        return report_;
    }
    try {
        report_ = set_up_worker();
    } catch (const worker_fault&) { // perhaps another workload's fault
        connect();
    } catch (const refused&) {
        restart();
        connect();
    }
    return report_;
}

setup_report device_session::set_up_worker() {
    load(setup_modules_);
    const auto r = ask(setup_, {limits_.setup_seconds, 0}, [](const frame& answer) {
        return setup_report{answer.body.at("seconds").get<double>(), answer.body.at("reference_ms").get<double>(),
                            answer.body.at("unchecked").get<std::uint64_t>()};
    });
    settled_bytes_ = link_->resident_bytes();
    grown_bytes_ = 0;
    fresh_ = true;
    return r;
}

const setup_report& device_session::ensure() {
    if (link_ && link_->alive() && !started_ && settled_bytes_ > 0 &&
        link_->resident_bytes() > settled_bytes_ + grown_bytes_ + memory_limit() / 2) {
        restart(); // drivers leak
    }
    connect();
    if (started_) {
        finish();
    }
    // The setup's modules stay; of the others the ones used last.
    const std::size_t kept = setup_modules_.size() + most_loaded;
    for (std::size_t i = 0; i < loaded_.size() && loaded_.size() > kept;) {
        const std::string id = loaded_[i];
        if (std::any_of(setup_modules_.begin(), setup_modules_.end(), [&](const auto& m) { return m->id == id; })) {
            ++i;
            continue;
        }
        try {
            tell({{"ask", "unload"}, {"id", id}}, allowance());
            loaded_.erase(loaded_.begin() + static_cast<std::ptrdiff_t>(i));
        } catch (const worker_fault&) {
            connect();
        }
    }
    return report_;
}

verdict device_session::verify(const built_program& p) {
    ensure();
    fresh_ = false;
    load(p.modules);
    const bound_program bound = bind_modules(p.what, ids_of(p.modules));
    verified_steps_ = bound.steps;
    // Its images, buffers that no program before needed, and a reference for as many steps.
    const program_bytes own = bytes_of(bound);
    const std::uint64_t more = own.images + own.buffers + reference_bytes_;
    return ask({{"ask", "verify"}, {"program", bound}}, allowance(more, bound.steps), [&](const frame& answer) {
        answer.body.at("grown_bytes").get_to(grown_bytes_);
        verdict v;
        const auto wrong = answer.body.at("wrong").get<std::uint64_t>();
        answer.body.at("damaged").get_to(v.damaged);
        v.correct = wrong == 0 && !v.damaged;
        answer.body.at("metrics").get_to(v.metrics);
        answer.body.at("seconds").get_to(v.seconds);
        if (v.correct) {
            answer.body.at("calls").get_to(v.calls);
            answer.body.at("call_ms").get_to(v.call_ms);
        } else {
            v.message =
                wrong == 0 ? "an earlier program has overwritten the worker's data" : describe_wrong(answer.body);
        }
        return v;
    });
}

timed_program device_session::time(const timing_method& how, double best) {
    return ask({{"ask", "time"}, {"how", how}, {"best", best}}, allowance(std::uint64_t{4} << 30, verified_steps_),
               [](const frame& answer) {
                   timed_program t;
                   answer.body.at("times").get_to(t.what.times);
                   answer.body.at("time").get_to(t.what.time);
                   answer.body.at("censored").get_to(t.what.censored);
                   answer.body.at("state").get_to(t.state);
                   answer.body.at("seconds").get_to(t.seconds);
                   return t;
               });
}

bool device_session::well() {
    try {
        return link_ && link_->alive() && ask({{"ask", "check"}}, allowance(), [](const frame& answer) {
                   return answer.body.at("well").get<bool>();
               });
    } catch (const machine_error&) {
        return false;
    }
}

bandwidth_report device_session::bandwidth(std::uint64_t bytes, const copy_benchmark& ways,
                                           const std::shared_ptr<const compiled>& module) {
    ensure();
    load({module});
    const json request{
        {"ask", "bandwidth"}, {"bytes", bytes}, {"runs", 8}, {"module", module->id}, {"launches", ways.kernels}};
    return ask(request, allowance(2 * bytes), [&](const frame& answer) {
        return bandwidth_report{2 * static_cast<double>(bytes) / answer.body.at("ms").get<double>() / 1e6,
                                answer.body.at("way").get<std::string>()};
    });
}

} // namespace gst
