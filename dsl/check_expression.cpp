#include "dsl/check_expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace gst::dsl {

namespace {

bool is_comparison(ir::binary_op op) {
    return op >= ir::binary_op::less && op <= ir::binary_op::not_equal;
}
bool is_logic(ir::binary_op op) {
    return op == ir::binary_op::logical_and || op == ir::binary_op::logical_or;
}

} // namespace

void expression_checker::number(const ast::expression& e) {
    if (kind_of(e) == value_kind::condition) {
        report_.error(e.at, "a condition is used as a number", "write select(condition, 1, 0)");
    }
}

void expression_checker::condition(const ast::expression& e) {
    if (kind_of(e) == value_kind::number) {
        report_.error(e.at, "a number is used as a condition", "compare it, for example … != 0");
    }
}

void expression_checker::constant(const ast::expression& e) {
    const bool before = std::exchange(constant_, true);
    number(e);
    constant_ = before;
}

namespace {

/// How a pattern or generated weights are written.
std::string example_of(const std::string& name) {
    return name == "thumbtack" ? "thumbtack(1, x)" : name == "gaussian" ? name : name + "(1)";
}

/// What to write where a name that is no function is followed by parentheses.
std::string instead_of_call(const std::string& name, symbol::kind what) {
    using enum symbol::kind;
    switch (what) {
    case array:
        return fmt::format("write {}[0]", name);
    case weights:
    case table:
        return fmt::format("write {}[o] inside sum(o in …) {{ … }}", name);
    case pattern:
        return fmt::format("write sum(o in {}) {{ … }}", name);
    case field:
    case coefficient:
    case let:
        return fmt::format("write {0} * (…), or {0}[…] for an offset", name);
    default:
        return fmt::format("write {} * (…)", name);
    }
}

} // namespace

value_kind expression_checker::kind_of(const ast::expression& e) {
    return std::visit([&](const auto& form) { return of(e, form); }, e.form);
}

value_kind expression_checker::of(const ast::expression&, const ast::number&) {
    return value_kind::number;
}

value_kind expression_checker::of(const ast::expression&, const ast::unary& u) {
    if (u.op == ir::unary_op::logical_not) {
        condition(*u.operand);
        return value_kind::condition;
    }
    number(*u.operand);
    return value_kind::number;
}

value_kind expression_checker::of(const ast::expression&, const ast::chain& c) {
    const ir::binary_op op = c.rest.front().op;
    if (is_logic(op)) {
        condition(*c.first);
        for (const auto& link : c.rest) {
            condition(*link.operand);
        }
        return value_kind::condition;
    }
    if (!is_comparison(op)) {
        number(*c.first);
        for (const auto& link : c.rest) {
            number(*link.operand);
        }
        return value_kind::number;
    }
    if (c.rest.size() > 1) {
        report_.error(c.rest[1].operand->at, "comparisons do not chain", "write a < b and b < c");
        return value_kind::unknown;
    }
    const value_kind a = kind_of(*c.first);
    const value_kind b = kind_of(*c.rest[0].operand);
    const bool conditions = a == value_kind::condition || b == value_kind::condition;
    if (conditions && op != ir::binary_op::equal && op != ir::binary_op::not_equal) {
        report_.error((a == value_kind::condition ? *c.first : *c.rest[0].operand).at,
                      "a condition is used as a number", "write select(condition, 1, 0)");
    } else if (conditions && a != b && a != value_kind::unknown && b != value_kind::unknown) {
        report_.error(c.rest[0].operand->at, "a number is compared with a condition",
                      "compare two numbers, or two conditions");
    }
    return value_kind::condition;
}

value_kind expression_checker::of(const ast::expression&, const ast::reduction& r) {
    if (r.last) {
        constant(*r.domain);
        constant(*r.last);
    } else {
        pattern(*r.domain);
    }
    const std::string& name = r.variable.text;
    if (is_taken_by_the_language(name)) {
        report_.error(r.variable.at, fmt::format("'{}' is a word of the language", name), "choose another name");
    } else if (const auto found = symbols_.find(name); found != symbols_.end()) {
        report_.error(r.variable.at, fmt::format("'{}' is already {}", name, described(found->second.what)),
                      "choose another name for the running variable");
    } else if (local_named(name) != nullptr) {
        report_.error(r.variable.at, fmt::format("'{}' is already running in the sum around this one", name),
                      "choose another name for the running variable");
    }
    locals_.push_back({name, r.last == nullptr});
    number(*r.body);
    locals_.pop_back();
    return value_kind::number;
}

value_kind expression_checker::of(const ast::expression& at, const ast::offset_table&) {
    report_.error(at.at, "a table of offsets is not a number", "use it in sum(o in offsets […]) { … }");
    return value_kind::unknown;
}

value_kind expression_checker::of(const ast::expression& at, const ast::reference& r) {
    switch (r.form) {
    case ast::reference::kind::plain:
        return plain(r);
    case ast::reference::kind::indexed:
        return indexed(at, r);
    case ast::reference::kind::called:
        return called(at, r);
    }
    return value_kind::unknown;
}

value_kind expression_checker::plain(const ast::reference& r) {
    const std::string& name = r.id.text;
    if (const local* l = local_named(name)) {
        if (l->pattern) {
            report_.error(r.id.at, fmt::format("'{}' is an offset, not a number", name),
                          fmt::format("use it as an index: u[{}]", name));
            return value_kind::unknown;
        }
        return value_kind::number;
    }
    if (name == "t") {
        return known_when_compiled(r.id, "the step number") ? value_kind::number : value_kind::unknown;
    }
    const auto found = symbols_.find(name);
    if (found == symbols_.end()) {
        if (function_named(name) != nullptr) {
            report_.error(r.id.at, fmt::format("'{}' is a function", name), fmt::format("write {}(…)", name));
        } else if (is_pattern_name(name) || is_weights_name(name)) {
            report_.error(r.id.at, fmt::format("'{}' is not a number", name),
                          is_pattern_name(name) ? fmt::format("write sum(o in {}) {{ … }}", example_of(name))
                                                : fmt::format("write const k = {}, then k[o]", example_of(name)));
        } else {
            unknown("name", r.id);
        }
        return value_kind::unknown;
    }
    using enum symbol::kind;
    switch (found->second.what) {
    case constant:
        return value_kind::number;
    case array:
        report_.error(r.id.at, fmt::format("'{}' is a constant with indices", name), fmt::format("write {}[0]", name));
        return value_kind::unknown;
    case weights:
    case table:
        report_.error(r.id.at, fmt::format("'{}' has a weight for each offset", name),
                      fmt::format("write {}[o] inside sum(o in …) {{ … }}", name));
        return value_kind::unknown;
    case pattern:
        report_.error(r.id.at, fmt::format("'{}' is a pattern, not a number", name),
                      fmt::format("write sum(o in {}) {{ … }}", name));
        return value_kind::unknown;
    case let:
    case axis:
    case field:
    case coefficient:
    case parameter:
        if (!known_when_compiled(r.id, described(found->second.what))) {
            return value_kind::unknown;
        }
        return found->second.condition ? value_kind::condition : value_kind::number;
    }
    return value_kind::unknown;
}

value_kind expression_checker::selected(const ast::reference& r) {
    condition(r.arguments[0]);
    const value_kind a = kind_of(r.arguments[1]);
    const value_kind b = kind_of(r.arguments[2]);
    if (a != b && a != value_kind::unknown && b != value_kind::unknown) {
        report_.error(r.arguments[2].at, "select chooses between a number and a condition",
                      "give it two numbers, or two conditions");
        return value_kind::unknown;
    }
    return a == value_kind::unknown ? b : a;
}

value_kind expression_checker::called(const ast::expression& at, const ast::reference& r) {
    const std::string& name = r.id.text;
    const function_info* f = function_named(name);
    if (f == nullptr) {
        const auto found = symbols_.find(name);
        const local* l = local_named(name);
        if (is_pattern_name(name) || is_weights_name(name)) {
            report_.error(at.at, fmt::format("'{}' is not a number", name),
                          is_pattern_name(name) ? fmt::format("write sum(o in {}) {{ … }}", example_of(name))
                                                : fmt::format("write const k = {}(…), then k[o]", name));
        } else if (found != symbols_.end() || l != nullptr || name == "t") {
            const std::string_view what = l != nullptr && l->pattern ? "an offset"
                                          : found != symbols_.end()  ? described(found->second.what)
                                                                     : "a number";
            report_.error(r.id.at, fmt::format("'{}' is {}, not a function", name, what),
                          l != nullptr && l->pattern ? fmt::format("write u[{}] for what a field u has there", name)
                          : found == symbols_.end()  ? fmt::format("write {} * (…)", name)
                                                     : instead_of_call(name, found->second.what));
        } else {
            std::vector<std::string> names;
            for (const function_info& known : functions()) {
                names.emplace_back(known.name);
            }
            report_.error(r.id.at, fmt::format("unknown function '{}'{}", name, did_you_mean(name, names)),
                          name == "if" ? "select(condition, a, b) is a where the condition holds, else b" : "");
        }
        return value_kind::unknown;
    }
    if (r.arguments.size() < f->least || r.arguments.size() > f->most) {
        const std::string wants =
            f->least == f->most ? fmt::format("{}", f->least) : fmt::format("{} to {}", f->least, f->most);
        const bool more = r.arguments.size() > f->most;
        report_.error(more ? r.arguments[f->most].at : span{at.at.end - 1, at.at.end},
                      fmt::format("{} takes {} {}, not {}", name, wants, wants == "1" ? "argument" : "arguments",
                                  r.arguments.size()));
        return value_kind::unknown;
    }
    if (name == "select") {
        return selected(r);
    }
    if (name == "size") {
        const auto* axis = std::get_if<ast::reference>(&r.arguments[0].form);
        const auto found = axis != nullptr ? symbols_.find(axis->id.text) : symbols_.end();
        if (found == symbols_.end() || found->second.what != symbol::kind::axis ||
            axis->form != ast::reference::kind::plain) {
            report_.error(r.arguments[0].at, "size takes an axis", fmt::format("the axes are {}", enumerate(axes())));
        }
        return known_when_compiled(r.id, "the size of the grid") ? value_kind::number : value_kind::unknown;
    }
    if (name == "int" || name == "real" || conversion_named(name)) {
        if (conversion_named(name) && !known_when_compiled(r.id, "a conversion")) {
            return value_kind::unknown;
        }
        kind_of(r.arguments[0]); // a condition becomes 0 or 1
        return value_kind::number;
    }
    for (const ast::expression& argument : r.arguments) {
        number(argument);
    }
    return value_kind::number;
}

bool expression_checker::known_when_compiled(const ast::name& id, std::string_view what) {
    if (constant_) {
        report_.error(id.at, fmt::format("'{}' is {}, not a constant", id.text, what),
                      "only numbers and consts can stand here");
    }
    return !constant_;
}

const expression_checker::local* expression_checker::local_named(std::string_view name) const {
    const auto found = std::find_if(locals_.begin(), locals_.end(), [&](const local& l) { return l.name == name; });
    return found == locals_.end() ? nullptr : &*found;
}

std::vector<std::string> expression_checker::names_of(std::initializer_list<symbol::kind> kinds) const {
    std::vector<std::string> out;
    for (const auto& [name, s] : symbols_) {
        if (std::find(kinds.begin(), kinds.end(), s.what) != kinds.end()) {
            out.push_back(name);
        }
    }
    return out;
}

std::vector<std::string> expression_checker::axes() const {
    std::vector<std::string> out = names_of({symbol::kind::axis});
    std::sort(out.begin(), out.end(),
              [&](const std::string& a, const std::string& b) { return symbols_.at(a).index < symbols_.at(b).index; });
    return out;
}

void expression_checker::unknown(std::string_view what, const ast::name& id, std::vector<std::string> more) {
    if (later_.contains(id.text)) {
        report_.error(id.at, fmt::format("'{}' is declared further down", id.text),
                      "move its declaration above its use");
        return;
    }
    std::vector<std::string> candidates = std::move(more);
    if (what == "field") {
        const auto fields = names_of({symbol::kind::field, symbol::kind::coefficient, symbol::kind::let,
                                      symbol::kind::array, symbol::kind::weights, symbol::kind::table});
        candidates.insert(candidates.end(), fields.begin(), fields.end());
    } else if (what == "name") {
        for (const auto& [name, s] : symbols_) {
            if (!constant_ || s.what == symbol::kind::constant || s.what == symbol::kind::array) {
                candidates.push_back(name);
            }
        }
        for (const local& l : locals_) {
            candidates.push_back(l.name);
        }
    }
    const auto meant = symbols_.find(nearest(id.text, candidates));
    if (meant != symbols_.end() &&
        (meant->second.what == symbol::kind::field || meant->second.what == symbol::kind::coefficient)) {
        what = "field";
    }
    report_.error(id.at, fmt::format("unknown {} '{}'{}", what, id.text, did_you_mean(id.text, candidates)),
                  what == "name" && id.text == "pi" ? "say its value: const pi = 3.141592653589793" : "");
}

} // namespace gst::dsl
