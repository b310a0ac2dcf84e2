#include "dsl/limits.hpp"
#include "tests/catch.hpp"
#include "tests/dsl/stencils_of.hpp"

// Whatever the text asks for, the answer is a diagnostic: no crash, no endless work.

using namespace gst;
using namespace gst::dsl;

namespace {

std::string repeated(const std::string& text, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i) {
        out += text;
    }
    return out;
}

/// The first line of what is said about the statements, without the place.
std::string complaint(const std::string& statements) {
    const std::string all = mistakes("stencil s(x, y, z) {\nfield u\n" + statements + "\n}\n");
    const std::size_t at = all.find("error: ");
    return at == std::string::npos ? all : all.substr(at + 7, all.find('\n', at) - at - 7);
}

} // namespace

TEST_CASE("a source has a largest size") {
    CHECK(mistakes(std::string(limits::source_bytes + 1, ' ')) ==
          "error: a.gst has 4194305 bytes\n  a stencil file has at most 4194304");
}

TEST_CASE("brackets nest to a depth and no further") {
    CHECK(complaint("u[t+1] = " + repeated("(", 50) + "u" + repeated(")", 50)).empty());
    CHECK(complaint("u[t+1] = " + repeated("(", 200) + "u" + repeated(")", 200)) == "brackets are nested too deep");
    CHECK(complaint("u[t+1] = " + repeated("(", 100000)) == "brackets are nested too deep");
    CHECK(complaint("u[t+1] = " + repeated("u[", 100000)) == "brackets are nested too deep");
    CHECK(complaint("u[t+1] = " + repeated("sqrt(", 100000)) == "brackets are nested too deep");
    CHECK(complaint("const k = [" + repeated("(", 100000)) == "brackets are nested too deep");
    CHECK(complaint("u[t+1] = " + repeated("-", 100000) + "u") == "100000 signs in a row");
    CHECK(complaint("u[t+1] = select(" + repeated("not ", 100000) + "u > 0, 1, 0)") == "100000 signs in a row");
}

TEST_CASE("a chain of operators may be long") {
    CHECK(complaint("u[t+1] = u" + repeated(" + u[x+1]", 50000)).empty());
    CHECK(complaint("u[t+1] = u" + repeated(" + 2*u[x+1]", 10000)).empty());
}

TEST_CASE("lets nest to a depth and no further") {
    std::string lets = "let a0 = u\n";
    for (int i = 1; i < 2000; ++i) {
        lets += "let a" + std::to_string(i) + " = a" + std::to_string(i - 1) + " + u\n";
    }
    CHECK(complaint(lets + "u[t+1] = a100").empty());
    CHECK(complaint(lets + "u[t+1] = a1999") == "expressions and lets are nested too deep");
}

TEST_CASE("a stencil may not grow without end") {
    const std::string grows = "the stencil 's' grows too large when it is expanded";
    CHECK(complaint("u[t+1] = sum(a in 1..10000) { sum(b in 1..10000) { 1 } }") == grows);
    CHECK(complaint("u[t+1] = sum(a in 1..9999) { sum(b in 1..30) { u*a*b } }") == grows);
    CHECK(complaint("u[t+1] = sum(a in box(10)) { sum(b in box(10)) { u[a, b] } }") == grows);
    std::string lets = "let a0 = u\n"; // each doubles the one before it, at other points
    for (int i = 1; i < 60; ++i) {
        const std::string before = "a" + std::to_string(i - 1);
        lets += "let a" + std::to_string(i) + " = " + before + "[x+1] * " + before + "[y+1] * " + before + "[z-1]\n";
    }
    CHECK(complaint(lets + "u[t+1] = a59").empty()); // what is needed twice is expanded once
}

TEST_CASE("names, lists and numbers have limits") {
    CHECK(complaint("param " + std::string(65, 'a') + "\nu[t+1] = u") == "this name has 65 characters");
    CHECK(complaint("const k[1..5000] = [1" + repeated(", 1", 4999) + "]\nu[t+1] = u") ==
          "'k' has 5000 indices and 5000 values");
    CHECK(complaint("const k = [(0, 0, 0)" + repeated(", (0, 0, 0)", 4999) + "]\nu[t+1] = u") ==
          "this table has 5000 offsets");
    CHECK(complaint("u[t+1] = u[x+99999999999999999999]") == "an offset is 1e+20");
    CHECK(complaint("u[t+1] = u[x+1000, x-1000]") == "'x' is given twice in this index");
    std::string params;
    for (int i = 0; i < 65; ++i) {
        params += "param p" + std::to_string(i) + "\n";
    }
    CHECK(complaint(params + "u[t+1] = u") == "a stencil has at most 64 parameters");
    std::string fields;
    for (int i = 0; i < 64; ++i) {
        fields += "coef g" + std::to_string(i) + "\n";
    }
    CHECK(complaint(fields + "u[t+1] = u") == "a stencil has at most 64 fields");
}

TEST_CASE("at most twenty mistakes are shown") {
    try {
        stencils_of("stencil s(x) {\nfield u\n" + repeated("let a = b\n", 1000) + "u[t+1] = u\n}");
        FAIL("it compiled");
    } catch (const user_error& e) {
        CHECK(e.diagnostics().size() == limits::diagnostics);
    }
}

TEST_CASE("bytes that are no text are refused") {
    for (const std::string& text :
         {std::string("\0stencil", 8), std::string("\xff\xfe"), std::string("stencil s(x) { \xc3"),
          std::string("stencil s(x) { field u; u[t+1] = 1\0 }", 38)}) {
        CHECK(mistakes(text).find("error: ") != std::string::npos);
    }
}
