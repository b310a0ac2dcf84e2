#pragma once

#include "core/measure/evaluator.hpp"
#include "core/store/recording/recording.hpp"

#include <cstdint>
#include <memory>

namespace gst {

/// A recording as a device: its entries by configuration. Any number of evaluators, on any threads, share one.
struct recorded_device {
    explicit recorded_device(gst::recording r) : recording(std::move(r)), space(recorded_space(recording)) {}

    gst::recording recording;
    gst::space space; ///< exactly what was recorded
};

/// What a recorded configuration takes: the mean, or one of its samples, drawn once per configuration and seed.
enum class replayed_time : std::uint8_t { mean, sample };

/// Answers with recorded outcomes and times. Its clock advances by what compiling, verifying and measuring cost when it
/// was recorded (the sum of the samples where measuring was not), so that a budget of 100 s means 100 recorded seconds.
/// A configuration that was not recorded has the outcome `constraints` and costs nothing.
class GST_API replay_evaluator : public evaluator {
  public:
    /// Configurations are those of the device's space or of a sub-space.
    explicit replay_evaluator(std::shared_ptr<const recorded_device> device, replayed_time time = replayed_time::mean,
                              std::uint64_t seed = 1);

    std::vector<measurement> measure(std::span<const configuration> batch) override;
    void prefetch(std::span<const configuration>) override {}
    double elapsed() const override { return elapsed_; }

  private:
    measurement answer(const configuration& c);

    std::shared_ptr<const recorded_device> device_;
    replayed_time time_;
    std::uint64_t seed_;
    double elapsed_ = 0;
};

/// Seconds that a configuration costs on replay.
GST_API double replayed_seconds(const recorded& entry);

} // namespace gst
