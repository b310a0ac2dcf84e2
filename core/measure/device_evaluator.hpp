#pragma once

#include "core/measure/device_session.hpp"
#include "core/measure/evaluator.hpp"
#include "core/measure/preparation.hpp"

#include <chrono>
#include <functional>
#include <memory>

namespace gst {

/// Compiles, verifies and times the configurations of a workload on one device. Not for several threads at once.
class GST_API device_evaluator : public evaluator {
  public:
    struct hooks {
        std::function<bool()> stop; ///< asked before every configuration; true: the rest of the batch is not_run
        std::function<void(const configuration&, const measurement&)> measured; ///< each, as it happens
    };
    device_evaluator(workload w, backend_choice from, device_info target, measuring how, hooks h = {});
    ~device_evaluator() override;

    /// Goes over to another workload with the same processes; the best time known is forgotten.
    void change(workload w);
    /// Compiles the reference and sets the worker up; measure does it when it was not called. Throws machine_error.
    const setup_report& prepare();
    std::vector<measurement> measure(std::span<const configuration> batch) override;
    void prefetch(std::span<const configuration> configurations) override;
    std::optional<std::size_t> ready(std::span<const configuration> expected, double seconds) override;
    bool accepts(const measurement& known) const override;
    double elapsed() const override;
    /// Verifies and times once more, never censored.
    measurement remeasure(const configuration& c);
    /// The same for a program that is in no space.
    measurement measure_program(const program& p);
    /// The best time known from elsewhere, in ms per step: it decides what is clearly worse.
    void best_known(double ms) { best_ = ms; }
    /// A run begins: no best time is known, nothing is expected, and the compilers have nothing to do.
    void begin_run();

    compile_pool& compilers() { return compilers_; }
    device_session& session() { return session_; }

  private:
    measurement measure_one(prepared p, double best);
    measurement take_and_measure(const configuration& c, double best);
    void run(const built_program& p, double best, measurement& m);
    bool attempt(const built_program& p, double best, measurement& m);
    void time(const verdict& verified, unsigned steps, double best, measurement& m);

    workload workload_;
    const device_info target_;
    const measuring how_;
    const hooks hooks_;
    const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    double best_ = 0;
    bool set_up_ = false;
    double most_spilled_ = 0; ///< bytes, once it is set up: programs whose registers spill more are not run
    compile_pool compilers_;
    std::unique_ptr<preparation> preparation_; ///< after compilers_: its thread uses them
    device_session session_;
};

} // namespace gst
