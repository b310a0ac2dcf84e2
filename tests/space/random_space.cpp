#include "tests/space/random_space.hpp"

#include "core/base/error.hpp"

#include <algorithm>

namespace gst::random_space {

namespace {

bool is_text(const parameter& p) {
    return std::holds_alternative<std::string>(p.neutral);
}

class generator {
  public:
    generator(random_source& rng, const std::vector<parameter>& parameters) : rng_(rng) {
        for (const parameter& p : parameters) {
            (is_text(p) ? texts_ : numbers_).push_back(p.name);
        }
    }

    std::string condition(int depth) {
        if (depth == 0) {
            return comparison(1);
        }
        switch (rng_.below(10)) {
        case 0:
        case 1:
            return joined(" and ", depth);
        case 2:
        case 3:
        case 4:
            return joined(" or ", depth);
        case 5:
            return "not (" + condition(depth - 1) + ")";
        case 6:
            return number(depth);
        default:
            return comparison(depth);
        }
    }

  private:
    std::string one_of(const std::vector<std::string>& words) { return words[rng_.below(words.size())]; }

    std::string joined(const std::string& word, int depth) {
        std::string text = "(" + condition(depth - 1) + ")";
        for (std::uint64_t i = 0, n = 1 + rng_.below(2); i < n; ++i) {
            text += word + "(" + condition(depth - 1) + ")";
        }
        return text;
    }

    std::string text() {
        return !texts_.empty() && rng_.below(3) > 0 ? one_of(texts_) : one_of({"'a'", "'b'", "'c'", "'d'"});
    }

    std::string comparison(int depth) {
        if (!texts_.empty() && rng_.below(4) == 0) {
            return rng_.below(3) == 0
                       ? one_of(texts_) + one_of({" in ", " not in "}) + "(" + text() + ", " + text() + ")"
                       : text() + one_of({" == ", " != ", " < ", " <= "}) + text();
        }
        switch (rng_.below(7)) {
        case 0:
            return number(depth) + one_of({" in ", " not in "}) + "(" + number(0) + ", " + number(0) + ", 2)";
        case 1:
            return number(depth) + one_of({" in ", " not in "}) + "[1, 2, 4, 6]";
        case 2:
            return number(0) + one_of({" <= ", " < ", " == "}) + number(depth) + one_of({" < ", " <= ", " > "}) +
                   number(0);
        default:
            return number(depth) + one_of({" < ", " <= ", " > ", " >= ", " == ", " != ", " <= "}) + number(depth - 1);
        }
    }

    std::string number(int depth) {
        if (depth <= 0) {
            return !numbers_.empty() && rng_.below(4) > 0
                       ? one_of(numbers_)
                       : one_of({"0", "1", "2", "3", "4", "6", "8", "16", "-1", "0.5", "N"});
        }
        const std::string a = number(depth - 1);
        const std::string b = number(depth - 1);
        switch (rng_.below(14)) {
        case 0:
        case 1:
            return "(" + a + " * " + b + " * " + number(0) + ")";
        case 2:
        case 3:
            return "(" + a + " + " + b + " - " + number(0) + ")";
        case 4:
            return "(" + a + one_of({" // ", " % ", " / "}) + b + ")";
        case 5:
            return one_of({"min", "max"}) + "(" + a + ", " + b + ", " + number(0) + ")";
        case 6:
            return one_of({"divides", "ceil_div"}) + "(" + a + ", " + b + ")";
        case 7:
            return "-" + a;
        case 8:
            return one_of({"abs", "floor", "ceil", "round"}) + "(" + a + ")";
        case 9:
            return one_of({"sqrt", "log2", "log", "exp", "sin", "cos", "tan", "atan", "tanh"}) + "(" + a + ")";
        case 10:
            return "(" + number(0) + " ** " + number(0) + ")";
        case 11:
            return "(" + condition(depth - 1) + ")";
        default:
            return "(" + a + one_of({" * ", " + "}) + b + ")";
        }
    }

    random_source& rng_;
    std::vector<std::string> numbers_;
    std::vector<std::string> texts_;
};

std::vector<value> domain(random_source& rng) {
    std::vector<value> all;
    switch (rng.below(6)) {
    case 0:
        all = {std::string("a"), std::string("b"), std::string("c"), std::string("e")};
        break;
    case 1:
        all = {false, true};
        break;
    case 2:
        all = {-1.5, std::int64_t{-1}, std::int64_t{0}, 0.5, std::int64_t{2}};
        break;
    case 3:
        all = {std::int64_t{0}, std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, std::int64_t{4}, std::int64_t{5}};
        break;
    default:
        all = {std::int64_t{1}, std::int64_t{2}, std::int64_t{4}, std::int64_t{8}, std::int64_t{16}};
    }
    rng.shuffle(all);
    all.resize(1 + rng.below(all.size()));
    return all;
}

} // namespace

std::string condition(random_source& rng, const std::vector<parameter>& parameters) {
    return generator(rng, parameters).condition(static_cast<int>(rng.below(4)));
}

std::vector<parameter> parameters(random_source& rng) {
    std::vector<parameter> made;
    std::size_t product = 1;
    for (std::uint64_t i = 0, n = 1 + rng.below(6); i < n; ++i) {
        parameter p;
        p.name = std::string("p") + std::to_string(i);
        p.domain = domain(rng);
        p.neutral = p.domain[rng.below(p.domain.size())];
        product *= p.domain.size();
        if (product <= 600) {
            made.push_back(std::move(p));
        }
    }
    return made;
}

std::vector<constraint> constraints(random_source& rng, const std::vector<parameter>& parameters) {
    std::vector<constraint> made;
    for (std::uint64_t i = 0, n = 1 + rng.below(2); i < n; ++i) {
        made.push_back({expression::parse(condition(rng, parameters)), ""});
    }
    return made;
}

definition any(random_source& rng) {
    definition d;
    d.parameters = parameters(rng);
    d.constraints = constraints(rng, d.parameters);
    d.constants = {{"N", static_cast<std::int64_t>(rng.below(40))}};
    const std::vector<parameter> known = d.parameters;
    for (parameter& p : d.parameters) {
        if (rng.below(4) == 0) {
            p.active = expression::parse(condition(rng, known));
        }
    }
    // The space sorts domains of numbers; positions here must mean the same.
    d.parameters = space(d.parameters, {}, d.constants).parameters();
    return d;
}

std::vector<configuration> cartesian(const std::vector<parameter>& parameters) {
    std::vector<configuration> all{{}};
    for (const parameter& p : parameters) {
        std::vector<configuration> longer;
        for (const configuration& c : all) {
            for (std::size_t v = 0; v < p.domain.size(); ++v) {
                longer.push_back(c);
                longer.back().push_back(static_cast<std::uint16_t>(v));
            }
        }
        all = std::move(longer);
    }
    return all;
}

bool valid(const definition& d, const configuration& c) {
    const auto holds = [&](const expression& e) {
        try {
            const value v = e.evaluate([&](const std::string& name) -> value {
                if (const auto found = d.constants.find(name); found != d.constants.end()) {
                    return found->second;
                }
                const auto p = std::find_if(d.parameters.begin(), d.parameters.end(),
                                            [&](const parameter& q) { return q.name == name; });
                return p->domain[c[static_cast<std::size_t>(p - d.parameters.begin())]];
            });
            return !same(v, value(false));
        } catch (const user_error&) {
            return false;
        }
    };
    for (std::size_t p = 0; p < c.size(); ++p) {
        const parameter& at = d.parameters[p];
        if (at.active && !same(at.domain[c[p]], at.neutral) && !holds(*at.active)) {
            return false;
        }
    }
    return std::all_of(d.constraints.begin(), d.constraints.end(),
                       [&](const constraint& k) { return holds(k.condition); });
}

} // namespace gst::random_space
