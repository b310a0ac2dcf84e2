#include "core/codegen/rotation.hpp"
#include "core/measure/device_session.hpp"
#include "core/measure/typed_values.hpp"

#include <algorithm>
#include <cmath>

/// The time loop of a program on the device: the half of device_session that `gst run` uses.
namespace gst {

using nlohmann::json;

namespace {

/// Of one message. The arrays are of the caller's size, so that there is no limit to compare the worker's memory with.
const worker_link::allowance long_enough{3600, 0};

std::int64_t rows_per_piece(const array_layout& layout, scalar type) {
    const auto row_bytes = static_cast<std::uint64_t>(layout.row) * size_of(type);
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(piece_bytes / row_bytes));
}

/// What a buffer that no kept level is in holds before the first step: constant and fixed halos; elsewhere what must be
/// overwritten.
field_values unwritten(const field& f, const field_values& newest) {
    field_values v = newest;
    const double poison = f.type == scalar::i32 ? 0x5ca1ab1e : std::nan("");
    const auto inside = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
        return x >= 0 && x < v.size[0] && y >= 0 && y < v.size[1] && z >= 0 && z < v.size[2];
    };
    for (std::int64_t z = -v.halo[2]; z < v.size[2] + v.halo[2]; ++z) {
        for (std::int64_t y = -v.halo[1]; y < v.size[1] + v.halo[1]; ++y) {
            for (std::int64_t x = -v.halo[0]; x < v.size[0] + v.halo[0]; ++x) {
                const halo_source from =
                    inside(x, y, z) ? halo_source{false, 0, {x, y, z}} : resolve_halo(f, v.size, {x, y, z});
                if (!from.is_constant && inside(from.point[0], from.point[1], from.point[2])) {
                    v.at(x, y, z) = poison;
                }
            }
        }
    }
    return v;
}

} // namespace

void device_session::write_buffer(std::size_t field, std::size_t buffer, const field_values& values, scalar type) {
    const array_layout& layout = started_->what.layout;
    const std::int64_t step = rows_per_piece(layout, type);
    const auto row_bytes = static_cast<std::uint64_t>(layout.row) * size_of(type);
    std::vector<std::byte> piece;
    for (std::int64_t row = 0; row < layout.rows(); row += step) {
        piece.resize(static_cast<std::size_t>(std::min(step, layout.rows() - row)) * row_bytes);
        pack_rows(values, type, layout, row, piece);
        tell({{"ask", "write"},
              {"field", field},
              {"buffer", buffer},
              {"at", static_cast<std::uint64_t>(layout.begin_of_row(row)) * size_of(type)}},
             long_enough, piece);
    }
}

void device_session::start(const stencil& s, const built_program& p, std::span<const double> parameters,
                           const interpreter_state& state) {
    ensure();
    load(p.modules);
    std::vector<std::string> ids;
    for (const auto& m : p.modules) {
        ids.push_back(m->id);
    }
    tell({{"ask", "start"},
          {"program", bind_modules(p.what, ids)},
          {"parameters", std::vector<double>(parameters.begin(), parameters.end())},
          {"step", state.step}},
         long_enough);
    started_ = std::make_unique<started_loop>(started_loop{p.what, s.fields});
    for (std::size_t f = 0; f < s.fields.size(); ++f) {
        const field& what = s.fields[f];
        field_values newest = state.levels[f][0];
        fill_halo(what, newest, state.levels[f][0]);
        write_buffer(f, 0, newest, what.type);
        for (std::size_t age = 1; age < state.levels[f].size(); ++age) {
            field_values older = state.levels[f][age];
            fill_halo(what, older, state.levels[f][0]);
            write_buffer(f, age, older, what.type);
        }
        for (auto b = static_cast<std::size_t>(p.what.kept[f]); b < static_cast<std::size_t>(buffers_of(p.what, f));
             ++b) {
            write_buffer(f, b, unwritten(what, newest), what.type);
        }
    }
    tell({{"ask", "begin"}}, long_enough);
}

double device_session::advance(unsigned steps) {
    return ask({{"ask", "advance"}, {"steps", steps}}, long_enough,
               [](const frame& answer) { return answer.body.at("ms").get<double>(); });
}

field_values device_session::read(std::size_t field, int age) {
    const array_layout& layout = started_->what.layout;
    const gst::field& what = started_->fields.at(field);
    field_values values(layout.size, what.halo);
    const std::int64_t step = rows_per_piece(layout, what.type);
    const auto row_bytes = static_cast<std::uint64_t>(layout.row) * size_of(what.type);
    for (std::int64_t row = 0; row < layout.rows(); row += step) {
        const auto rows = static_cast<std::uint64_t>(std::min(step, layout.rows() - row));
        const json request{{"ask", "read"},
                           {"field", field},
                           {"age", age},
                           {"at", static_cast<std::uint64_t>(layout.begin_of_row(row)) * size_of(what.type)},
                           {"bytes", rows * row_bytes}};
        ask(request, long_enough, [&](const frame& answer) {
            if (answer.payload.size() != rows * row_bytes) {
                throw machine_error("the device worker sent another number of bytes than it was asked for");
            }
            unpack_rows(answer.payload, what.type, layout, row, values);
        });
    }
    return values;
}

void device_session::finish() {
    tell({{"ask", "finish"}}, long_enough);
    started_.reset();
}

interpreter_state device_session::execute(const stencil& s, const built_program& p, std::span<const double> parameters,
                                          interpreter_state state, std::int64_t steps) {
    const std::int64_t slice = std::max(256 / p.what.steps, 1) * p.what.steps;
    start(s, p, parameters, state);
    for (std::int64_t done = 0; done < steps; done += slice) {
        advance(static_cast<unsigned>(std::min(slice, steps - done)));
    }
    state.step += steps;
    for (std::size_t f = 0; f < s.fields.size(); ++f) {
        if (p.what.coefficient[f] == 0) {
            for (std::size_t age = 0; age < state.levels[f].size(); ++age) {
                state.levels[f][age] = read(f, static_cast<int>(age));
            }
        }
    }
    finish();
    return state;
}

} // namespace gst
