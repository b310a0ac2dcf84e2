#include "dsl/check_expression.hpp"
#include "dsl/limits.hpp"

#include <fmt/format.h>

#include <set>

// The checker's view of what stands in brackets, and of patterns.
namespace gst::dsl {

value_kind expression_checker::indexed(const ast::expression& at, const ast::reference& r) {
    const auto found = symbols_.find(r.id.text);
    if (found != symbols_.end()) {
        return indexed_symbol(at, r, found->second);
    }
    if (local_named(r.id.text) != nullptr || r.id.text == "t") {
        report_.error(r.id.at, fmt::format("'{}' is a number: it has no index", r.id.text));
    } else if (function_named(r.id.text) != nullptr) {
        report_.error(r.id.at, fmt::format("'{}' is a function", r.id.text), fmt::format("write {}(…)", r.id.text));
    } else {
        unknown("field", r.id);
    }
    return value_kind::unknown;
}

value_kind expression_checker::indexed_symbol(const ast::expression& at, const ast::reference& r, const symbol& s) {
    using enum symbol::kind;
    switch (s.what) {
    case field:
    case coefficient:
    case let:
        if (!known_when_compiled(r.id, described(s.what))) {
            return value_kind::unknown;
        }
        index(r, s.what != let);
        return s.condition ? value_kind::condition : value_kind::number;
    case array:
        if (r.arguments.size() != 1) {
            report_.error(r.arguments[1].at, fmt::format("'{}' has one index", r.id.text));
            return value_kind::unknown;
        }
        this->constant(r.arguments[0]);
        return value_kind::number;
    case weights:
    case table:
        weight_index(r);
        return value_kind::number;
    case axis:
    case parameter:
    case symbol::kind::constant:
    case symbol::kind::pattern:
        report_.error({r.id.at.end, at.at.end},
                      fmt::format("'{}' is {}: it has no index", r.id.text, described(s.what)));
        return value_kind::unknown;
    }
    return value_kind::unknown;
}

void expression_checker::weight_index(const ast::reference& r) {
    const auto item = taken_apart(r.arguments[0]);
    const local* l = item.head != nullptr && item.rest == nullptr ? local_named(item.head->id.text) : nullptr;
    if (r.arguments.size() != 1 || l == nullptr || !l->pattern) {
        report_.error(r.arguments[0].at, fmt::format("'{}' has a weight for each offset of a pattern", r.id.text),
                      fmt::format("write {}[o] inside sum(o in …) {{ … }}", r.id.text));
    }
}

void expression_checker::index(const ast::reference& r, bool time) {
    std::set<std::string> seen;
    const std::string first_axis = axes().front();
    for (const ast::expression& e : r.arguments) {
        const index_item item = taken_apart(e);
        if (item.head == nullptr) {
            report_.error(e.at, "an offset names its axis",
                          fmt::format("write for example {}[{}+1]", r.id.text, first_axis));
            continue;
        }
        const ast::name& head = item.head->id;
        const local* l = local_named(head.text);
        const auto found = symbols_.find(head.text);
        const bool is_axis = found != symbols_.end() && found->second.what == symbol::kind::axis;
        if (head.text == "t" && !time) {
            report_.error(e.at, fmt::format("'{}' is a let: it is shifted in space only", r.id.text),
                          "read the fields at another time inside the let");
        } else if (l != nullptr && l->pattern && item.rest != nullptr) {
            report_.error(e.at, fmt::format("the offset '{}' stands alone", head.text),
                          fmt::format("write {}[{}, {}+1] to add to it", r.id.text, head.text, first_axis));
        } else if ((l != nullptr && !l->pattern) || (found != symbols_.end() && !is_axis)) {
            using enum symbol::kind;
            const bool number = found == symbols_.end() || found->second.what == constant;
            report_.error(e.at, "an offset names its axis",
                          fmt::format("write for example {}[{}+{}]", r.id.text, first_axis, number ? head.text : "1"));
        } else if (l == nullptr && !is_axis && head.text != "t") {
            std::vector<std::string> candidates = axes();
            candidates.emplace_back("t");
            for (const local& known : locals_) {
                candidates.push_back(known.name);
            }
            report_.error(head.at, fmt::format("unknown axis '{}'{}", head.text, did_you_mean(head.text, candidates)),
                          fmt::format("the axes are {}", enumerate(axes())));
        } else if (!seen.insert(head.text).second) {
            report_.error(e.at, fmt::format("'{}' is given twice in this index", head.text));
        }
        if (item.rest != nullptr) {
            for (const auto& link : *item.rest) {
                constant(*link.operand);
            }
        }
    }
}

void expression_checker::pattern(const ast::expression& e) {
    if (const auto* t = std::get_if<ast::offset_table>(&e.form)) {
        table(*t);
        return;
    }
    const auto* r = std::get_if<ast::reference>(&e.form);
    const std::string patterns =
        "patterns are star(r), box(r), diamond(r), nocorners(r), cross(r), thumbtack(r, axis) and "
        "offsets […]; a range is written 1..4";
    if (r == nullptr) {
        report_.error(e.at, "this is neither a range nor a pattern", patterns);
        return;
    }
    if (r->form == ast::reference::kind::plain) {
        const auto found = symbols_.find(r->id.text);
        if (found != symbols_.end() &&
            (found->second.what == symbol::kind::pattern || found->second.what == symbol::kind::table)) {
            return;
        }
    }
    if (!is_pattern_name(r->id.text)) {
        report_.error(
            r->id.at,
            fmt::format("'{}' is neither a range nor a pattern{}", r->id.text,
                        did_you_mean(r->id.text, {"star", "box", "diamond", "nocorners", "cross", "thumbtack"})),
            patterns);
        return;
    }
    const bool pinned = r->id.text == "thumbtack";
    if (r->form != ast::reference::kind::called || (pinned && r->arguments.size() != 2)) {
        report_.error(e.at,
                      fmt::format("the pattern '{}' needs its radius{}", r->id.text, pinned ? " and its axis" : ""),
                      pinned ? fmt::format("write {}(1, {})", r->id.text, axes().back())
                             : fmt::format("write {}(1)", r->id.text));
        return;
    }
    constant(r->arguments[0]);
    std::set<std::string> seen;
    for (std::size_t i = 1; i < r->arguments.size(); ++i) {
        const auto* axis = std::get_if<ast::reference>(&r->arguments[i].form);
        const auto found = axis != nullptr ? symbols_.find(axis->id.text) : symbols_.end();
        if (found == symbols_.end() || found->second.what != symbol::kind::axis ||
            axis->form != ast::reference::kind::plain) {
            report_.error(r->arguments[i].at, "a pattern's radius is followed by axes",
                          fmt::format("the axes are {}", enumerate(axes())));
        } else if (!seen.insert(axis->id.text).second) {
            report_.error(r->arguments[i].at, fmt::format("the axis '{}' is given twice", axis->id.text));
        }
    }
}

void expression_checker::table(const ast::offset_table& t) {
    const std::size_t dimensions = axes().size();
    const bool weighted = t.entries.front().weight != nullptr;
    for (const auto& entry : t.entries) {
        if (entry.offset.size() != dimensions) {
            report_.error(entry.at, fmt::format("this offset has {} {}, the stencil has {} {}", entry.offset.size(),
                                                entry.offset.size() == 1 ? "number" : "numbers", dimensions,
                                                dimensions == 1 ? "axis" : "axes"));
        }
        for (const ast::expression& e : entry.offset) {
            constant(e);
        }
        if (entry.weight) {
            constant(*entry.weight);
        }
        if ((entry.weight != nullptr) != weighted) {
            report_.error(entry.at, "some offsets of this table have a weight and some have none",
                          "write (1, -1): 0.25 for all of them, or for none");
        }
    }
}

} // namespace gst::dsl
