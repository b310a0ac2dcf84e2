#pragma once

#include "core/app/config.hpp"
#include "core/stencil/stencil.hpp"

/// Every stage from app.toml to a stencil that runs, in order. Start reading here.
///
///     app.toml ── read_config ──▶ config
///     .gst     ── read_stencil ─▶ stencil
namespace gst {

/// The stencil that app.toml means. Throws user_error: what dsl::compile finds, and settings that do not fit the
/// stencil (axes of the grid, names of parameters and fields, parameters without a value).
stencil read_stencil(const config& c);

/// The grid's points per axis; axes that are not given have one.
extent3 grid_of(const config& c);

/// The values of stencil.parameters: app.toml's, or the stencil's own.
std::vector<double> parameter_values(const stencil& s, const config& c);

/// A file's text for diagnostics, named `shown`. Throws user_error at the place where the file is asked for.
std::shared_ptr<const source> read_text(const std::filesystem::path& file, const std::string& shown,
                                        const place& written);

/// The path as the user would type it: relative when it lies below the working directory.
std::string shown_path(const std::filesystem::path& file);

} // namespace gst
