#pragma once

#include "core/base/diagnostic.hpp"
#include "core/store/recording/recording.hpp"

#include <iosfwd>
#include <memory>

/// The exchange formats, each in a file of its own. Readers throw user_error with the place; a writer throws it for
/// what its format cannot hold.
namespace gst {

/// A Kernel Tuner cache, finished or not: parameters with their values, results; no defaults, no constraints.
recording read_kernel_tuner(const std::shared_ptr<const source>& text);
void write_kernel_tuner(const recording& r, std::ostream& to);

/// T4, the results of the auto-tuning community's FAIR format: results alone, T1 has the rest. The parameters' values
/// are those that occur.
recording read_t4(const std::shared_ptr<const source>& text);
void write_t4(const recording& r, std::ostream& to);

/// T1, its definition of a space: a recording without results.
recording read_t1(const std::shared_ptr<const source>& text);
void write_t1(const recording& r, std::ostream& to);

/// Comma-separated values (RFC 4180): lines "# kernel: …", "# device: …" and "# problem: …" as far as these are known,
/// one line of names – parameters, then `status` and what was measured – and one line per configuration.
recording read_csv(const std::shared_ptr<const source>& text);
void write_csv(const recording& r, std::ostream& to);

} // namespace gst
