#include "core/space/term.hpp"

#include "core/base/error.hpp"
#include "core/space/arithmetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace gst {

namespace {

using tree = expression::tree;

void collect_texts(const tree& t, std::set<std::string>& texts) {
    if (const tree::literal* literal = std::get_if<tree::literal>(&t.node)) {
        if (is_text(literal->what)) {
            texts.insert(std::get<std::string>(literal->what));
        }
    } else if (const tree::call* call = std::get_if<tree::call>(&t.node)) {
        for (const tree& operand : call->operands) {
            collect_texts(operand, texts);
        }
    }
}

} // namespace

/// Turns one expression into terms.
class term_maker {
  public:
    term_maker(const scope& s, const expression& e) : scope_(s), e_(e) {}

    /// The term that is 1 where the tree is true (false, if negated) and 0 where it is not or has no value.
    term condition(const tree& t, bool negated) const {
        if (const tree::call* call = std::get_if<tree::call>(&t.node)) {
            switch (call->what) {
            case operation::logical_not:
                return condition(call->operands[0], !negated);
            case operation::logical_and:
            case operation::logical_or: {
                std::vector<term> parts;
                for (const tree& operand : call->operands) {
                    parts.push_back(condition(operand, negated));
                }
                return joined_term((call->what == operation::logical_and) != negated ? operation::logical_and
                                                                                     : operation::logical_or,
                                   std::move(parts));
            }
            case operation::less:
            case operation::less_equal:
            case operation::equal:
            case operation::not_equal:
            case operation::member:
                return comparison_term(call->what, compared(*call), negated);
            default:
                break;
            }
        }
        return comparison_term(operation::not_equal, {number(t, "a condition"), constant_term(0)}, negated);
    }

  private:
    bool is_text_tree(const tree& t) const {
        if (const tree::literal* literal = std::get_if<tree::literal>(&t.node)) {
            return is_text(literal->what);
        }
        if (const tree::name* name = std::get_if<tree::name>(&t.node)) {
            const value* constant = nullptr;
            const std::size_t p = resolve(t, *name, constant);
            return is_text(constant ? *constant : scope_.parameters_[p].neutral);
        }
        return false;
    }

    /// The parameter's position, or the constant.
    std::size_t resolve(const tree& t, const tree::name& name, const value*& constant) const {
        const std::string& word = e_.names()[name.index];
        if (const auto found = scope_.positions_.find(word); found != scope_.positions_.end()) {
            return found->second;
        }
        if (const auto found = scope_.constants_.find(word); found != scope_.constants_.end()) {
            constant = &found->second;
            return 0;
        }
        std::vector<std::string> known;
        for (const gst::parameter& p : scope_.parameters_) {
            known.push_back(p.name);
        }
        for (const auto& [constant_name, v] : scope_.constants_) {
            known.push_back(constant_name);
        }
        std::vector<std::string> candidates = known;
        for (const auto& [alias, position] : scope_.positions_) {
            candidates.push_back(alias);
        }
        throw user_error(e_.error_at(t.at, fmt::format("unknown name '{}'{}", word, did_you_mean(word, candidates)),
                                     known.empty() ? "" : fmt::format("the names are {}", enumerate(known))));
    }

    term leaf(const tree& t) const {
        if (const tree::literal* literal = std::get_if<tree::literal>(&t.node)) {
            return constant_term(scope_.number_of(literal->what));
        }
        const value* constant = nullptr;
        const std::size_t p = resolve(t, std::get<tree::name>(t.node), constant);
        return constant ? constant_term(scope_.number_of(*constant)) : parameter_term(p, scope_.domains_[p]);
    }

    term number(const tree& t, std::string_view expected = "a number") const {
        if (is_text_tree(t)) {
            const tree::name* name = std::get_if<tree::name>(&t.node);
            throw user_error(
                e_.error_at(t.at, name ? fmt::format("expected {}, but '{}' is text", expected, e_.names()[name->index])
                                       : fmt::format("expected {}, got a text", expected)));
        }
        const tree::call* call = std::get_if<tree::call>(&t.node);
        if (!call) {
            return leaf(t);
        }
        switch (call->what) {
        case operation::logical_not:
            return value_term(operation::equal, {number(call->operands[0], "a condition"), constant_term(0)});
        case operation::logical_and:
        case operation::logical_or: {
            std::vector<term> parts;
            for (const tree& operand : call->operands) {
                parts.push_back(value_term(operation::not_equal, {number(operand, "a condition"), constant_term(0)}));
            }
            return value_term(call->what, std::move(parts));
        }
        case operation::less:
        case operation::less_equal:
        case operation::equal:
        case operation::not_equal:
            return value_term(call->what, compared(*call));
        case operation::member: {
            std::vector<term> operands = compared(*call);
            std::vector<term> pairs{constant_term(0)};
            for (std::size_t i = 1; i < operands.size(); ++i) {
                pairs.push_back(value_term(operation::equal, {operands[0], operands[i]}));
            }
            return value_term(operation::logical_or, std::move(pairs));
        }
        default: {
            std::vector<term> operands;
            for (const tree& operand : call->operands) {
                operands.push_back(number(operand));
            }
            return value_term(call->what, std::move(operands));
        }
        }
    }

    /// The operands of a comparison: all numbers or all texts.
    std::vector<term> compared(const tree::call& call) const {
        const bool text = is_text_tree(call.operands[0]);
        std::vector<term> operands;
        for (const tree& operand : call.operands) {
            if (is_text_tree(operand) != text) {
                throw user_error(e_.error_at(operand.at,
                                             text ? "a number is compared with a text here"
                                                  : "a text is compared with a number here",
                                             "they are never equal"));
            }
            operands.push_back(text ? leaf(operand) : number(operand));
        }
        return operands;
    }

    const scope& scope_;
    const expression& e_;
};

scope::scope(const std::vector<gst::parameter>& parameters, const std::map<std::string, value>& constants,
             const std::vector<const expression*>& expressions)
    : parameters_(parameters), constants_(constants) {
    std::set<std::string> texts;
    const auto note = [&](const value& v) {
        if (is_text(v)) {
            texts.insert(std::get<std::string>(v));
        }
    };
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        positions_.emplace(parameters[i].name, i);
        for (const std::string& alias : parameters[i].aliases) {
            positions_.emplace(alias, i);
        }
        std::for_each(parameters[i].domain.begin(), parameters[i].domain.end(), note);
    }
    for (const auto& [name, v] : constants) {
        note(v);
    }
    for (const expression* e : expressions) {
        collect_texts(e->root(), texts);
    }
    double rank = 0;
    for (const std::string& text : texts) {
        texts_.emplace(text, rank++);
    }
    for (const gst::parameter& p : parameters) {
        std::vector<double>& numbers = domains_.emplace_back();
        for (const value& v : p.domain) {
            numbers.push_back(number_of(v));
        }
    }
}

double scope::number_of(const value& v) const {
    return is_text(v) ? texts_.at(std::get<std::string>(v)) : number(v);
}

namespace {
std::vector<term> split(term condition) {
    if (condition.what == term::kind::call && condition.call == operation::logical_and) {
        return std::move(condition.operands);
    }
    std::vector<term> one;
    one.push_back(std::move(condition));
    return one;
}
} // namespace

std::vector<term> scope::conditions(const expression& e) const {
    return split(term_maker(*this, e).condition(e.root(), false));
}

std::vector<term> scope::inactive_is_neutral(std::size_t parameter) const {
    const gst::parameter& p = parameters_[parameter];
    std::vector<term> either;
    either.push_back(term_maker(*this, *p.active).condition(p.active->root(), false));
    either.push_back(
        comparison_term(operation::equal,
                        {parameter_term(parameter, domains_[parameter]), constant_term(number_of(p.neutral))}, false));
    return split(joined_term(operation::logical_or, std::move(either)));
}

} // namespace gst
