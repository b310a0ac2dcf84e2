#include "core/api/model_text.hpp"
#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "tests/catch.hpp"
#include "tests/first_seed.hpp"

#include <bit>
#include <cmath>
#include <functional>

using namespace gst;

namespace {

model_reader reading(const std::string& text) {
    return model_reader(std::make_shared<const source>(source{"m.model", text}));
}

std::string refusal(const std::string& text, const std::function<void(model_reader&)>& read) {
    model_reader in = reading(text);
    try {
        read(in);
    } catch (const user_error& e) {
        return e.what();
    }
    return "";
}

} // namespace

TEST_CASE("numbers come back to the last bit", "[models]") {
    random_source rng(testing::first_seed());
    for (int i = 0; i < 10000; ++i) {
        const auto v = std::bit_cast<double>(rng.next());
        if (std::isfinite(v)) {
            CHECK(std::bit_cast<std::uint64_t>(reading(write_number(v)).number("it")) ==
                  std::bit_cast<std::uint64_t>(v));
        }
    }
    CHECK(write_number(0.1) == "0.1");
    CHECK(write_number(3) == "3");
}

TEST_CASE("texts come back, whatever is in them", "[models]") {
    for (const std::string text : {"", "a b", "\"", "\\", "\\n", "two\nlines", "ä\t'"}) {
        model_reader in = reading(write_text(text) + " next");
        CHECK(in.text("it") == text);
        CHECK(in.word("the next word") == "next");
        CHECK(in.at_end());
    }
}

TEST_CASE("words are read one after the other", "[models]") {
    model_reader in = reading("tree  3\r\n\t-1.5 end\n");
    CHECK_FALSE(in.accept("leaf"));
    CHECK(in.accept("tree"));
    CHECK(in.integer("nodes", 1, 5) == 3);
    CHECK_FALSE(in.next_is_text());
    CHECK(in.number("a threshold") == -1.5);
    in.expect("end");
    CHECK(in.at_end());
}

TEST_CASE("what does not fit is refused with its place", "[models]") {
    const std::string remedy = "\n  train the model again";
    CHECK(refusal("tree\n  3.5\n", [](model_reader& in) { in.expect("leaf"); }) ==
          "m.model:1:1: error: 'leaf' should be here\n  tree\n  ^~~~" + remedy);
    CHECK(refusal("tree\n  3.5\n",
                  [](model_reader& in) {
                      in.expect("tree");
                      in.integer("the number of nodes", 1, 9);
                  }) ==
          "m.model:2:3: error: the number of nodes should be here, an integer from 1 to 9\n    3.5\n    ^~~" + remedy);
    CHECK(refusal("12", [](model_reader& in) { in.integer("it", 1, 9); }).find("an integer from 1 to 9") !=
          std::string::npos);
    for (const std::string wrong : {"x", "1x", "nan", "inf", "1e999", "\"1\""}) {
        CHECK(refusal(wrong, [](model_reader& in) {
                  in.number("a mean");
              }).starts_with("m.model:1:1: error: a mean should be here, a number\n"));
    }
    CHECK(refusal("\"open", [](model_reader& in) {
              in.text("a name");
          }).starts_with("m.model:1:1: error: a name should be here, in quotes\n"));
    CHECK(refusal("name", [](model_reader& in) {
              in.text("a name");
          }).starts_with("m.model:1:1: error: a name should be here, in quotes\n"));
    CHECK(refusal("1 \n", [](model_reader& in) {
              in.number("one");
              in.number("another");
          }).find("error: the model ends where another should be: it was cut off") != std::string::npos);
}
