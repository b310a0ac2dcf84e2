#include "core/stencil/interpret/compile.hpp"

#include "core/stencil/interpret/arithmetic.hpp"

#include <algorithm>

namespace gst {
namespace {

/// Hands out registers of one width, the most recently freed first.
class register_pool {
  public:
    std::size_t take() {
        if (free_.empty()) {
            return count_++;
        }
        std::size_t taken = free_.back();
        free_.pop_back();
        return taken;
    }
    void give_back(std::size_t index) { free_.push_back(index); }
    std::size_t count() const { return count_; }

  private:
    std::vector<std::size_t> free_;
    std::size_t count_ = 0;
};

/// Where a value lives: at a byte offset when it is uniform, else in a register of 4 or 8 bytes per point.
struct place {
    enum class kind : std::uint8_t { uniform, narrow, wide } in = kind::uniform;
    std::size_t at = 0;
    bool uniform() const { return in == kind::uniform; }
};

/// An instruction whose registers have no offsets yet.
struct placed_instruction {
    kernel run = nullptr;
    place out;
    std::vector<place> operands;
    int load = -1;
};

class compiler {
  public:
    compiler(const stencil& s, extent3 size, std::span<const double> parameters)
        : s_(s), size_(size), parameters_(parameters), places_(s.nodes.size()), uses_(s.nodes.size(), 0) {}

    chunk_program compile(const update& u) {
        program_.field = u.field;
        for (std::size_t& coordinate : program_.coordinates) {
            coordinate = new_uniform().at;
        }
        program_.step = new_uniform().at;
        const std::vector<node_id> order = reachable(s_, u.value);
        for (node_id id : order) {
            for_each_operand(s_.nodes[id], [&](node_id operand) { ++uses_[operand]; });
        }
        for (node_id id : order) {
            std::visit([&](const auto& op) { compile(id, op); }, s_.nodes[id].op);
        }
        program_.store = store_kernel(type(u.value), s_.fields[u.field].type, places_[u.value].uniform());
        lay_out(places_[u.value]);
        return std::move(program_);
    }

  private:
    scalar type(node_id id) const { return s_.nodes[id].type; }
    bool uniform(node_id id) const { return places_[id].uniform(); }

    place new_uniform() {
        place made{place::kind::uniform, uniform_bytes_};
        uniform_bytes_ += sizeof(double);
        return made;
    }
    void preset_uniform(node_id id, double value) {
        places_[id] = new_uniform();
        program_.presets.push_back({places_[id].at, type(id), arithmetic::round_to(type(id), value)});
    }

    void compile(node_id id, const ir::number& n) { preset_uniform(id, n.value); }
    void compile(node_id id, const ir::parameter& p) { preset_uniform(id, parameters_[p.index]); }
    void compile(node_id id, const ir::grid_size& g) {
        preset_uniform(id, static_cast<double>(size_[static_cast<std::size_t>(g.axis)]));
    }
    void compile(node_id id, const ir::step_number&) { places_[id] = {place::kind::uniform, program_.step}; }
    void compile(node_id id, const ir::coordinate& c) {
        place register_of_axis{place::kind::uniform, program_.coordinates[static_cast<std::size_t>(c.axis)]};
        if (c.axis == 0) {
            emit_varying(id, count_kernel(), {register_of_axis});
        } else {
            places_[id] = register_of_axis;
        }
    }
    void compile(node_id id, const ir::read& r) {
        emit_varying(id, load_kernel(type(id)), {}, static_cast<int>(program_.loads.size()));
        program_.loads.push_back({r.field, r.level, r.at});
    }
    void compile(node_id id, const ir::unary& u) { emit(id, unary_kernel(u.op, type(id)), {u.a}); }
    void compile(node_id id, const ir::binary& b) {
        emit(id, binary_kernel(b.op, type(b.a), uniform(b.a), uniform(b.b)), {b.a, b.b});
    }
    void compile(node_id id, const ir::call& c) { emit(id, call_kernel(c.f, type(id)), {c.a}); }
    void compile(node_id id, const ir::select& c) {
        emit(id, select_kernel(type(id), uniform(c.condition), uniform(c.a), uniform(c.b)), {c.condition, c.a, c.b});
    }
    void compile(node_id id, const ir::convert& c) { emit(id, convert_kernel(type(c.a), type(id)), {c.a}); }

    void emit(node_id id, kernel run, const std::vector<node_id>& operands) {
        std::vector<place> from;
        for (node_id operand : operands) {
            from.push_back(places_[operand]);
        }
        if (std::ranges::all_of(from, &place::uniform)) {
            places_[id] = new_uniform();
            uniform_.push_back({run, places_[id], std::move(from)});
            return;
        }
        for (node_id operand : operands) {
            if (--uses_[operand] == 0 && !uniform(operand)) {
                pool(places_[operand].in).give_back(places_[operand].at);
            }
        }
        emit_varying(id, run, std::move(from));
    }

    /// The result may get the register of an operand that is dead now.
    void emit_varying(node_id id, kernel run, std::vector<place> operands, int load = -1) {
        place::kind in = register_width(type(id)) == 8 ? place::kind::wide : place::kind::narrow;
        places_[id] = {in, pool(in).take()};
        varying_.push_back({run, places_[id], std::move(operands), load});
    }

    register_pool& pool(place::kind in) { return in == place::kind::wide ? wide_ : narrow_; }

    /// The register file: uniform values, then the registers of 8-byte values, then those of 4-byte values.
    std::size_t offset_of(const place& p) const {
        const std::size_t first_wide = (uniform_bytes_ + 63) / 64 * 64;
        const std::size_t first_narrow = first_wide + wide_.count() * 8 * chunk;
        switch (p.in) {
        case place::kind::uniform:
            return p.at;
        case place::kind::wide:
            return first_wide + p.at * 8 * chunk;
        case place::kind::narrow:
            break;
        }
        return first_narrow + p.at * 4 * chunk;
    }

    instruction laid_out(const placed_instruction& from) const {
        instruction made{from.run, offset_of(from.out), {}, from.load};
        for (std::size_t i = 0; i < from.operands.size(); ++i) {
            made.operands[i] = offset_of(from.operands[i]);
        }
        return made;
    }

    void lay_out(const place& value) {
        for (const placed_instruction& i : uniform_) {
            program_.uniform.push_back(laid_out(i));
        }
        for (const placed_instruction& i : varying_) {
            program_.varying.push_back(laid_out(i));
        }
        program_.value = offset_of(value);
        program_.register_bytes = offset_of({place::kind::narrow, narrow_.count()});
    }

    const stencil& s_;
    extent3 size_;
    std::span<const double> parameters_;
    std::vector<place> places_; ///< per node
    std::vector<int> uses_;     ///< per node: operands that still refer to it
    register_pool narrow_;
    register_pool wide_;
    std::size_t uniform_bytes_ = 0;
    std::vector<placed_instruction> uniform_;
    std::vector<placed_instruction> varying_;
    chunk_program program_;
};

} // namespace

chunk_program compile(const stencil& s, const update& u, extent3 size, std::span<const double> parameters) {
    return compiler(s, size, parameters).compile(u);
}

} // namespace gst
