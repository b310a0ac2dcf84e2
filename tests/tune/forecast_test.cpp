#include "core/base/error.hpp"
#include "core/host/find_plugin.hpp"
#include "core/host/make_plugin.hpp"
#include "core/tune/forecast.hpp"
#include "tests/catch.hpp"

using namespace gst;

namespace {

parameter of(const std::string& name, std::vector<value> domain) {
    return {name, domain, domain.front(), role::other, -1, {}, "", {}};
}

features of_size(double size) {
    return {{"size", "points", "", "", size}, {"density", "1", "", "", 1}};
}

const features nine = of_size(9);

space small() {
    return space({of("load", {std::string("global"), std::string("local"), std::string("image")}),
                  of("TBx", {std::int64_t{1}, std::int64_t{2}, std::int64_t{4}, std::int64_t{64}}),
                  of("streams", {false, true})},
                 {{expression::parse("load != 'image' or TBx > 64"), "images are too slow"}});
}

model trained(training_table t, const std::string& predicts, const std::string& with = "nearest",
              const std::map<std::string, value>& options = {}) {
    const plugin& p = find_plugin("predictor", with, "/");
    model m;
    m.about.predictor = p.name;
    m.about.version = p.version;
    m.about.options = options;
    m.about.predicts = predicts;
    m.about.features = t.features;
    m.about.classes = t.classes;
    m.learned = make_predictor(p, check_options(p, options));
    m.learned->learn(t);
    return m;
}

/// Small stencils are of the first class, large ones of the others.
training_table sizes(std::vector<std::string> classes) {
    training_table t;
    t.features = {{"size", "points"}};
    t.classes = std::move(classes);
    for (int i = 0; i < 3 * static_cast<int>(t.classes.size()); ++i) {
        t.add("", std::vector<double>{4.0 * i}, i / 3);
    }
    return t;
}

std::string refusal(const model& m, const std::string& parameter) {
    try {
        make_forecast(m, parameter, nine, small(), 0);
    } catch (const user_error& e) {
        return e.what();
    }
    return "";
}

} // namespace

TEST_CASE("what a model chooses is what is searched") {
    const model m = trained(sizes({"local", "global"}), "load", "nearest", {{"neighbours", std::int64_t{3}}});
    const forecast f = make_forecast(m, "load", nine, small(), 0.5);
    CHECK(f.parameter == "load");
    REQUIRE(f.chosen);
    CHECK(to_string(*f.chosen) == "local");
    CHECK(f.undecided.empty());
    REQUIRE(f.chances.size() == 2);
    CHECK(f.chances[0].what == "local");
    CHECK(f.chances[0].probability == Approx(2.0 / 3));
    CHECK(f.searched.count() == 8);
    CHECK(f.searched.contains({1, 0, 0}));
    CHECK_FALSE(f.searched.contains({0, 0, 0}));
}

TEST_CASE("where a model cannot say, the whole space is searched, and why is said") {
    const auto whole = [](const forecast& f) {
        CHECK_FALSE(f.chosen);
        CHECK(f.searched.count() == small().count());
        return f.undecided;
    };
    const model m = trained(sizes({"local", "global"}), "load", "nearest", {{"neighbours", std::int64_t{3}}});
    CHECK(whole(make_forecast(m, "load", nine, small(), 0.9)) == "local has a probability of 0.67, less than 0.9");
    CHECK(whole(make_forecast(m, "load", of_size(343), small(), 0)) ==
          "size is 343, and the model has learned from 0 to 20");
    const model image = trained(sizes({"image", "global"}), "load");
    CHECK(whole(make_forecast(image, "load", of_size(1), small(), 0)) == "no configuration has load = image here");
    const model other = trained(sizes({"register", "global"}), "load");
    CHECK(whole(make_forecast(other, "load", of_size(1), small(), 0)) == "load is not register here");
}

TEST_CASE("what else the table says of stencils decides whether a model is asked, or is told") {
    model m = trained(sizes({"local", "global"}), "load");
    m.about.beside = {{"value_bytes", "bytes", 4, 4},
                      {"adds_per_read", "1", 0, 0.5},
                      {"grid_x", "points", 256, 256},
                      {"grid_z", "points", 256, 256}};
    const auto asked = [&m](double bytes, double adds, double x, double z) {
        features known = of_size(9);
        known.push_back({"value_bytes", "bytes", "", "", bytes});
        known.push_back({"adds_per_read", "1", "", "", adds});
        known.push_back({"grid_x", "points", "", "", x});
        known.push_back({"grid_z", "points", "", "", z});
        return make_forecast(m, "load", known, small(), 0);
    };
    CHECK(asked(4, 0.25, 256, 256).chosen);
    CHECK(asked(4, 0.25, 256, 256).beyond.empty());
    const forecast other_grid = asked(4, 0.75, 128, 256);
    CHECK(other_grid.chosen);
    CHECK(other_grid.beyond == "it has learned from adds_per_read 0 to 0.5 (here 0.75), grid_x 256 (here 128)");
    const forecast doubles = asked(8, 0.25, 256, 256);
    CHECK_FALSE(doubles.chosen);
    CHECK(doubles.undecided == "value_bytes is 8, and the model has learned from 4");
    CHECK(asked(4, 0.25, 256, 1).undecided == "grid_z is 1, and the model has learned from 256");
    m.about.beside = {{"grid_z", "points", 1, 1}};
    CHECK(asked(4, 0.25, 256, 256).undecided == "grid_z is 256, and the model has learned from 1");
}

TEST_CASE("a model of numbers chooses the nearest value, by ratio where all are positive") {
    training_table t = sizes({});
    for (int i = 0; i < 5; ++i) {
        t.add("", std::vector<double>{10.0 * i}, 12);
    }
    const forecast f = make_forecast(trained(t, "TBx"), "TBx", nine, small(), 0.5);
    CHECK(f.number == 12);
    REQUIRE(f.chosen);
    CHECK(to_string(*f.chosen) == "4"); // a third of 12; 64 is five times as much
    t.targets.assign(t.targets.size(), -3);
    CHECK(to_string(*make_forecast(trained(t, "x"), "TBx", nine, small(), 0).chosen) == "1");
}

TEST_CASE("truths are classes, too") {
    const forecast f = make_forecast(trained(sizes({"true", "false"}), "useShared"), "streams", nine, small(), 0);
    CHECK(to_string(*f.chosen) == "true");
    CHECK(f.searched.count() == small().count() / 2);
}

TEST_CASE("a model that does not fit is refused with the remedy") {
    CHECK(refusal(trained(sizes({"yes", "no"}), "load"), "load") ==
          "error: the model's classes (yes and no) are no values of load\n  gst space --explain shows what each "
          "parameter may be");
    training_table t = sizes({"global", "local"});
    t.features[0].name = "girth";
    CHECK(refusal(trained(t, "load"), "load") ==
          "error: the model needs the feature 'girth', which is not known here\n  gst features lists what is known of "
          "a stencil on a device; a recording has none of these");
    t.features[0] = {"size", "bytes"};
    CHECK(refusal(trained(t, "load"), "load") ==
          "error: the model's feature 'size' is in 'bytes', and that of this gst in 'points'\n  train the model again");
    CHECK(refusal(trained(sizes({"global", "local"}), "load"), "lode").starts_with("error: "));
    training_table values = sizes({});
    values.add("", std::vector<double>{1}, 1);
    CHECK(refusal(trained(values, "load"), "load") ==
          "error: the model predicts a number, and load has none\n  train a model of classes");
    CHECK(refusal(trained(values, "time"), "load") ==
          "error: the model ranks configurations and decides no parameter\n  leave out what it decides");
}

TEST_CASE("a model of time ranks configurations by their parameters") {
    training_table t;
    t.features = {{"size", "points"}, {"TBx", "1"}, {"load=local", "1"}};
    for (const double size : {1, 30}) {
        for (const double block : {1, 2, 4, 64}) {
            for (const double local : {0, 1}) {
                t.add("", std::vector<double>{size, block, local}, size + 100 / block - 0.5 * local);
            }
        }
    }
    const auto m = std::make_shared<const model>(trained(t, "time"));
    const ranking r = make_ranking(m, of_size(1), small());
    REQUIRE(r.time);
    CHECK(r.time({0, 0, 0}) == 101);
    CHECK(r.time({1, 0, 1}) == 100.5);
    CHECK(r.time({1, 3, 0}) == Approx(1 + 100.0 / 64 - 0.5));
    CHECK(r.beyond == "it has learned from load other than global; it knows nothing of streams");
    const ranking far = make_ranking(m, of_size(31), small());
    CHECK_FALSE(far.time);
    CHECK(far.undecided == "size is 31, and the model has learned from 1 to 30");
    CHECK_THROWS_AS(make_ranking(m, {}, small()), user_error);
    const space larger({of("load", {std::string("local")}), of("TBx", {std::int64_t{1}, std::int64_t{512}})}, {});
    CHECK(make_ranking(m, of_size(1), larger).beyond == "it has learned from TBx 1 to 64 (here also 512)");
    CHECK(is_sure(0.1 + 0.2 + 0.3 + 0.4 - 1e-15, 1));
    CHECK_FALSE(is_sure(0.99, 1));
    const space without({of("TBx", {std::int64_t{1}, std::int64_t{512}})}, {});
    CHECK_THROWS_WITH(make_ranking(m, of_size(1), without),
                      "error: the model asks whether load is local, and the space has no load\n  a model of the time "
                      "ranks the configurations of spaces like the one that it has learned from");
    const auto decides = std::make_shared<const model>(trained(sizes({"global", "local"}), "load"));
    CHECK_THROWS_WITH(make_ranking(decides, nine, small()),
                      "error: the model decides load and ranks no configurations\n  train a model of the time");
}
