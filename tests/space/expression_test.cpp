#include "core/base/error.hpp"
#include "core/space/expression.hpp"
#include "tests/catch.hpp"

#include <map>

using namespace gst;

namespace {

const std::map<std::string, value> known{{"a", std::int64_t{6}},
                                         {"b", std::int64_t{-7}},
                                         {"zero", std::int64_t{0}},
                                         {"load", std::string("vector")},
                                         {"half", 0.5},
                                         {"yes", true},
                                         {"device.local", std::int64_t{49152}}};

std::string evaluated(const std::string& text) {
    try {
        return to_string(expression::parse(text).evaluate([](const std::string& name) { return known.at(name); }));
    } catch (const user_error& e) {
        return render(e.diagnostics().front());
    }
}

struct example {
    std::string text;
    std::string result;
};

} // namespace

TEST_CASE("expressions have Python's values") {
    const example e = GENERATE(values<example>({
        {"1 + 2 * 3", "7"},
        {"(1 + 2) * 3", "9"},
        {"10 - 3 - 2", "5"},
        {"10 - (3 - 2)", "9"},
        {"-a", "-6"},
        {"+a", "6"},
        {"2 ** 3 ** 2", "512"},
        {"-2 ** 2", "-4"},
        {"2 ** -1", "0.5"},
        {"7 / 2", "3.5"},
        {"6 / 2", "3.0"},
        {"7 // 2", "3"},
        {"b // 2", "-4"},
        {"7 // -2", "-4"},
        {"b % 3", "2"},
        {"7 % -3", "-2"},
        {"7.5 // 2", "3.0"},
        {"-7.5 % 2", "0.5"},
        {"9007199254740991 // 2", "4503599627370495"},
        {"9007199254740991 % 10", "1"},
        {"9007199254740992 // 9007199254740991", "1"},
        {"2 ** 53 * 2", "1.8014398509481984e+16"},
        {"1e3", "1000.0"},
        {"1e300 * 1e300", "inf"},
        {"2 * 3 / 4 * 2", "3.0"},
        {"12 // 5 * 2 % 3", "1"},
        {"yes + yes", "2"},
        {"min(3, 1, 2)", "1"},
        {"max(3, half)", "3.0"},
        {"abs(b)", "7"},
        {"floor(-0.5)", "-1"},
        {"ceil(0.5)", "1"},
        {"log2(512)", "9.0"},
        {"sqrt(a + 3)", "3.0"},
        {"round(2.5)", "3"},
        {"round(-2.5)", "-3"},
        {"exp(0)", "1.0"},
        {"log(exp(2))", "2.0"},
        {"sin(0)", "0.0"},
        {"cos(0)", "1.0"},
        {"tan(0)", "0.0"},
        {"tanh(100)", "1.0"},
        {"3.14159 < 4 * atan(1) < 3.1416", "true"},
        {"divides(3, a)", "true"},
        {"divides(4, a)", "false"},
        {"ceil_div(7, 2)", "4"},
        {"ceil_div(b, 2)", "-3"},
        {"device.local // 1024", "48"},
    }));
    INFO(e.text);
    CHECK(evaluated(e.text) == e.result);
}

TEST_CASE("conditions chain, negate and join as in Python and in C") {
    const example e = GENERATE(values<example>({
        {"1 <= a <= 8", "true"},
        {"1 < 2 > 1", "true"},
        {"1 <= a <= 8 < a", "false"},
        {"a == 6 and b == 1 or yes", "true"},
        {"a == 6 and (b == 1 or not yes)", "false"},
        {"not a == 6", "false"},
        {"not not yes", "true"},
        {"!yes || a >= 6 && b < 0", "true"},
        {"!a == false", "true"},
        {"a in (1, 6)", "true"},
        {"a in [1, 2,]", "false"},
        {"a not in (1, 6)", "false"},
        {"a in ()", "false"},
        {"load == 'vector'", "true"},
        {"load != \"vector\"", "false"},
        {"load in ('local', 'image')", "false"},
        {"load == 1", "false"},
        {"load < 'w'", "true"},
        {"half == 0.5 and 1 == 1.0 and yes == 1", "true"},
        {"True and False", "false"},
        {"a and b", "true"},
    }));
    INFO(e.text);
    CHECK(evaluated(e.text) == e.result);
}

TEST_CASE("a decisive operand of and, or, in decides though another has no value") {
    CHECK(evaluated("8 % zero == 0 and zero != 0") == "false");
    CHECK(evaluated("zero == 0 or 8 // zero > 1") == "true");
    CHECK(evaluated("8 // zero > 1 or zero == 0") == "true");
    CHECK(evaluated("1 in (8 / zero, 1)") == "true");
}

TEST_CASE("mistakes in expressions are shown with their place and a remedy") {
    const example e = GENERATE(values<example>({
        {"", "expression:1:1: error: expected a value, found the end\n  a value is a name, a number, a text or an "
             "expression in parentheses, as in TBx * TBy <= 256"},
        {"a +", "expression:1:4: error: expected a value, found the end\n  a +\n     ^\n  a value is a name, a number, "
                "a text or an expression in parentheses, as in TBx * TBy <= 256"},
        {"a b", "expression:1:3: error: expected an operator or the end, found 'b'\n  a b\n    ^"},
        {"a)", "expression:1:2: error: expected an operator or the end, found ')'\n  a)\n   ^\n  it was never opened"},
        {"2 * (a + 1", "expression:1:5: error: expected ')', found the end\n  2 * (a + 1\n      ^\n  it is opened here "
                       "and never closed"},
        {"(a, 1)", "expression:1:3: error: expected ')', found ','\n  (a, 1)\n    ^"},
        {"a = 1", "expression:1:3: error: '=' does not compare\n  a = 1\n    ^\n  write =="},
        {"a & 1", "expression:1:3: error: '&' has no meaning in an expression\n  a & 1\n    ^\n  write and; the last "
                  "bit of a is a % 2"},
        {"a is 1", "expression:1:3: error: expected an operator or the end, found 'is'\n  a is 1\n    ^~\n  write ==, "
                   "or != for 'is not'"},
        {"(a if yes else b) > 1", "expression:1:4: error: expected ')', found 'if'\n  (a if yes else b) > 1\n     ^~\n "
                                  " for a if c else b, write (c and a) or (not c and b), where a and b are conditions"},
        {"yes if a else yes",
         "expression:1:5: error: expected an operator or the end, found 'if'\n  yes if a else yes\n      ^~\n  for a "
         "if c else b, write (c and a) or (not c and b), where a and b are conditions"},
        {"a ^ 2",
         "expression:1:3: error: '^' has no meaning in an expression\n  a ^ 2\n    ^\n  a power is written **"},
        {"a ≤ 2", "expression:1:3: error: '≤' has no meaning in an expression\n  a ≤ 2\n    ^"},
        {"1 + not a", "expression:1:5: error: 'not' cannot stand here\n  1 + not a\n      ^~~\n  put parentheses "
                      "around it and what it negates"},
        {"a in 6", "expression:1:6: error: expected a list of values after 'in', found '6'\n  a in 6\n       ^\n  "
                   "write x in (1, 2)"},
        {"1 < a in (1, 2)", "expression:1:7: error: 'in' cannot continue a chain of comparisons\n  1 < a in (1, 2)\n   "
                            "     ^~\n  put parentheses around one of them"},
        {"a in (1, 2) == 1", "expression:1:13: error: a comparison cannot follow 'in'\n  a in (1, 2) == 1\n            "
                             "  ^~\n  put parentheses around one of them"},
        {"3x", "expression:1:1: error: '3x' is not a number\n  3x\n  ^~\n  write 32, 0.5 or 1e6; a name begins with a "
               "letter"},
        {"1.2.3", "expression:1:1: error: '1.2.3' is not a number\n  1.2.3\n  ^~~~~\n  write 32, 0.5 or 1e6; a name "
                  "begins with a letter"},
        {"1e999", "expression:1:1: error: this number is beyond what a real can hold\n  1e999\n  ^~~~~"},
        {"load == 'vector",
         "expression:1:9: error: this text has no end\n  load == 'vector\n          ^~~~~~~\n  close it with '"},
        {"mim(1, 2)", "expression:1:1: error: unknown function 'mim' – did you mean 'min'?\n  mim(1, 2)\n  ^~~\n  the "
                      "functions are abs, atan, ceil, ceil_div, cos, divides, exp, floor, log, log2, max, min, round, "
                      "sin, sqrt, tan and tanh"},
        {"min(1)", "expression:1:1: error: 'min' takes 2 or more arguments, not 1\n  min(1)\n  ^~~~~~"},
        {"abs(1, 2)", "expression:1:1: error: 'abs' takes 1 argument, not 2\n  abs(1, 2)\n  ^~~~~~~~~"},
        {"a // zero", "expression:1:1: error: division by zero\n  a // zero\n  ^~~~~~~~~"},
        {"1 + sqrt(b)", "expression:1:5: error: sqrt of -7 does not exist\n  1 + sqrt(b)\n      ^~~~~~~"},
        {"log(b)", "expression:1:1: error: log of -7 does not exist\n  log(b)\n  ^~~~~~"},
        {"log2(zero) > 1", "expression:1:1: error: log2 of 0 does not exist\n  log2(zero) > 1\n  ^~~~~~~~~~"},
        {"load + 1", "expression:1:1: error: expected a number, got the text 'vector'\n  load + 1\n  ^~~~"},
        {"load and yes", "expression:1:1: error: expected a condition, got the text 'vector'\n  load and yes\n  ^~~~"},
        {"a < load", "expression:1:5: error: expected a number, got the text 'vector'\n  a < load\n      ^~~~"},
    }));
    INFO(e.text);
    CHECK(evaluated(e.text) == e.result);
}

TEST_CASE("a part of a source is parsed with its place in the whole") {
    const std::string text = "constraint: a <= 1 +\nnext";
    try {
        expression::parse(std::make_shared<source>(source{"app.toml", text}), {12, 20});
        FAIL("no error");
    } catch (const user_error& e) {
        CHECK(render(e.diagnostics().front()) ==
              "app.toml:1:21: error: expected a value, found the end\n  constraint: a <= 1 +\n                      "
              "^\n  a value is a name, a number, a text or an expression in parentheses, as in TBx * TBy <= 256");
    }
    const auto e = expression::parse(std::make_shared<source>(source{"app.toml", text}), {12, 18});
    CHECK(e.text() == "a <= 1");
    CHECK(e.names() == std::vector<std::string>{"a"});
}

TEST_CASE("names come once, in the order of their appearance") {
    CHECK(expression::parse("b + a * b <= c").names() == std::vector<std::string>{"b", "a", "c"});
}

TEST_CASE("the size of an expression is limited") {
    const auto message = [](const std::string& text) -> std::string {
        try {
            expression::parse(text);
            return "parsed";
        } catch (const user_error& e) {
            return e.diagnostics().front().message;
        }
    };
    const auto repeated = [](const std::string& text, int times) {
        std::string all;
        for (int i = 0; i < times; ++i) {
            all += text;
        }
        return all;
    };
    CHECK(message(repeated("1+", 30000) + "1") == "parsed");
    CHECK(message(repeated("1+", 33000) + "1") == "this expression is longer than 65536 characters");
    CHECK(message(repeated("(", 150) + "1" + repeated(")", 150)) == "parsed");
    CHECK(message(repeated("(", 300) + "1" + repeated(")", 300)) == "this expression is nested deeper than 200 levels");
    CHECK(message(repeated("-", 30000) + "1") == "this expression is nested deeper than 200 levels");
    CHECK(message("1" + repeated("/1", 30000)) == "this expression is nested deeper than 200 levels");
    CHECK(message(repeated("1 < (", 40) + "1" + repeated(") < 1", 40)) == "this expression has more than 100000 parts");
}

TEST_CASE("every mutation of an expression parses or is a diagnostic") {
    const std::string text = "not (1 <= a < 8) or load in ('x', \"y\") and min(a, -2 ** 3) // b != 1.5e3 % c";
    std::size_t parsed = 0;
    const std::string alphabet = "()[]<>=!*/%+-'\", .e1aé&|^";
    for (std::size_t i = 0; i <= text.size(); ++i) {
        for (std::size_t j = 0; j < alphabet.size() + 1; ++j) {
            std::string mutant = text;
            if (j == alphabet.size()) {
                mutant.erase(std::min(i, text.size() - 1), 1);
            } else {
                mutant.insert(i, 1, alphabet[j]);
            }
            try {
                parsed += expression::parse(mutant).names().empty() ? 0 : 1;
            } catch (const user_error& e) {
                REQUIRE(e.diagnostics().size() == 1);
                REQUIRE(e.diagnostics().front().at.begin <= mutant.size());
            }
        }
    }
    CHECK(parsed > 100);
}

TEST_CASE("a list of values is read as Python writes it") {
    const auto read = [](const std::string& text) {
        std::string out;
        for (const value& v : expression::parse_values(text)) {
            out += (out.empty() ? "" : " ") + to_string(v);
        }
        return out;
    };
    CHECK(read("[16, 32]") == "16 32");
    CHECK(read(" (1, -2, 2**5, 0.5, 1.0,) ") == "1 -2 32 0.5 1.0");
    CHECK(read("['a', \"it's\", True, False]") == "a it's true false");
    CHECK(read("[]").empty());
    const auto message = [](const std::string& text) {
        try {
            expression::parse_values(text, "values");
            return std::string("parsed");
        } catch (const user_error& e) {
            return render(e.diagnostics().front());
        }
    };
    CHECK(message("16") == "values:1:1: error: expected a list of values, found '16'\n  16\n  ^~\n  write [1, 2]");
    CHECK(message("[1, 2") ==
          "values:1:1: error: expected ']', found the end\n  [1, 2\n  ^\n  it is opened here and never closed");
    CHECK(message("[1] + 2") == "values:1:5: error: expected the end, found '+'\n  [1] + 2\n      ^");
    CHECK(message("[1, a]") ==
          "values:1:1: error: 'a' is no value\n  [1, a]\n  ^~~~~~\n  texts stand in quotes: ['a', 'b']");
    CHECK(message("[1 // 0]") == "values:1:2: error: division by zero\n  [1 // 0]\n   ^~~~~~");
}

TEST_CASE("values are written as they are read, and compared by number") {
    CHECK(to_string(value(true)) == "true");
    CHECK(to_string(value(std::int64_t{-3})) == "-3");
    CHECK(to_string(value(2.0)) == "2.0");
    CHECK(to_string(value(0.1)) == "0.1");
    CHECK(to_string(value(std::string("a b"))) == "a b");
    CHECK(same(value(std::int64_t{1}), value(1.0)));
    CHECK(same(value(true), value(std::int64_t{1})));
    CHECK_FALSE(same(value(std::string("1")), value(std::int64_t{1})));
    CHECK_FALSE(same(value(std::int64_t{9007199254740993}), value(std::int64_t{9007199254740992})));
}
