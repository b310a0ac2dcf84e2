#include "core/codegen/presets.hpp"

#include "core/base/error.hpp"
#include "core/codegen/parameters.hpp"

#include <fmt/format.h>

namespace gst {

namespace {

constraint fits_grid(std::size_t axis, const std::string& block) {
    const char* a = axis_suffixes[axis];
    return {expression::parse(fmt::format("TB{0} * {1}CM{0} <= N{0}", a, block)),
            fmt::format("a work-group would cover more points along {} than the grid has", a)};
}

} // namespace

std::vector<std::string> preset_names() {
    return {"garvey", "garvey_full", "gest", "full"};
}

space make_space(const std::string& preset, const stencil& s, extent3 size) {
    if (preset == "gest" || preset == "full") {
        return make_gest_space(s, size, preset == "full");
    }
    if (preset != "garvey" && preset != "garvey_full") {
        throw user_error(fmt::format("unknown space preset '{}'{}", preset, did_you_mean(preset, preset_names())),
                         "presets: " + enumerate(preset_names()));
    }
    const bool full = preset == "garvey_full";
    std::vector<parameter> parameters;
    std::vector<constraint> constraints;
    std::map<std::string, value> constants;
    parameter width;
    width.name = "VX";
    width.domain = {std::int64_t{1}, std::int64_t{2}, std::int64_t{4}, std::int64_t{8}, std::int64_t{16}};
    width.neutral = std::int64_t{1};
    width.purpose = role::vector_width;
    width.dimension = 0;
    width.meaning = "points per vector load and store along x";
    if (full) {
        parameters.push_back(flag("useShared", "the work-group copies the box that it needs into local memory"));
        parameters.push_back(flag("useImage", "arrays are read through 2-D images"));
    } else {
        parameter load;
        load.name = "load";
        load.domain = {std::string("global"), std::string("vector"), std::string("local"), std::string("image")};
        load.neutral = std::string("global");
        load.purpose = role::load;
        load.meaning = "how arrays are loaded";
        parameters.push_back(std::move(load));
        width.aliases = {"BX"};
        width.meaning += "; also the block merge along x";
        constraints.push_back({expression::parse("(load == 'vector') == (VX > 1)"),
                               "only load = vector has VX above 1, and it needs at least 2"});
    }
    parameters.push_back(std::move(width));
    for (std::size_t axis = 0; axis < 3; ++axis) {
        parameters.push_back(axis_parameter("TB", "W", axis, s, size, role::thread_block,
                                            fmt::format("work-items of a work-group along {}", axis_suffixes[axis])));
        if (full) {
            parameters.push_back(
                axis_parameter("BM", "B", axis, s, size, role::block_merge,
                               fmt::format("neighbouring points per work-item along {}", axis_suffixes[axis])));
        }
        parameters.push_back(
            axis_parameter("CM", "C", axis, s, size, role::cyclic_merge,
                           fmt::format("runs per work-item along {}, a work-group apart", axis_suffixes[axis])));
        constraints.push_back(fits_grid(axis, full        ? fmt::format("BM{} * ", axis_suffixes[axis])
                                              : axis == 0 ? "VX * "
                                                          : ""));
        constants[fmt::format("N{}", axis_suffixes[axis])] = size[axis];
    }
    if (full) {
        constraints.push_back({expression::parse("VX <= BMx"), "a vector is wider than the block of points along x"});
    }
    return space(std::move(parameters), std::move(constraints), std::move(constants));
}

} // namespace gst
