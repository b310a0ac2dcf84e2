#pragma once

#include "core/api/backend.hpp"
#include "core/codegen/program.hpp"
#include "core/measure/measuring.hpp"
#include "core/stencil/stencil.hpp"

#include <nlohmann/json.hpp>

#include <set>

/// How the values that travel between the parent and its workers are written as JSON. Reading what is malformed throws
/// nlohmann::json::exception.
namespace gst {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(dialect, name, file_suffix, compile_options, vector_arithmetic, joins_branches,
                                   static_local_bytes, bounded_work_items, sub_group, words)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(device_info, backend, id, name, vendor, platform, driver, type, architecture,
                                   compute_units, memory_bytes, allocation_bytes, local_bytes, cache_bytes, work_group,
                                   work_items, work_groups, f64, f16, images, image_from_buffer, image_width,
                                   image_height, language)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(module_source, text, options)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(boundary, kind, value)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(field, name, type, compute, coefficient, faces, history, halo)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(array_layout, alignment, size, halo, lead, origin, row, plane, guard, elements)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(image_shape, width, height, type)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(tensor_shape, type, first, size, stride, box)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(timing_method, method, warm_up, min_repetitions, max_repetitions, precision,
                                   repetition_ms, max_seconds, flush_cache, censor_factor)

/// A program as a worker needs it: the modules are named by the ids under which they were loaded.
struct bound_program {
    std::vector<std::string> modules;
    array_layout layout;
    std::uint64_t allocated = 0; ///< elements per buffer
    std::vector<scalar> types;
    std::vector<int> kept;
    std::vector<std::uint8_t> coefficient;
    std::vector<image_shape> images;
    int steps = 1;
    int error_factor = 1;
    std::vector<program_operation> call;
    std::vector<program_operation> halos;
    std::vector<program_operation> remainder;
};

GST_API void to_json(nlohmann::json& j, const launch& l);
GST_API void from_json(const nlohmann::json& j, launch& l);
GST_API void to_json(nlohmann::json& j, const program_operation& o);
GST_API void from_json(const nlohmann::json& j, program_operation& o);
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(bound_program, modules, layout, allocated, types, kept, coefficient, images, steps,
                                   error_factor, call, halos, remainder)

GST_API nlohmann::json to_json(const std::map<std::string, value>& options);
GST_API std::map<std::string, value> options_from_json(const nlohmann::json& j);

/// The program with its modules under these ids.
GST_API bound_program bind_modules(const program& p, const std::vector<std::string>& ids);

} // namespace gst
