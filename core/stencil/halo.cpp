#include "core/stencil/interpret/arithmetic.hpp"
#include "core/stencil/interpreter.hpp"

#include <algorithm>

namespace gst {
namespace {

/// The coordinate along one axis that `at`, outside [0, n), takes its value from.
std::int64_t inside(boundary_kind kind, std::int64_t at, std::int64_t n) {
    switch (kind) {
    case boundary_kind::clamp:
        return std::clamp<std::int64_t>(at, 0, n - 1);
    case boundary_kind::periodic:
        return at < 0 ? at + n : at - n;
    case boundary_kind::mirror:
        return at < 0 ? -at : 2 * (n - 1) - at;
    case boundary_kind::fixed:
    case boundary_kind::constant:
        break;
    }
    return at;
}

/// Fills the points beyond both faces of one axis; lower axes are filled already, higher ones are not.
void fill_axis(const field& f, std::size_t axis, field_values& values, const field_values& given) {
    extent3 low{};
    extent3 high = values.size;
    for (std::size_t filled = 0; filled < axis; ++filled) {
        low[filled] -= f.halo[filled];
        high[filled] += f.halo[filled];
    }
    for (std::size_t side = 0; side < 2; ++side) {
        low[axis] = side == 0 ? -f.halo[axis] : values.size[axis];
        high[axis] = low[axis] + f.halo[axis];
        const boundary& face = f.faces[axis][side];
        const double constant = arithmetic::round_to(f.type, face.value);
        for (std::int64_t z = low[2]; z < high[2]; ++z) {
            for (std::int64_t y = low[1]; y < high[1]; ++y) {
                for (std::int64_t x = low[0]; x < high[0]; ++x) {
                    extent3 from{x, y, z};
                    from[axis] = inside(face.kind, from[axis], values.size[axis]);
                    double value = constant;
                    if (face.kind == boundary_kind::fixed) {
                        value = given.at(x, y, z);
                    } else if (face.kind != boundary_kind::constant) {
                        value = values.at(from[0], from[1], from[2]);
                    }
                    values.at(x, y, z) = value;
                }
            }
        }
    }
}

} // namespace

void fill_halo(const field& f, field_values& values, const field_values& given) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        fill_axis(f, axis, values, given);
    }
}

halo_source resolve_halo(const field& f, extent3 size, extent3 point) {
    for (std::size_t axis = 3; axis-- > 0;) {
        if (point[axis] >= 0 && point[axis] < size[axis]) {
            continue;
        }
        const boundary& face = f.faces[axis][point[axis] < 0 ? 0 : 1];
        if (face.kind == boundary_kind::constant) {
            return {true, arithmetic::round_to(f.type, face.value), point};
        }
        if (face.kind == boundary_kind::fixed) {
            break;
        }
        point[axis] = inside(face.kind, point[axis], size[axis]);
    }
    return {false, 0, point};
}

} // namespace gst
