#include "core/base/diagnostic.hpp"
#include "core/base/hash.hpp"
#include "core/base/random.hpp"
#include "tests/catch.hpp"

#include <cmath>
#include <numeric>
#include <set>

using namespace gst;

namespace {
diagnostic at(const std::string& text, std::size_t begin, std::size_t end) {
    return {"bad", std::make_shared<source>(source{"a.gst", text}), {begin, end}, "try again"};
}
} // namespace

TEST_CASE("a diagnostic shows the place, the line, a caret and the remedy") {
    CHECK(render(at("ab\n  cd = 1\n", 5, 7)) == "a.gst:2:3: error: bad\n    cd = 1\n    ^~\n  try again");
}

TEST_CASE("columns count characters and tabs keep the caret in line") {
    CHECK(render(at("\tä = u", 4, 5)) == "a.gst:1:4: error: bad\n  \tä = u\n  \t  ^\n  try again");
}

TEST_CASE("a place at the end of the text is shown after the last character") {
    CHECK(render(at("abc", 3, 3)) == "a.gst:1:4: error: bad\n  abc\n     ^\n  try again");
    CHECK(render(at("ab\n", 2, 2)) == "a.gst:1:3: error: bad\n  ab\n    ^\n  try again");
}

TEST_CASE("a line with nothing on it is not shown") {
    CHECK(render(at("", 0, 0)) == "a.gst:1:1: error: bad\n  try again");
    CHECK(render(at("ab\n \t\r\n", 3, 4)) == "a.gst:2:1: error: bad\n  try again");
    CHECK(render(at("ab\n", 3, 3)) == "a.gst:2:1: error: bad\n  try again");
}

TEST_CASE("a byte that is no character is still marked") {
    CHECK(render(at("\xA9", 0, 1)) == "a.gst:1:1: error: bad\n  \uFFFD\n  ^\n  try again");
}

TEST_CASE("what a terminal must not see is replaced, and the caret stays in its place") {
    using namespace std::string_literals;
    CHECK(render(at("a\0\x1b\xff\xe2\x82 ä?"s, 8, 9)) ==
          "a.gst:1:8: error: bad\n  a\uFFFD\uFFFD\uFFFD\uFFFD ä?\n         ^\n  try again");
    diagnostic d = at("a", 0, 1); // nor what a message says was found
    d.message = "found '\x1b[2J'";
    d.hint = "not \x1b";
    CHECK(render(d) == "a.gst:1:1: error: found '\uFFFD[2J'\n  a\n  ^\n  not \uFFFD");
    d.where = nullptr;
    CHECK(render(d) == "error: found '\uFFFD[2J'\n  not \uFFFD");
}

TEST_CASE("a long line is shown as a window around the caret") {
    const std::string text = std::string(500, 'a') + "!" + std::string(500, 'b');
    const std::string shown = render(at(text, 500, 501));
    CHECK(shown.find("a.gst:1:501: error: bad\n") == 0);
    CHECK(shown.find("\n  " + std::string(60, 'a') + "!" + std::string(59, 'b') + "\n  " + std::string(60, ' ') +
                     "^\n") != std::string::npos);
}

TEST_CASE("the nearest name is suggested only when it could be a typing error") {
    const std::vector<std::string> names{"alpha", "beta", "u", "velocity"};
    CHECK(nearest("alhpa", names) == "alpha");
    CHECK(nearest("velcity", names) == "velocity");
    CHECK(nearest("v", names) == "u");
    CHECK(nearest("gamma", names).empty());
    CHECK(nearest("velo", names) == "velocity");
    CHECK(nearest("ve", names).empty());
    CHECK(nearest("city", names).empty());
    CHECK(did_you_mean("bet", names) == " – did you mean 'beta'?");
}

TEST_CASE("random numbers repeat, forks are independent of what was drawn") {
    random_source a(7);
    random_source b(7);
    CHECK(a.next() == b.next());
    a.next();
    CHECK(a.fork("x").next() == b.fork("x").next());
    CHECK(a.fork("x").next() != b.fork("y").next());
}

TEST_CASE("bounded numbers are uniform") {
    random_source rng(1);
    std::vector<int> seen(10);
    for (int i = 0; i < 100000; ++i) {
        ++seen[rng.below(10)];
    }
    double chi = 0;
    for (const int n : seen) {
        chi += (n - 10000.0) * (n - 10000.0) / 10000.0;
    }
    CHECK(chi < 27.9); // 9 degrees of freedom, p = 0.001
}

TEST_CASE("noise depends on the seed and the index alone and is uniform") {
    double sum = 0;
    std::set<double> distinct;
    for (std::uint64_t i = 0; i < 10000; ++i) {
        sum += noise(3, i);
        distinct.insert(noise(3, i));
    }
    CHECK(std::abs(sum / 10000 - 0.5) < 0.02);
    CHECK(distinct.size() == 10000);
    CHECK(noise(3, 5) == noise(3, 5));
    CHECK(noise(3, 5) != noise(4, 5));
}

TEST_CASE("a digest is 32 hexadecimal digits and differs with the text") {
    CHECK(digest("").size() == 32);
    CHECK(digest("a") != digest("b"));
}
