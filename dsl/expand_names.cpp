#include "dsl/expand.hpp"
#include "dsl/fold.hpp"
#include "dsl/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

// Names, indices and patterns.
namespace gst::dsl {

operand expander::named(const ast::expression& at, const ast::reference& r, scalar arithmetic) {
    if (const local* l = local_named(r.id.text)) {
        return static_cast<double>(l->number);
    }
    if (r.id.text == "t") {
        return leaf(build_.add({ir::step_number{}, scalar::i32}), arithmetic);
    }
    if (broken_.contains(r.id.text)) {
        throw user_error(std::vector<diagnostic>{});
    }
    const symbol& s = checked_.symbols.at(r.id.text);
    switch (s.what) {
    case symbol::kind::axis: {
        const node_id here = build_.add({ir::coordinate{static_cast<int>(s.index)}, scalar::i32});
        const int shift = shift_[s.index];
        return leaf(shift == 0 ? here : build_.binary(ir::binary_op::add, here, build_.number(shift, scalar::i32)),
                    arithmetic);
    }
    case symbol::kind::field:
    case symbol::kind::coefficient:
        return read(s.index, place_of(r), arithmetic, at.at);
    case symbol::kind::parameter: {
        const auto& value = target_.parameters[s.index].value;
        const bool whole = !value || *value == std::trunc(*value);
        const scalar type = is_real(arithmetic) ? arithmetic : whole ? scalar::i32 : scalar::f32;
        return build_.add({ir::parameter{s.index}, type});
    }
    case symbol::kind::constant:
        return constants_.at(r.id.text);
    case symbol::kind::array:
        return element(r);
    case symbol::kind::weights:
    case symbol::kind::table:
        return weight(s, r);
    case symbol::kind::let:
        return let(*s.let, place_of(r).at, arithmetic);
    case symbol::kind::pattern:
        break;
    }
    throw std::logic_error("a pattern has no value");
}

operand expander::let(const ast::let& l, const offset3& shift, scalar arithmetic) {
    offset3 total{};
    for (std::size_t i = 0; i < 3; ++i) {
        total[i] = shift_[i] + shift[i];
    }
    const auto key = std::make_tuple(&l, total, arithmetic);
    if (const auto known = lets_.find(key); known != lets_.end()) {
        return known->second;
    }
    const offset3 outer_shift = std::exchange(shift_, total);
    std::vector<local> outer = std::exchange(locals_, {});
    const operand out = lower(*l.value, arithmetic);
    locals_ = std::move(outer);
    shift_ = outer_shift;
    lets_.emplace(key, out);
    return out;
}

node_id expander::current(std::uint32_t field, scalar type) {
    return build_.convert(build_.read(field, 0, {}), type);
}

operand expander::read(std::uint32_t field, const place& from, scalar arithmetic, span at) {
    const gst::field& f = target_.fields[field];
    place p = from;
    for (std::size_t i = 0; i < 3; ++i) {
        p.at[i] += shift_[i];
        if (std::abs(p.at[i]) > limits::offset) {
            fail(at, fmt::format("this reads {} points away along {}", std::abs(p.at[i]), target_.axes[i]),
                 fmt::format("at most {} are possible", limits::offset));
        }
    }
    if (f.coefficient && p.level != 0) {
        fail(at, fmt::format("'{}' is a coefficient: it does not change in time", f.name), "leave out the time");
    }
    if (p.level > 1) {
        fail(at, fmt::format("{}[t+{}] lies in the future: a step writes {}[t+1]", f.name, p.level, f.name));
    }
    if (p.level == 1 && !written_[field]) {
        fail(at, fmt::format("{}[t+1] is read before it is written", f.name),
             fmt::format("put the update of '{}' above this one, or read {}", f.name, f.name));
    }
    if (p.level < -limits::history) {
        fail(at, fmt::format("{}[t{}] lies too far in the past", f.name, p.level),
             fmt::format("at most {} steps back are kept", limits::history));
    }
    return leaf(build_.read(field, p.level, p.at), arithmetic);
}

expander::place expander::place_of(const ast::reference& r) {
    constexpr std::int64_t bound = 1000; // of what is added up to an offset
    const auto check = [&](span at, double steps) {
        if (std::abs(steps) > bound) {
            fail(at, fmt::format("an offset is {}", steps),
                 fmt::format("it lies between -{0} and {0}", limits::offset));
        }
    };
    place out;
    for (const ast::expression& e : r.arguments) {
        const index_item item = taken_apart(e);
        std::int64_t steps = 0;
        if (item.rest != nullptr) {
            for (const auto& link : *item.rest) {
                const double moved = constant(*link.operand);
                check(link.operand->at, moved);
                const std::int64_t n = whole(moved, link.operand->at, -bound, bound, "an offset");
                steps += link.op == ir::binary_op::add ? n : -n;
            }
        }
        check(e.at, static_cast<double>(steps));
        const int distance = static_cast<int>(steps);
        const local* l = local_named(item.head->id.text);
        if (l != nullptr) {
            for (std::size_t i = 0; i < 3; ++i) {
                out.at[i] += l->pattern->offsets[l->place][i];
            }
        } else if (item.head->id.text == "t") {
            out.level = distance;
        } else {
            out.at[checked_.symbols.at(item.head->id.text).index] += distance;
        }
    }
    return out;
}

double expander::element(const ast::reference& r) {
    const array& a = arrays_.at(r.id.text);
    const double i = constant(r.arguments[0]);
    const std::int64_t last = a.first + static_cast<std::int64_t>(a.values.size()) - 1;
    if (i != std::trunc(i) || i < static_cast<double>(a.first) || i > static_cast<double>(last)) {
        fail(r.arguments[0].at, fmt::format("'{}' has no index {}", r.id.text, i),
             fmt::format("its indices are {}..{}", a.first, last));
    }
    return a.values[static_cast<std::size_t>(static_cast<std::int64_t>(i) - a.first)];
}

double expander::weight(const symbol& s, const ast::reference& r) {
    const local& l = *local_named(taken_apart(r.arguments[0]).head->id.text);
    if (s.what == symbol::kind::table) {
        const point_set& t = *patterns_.at(r.id.text);
        const offset3& wanted = l.pattern->offsets[l.place];
        const auto found = std::find(t.offsets.begin(), t.offsets.end(), wanted);
        if (found == t.offsets.end()) {
            fail(r.id.at,
                 fmt::format("'{}' has no weight for the offset ({})", r.id.text,
                             fmt::join(wanted.begin(), wanted.begin() + target_.dimensions, ", ")),
                 fmt::format("write sum(o in {}) {{ … }} to run over the offsets that it has", r.id.text));
        }
        return t.weights[static_cast<std::size_t>(found - t.offsets.begin())];
    }
    auto& weights = l.pattern->generated[r.id.text];
    if (weights.empty()) {
        const auto& maker = std::get<ast::reference>(std::get<ast::expression_ptr>(s.constant->value)->form);
        if (maker.id.text == "gaussian") {
            std::optional<double> width;
            if (!maker.arguments.empty()) {
                width = constant(maker.arguments[0]);
            }
            if (width && !(*width > 0)) {
                fail(maker.arguments[0].at, fmt::format("the width of this Gaussian is {}", *width), "it is above 0");
            }
            weights = gaussian_weights(l.pattern->offsets, width);
            if (!std::isfinite(weights.front())) {
                weights.clear();
                fail(maker.arguments[0].at, "this Gaussian is 0 at all offsets", "give it a larger width");
            }
        } else {
            constexpr std::int64_t largest = 0xFFFF'FFFF;
            const auto seed = whole_constant(maker.arguments[0], 0, largest, "the seed");
            weights = random_weights(l.pattern->offsets, static_cast<std::uint64_t>(seed));
        }
    }
    return weights[l.place];
}

std::shared_ptr<expander::point_set> expander::pattern(const ast::expression& e) {
    if (const auto* t = std::get_if<ast::offset_table>(&e.form)) {
        return table(*t);
    }
    const auto& r = std::get<ast::reference>(e.form);
    if (broken_.contains(r.id.text)) {
        throw user_error(std::vector<diagnostic>{});
    }
    if (const auto known = patterns_.find(r.id.text); known != patterns_.end()) {
        return known->second;
    }
    const shape s = *shape_named(r.id.text);
    const int radius = static_cast<int>(whole_constant(r.arguments[0], 0, limits::offset, "a radius"));
    std::array<bool, 3> along{};
    int pin = 0;
    for (int i = 0; i < target_.dimensions; ++i) {
        along[static_cast<std::size_t>(i)] = r.arguments.size() == 1 || s == shape::thumbtack;
    }
    for (std::size_t i = 1; i < r.arguments.size(); ++i) {
        const symbol& axis = checked_.symbols.at(std::get<ast::reference>(r.arguments[i].form).id.text);
        along[axis.index] = true;
        pin = static_cast<int>(axis.index);
    }
    auto& made = shapes_[{s, radius, along, pin}];
    if (!made) {
        made = std::make_shared<point_set>();
        made->offsets = offsets_of(s, radius, along, pin);
    }
    return made;
}

std::shared_ptr<expander::point_set> expander::table(const ast::offset_table& t) {
    auto out = std::make_shared<point_set>();
    for (const auto& entry : t.entries) {
        offset3 o{};
        for (std::size_t i = 0; i < entry.offset.size(); ++i) {
            o[i] = static_cast<int>(whole_constant(entry.offset[i], -limits::offset, limits::offset, "an offset"));
        }
        if (std::find(out->offsets.begin(), out->offsets.end(), o) != out->offsets.end()) {
            fail(entry.at, "this offset is in the table twice");
        }
        out->offsets.push_back(o);
        if (entry.weight) {
            out->weights.push_back(constant(*entry.weight));
        }
    }
    return out;
}

void expander::define(const ast::constant& c) {
    try {
        evaluate(c);
    } catch (const user_error&) {
        broken_.insert(c.id.text);
        throw;
    }
}

void expander::evaluate(const ast::constant& c) {
    constexpr std::int64_t bound = 1'000'000;
    const std::string& name = c.id.text;
    switch (checked_.symbols.at(name).what) {
    case symbol::kind::constant:
        constants_[name] = constant(*std::get<ast::expression_ptr>(c.value));
        break;
    case symbol::kind::array: {
        const auto& values = std::get<std::vector<ast::expression>>(c.value);
        const std::int64_t first = whole_constant(*c.first, -bound, bound, "an index");
        const std::int64_t last = whole_constant(*c.last, -bound, bound, "an index");
        const std::int64_t indices = last - first + 1;
        if (indices != static_cast<std::int64_t>(values.size()) || values.size() > limits::array_values) {
            fail(c.value_at,
                 fmt::format("'{}' has {} {} and {} {}", name, std::max<std::int64_t>(indices, 0),
                             indices == 1 ? "index" : "indices", values.size(),
                             values.size() == 1 ? "value" : "values"),
                 values.size() > limits::array_values
                     ? fmt::format("a list has at most {} values", limits::array_values)
                     : fmt::format("write {}[{}..{}]", name, first,
                                   first + static_cast<std::int64_t>(values.size()) - 1));
        }
        array out{first, {}};
        for (const ast::expression& e : values) {
            out.values.push_back(constant(e));
        }
        arrays_[name] = std::move(out);
        break;
    }
    case symbol::kind::table:
    case symbol::kind::pattern:
        patterns_[name] = pattern(*std::get<ast::expression_ptr>(c.value));
        break;
    default:
        break; // generated weights are made for each pattern they are used with
    }
}

} // namespace gst::dsl
