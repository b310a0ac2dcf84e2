#include "core/space/arithmetic.hpp"
#include "core/space/layer_program.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <stdexcept>

namespace gst {

namespace {

using reg = std::uint32_t;

/// What a slot of the state holds of a term.
enum class part : std::uint8_t {
    whole,  ///< its value
    folded, ///< its assigned operands, combined
    status, ///< of a condition: 1, 0 or still open
};
using slot = std::pair<const term*, part>;
using slots = std::map<slot, reg>;

bool is_constant(const term& t) {
    return t.last < 0;
}
bool assigned(const term& t, int layer) {
    return t.last < layer;
} ///< before this layer takes its value
bool untouched(const term& t, int layer) {
    return t.first >= layer;
}
bool is_logical(const term& t) {
    return t.condition && (t.call == operation::logical_and || t.call == operation::logical_or);
}
bool takes_any_number(const term& t) {
    return t.what == term::kind::call && !t.condition &&
           (t.folds || t.call == operation::add || t.call == operation::multiply);
}

/// A comparison of integers that bounds may decide before all is assigned.
bool has_bounds(const term& t) {
    return t.condition && !is_logical(t) && t.call != operation::member && t.total &&
           std::all_of(t.operands.begin(), t.operands.end(), [](const term& o) { return o.integer; });
}

/// How many of the operands are folded into one number before this layer: all assigned ones where the order is free,
/// else those in front.
bool is_folded(const term& t, std::size_t operand, int layer) {
    if (t.folds) {
        return assigned(t.operands[operand], layer);
    }
    for (std::size_t i = 0; i <= operand; ++i) {
        if (!assigned(t.operands[i], layer)) {
            return false;
        }
    }
    return true;
}
bool has_folded(const term& t, int layer) {
    for (std::size_t i = 0; i < t.operands.size(); ++i) {
        if (!is_constant(t.operands[i]) && is_folded(t, i, layer)) {
            return true;
        }
    }
    return false;
}

bool mentions(const term& t, int layer) {
    return t.what == term::kind::parameter
               ? t.first == layer
               : std::any_of(t.operands.begin(), t.operands.end(), [&](const term& o) { return mentions(o, layer); });
}

opcode code_of(const term& t) {
    switch (t.call) {
    case operation::add:
        return opcode::add;
    case operation::multiply:
        return opcode::multiply;
    case operation::minimum:
        return opcode::minimum;
    case operation::maximum:
        return opcode::maximum;
    case operation::logical_and:
        return t.condition ? opcode::lower : opcode::both;
    case operation::logical_or:
        return t.condition ? opcode::upper : opcode::either;
    case operation::member:
        return t.negated ? opcode::is_not_member : opcode::is_member;
    case operation::negate:
        return opcode::negate;
    case operation::divide:
        return opcode::divide;
    case operation::floor_divide:
        return opcode::floor_divide;
    case operation::modulo:
        return opcode::modulo;
    case operation::power:
        return opcode::power;
    case operation::less:
        return t.condition ? opcode::is_less : opcode::less;
    case operation::less_equal:
        return t.condition ? opcode::is_less_equal : opcode::less_equal;
    case operation::equal:
        return t.condition ? opcode::is_equal : opcode::equal;
    case operation::not_equal:
        return t.condition ? opcode::is_not_equal : opcode::not_equal;
    case operation::absolute:
        return opcode::absolute;
    case operation::floor:
        return opcode::floor;
    case operation::ceiling:
        return opcode::ceiling;
    case operation::log2:
        return opcode::log2;
    case operation::square_root:
        return opcode::square_root;
    case operation::exponential:
        return opcode::exponential;
    case operation::logarithm:
        return opcode::logarithm;
    case operation::sine:
        return opcode::sine;
    case operation::cosine:
        return opcode::cosine;
    case operation::tangent:
        return opcode::tangent;
    case operation::arc_tangent:
        return opcode::arc_tangent;
    case operation::hyperbolic_tangent:
        return opcode::hyperbolic_tangent;
    case operation::round:
        return opcode::round;
    case operation::divides:
        return opcode::divides;
    case operation::ceil_divide:
        return opcode::ceil_divide;
    case operation::logical_not:
        break;
    }
    throw std::logic_error("'not' is no term");
}

/// Compiles what happens when one layer's parameter takes its value.
class layer_compiler {
  public:
    layer_compiler(int layer, const std::vector<slot>& before) : layer_(layer), before_(before) {
        for (const slot& s : before) {
            old_.emplace(s, program_.inputs++);
        }
        program_.registers = program_.inputs + 1;
    }

    void compile(const term& condition) {
        if (condition.last < layer_ || untouched(condition, layer_ + 1)) {
            return;
        }
        if (!mentions(condition, layer_)) {
            for (const slot& s : before_) {
                keep(*s.first, s.second, old_.at(s));
            }
            return;
        }
        if (condition.last == layer_) {
            program_.conditions.push_back(value_of(condition));
            return;
        }
        const reg status = status_of(condition);
        if (!is_open(status)) {
            program_.conditions.push_back(status);
        }
    }

    layer_program finish(std::vector<slot>& after) {
        for (const auto& [s, r] : made_) {
            after.push_back(s);
            program_.outputs.push_back(r);
        }
        return std::move(program_);
    }

  private:
    reg constant(double number) {
        const auto [found, fresh] = constants_.try_emplace(std::bit_cast<std::uint64_t>(number), program_.registers);
        if (fresh) {
            program_.constants.emplace_back(program_.registers++, number);
        }
        return found->second;
    }
    reg open() { return constant(0.5); }
    bool is_open(reg r) const {
        const auto found = constants_.find(std::bit_cast<std::uint64_t>(0.5));
        return found != constants_.end() && found->second == r;
    }
    reg emit(opcode what, reg a, reg b) {
        program_.code.push_back({what, program_.registers, a, b});
        return program_.registers++;
    }
    reg combined(opcode what, std::optional<reg> a, reg b) { return a ? emit(what, *a, b) : b; }

    std::optional<reg> old(const term& t, part p) const {
        const auto found = old_.find({&t, p});
        return found == old_.end() ? std::nullopt : std::optional(found->second);
    }
    void keep(const term& t, part p, reg r) { made_.emplace_back(slot{&t, p}, r); }

    /// The value of a term that is assigned once this layer is.
    reg value_of(const term& t) {
        if (t.what == term::kind::constant) {
            return constant(t.number);
        }
        if (assigned(t, layer_)) {
            return old_.at({&t, part::whole});
        }
        if (t.what == term::kind::parameter) {
            return program_.inputs;
        }
        if (is_logical(t)) {
            std::optional<reg> joined;
            for (const term& o : t.operands) {
                if (!assigned(o, layer_)) { // what was assigned before has not decided
                    joined = combined(code_of(t), joined, value_of(o));
                }
            }
            return unless_decided(t, *joined);
        }
        if (takes_any_number(t)) {
            return folded(t);
        }
        if (t.call == operation::member) {
            std::vector<double> set;
            for (std::size_t i = 1; i < t.operands.size(); ++i) {
                set.push_back(t.operands[i].number);
            }
            std::sort(set.begin(), set.end());
            program_.sets.push_back(std::move(set));
            return emit(code_of(t), value_of(t.operands[0]), static_cast<reg>(program_.sets.size() - 1));
        }
        const reg a = value_of(t.operands[0]);
        const reg r = emit(code_of(t), a, t.operands.size() > 1 ? value_of(t.operands[1]) : a);
        return unless_decided(t, r);
    }

    /// The operands that are folded once this layer is assigned, combined.
    reg folded(const term& t) {
        const std::optional<reg> before = old(t, part::folded);
        std::optional<reg> r = before;
        for (std::size_t i = 0; i < t.operands.size(); ++i) {
            if (is_folded(t, i, layer_ + 1) && !(before && is_folded(t, i, layer_))) {
                r = combined(code_of(t), r, value_of(t.operands[i]));
            }
        }
        return *r;
    }

    reg unless_decided(const term& t, reg fresh) {
        const std::optional<reg> before = old(t, part::status);
        return before ? emit(opcode::unless_open, *before, fresh) : fresh;
    }

    /// Keeps what the state needs of a term that is assigned in part, or whole as an operand of such a one.
    void keep_state_of(const term& t) {
        if (is_constant(t) || untouched(t, layer_ + 1)) {
            return;
        }
        if (assigned(t, layer_ + 1)) {
            keep(t, part::whole, value_of(t));
            return;
        }
        if (takes_any_number(t) && has_folded(t, layer_ + 1)) {
            keep(t, part::folded, folded(t));
        }
        for (std::size_t i = 0; i < t.operands.size(); ++i) {
            if (!takes_any_number(t) || !is_folded(t, i, layer_ + 1)) {
                keep_state_of(t.operands[i]);
            }
        }
    }

    /// Keeps the state of a condition that is assigned in part; its status.
    reg status_of(const term& t) {
        const std::size_t begin = made_.size();
        reg status = open();
        if (is_logical(t)) {
            std::optional<reg> joined;
            bool waits = false;
            for (const term& o : t.operands) {
                if (assigned(o, layer_)) {
                    continue;
                }
                reg r = 0;
                if (assigned(o, layer_ + 1)) {
                    r = value_of(o);
                } else {
                    r = untouched(o, layer_ + 1) ? open() : status_of(o);
                }
                if (is_open(r)) {
                    waits = true;
                } else {
                    joined = combined(code_of(t), joined, r);
                }
            }
            if (waits) {
                joined = joined ? emit(code_of(t), *joined, open()) : open();
            }
            status = *joined;
        } else {
            for (const term& o : t.operands) {
                keep_state_of(o);
            }
            if (has_bounds(t)) {
                status = status_by_bounds(t);
            }
        }
        if (is_open(status) && !old(t, part::status)) {
            return status;
        }
        status = unless_decided(t, status);
        for (std::size_t i = begin; i < made_.size(); ++i) {
            made_[i].second = emit(opcode::while_open, status, made_[i].second);
        }
        keep(t, part::status, status);
        return status;
    }

    struct bounds {
        reg low;
        reg high;
    };
    reg made(const term& t, part p) const {
        return std::find_if(made_.rbegin(), made_.rend(),
                            [&](const auto& m) {
                                return m.first == slot{&t, p};
                            })
            ->second;
    }

    /// Between what numbers the term lies once this layer is assigned.
    bounds bounds_of(const term& t) {
        if (is_constant(t) || untouched(t, layer_ + 1)) {
            return {constant(t.low), constant(t.high)};
        }
        if (assigned(t, layer_ + 1)) {
            const reg r = made(t, part::whole);
            return {r, r};
        }
        if (t.call == operation::negate) {
            const bounds b = bounds_of(t.operands[0]);
            return {emit(opcode::negate, b.high, b.high), emit(opcode::negate, b.low, b.low)};
        }
        const bool positive =
            std::all_of(t.operands.begin(), t.operands.end(), [](const term& o) { return o.low >= 0; });
        const bool monotone = t.call == operation::add || t.call == operation::minimum ||
                              t.call == operation::maximum || (t.call == operation::multiply && positive);
        if (!t.folds || !monotone) {
            return {constant(t.low), constant(t.high)};
        }
        const bool some_folded = has_folded(t, layer_ + 1);
        std::optional<reg> low = some_folded ? std::optional(made(t, part::folded)) : std::nullopt;
        std::optional<reg> high = low;
        std::optional<std::pair<double, double>> rest; // of the operands that are constant or untouched
        for (const term& o : t.operands) {
            if (some_folded && assigned(o, layer_ + 1)) {
                continue;
            }
            if (is_constant(o) || untouched(o, layer_ + 1)) {
                rest = !rest
                           ? std::pair(o.low, o.high)
                           : std::pair(compute(t.call, {rest->first, o.low}), compute(t.call, {rest->second, o.high}));
                continue;
            }
            const bounds b = bounds_of(o);
            low = combined(code_of(t), low, b.low);
            high = combined(code_of(t), high, b.high);
        }
        if (rest) {
            low = combined(code_of(t), low, constant(rest->first));
            high = combined(code_of(t), high, constant(rest->second));
        }
        return {*low, *high};
    }

    reg status_by_bounds(const term& t) {
        const bounds a = bounds_of(t.operands[0]);
        const bounds b = bounds_of(t.operands[1]);
        if (t.call == operation::less || t.call == operation::less_equal) {
            return emit(opcode::middle, emit(code_of(t), a.high, b.low), emit(code_of(t), a.low, b.high));
        }
        const reg may_meet =
            emit(opcode::lower, emit(opcode::is_less_equal, a.low, b.high), emit(opcode::is_less_equal, b.low, a.high));
        if (t.call == operation::equal) {
            return emit(opcode::middle, may_meet, constant(0));
        }
        return emit(opcode::add, constant(1), emit(opcode::negate, emit(opcode::middle, may_meet, constant(0)), 0));
    }

    int layer_;
    const std::vector<slot>& before_;
    layer_program program_;
    slots old_;
    std::vector<std::pair<slot, reg>> made_;
    std::map<std::uint64_t, reg> constants_;
};

} // namespace

std::vector<layer_program> compile_layers(const term& condition, std::size_t layers) {
    std::vector<layer_program> programs;
    std::vector<slot> state;
    for (std::size_t layer = 0; layer < layers; ++layer) {
        layer_compiler compiler(static_cast<int>(layer), state);
        compiler.compile(condition);
        std::vector<slot> after;
        programs.push_back(compiler.finish(after));
        state = std::move(after);
    }
    return programs;
}

} // namespace gst
