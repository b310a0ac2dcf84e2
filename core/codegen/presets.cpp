#include "core/codegen/presets.hpp"

#include "core/base/error.hpp"
#include "core/codegen/lower.hpp"

#include <fmt/format.h>

namespace gst {

namespace {

constexpr const char* suffixes[] = {"x", "y", "z"};
constexpr const char* capitals[] = {"X", "Y", "Z"};

std::vector<value> powers_of_two(std::int64_t most) {
    std::vector<value> out;
    for (std::int64_t v = 1; v <= most; v *= 2) {
        out.emplace_back(v);
    }
    return out;
}

parameter axis_parameter(const char* prefix, const char* alias, std::size_t axis, const stencil& s, extent3 size,
                         role purpose, const std::string& meaning) {
    parameter p;
    p.name = std::string(prefix) + suffixes[axis];
    p.aliases = {std::string(alias) + capitals[axis]};
    p.domain = powers_of_two(size[axis]);
    p.neutral = std::int64_t{1};
    p.purpose = purpose;
    p.dimension = static_cast<int>(axis);
    p.meaning = meaning;
    if (axis >= static_cast<std::size_t>(s.dimensions)) {
        p.active = expression::parse("false");
        p.meaning += fmt::format(" (inactive: {} has no axis {})", s.name, suffixes[axis]);
    }
    return p;
}

parameter flag(const char* name, const char* meaning) {
    parameter p;
    p.name = name;
    p.domain = {false, true};
    p.neutral = false;
    p.purpose = role::load;
    p.meaning = meaning;
    return p;
}

constraint fits_grid(std::size_t axis, const std::string& block) {
    const char* a = suffixes[axis];
    return {expression::parse(fmt::format("TB{0} * {1}CM{0} <= N{0}", a, block)),
            fmt::format("a work-group would cover more points along {} than the grid has", a)};
}

} // namespace

std::vector<std::string> preset_names() {
    return {"garvey", "garvey_full"};
}

space make_space(const std::string& preset, const stencil& s, extent3 size) {
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
                                            fmt::format("work-items of a work-group along {}", suffixes[axis])));
        if (full) {
            parameters.push_back(
                axis_parameter("BM", "B", axis, s, size, role::block_merge,
                               fmt::format("neighbouring points per work-item along {}", suffixes[axis])));
        }
        parameters.push_back(
            axis_parameter("CM", "C", axis, s, size, role::cyclic_merge,
                           fmt::format("runs per work-item along {}, a work-group apart", suffixes[axis])));
        constraints.push_back(fits_grid(axis, full        ? fmt::format("BM{} * ", suffixes[axis])
                                              : axis == 0 ? "VX * "
                                                          : ""));
        constants[fmt::format("N{}", suffixes[axis])] = size[axis];
    }
    if (full) {
        constraints.push_back({expression::parse("VX <= BMx"), "a vector is wider than the block of points along x"});
    }
    return space(std::move(parameters), std::move(constraints), std::move(constants));
}

space admitted(const space& all, const stencil& s, const array_layout& layout, const device_limits& limits) {
    const auto has = [&](const std::string& name) {
        for (const parameter& p : all.parameters()) {
            if (p.name == name) {
                return true;
            }
        }
        return false;
    };
    std::vector<constraint> more;
    const auto add = [&](const std::string& condition, std::string reason) {
        more.push_back({expression::parse(condition), std::move(reason)});
    };
    add(fmt::format("TBx * TBy * TBz <= {}", limits.work_group),
        fmt::format("the device runs at most {} work-items in a work-group", limits.work_group));
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (limits.work_items[axis] < static_cast<std::uint64_t>(layout.size[axis])) {
            add(fmt::format("TB{} <= {}", suffixes[axis], limits.work_items[axis]),
                fmt::format("the device runs at most {} work-items along {}", limits.work_items[axis], suffixes[axis]));
        }
    }
    const bool restricted = has("load");
    for (std::size_t u = 0; u < s.updates.size(); ++u) {
        std::string bytes;
        for (const source_array& a : cached_arrays(s, u)) {
            const scalar type = s.fields[a.field].type;
            bytes += fmt::format("{}{}", bytes.empty() ? "" : " + ", size_of(type == scalar::f16 ? scalar::f32 : type));
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const std::string block =
                    restricted ? axis == 0 ? "VX * " : "" : fmt::format("BM{} * ", suffixes[axis]);
                const int reach = a.high[axis] - a.low[axis];
                bytes += fmt::format(" * (TB{0} * {1}CM{0}{2})", suffixes[axis], block,
                                     reach == 0 ? "" : fmt::format(" + {}", reach));
            }
        }
        if (!bytes.empty()) {
            add(fmt::format("{} or {} <= {}", restricted ? "load != 'local'" : "not useShared", bytes,
                            limits.local_bytes),
                fmt::format("the box in local memory is larger than the device's {} bytes", limits.local_bytes));
        }
    }
    if (limits.image_width == 0) {
        add(restricted ? "load != 'image'" : "not useImage", limits.no_image);
    }
    return all.constrained(std::move(more));
}

} // namespace gst
