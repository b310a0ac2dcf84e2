#include "core/run/initial_state.hpp"

#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "core/run/npy.hpp"
#include "core/run/parallel.hpp"
#include "core/run/row_formula.hpp"

#include <fmt/format.h>

#include <cmath>

namespace gst {

namespace {

/// Fills every row from `values(first x, y, z, row)`, on all cores.
template<class F>
void fill(field_data& d, F&& values) {
    in_parallel(d.rows(), [&](std::int64_t begin, std::int64_t end) {
        std::vector<double> row(static_cast<std::size_t>(d.extent(0)));
        for (std::int64_t r = begin; r < end; ++r) {
            values(-d.halo[0], r % d.extent(1) - d.halo[1], r / d.extent(1) - d.halo[2], std::span<double>(row));
            write_row(d, r, row);
        }
    });
}

/// A number of the point that does not depend on the grid or the halo.
std::uint64_t point_number(std::int64_t x, std::int64_t y, std::int64_t z) {
    return static_cast<std::uint64_t>(x) + static_cast<std::uint64_t>(y) * 0x9E3779B97F4A7C15ULL +
           static_cast<std::uint64_t>(z) * 0xC2B2AE3D27D4EB4FULL;
}

void check_constant(const initial::constant& c, const field& f) {
    if (f.type == scalar::i32 && (c.value != std::trunc(c.value) || std::abs(c.value + 0.5) > 2147483647.5)) {
        throw user_error(fmt::format("{} is no value of the i32 field '{}'", c.value, f.name));
    }
}

/// Makes the values of one field from each kind of data.
struct generator {
    const stencil& s;
    const field& f;
    extent3 size;

    field_data operator()(const initial::noise& n) const {
        field_data d = make_field_data(f, s.dimensions, size);
        const std::uint64_t seed = random_source(static_cast<std::uint64_t>(n.seed)).fork(f.name).next();
        const bool integers = f.type == scalar::i32;
        fill(d, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::span<double> row) {
            for (double& v : row) {
                const double u = gst::noise(seed, point_number(x++, y, z));
                v = integers ? std::floor(n.low + u * (n.high - n.low + 1)) : n.low + u * (n.high - n.low);
            }
        });
        return d;
    }

    field_data operator()(const initial::gaussian& g) const {
        field_data d = make_field_data(f, s.dimensions, size);
        std::array<double, 3> center{};
        for (int axis = 0; axis < s.dimensions; ++axis) {
            center[axis] =
                g.center ? g.center->at(static_cast<std::size_t>(axis)) : static_cast<double>(size[axis] - 1) / 2;
        }
        const double width = g.width > 0 ? g.width : static_cast<double>(size[0]) / 10;
        const auto square = [](double v) { return v * v; };
        fill(d, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::span<double> row) {
            const double beside =
                square(static_cast<double>(y) - center[1]) + square(static_cast<double>(z) - center[2]);
            for (double& v : row) {
                v = g.amplitude *
                    std::exp(-(square(static_cast<double>(x++) - center[0]) + beside) / (2 * square(width)));
            }
        });
        return d;
    }

    field_data operator()(const initial::constant& c) const {
        check_constant(c, f);
        field_data d = make_field_data(f, s.dimensions, size);
        fill(d, [&](std::int64_t, std::int64_t, std::int64_t, std::span<double> row) {
            std::fill(row.begin(), row.end(), c.value);
        });
        return d;
    }

    field_data operator()(const initial::formula& formula) const {
        field_data d = make_field_data(f, s.dimensions, size);
        const row_formula rows(formula.what, s, size);
        fill(d, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::span<double> row) {
            rows.compute(x, y, z, row);
        });
        return d;
    }

    field_data operator()(const initial::file& from) const { return read_npy(from.path, f, s.dimensions, size); }
};

} // namespace

field_data make_initial(const initial_data& data, const stencil& s, std::size_t field, extent3 size) {
    return std::visit(generator{s, s.fields.at(field), size}, data);
}

void check_initial(const initial_data& data, const stencil& s, std::size_t field, extent3 size) {
    const gst::field& f = s.fields.at(field);
    if (const auto* c = std::get_if<initial::constant>(&data)) {
        check_constant(*c, f);
    } else if (const auto* file = std::get_if<initial::file>(&data)) {
        check_npy(file->path, f, s.dimensions, size);
    } else if (const auto* formula = std::get_if<initial::formula>(&data)) {
        const row_formula rows(formula->what, s, size);
        std::vector<double> row(static_cast<std::size_t>(size[0] + 2 * f.halo[0]));
        for (const std::int64_t z : {std::int64_t{-f.halo[2]}, std::int64_t{0}, size[2] - 1 + f.halo[2]}) {
            for (const std::int64_t y : {std::int64_t{-f.halo[1]}, std::int64_t{0}, size[1] - 1 + f.halo[1]}) {
                rows.compute(-f.halo[0], y, z, row);
            }
        }
    }
}

run_state make_initial_state(const stencil& s, extent3 size,
                             const std::map<std::string, std::vector<initial_data>>& data) {
    run_state state;
    for (std::size_t i = 0; i < s.fields.size(); ++i) {
        const field& f = s.fields[i];
        const auto found = data.find(f.name);
        const std::vector<initial_data> given =
            found == data.end() ? std::vector<initial_data>{initial::noise{}} : found->second;
        std::vector<field_data>& levels = state.levels.emplace_back();
        for (std::size_t age = 0; age < static_cast<std::size_t>(kept_levels(f)); ++age) {
            levels.push_back(age < given.size() ? make_initial(given[age], s, i, size) : field_data(levels.back()));
        }
    }
    return state;
}

} // namespace gst
