#pragma once

#include "core/measure/device_evaluator.hpp"

#include <string>
#include <vector>

/// A workload for the simulated device of plugins/fault_backend.cpp: u[t+1] = u + 1, one configuration per fault.
namespace simulated {

gst::backend_choice backend(const std::string& open = "well", const std::string& list = "well");
gst::device_info device();
/// Short deadlines, little memory, two compilers.
gst::measuring method();
/// The configuration at position i generates a module with the text texts[i], e.g. "fault=segfault; ms=2".
gst::workload workload(const std::vector<std::string>& texts);
gst::program program(const std::string& text);
gst::configuration configuration(std::size_t i);

/// Processes of gst-worker in a role ("": any) that `parent` started: they are found even when the parent is gone.
std::vector<int> workers_of(int parent, const std::string& role = "");

} // namespace simulated
