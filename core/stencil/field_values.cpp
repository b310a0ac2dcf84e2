#include "core/base/error.hpp"
#include "core/stencil/interpreter.hpp"

#include <fmt/format.h>

#include <limits>

namespace gst {

field_values::field_values(extent3 points, offset3 beyond, double fill) : size(points), halo(beyond) {
    std::size_t count = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        count *= static_cast<std::size_t>(size[axis] + 2 * halo[axis]);
    }
    data.assign(count, fill);
}

std::size_t field_values::index(std::int64_t x, std::int64_t y, std::int64_t z) const {
    std::int64_t width = size[0] + 2 * halo[0];
    std::int64_t height = size[1] + 2 * halo[1];
    return static_cast<std::size_t>(((z + halo[2]) * height + y + halo[1]) * width + x + halo[0]);
}

double& field_values::at(std::int64_t x, std::int64_t y, std::int64_t z) {
    return data[index(x, y, z)];
}

double field_values::at(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return data[index(x, y, z)];
}

void check_grid(const stencil& s, extent3 size) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (size[axis] < 1 || size[axis] > std::numeric_limits<std::int32_t>::max()) {
            throw user_error(fmt::format("the grid has {} points along {}", size[axis], s.axes[axis]),
                             "an axis has from 1 to 2147483647 points");
        }
        if (axis >= static_cast<std::size_t>(s.dimensions) && size[axis] != 1) {
            throw user_error(fmt::format("the grid has {} points along axis {}, but {} has {} axes", size[axis],
                                         axis + 1, s.name, s.dimensions),
                             fmt::format("give {} sizes", s.dimensions));
        }
    }
    for (const field& f : s.fields) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            for (const boundary& face : f.faces[axis]) {
                bool mirror = face.kind == boundary_kind::mirror;
                std::int64_t needed = f.halo[axis] == 0 ? 1 : f.halo[axis] + (mirror ? 1 : 0);
                if ((mirror || face.kind == boundary_kind::periodic) && size[axis] < needed) {
                    throw user_error(
                        fmt::format("the grid has {} point{} along {}, but {} reaches {} beyond the face and {} is {}",
                                    size[axis], size[axis] == 1 ? "" : "s", s.axes[axis], f.name, f.halo[axis],
                                    s.axes[axis], name_of(face.kind)),
                        fmt::format("use at least {} points along {}, or another boundary", needed, s.axes[axis]));
                }
            }
        }
    }
}

interpreter_state make_state(const stencil& s, extent3 size) {
    interpreter_state state;
    for (const field& f : s.fields) {
        std::size_t ages = f.coefficient ? 1 : static_cast<std::size_t>(f.history) + 1;
        state.levels.emplace_back(ages, field_values(size, f.halo));
    }
    return state;
}

} // namespace gst
