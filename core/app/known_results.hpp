#pragma once

#include "core/app/pipeline.hpp"
#include "core/store/results.hpp"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gst {

/// All that decides what a stored time means, beside program and device.
std::string method_text(const measuring& m, std::uint64_t data_seed);

/// The stored results of one problem on one device.
class known_results {
  public:
    /// The store and the workload stay the caller's.
    known_results(result_store& store, const tuning_request& r, const target& t, const workload& w,
                  const std::string& method);

    /// One answer per configuration; each of them must be one that the workload has a program for.
    std::vector<std::optional<measurement>> lookup(std::span<const configuration> which) const;
    void insert(const configuration& c, const measurement& m, session_id session) const;
    /// The fastest of the workload's configurations that other sessions have measured, whatever data it was verified
    /// with, of those with the program that it stands for today; nothing where none took less than `below` ms per step.
    std::optional<configuration> fastest(double below, session_id session) const;
    /// result_store::first_bandwidth of the problem on the device.
    double first_bandwidth(double measured) const { return store_.first_bandwidth(common_, measured); }

  private:
    result_key key_of(const configuration& c) const;

    result_store& store_;
    const workload& workload_;
    result_key common_;
    mutable std::map<configuration, std::string> programs_; ///< digests
};

} // namespace gst
