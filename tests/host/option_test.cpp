#include "tests/catch.hpp"
#include "tests/host/fixture.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

using namespace gst;
using namespace gst::test;

namespace {

const plugin& good() {
    return find_plugin("search", built("search_good.so").string(), "/");
}

std::string mistake(const std::map<std::string, value>& given) {
    return failure([&] { check_options(good(), given); });
}

} // namespace

TEST_CASE("options that are not given have their defaults") {
    const plugin_options o = check_options(good(), {{"request", std::int64_t{4096}}});
    CHECK(o.integer("request") == 4096);
    CHECK(o.integer("seeds") == 3);
    CHECK(o.real("share") == 0.5);
    CHECK(o.real("cooling") == 2.5);
    CHECK(o.boolean("restart"));
    CHECK(o.text("start") == "minimum");
    CHECK(o.text("note").empty());
    CHECK_THROWS_AS(o.integer("seed"), std::logic_error);
}

TEST_CASE("an integer is taken for a real, and no other type for another") {
    CHECK(check_options(good(), {{"share", std::int64_t{1}}}).real("share") == 1.0);
    CHECK(mistake({{"request", 16.0}}).starts_with("2 error: 'request' takes an integer from 1 to 4096, not 16.0"));
    CHECK(
        mistake({{"request", std::string("16")}}) ==
        "2 error: 'request' takes an integer from 1 to 4096, not '16'\n  request: configurations per request (default "
        "16)");
    CHECK(mistake({{"restart", std::int64_t{1}}}) ==
          "2 error: 'restart' takes true or false, not 1\n  restart: begin again (default true)");
    CHECK(mistake({{"note", true}}) == "2 error: 'note' takes a text, not true\n  note: free text (default )");
    CHECK(mistake({{"cooling", false}}) ==
          "2 error: 'cooling' takes a number, not false\n  cooling: rate of cooling (default 2.5)");
}

TEST_CASE("values out of range are refused, the bounds themselves are not") {
    CHECK(mistake({{"request", std::int64_t{0}}}) == "2 error: 'request' takes an integer from 1 to 4096, not 0\n  "
                                                     "request: configurations per request (default 16)");
    CHECK(mistake({{"seeds", std::int64_t{-1}}}) ==
          "2 error: 'seeds' takes an integer of at least 0, not -1\n  seeds: points to begin with (default 3)");
    CHECK(mistake({{"share", 1.5}}) ==
          "2 error: 'share' takes a number from 0.0 to 1.0, not 1.5\n  share: share of the budget (default 0.5)");
    CHECK(
        mistake({{"share", std::numeric_limits<double>::quiet_NaN()}}).starts_with("2 error: 'share' takes a number"));
    CHECK(mistake({{"cooling", std::numeric_limits<double>::quiet_NaN()}}) != "");
    CHECK(mistake({{"share", 0.0}, {"request", std::int64_t{1}}}) == "");
}

TEST_CASE("a word that is not allowed shows the allowed ones and the nearest") {
    CHECK(mistake({{"start", std::string("mininum")}}) ==
          "2 error: 'start' takes 'minimum', 'random' or 'neutral', not 'mininum' – did you mean 'minimum'?\n"
          "  start: where to begin (default minimum)");
}

TEST_CASE("an unknown option shows the nearest and the known ones") {
    CHECK(mistake({{"requets", std::int64_t{4}}}) ==
          "2 error: the search plugin 'good' has no option 'requets' – did you mean 'request'?\n"
          "  its options: request, seeds, share, cooling, restart, start and note");
    const plugin& plain = find_plugin("backend", built("backend_throwing.so").string(), "/");
    CHECK(failure([&] {
              check_options(plain, {{"device", std::int64_t{0}}});
          }) == "2 error: the backend plugin 'throwing' has no option 'device'\n  it has no options");
}

TEST_CASE("every wrong option is reported at its place") {
    const auto toml = std::make_shared<source>(source{"app.toml", "request = 0\nshare = 7\n"});
    const auto place = [&](const std::string& option, std::string message) {
        const std::size_t at = toml->text.find(option);
        return diagnostic{std::move(message), toml, {at, at + option.size()}, ""};
    };
    CHECK(failure([&] {
              check_options(good(), {{"request", std::int64_t{0}}, {"share", std::int64_t{7}}}, place);
          }) == "2 app.toml:1:1: error: 'request' takes an integer from 1 to 4096, not 0\n"
                "  request = 0\n"
                "  ^~~~~~~\n"
                "  request: configurations per request (default 16)\n"
                "app.toml:2:1: error: 'share' takes a number from 0.0 to 1.0, not 7\n"
                "  share = 7\n"
                "  ^~~~~\n"
                "  share: share of the budget (default 0.5)");
}

TEST_CASE("a plugin is described by its schema") {
    CHECK(describe(good()) == fmt::format(R"(good 2.1 – a plugin without fault
  search plugin in {}
  option   default  takes                             meaning
  request  16       an integer from 1 to 4096         configurations per request
  seeds    3        an integer of at least 0          points to begin with
  share    0.5      a number from 0.0 to 1.0          share of the budget
  cooling  2.5      a number                          rate of cooling
  restart  true     true or false                     begin again
  start    minimum  'minimum', 'random' or 'neutral'  where to begin
  note              a text                            free text
)",
                                          built("search_good.so").string()));
    const plugin& plain = find_plugin("backend", built("backend_throwing.so").string(), "/");
    CHECK(describe(plain) ==
          fmt::format("throwing 1.0 – every call fails but open\n  backend plugin in {}\n  no options\n",
                      built("backend_throwing.so").string()));
}

TEST_CASE("the description for scripts holds the schema with its types") {
    const nlohmann::json j = describe_json(good());
    CHECK(j["kind"] == "search");
    CHECK(j["name"] == "good");
    CHECK(j["file"] == built("search_good.so").string());
    CHECK(j["options"].size() == 7);
    CHECK(j["options"][0] == nlohmann::json::parse(R"({"name": "request", "type": "integer", "default": 16, "low": 1,
                                  "high": 4096, "meaning": "configurations per request"})"));
    CHECK(j["options"][5]["words"] == nlohmann::json::parse(R"(["minimum", "random", "neutral"])"));
    CHECK(j["options"][4]["default"] == true);
}
