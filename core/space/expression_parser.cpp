#include "core/base/error.hpp"
#include "core/space/expression_lexer.hpp"
#include "core/space/expression_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

namespace gst {

namespace {

using tree = expression::tree;

constexpr std::size_t most_characters = 65536;
constexpr std::size_t most_nodes = 100000;
constexpr int most_levels = 200;

/// How tightly an operator binds, weakest first.
enum binding : int { loosest, either, both, negation, comparison, sum, product, sign, exponent };

struct function {
    operation what;
    std::size_t least;
    std::size_t most;
};

const std::map<std::string, function, std::less<>> functions{
    {"min", {operation::minimum, 2, most_characters}},
    {"max", {operation::maximum, 2, most_characters}},
    {"abs", {operation::absolute, 1, 1}},
    {"floor", {operation::floor, 1, 1}},
    {"ceil", {operation::ceiling, 1, 1}},
    {"log2", {operation::log2, 1, 1}},
    {"sqrt", {operation::square_root, 1, 1}},
    {"exp", {operation::exponential, 1, 1}},
    {"log", {operation::logarithm, 1, 1}},
    {"sin", {operation::sine, 1, 1}},
    {"cos", {operation::cosine, 1, 1}},
    {"tan", {operation::tangent, 1, 1}},
    {"atan", {operation::arc_tangent, 1, 1}},
    {"tanh", {operation::hyperbolic_tangent, 1, 1}},
    {"round", {operation::round, 1, 1}},
    {"divides", {operation::divides, 2, 2}},
    {"ceil_div", {operation::ceil_divide, 2, 2}},
};

/// What to write instead of Python's words.
const std::map<std::string, std::string, std::less<>> remedies{
    {"is", "write ==, or != for 'is not'"},
    {"if", "for a if c else b, write (c and a) or (not c and b), where a and b are conditions"},
};

/// A Pratt parser: each operator knows how tightly it binds.
class parser {
  public:
    parser(const std::shared_ptr<const source>& where, span within) : where_(where) {
        if (within.end - within.begin > most_characters) {
            throw user_error(diagnostic{fmt::format("this expression is longer than {} characters", most_characters),
                                        where, within, ""});
        }
        tokens_ = expression_tokens(where, within);
    }

    parsed_expression whole() {
        tree root = parse(loosest).what;
        if (peek().what != token::kind::end) {
            const bool closes = sees(")") || sees("]");
            fail(peek().at, fmt::format("expected an operator or the end, found {}", shown(peek())),
                 closes ? "it was never opened" : remedy());
        }
        return {std::move(root), std::move(names_)};
    }

    /// A list alone, as the operands of `member`.
    parsed_expression list() {
        const span opened = peek().at;
        std::vector<part> elements;
        if (!sees("(") && !sees("[")) {
            fail(opened, fmt::format("expected a list of values, found {}", shown(peek())), "write [1, 2]");
        }
        add_list(elements);
        const span at{opened.begin, tokens_[at_ - 1].at.end};
        if (peek().what != token::kind::end) {
            fail(peek().at, fmt::format("expected the end, found {}", shown(peek())));
        }
        return {make(operation::member, std::move(elements), at).what, std::move(names_)};
    }

  private:
    struct part {
        tree what;
        int height = 1;
        std::size_t size = 1;
    };

    const token& peek(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
    bool sees(std::string_view symbol, std::size_t ahead = 0) const {
        return peek(ahead).what == token::kind::symbol && peek(ahead).text == symbol;
    }
    bool take(std::string_view symbol) {
        const bool found = sees(symbol);
        at_ += found ? 1 : 0;
        return found;
    }

    [[noreturn]] void fail(span at, std::string message, std::string hint = "") const {
        throw user_error(diagnostic{std::move(message), where_, at, std::move(hint)});
    }
    std::string shown(const token& t) const {
        return t.what == token::kind::end ? "the end"
                                          : fmt::format("'{}'", where_->text.substr(t.at.begin, t.at.end - t.at.begin));
    }
    void expect(std::string_view symbol, span opened) {
        if (!take(symbol)) {
            const bool end = peek().what == token::kind::end;
            fail(end ? opened : peek().at, fmt::format("expected '{}', found {}", symbol, shown(peek())),
                 end ? "it is opened here and never closed" : remedy());
        }
    }
    /// For what stands where an operator could.
    std::string remedy() const {
        const auto found = remedies.find(peek().text);
        return peek().what == token::kind::name && found != remedies.end() ? found->second : "";
    }

    part make(operation o, std::vector<part> operands, span at) const {
        int height = 0;
        std::size_t size = 1;
        std::vector<tree> trees;
        trees.reserve(operands.size());
        for (part& p : operands) {
            height = std::max(height, p.height);
            size += p.size;
            trees.push_back(std::move(p.what));
        }
        if (height >= most_levels) {
            fail(at, fmt::format("this expression is nested deeper than {} levels", most_levels));
        }
        if (size > most_nodes) { // a chain of comparisons holds its middle twice
            fail(at, fmt::format("this expression has more than {} parts", most_nodes));
        }
        return {{tree::call{o, std::move(trees)}, at}, height + 1, size};
    }
    static span over(const part& a, const part& b) { return {a.what.at.begin, b.what.at.end}; }
    static part unary(const parser& p, operation o, part operand, span at) {
        std::vector<part> one;
        one.push_back(std::move(operand));
        return p.make(o, std::move(one), at);
    }
    part binary(operation o, part a, part b) const {
        const span at = over(a, b);
        std::vector<part> two;
        two.push_back(std::move(a));
        two.push_back(std::move(b));
        return make(o, std::move(two), at);
    }
    /// a + b + c becomes one operation of three operands.
    part chain(operation o, binding level, part first, bool (parser::*more)(bool&)) {
        std::vector<part> operands;
        operands.push_back(std::move(first));
        bool negated = false;
        while ((this->*more)(negated)) {
            part next = parse(level + 1);
            operands.push_back(negated ? unary(*this, operation::negate, std::move(next), next.what.at)
                                       : std::move(next));
        }
        const span at = over(operands.front(), operands.back());
        return make(o, std::move(operands), at);
    }
    bool more_or(bool&) { return take("or"); }
    bool more_and(bool&) { return take("and"); }
    bool more_product(bool&) { return take("*"); }
    bool more_sum(bool& negated) {
        negated = sees("-");
        return take("+") || take("-");
    }

    part parse(int tightest) {
        if (++depth_ > most_levels) {
            fail(peek().at, fmt::format("this expression is nested deeper than {} levels", most_levels));
        }
        part left = prefix(tightest);
        while (std::optional<part> longer = continued(left, tightest)) {
            left = std::move(*longer);
        }
        --depth_;
        return left;
    }

    /// `left` and the operator that follows, if one does that binds at least as tightly as asked.
    std::optional<part> continued(part& left, int tightest) {
        if (sees("**") && tightest <= exponent) {
            ++at_;
            return binary(operation::power, std::move(left), parse(sign)); // to the right: 2**3**2 is 2**9
        }
        if (sees("*") && tightest <= product) {
            return chain(operation::multiply, product, std::move(left), &parser::more_product);
        }
        for (const auto& [symbol, what] :
             {std::pair{"/", operation::divide}, {"//", operation::floor_divide}, {"%", operation::modulo}}) {
            if (sees(symbol) && tightest <= product) {
                ++at_;
                return binary(what, std::move(left), parse(product + 1));
            }
        }
        if ((sees("+") || sees("-")) && tightest <= sum) {
            return chain(operation::add, sum, std::move(left), &parser::more_sum);
        }
        if (tightest <= comparison && sees_comparison()) {
            return compared(std::move(left));
        }
        if (sees("and") && tightest <= both) {
            return chain(operation::logical_and, both, std::move(left), &parser::more_and);
        }
        if (sees("or") && tightest <= either) {
            return chain(operation::logical_or, either, std::move(left), &parser::more_or);
        }
        return std::nullopt;
    }

    bool sees_comparison() const {
        return sees("<") || sees("<=") || sees(">") || sees(">=") || sees("==") || sees("!=") || sees("in") ||
               (sees("not") && sees("in", 1));
    }

    /// 1 <= a < 8 is (1 <= a) and (a < 8).
    part compared(part left) {
        std::vector<part> pairs;
        while (sees_comparison()) {
            if (sees("in") || sees("not")) {
                if (!pairs.empty()) {
                    fail(peek().at, "'in' cannot continue a chain of comparisons",
                         "put parentheses around one of them");
                }
                pairs.push_back(membership(std::move(left)));
                if (sees_comparison()) {
                    fail(peek().at, "a comparison cannot follow 'in'", "put parentheses around one of them");
                }
                break;
            }
            const std::string symbol = peek().text;
            ++at_;
            part right = parse(comparison + 1);
            const span at = over(left, right);
            const bool swapped = symbol == ">" || symbol == ">=";
            const operation what = symbol == "=="                   ? operation::equal
                                   : symbol == "!="                 ? operation::not_equal
                                   : symbol == "<" || symbol == ">" ? operation::less
                                                                    : operation::less_equal;
            part next = sees_comparison() ? right : part{};
            part pair = swapped ? binary(what, std::move(right), std::move(left))
                                : binary(what, std::move(left), std::move(right));
            pair.what.at = at;
            pairs.push_back(std::move(pair));
            left = std::move(next);
        }
        if (pairs.size() == 1) {
            return std::move(pairs.front());
        }
        const span at = over(pairs.front(), pairs.back());
        return make(operation::logical_and, std::move(pairs), at);
    }

    part membership(part left) {
        const bool negated = take("not");
        ++at_; // in
        const span opened = peek().at;
        if (!sees("(") && !sees("[")) {
            fail(opened, fmt::format("expected a list of values after 'in', found {}", shown(peek())),
                 "write x in (1, 2)");
        }
        const std::size_t begin = left.what.at.begin;
        std::vector<part> operands;
        operands.push_back(std::move(left));
        add_list(operands);
        const span at{begin, tokens_[at_ - 1].at.end};
        part found = make(operation::member, std::move(operands), at);
        return negated ? unary(*this, operation::logical_not, std::move(found), at) : std::move(found);
    }

    /// (1, 2) or [1, 2]
    void add_list(std::vector<part>& to) {
        const span opened = peek().at;
        const std::string_view close = take("(") ? ")" : "]";
        at_ += close == "]" ? 1 : 0;
        while (!sees(close)) {
            to.push_back(parse(loosest));
            if (!take(",")) {
                break;
            }
        }
        expect(close, opened);
    }

    part prefix(int tightest) {
        const token t = peek();
        if (t.what == token::kind::literal) {
            ++at_;
            return {{tree::literal{t.literal}, t.at}};
        }
        if (t.what == token::kind::name) {
            ++at_;
            return sees("(") ? called(t) : part{{tree::name{index_of(t.text)}, t.at}};
        }
        if (take("(")) {
            part inner = parse(loosest);
            expect(")", t.at);
            inner.what.at = {t.at.begin, tokens_[at_ - 1].at.end};
            return inner;
        }
        if (sees("not") && tightest > negation) {
            fail(t.at, "'not' cannot stand here", "put parentheses around it and what it negates");
        }
        for (const auto& [symbol, what, level] : {std::tuple{"-", operation::negate, sign},
                                                  {"!", operation::logical_not, sign},
                                                  {"not", operation::logical_not, negation}}) {
            if (take(symbol)) {
                part operand = parse(level);
                const span at{t.at.begin, operand.what.at.end};
                return unary(*this, what, std::move(operand), at);
            }
        }
        if (take("+")) {
            return parse(sign);
        }
        fail(t.at, fmt::format("expected a value, found {}", shown(t)),
             "a value is a name, a number, a text or an expression in parentheses, as in TBx * TBy <= 256");
    }

    part called(const token& name) {
        const auto found = functions.find(name.text);
        if (found == functions.end()) {
            std::vector<std::string> known;
            for (const auto& [word, f] : functions) {
                known.push_back(word);
            }
            fail(name.at, fmt::format("unknown function '{}'{}", name.text, did_you_mean(name.text, known)),
                 fmt::format("the functions are {}", enumerate(known)));
        }
        const span opened = peek().at;
        ++at_; // (
        std::vector<part> operands;
        while (!sees(")")) {
            operands.push_back(parse(loosest));
            if (!take(",")) {
                break;
            }
        }
        expect(")", opened);
        const span at{name.at.begin, tokens_[at_ - 1].at.end};
        const function& f = found->second;
        if (operands.size() < f.least || operands.size() > f.most) {
            fail(at, fmt::format("'{}' takes {}{} argument{}, not {}", name.text, f.least,
                                 f.most > f.least ? " or more" : "", f.least == 1 ? "" : "s", operands.size()));
        }
        return make(f.what, std::move(operands), at);
    }

    std::size_t index_of(const std::string& name) {
        const auto [found, fresh] = index_.try_emplace(name, names_.size());
        if (fresh) {
            names_.push_back(name);
        }
        return found->second;
    }

    const std::shared_ptr<const source>& where_;
    std::vector<token> tokens_;
    std::size_t at_ = 0;
    int depth_ = 0;
    std::vector<std::string> names_;
    std::unordered_map<std::string, std::size_t> index_;
};

} // namespace

parsed_expression parse_expression(const std::shared_ptr<const source>& where, span within) {
    return parser(where, within).whole();
}

parsed_expression parse_expression_list(const std::shared_ptr<const source>& where, span within) {
    return parser(where, within).list();
}

} // namespace gst
