#include "core/space/expression.hpp"

#include "core/base/error.hpp"
#include "core/space/arithmetic.hpp"
#include "core/space/expression_tree.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gst {

namespace {

using tree = expression::tree;

/// A value, or why there is none.
using result = std::variant<value, diagnostic>;

class evaluator {
  public:
    evaluator(const expression& e, const std::function<value(const std::string&)>& lookup) : e_(e), lookup_(lookup) {}

    result of(const tree& t) const {
        if (const tree::literal* literal = std::get_if<tree::literal>(&t.node)) {
            return literal->what;
        }
        if (const tree::name* name = std::get_if<tree::name>(&t.node)) {
            return lookup_(e_.names()[name->index]);
        }
        const tree::call& call = std::get<tree::call>(t.node);
        switch (call.what) {
        case operation::logical_and:
        case operation::logical_or:
            return joined(call, call.what == operation::logical_or);
        case operation::member:
            return one_of(call);
        case operation::logical_not: {
            const result r = of(call.operands[0]);
            return std::holds_alternative<value>(r) ? result(value(!truth(r, call.operands[0]))) : r;
        }
        default:
            return computed(t, call);
        }
    }

  private:
    [[noreturn]] void mismatch(const tree& at, const value& v, std::string_view expected) const {
        throw user_error(e_.error_at(at.at, fmt::format("expected {}, got the text '{}'", expected, to_string(v))));
    }
    bool truth(const result& r, const tree& at) const {
        const value& v = std::get<value>(r);
        if (is_text(v)) {
            mismatch(at, v, "a condition");
        }
        return number(v) != 0;
    }

    /// `and`, `or`: one decisive operand is enough, though another has no value.
    result joined(const tree::call& call, bool decisive) const {
        result outcome = value(!decisive);
        for (const tree& operand : call.operands) {
            result r = of(operand);
            if (std::holds_alternative<diagnostic>(r)) {
                outcome = std::move(r);
            } else if (truth(r, operand) == decisive) {
                return value(decisive);
            }
        }
        return outcome;
    }

    result one_of(const tree::call& call) const {
        const result first = of(call.operands[0]);
        if (std::holds_alternative<diagnostic>(first)) {
            return first;
        }
        result outcome = value(false);
        for (std::size_t i = 1; i < call.operands.size(); ++i) {
            result r = of(call.operands[i]);
            if (std::holds_alternative<diagnostic>(r)) {
                outcome = std::move(r);
            } else if (equal(std::get<value>(first), std::get<value>(r))) {
                return value(true);
            }
        }
        return outcome;
    }

    /// Numbers as doubles, as the search space computes them.
    static bool equal(const value& a, const value& b) {
        return is_text(a) || is_text(b) ? a == b : number(a) == number(b);
    }

    result computed(const tree& t, const tree::call& call) const {
        std::vector<value> operands;
        for (const tree& operand : call.operands) {
            result r = of(operand);
            if (std::holds_alternative<diagnostic>(r)) {
                return r;
            }
            operands.push_back(std::get<value>(std::move(r)));
        }
        if (call.what == operation::equal || call.what == operation::not_equal) {
            return value(equal(operands[0], operands[1]) == (call.what == operation::equal));
        }
        if ((call.what == operation::less || call.what == operation::less_equal) && is_text(operands[0]) &&
            is_text(operands[1])) {
            return value(call.what == operation::less ? operands[0] < operands[1] : operands[0] <= operands[1]);
        }
        std::vector<double> numbers;
        bool integers = true;
        for (std::size_t i = 0; i < operands.size(); ++i) {
            if (is_text(operands[i])) {
                mismatch(call.operands[i], operands[i], "a number");
            }
            numbers.push_back(number(operands[i]));
            integers = integers && !std::holds_alternative<double>(operands[i]);
        }
        const double r = compute(call.what, numbers);
        if (std::isnan(r)) {
            return no_value(t, call, numbers);
        }
        switch (call.what) {
        case operation::less:
        case operation::less_equal:
        case operation::divides:
            return value(r != 0);
        case operation::floor:
        case operation::ceiling:
        case operation::round:
            integers = true;
            break;
        case operation::divide:
        case operation::log2:
        case operation::square_root:
        case operation::exponential:
        case operation::logarithm:
        case operation::sine:
        case operation::cosine:
        case operation::tangent:
        case operation::arc_tangent:
        case operation::hyperbolic_tangent:
            integers = false;
            break;
        default:
            break;
        }
        return integers && is_exact_integer(r) ? value(static_cast<std::int64_t>(r)) : value(r);
    }

    result no_value(const tree& t, const tree::call& call, const std::vector<double>& numbers) const {
        const bool division = call.what == operation::divide || call.what == operation::floor_divide ||
                              call.what == operation::modulo || call.what == operation::ceil_divide;
        if (division && numbers[1] == 0) {
            return e_.error_at(t.at, "division by zero");
        }
        std::string shown;
        for (const double x : numbers) {
            const bool integer = is_exact_integer(x);
            shown += (shown.empty() ? "" : ", ") + (integer ? fmt::format("{:.0f}", x) : fmt::format("{}", x));
        }
        return e_.error_at(t.at, fmt::format("{} of {} does not exist", name_of(call.what), shown));
    }

    const expression& e_;
    const std::function<value(const std::string&)>& lookup_;
};

} // namespace

expression expression::parse(const std::string& text, const std::string& source_name) {
    return parse(std::make_shared<source>(source{source_name, text}), span{0, text.size()});
}

expression expression::parse(std::shared_ptr<const source> where, span part) {
    parsed_expression parsed = parse_expression(where, part);
    return expression(std::move(parsed), std::move(where), part);
}

struct expression::content {
    tree root;
    std::shared_ptr<const source> where;
    span at;
    std::string text;
    std::vector<std::string> names;
};

expression::expression(parsed_expression parsed, std::shared_ptr<const source> where, span part) {
    std::string text = where->text.substr(part.begin, part.end - part.begin);
    content_ = std::make_shared<const content>(
        content{std::move(parsed.root), std::move(where), part, std::move(text), std::move(parsed.names)});
}

const expression::tree& expression::root() const {
    return content_->root;
}

std::vector<value> expression::parse_values(const std::string& text, const std::string& source_name) {
    return parse_values(std::make_shared<const source>(source{source_name, text}), {0, text.size()});
}

std::vector<value> expression::parse_values(const std::shared_ptr<const source>& where, span part) {
    const expression list(parse_expression_list(where, part), where, part);
    const std::function<value(const std::string&)> no_names = [&](const std::string& name) -> value {
        throw user_error(list.error_here(fmt::format("'{}' is no value", name), "texts stand in quotes: ['a', 'b']"));
    };
    std::vector<value> values;
    for (const tree& element : std::get<tree::call>(list.root().node).operands) {
        result r = evaluator(list, no_names).of(element);
        if (diagnostic* d = std::get_if<diagnostic>(&r)) {
            throw user_error(std::move(*d));
        }
        values.push_back(std::get<value>(std::move(r)));
    }
    return values;
}

const std::vector<std::string>& expression::names() const {
    return content_->names;
}
const std::string& expression::text() const {
    return content_->text;
}

diagnostic expression::error_here(std::string message, std::string hint) const {
    return error_at(content_->at, std::move(message), std::move(hint));
}

diagnostic expression::error_at(span part, std::string message, std::string hint) const {
    return {std::move(message), content_->where, part, std::move(hint)};
}

value expression::evaluate(const std::function<value(const std::string&)>& lookup) const {
    result r = evaluator(*this, lookup).of(root());
    if (diagnostic* d = std::get_if<diagnostic>(&r)) {
        throw user_error(std::move(*d));
    }
    return std::get<value>(std::move(r));
}

} // namespace gst
