#pragma once

#include "core/api/measurement.hpp"
#include "core/codegen/program.hpp"
#include "core/codegen/verification.hpp"
#include "core/space/space.hpp"
#include "core/stencil/stencil.hpp"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gst {

/// What is tuned: a space, features for predictors, and how a configuration becomes a program that can be checked.
struct workload {
    gst::stencil stencil;
    extent3 size{};
    std::vector<double> parameters; ///< values of stencil.parameters
    gst::space space;               ///< device limits included
    std::map<std::string, double> features;
    std::function<program(const configuration&)> generate; ///< a pure function; may be called from any thread
    verification reference;
    std::uint64_t data_seed = 1; ///< of the noise that programs are verified and timed with
};

/// Turns configurations into measurements. Two kinds: on a device, and replayed from a recording; strategies see only
/// this. One thread at a time uses it, not always the one that made it.
class GST_API evaluator {
  public:
    virtual ~evaluator() = default;
    /// One measurement per configuration, in order. Every failure is a status, never an exception; machine_error when
    /// the device as a whole is lost.
    virtual std::vector<measurement> measure(std::span<const configuration> batch) = 0;
    virtual void prefetch(std::span<const configuration> configurations) = 0;
    /// The place of one of these, expected by prefetch, that can be measured without waiting for a compiler; waits so
    /// many seconds for one. Override it where prefetch compiles: here the first is.
    virtual std::optional<std::size_t> ready(std::span<const configuration> /*expected*/, double /*seconds*/) {
        return 0;
    }
    /// Whether what an earlier run has measured counts: not where the program would not be run any more.
    virtual bool accepts(const measurement& /*known*/) const { return true; }
    /// Seconds since the evaluator was made; simulated on replay.
    virtual double elapsed() const = 0;
};

} // namespace gst
