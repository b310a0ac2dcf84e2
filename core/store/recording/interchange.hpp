#pragma once

#include "core/store/recording/recording.hpp"
#include "core/store/results.hpp"

#include <filesystem>
#include <iosfwd>
#include <string>

namespace gst {

enum class recording_format : std::uint8_t { kernel_tuner, t4, t1, csv };
inline constexpr std::array<const char*, 4> recording_formats{"kernel_tuner", "t4", "t1", "csv"};

/// A recording in any of the formats, plain or gzip, or the results in a database of gst that `filter` admits; the
/// content tells which. `shown` names the file in diagnostics. Throws user_error with the place.
GST_API recording read_recording(const std::filesystem::path& file, const std::string& shown,
                                 const result_filter& filter = {});

/// The same, as another one defines it; "": as it is. Throws user_error, which names both where they do not fit.
GST_API recording read_defined(const std::string& file, const std::string& definition,
                               const result_filter& filter = {});

/// `r`, read from `file`, as the definition read from `shown` has its parameters. Throws user_error, which names both
/// files where they do not fit.
GST_API recording defined_as(const recording& r, const std::string& file, const recording& definition,
                             const std::string& shown);

/// Throws user_error for what the format cannot hold, and when it needs parameters that are not there.
GST_API void write_recording(const recording& r, recording_format format, std::ostream& to);

} // namespace gst
