#pragma once

#include "core/run/field_data.hpp"

#include <filesystem>
#include <span>

namespace gst {

/// Writes the interiors of fields of one grid as point data of a VTK image (XML, raw appended data) for ParaView and
/// others; f16 becomes Float32. The file is whole or not there. Throws machine_error.
GST_API void write_vti(const std::filesystem::path& file, std::span<const field_data> fields);

} // namespace gst
