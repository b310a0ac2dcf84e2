#include "core/stencil/interpreter.hpp"

#include "core/base/processors.hpp"
#include "core/stencil/interpret/arithmetic.hpp"
#include "core/stencil/interpret/compile.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <thread>

namespace gst {
namespace {

/// Calls f(first, last) on `threads` threads, each with its part of [0, count).
template<class F>
void in_parallel(unsigned threads, std::int64_t count, F f) {
    std::vector<std::jthread> team;
    for (unsigned i = 1; i < threads; ++i) {
        team.emplace_back([=] { f(count * i / threads, count * (i + 1) / threads); });
    }
    f(0, count / threads);
}

/// Threads for this many points: starting one costs as much as some ten thousand points.
unsigned team_size(unsigned wanted, std::int64_t points) {
    unsigned all = wanted != 0 ? wanted : processors();
    return static_cast<unsigned>(std::clamp<std::int64_t>(points / 8192, 1, all));
}

std::int64_t points_of(extent3 size) {
    return size[0] * size[1] * size[2];
}

void check_state(const stencil& s, const interpreter_state& state, std::span<const double> parameters) {
    bool fits = state.levels.size() == s.fields.size() && !s.fields.empty() && parameters.size() == s.parameters.size();
    for (std::size_t i = 0; fits && i < s.fields.size(); ++i) {
        const field& f = s.fields[i];
        fits = state.levels[i].size() == (f.coefficient ? 1U : static_cast<std::size_t>(f.history) + 1U);
        for (std::size_t age = 0; fits && age < state.levels[i].size(); ++age) {
            const field_values& v = state.levels[i][age];
            fits = v.size == state.levels[0][0].size && std::ranges::equal(v.halo, f.halo, std::greater_equal{});
        }
    }
    if (!fits) {
        throw std::logic_error("the interpreter's state or parameters do not belong to the stencil " + s.name);
    }
}

/// Rounds every level to the stored type and fills its halo; fixed faces take the newest level's values.
void prepare(const stencil& s, interpreter_state& state, unsigned threads) {
    for (std::size_t i = 0; i < s.fields.size(); ++i) {
        const field& f = s.fields[i];
        for (field_values& level : state.levels[i]) {
            if (f.type != scalar::f64) {
                auto count = static_cast<std::int64_t>(level.data.size());
                in_parallel(team_size(threads, count), count, [&](std::int64_t first, std::int64_t last) {
                    for (std::int64_t k = first; k < last; ++k) {
                        double& value = level.data[static_cast<std::size_t>(k)];
                        value = arithmetic::round_to(f.type, value);
                    }
                });
            }
            fill_halo(f, level, state.levels[i][0]);
        }
    }
}

template<class T>
void put(std::byte* at, T value) {
    std::memcpy(at, &value, sizeof value);
}

void put_preset(std::byte* registers, const preset& p) {
    if (p.type == scalar::f64) {
        put(registers + p.at, p.value);
    } else if (is_real(p.type)) {
        put(registers + p.at, static_cast<float>(p.value));
    } else {
        put(registers + p.at, static_cast<std::int32_t>(p.value));
    }
}

/// Runs one update over chunks [first, last) of the grid, counted along x, then y, then z.
class chunk_runner {
  public:
    chunk_runner(const chunk_program& program, const std::vector<const field_values*>& sources, std::int64_t step)
        : program_(program), sources_(sources), words_(program.register_bytes / sizeof(cache_line) + 1) {
        registers_ = reinterpret_cast<std::byte*>(words_.data());
        for (const preset& p : program.presets) {
            put_preset(registers_, p);
        }
        put(registers_ + program.step, static_cast<std::int32_t>(step));
    }

    void run(field_values& target, std::int64_t first, std::int64_t last) {
        constexpr auto width = static_cast<std::int64_t>(chunk);
        const std::int64_t per_row = (target.size[0] + width - 1) / width;
        for (std::int64_t i = first; i < last; ++i) {
            extent3 at{i % per_row * width, i / per_row % target.size[1], i / per_row / target.size[1]};
            run_chunk(target, at, static_cast<std::size_t>(std::min(width, target.size[0] - at[0])));
        }
    }

  private:
    struct alignas(64) cache_line {
        std::byte bytes[64];
    };

    void run_chunk(field_values& target, extent3 at, std::size_t n) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            put(registers_ + program_.coordinates[axis], static_cast<std::int32_t>(at[axis]));
        }
        for (const instruction& i : program_.uniform) {
            execute(i, registers_ + i.operands[0], 1);
        }
        for (const instruction& i : program_.varying) {
            execute(i, i.load < 0 ? registers_ + i.operands[0] : memory(static_cast<std::size_t>(i.load), at), n);
        }
        auto* to = reinterpret_cast<std::byte*>(&target.at(at[0], at[1], at[2]));
        program_.store(to, registers_ + program_.value, nullptr, nullptr, n);
    }

    void execute(const instruction& i, const std::byte* a, std::size_t n) {
        i.run(registers_ + i.out, a, registers_ + i.operands[1], registers_ + i.operands[2], n);
    }

    const std::byte* memory(std::size_t load, extent3 at) const {
        const field_values& from = *sources_[load];
        const offset3& shift = program_.loads[load].at;
        std::size_t index = from.index(at[0] + shift[0], at[1] + shift[1], at[2] + shift[2]);
        return reinterpret_cast<const std::byte*>(from.data.data() + index);
    }

    const chunk_program& program_;
    const std::vector<const field_values*>& sources_;
    std::vector<cache_line> words_;
    std::byte* registers_ = nullptr;
};

/// The new levels of one step: next[field], empty for fields that are not updated.
using new_levels = std::vector<field_values>;

void run_update(const stencil& s, const chunk_program& program, const interpreter_state& state, new_levels& next,
                unsigned threads) {
    std::vector<const field_values*> sources;
    for (const row_load& load : program.loads) {
        sources.push_back(load.level == 1 ? &next[load.field]
                                          : &state.levels[load.field][static_cast<std::size_t>(-load.level)]);
    }
    field_values& target = next[program.field];
    const std::int64_t per_row =
        (target.size[0] + static_cast<std::int64_t>(chunk) - 1) / static_cast<std::int64_t>(chunk);
    const std::int64_t chunks = per_row * target.size[1] * target.size[2];
    unsigned team = team_size(threads, points_of(target.size));
    in_parallel(team, chunks, [&](std::int64_t first, std::int64_t last) {
        chunk_runner(program, sources, state.step).run(target, first, last);
    });
    fill_halo(s.fields[program.field], target, state.levels[program.field][0]);
}

/// Moves every field one level on in time: the oldest level's memory becomes that of the next new one.
void advance(const stencil& s, interpreter_state& state, new_levels& next) {
    for (std::size_t i = 0; i < s.fields.size(); ++i) {
        std::vector<field_values>& levels = state.levels[i];
        if (!s.fields[i].coefficient) {
            std::ranges::rotate(levels, levels.end() - 1);
            std::swap(levels.front(), next[i]);
        }
    }
    ++state.step;
}

} // namespace

void interpret(const stencil& s, interpreter_state& state, std::span<const double> parameters, std::int64_t steps,
               unsigned threads, const std::function<bool()>& stop) {
    verify(s);
    check_state(s, state, parameters);
    const extent3 size = state.levels[0][0].size;
    check_grid(s, size);
    prepare(s, state, threads);
    std::vector<chunk_program> programs;
    new_levels next(s.fields.size());
    for (const update& u : s.updates) {
        programs.push_back(compile(s, u, size, parameters));
        next[u.field] = state.levels[u.field][0];
    }
    for (std::int64_t i = 0; i < steps && !(stop && stop()); ++i) {
        for (const chunk_program& program : programs) {
            run_update(s, program, state, next, threads);
        }
        advance(s, state, next);
    }
}

} // namespace gst
