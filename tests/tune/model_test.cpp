#include "core/base/error.hpp"
#include "core/host/check_options.hpp"
#include "core/host/find_plugin.hpp"
#include "core/host/make_plugin.hpp"
#include "core/tune/model.hpp"
#include "tests/catch.hpp"
#include "tests/model_text.hpp"
#include "tests/temporary_folder.hpp"

using namespace gst;
using namespace gst::test;

namespace {

std::string refusal(const model_description& m, const std::string& learned = some_rows, const char* by = nullptr) {
    const temporary_folder folder;
    write_model(folder / "a.model", m, learned);
    try {
        read_model(folder / "a.model", "a.model", 3, by ? &find_plugin("predictor", by, "/") : nullptr);
    } catch (const user_error& e) {
        return e.what();
    }
    return "";
}

std::string changed(void (*change)(model_description&)) {
    model_description m = some_model();
    change(m);
    return refusal(m);
}

std::string one_line(const std::string& text) {
    CHECK(text.find('\n') == std::string::npos);
    return text;
}

} // namespace

TEST_CASE("a model is read with the predictor that wrote it, and predicts") {
    const temporary_folder folder;
    write_model(folder / "a.model", some_model(), some_rows);
    const model m = read_model(folder / "a.model", "a.model", 3);
    CHECK(m.about.classes[m.learned->predict(std::vector<double>{100, 0.9}).choice()] == "local");
    const prediction far = m.learned->predict(std::vector<double>{200, 0.9});
    CHECK((far.outside == std::vector<prediction::beyond>{{0, 1, 125}}));
    write_model(folder / "b.model", m);
    const model again = read_model(folder / "b.model", "b.model", 3);
    CHECK(again.learned->save() == some_rows);
    CHECK(refusal(some_model(), some_rows, "nearest").empty());
}

TEST_CASE("a model is made of what a predictor has learned, and only when it is read back as the same") {
    training_table t;
    t.features = {{"size", "points"}};
    t.classes = {"global", "local"};
    t.add("", std::vector<double>{1}, 0);
    t.add("", std::vector<double>{9}, 1);
    const plugin& nearest = find_plugin("predictor", "nearest", "/");
    const plugin_options options = check_options(nearest, {});
    const auto learned = [&] {
        std::unique_ptr<predictor> p = make_predictor(nearest, options);
        p->learn(t);
        return p;
    };
    model_description about;
    about.predicts = "load";
    const model m = make_model(nearest, options, t, learned(), about);
    CHECK(m.about.predictor == "nearest");
    CHECK(m.about.options.at("neighbours") == value(std::int64_t{1}));
    CHECK(m.about.rows == 2);
    CHECK(m.about.features == t.features);
    CHECK(m.about.classes == t.classes);
    CHECK(m.about.predicts == "load");

    /// Saves what `text` makes of it.
    struct forgetful : predictor {
        std::unique_ptr<predictor> inner;
        std::string (*text)(std::string);
        forgetful(std::unique_ptr<predictor> p, std::string (*how)(std::string)) : inner(std::move(p)), text(how) {}
        gst::learned learn(const training_table& table) override { return inner->learn(table); }
        prediction predict(std::span<const double> row) const override { return inner->predict(row); }
        std::string save() const override { return text(inner->save()); }
        void load(model_reader& in, const model_shape& shape) override { inner->load(in, shape); }
    };
    const auto refusal_of = [&](std::string (*text)(std::string)) -> std::string {
        try {
            make_model(nearest, options, t, std::make_unique<forgetful>(learned(), text), about);
        } catch (const machine_error& e) {
            return e.what();
        }
        return "";
    };
    const std::string begin = "the predictor plugin 'nearest' saves a model that is no use: ";
    CHECK(refusal_of([](std::string s) { return s; }).empty());
    CHECK(refusal_of([](std::string s) { return s + "more"; }) == begin + "a part of it is not read");
    CHECK(refusal_of([](std::string s) { return s.substr(0, s.size() / 2); }).starts_with(begin));
    CHECK(refusal_of([](std::string s) {
              const std::size_t rows = s.find("rows 2");
              return s.substr(0, rows) + "rows 2\n1 1\n0 9\n"; // the classes are exchanged
          }) == begin + "it predicts otherwise after it is read again");
}

TEST_CASE("a model whose predictor is not there, or is another one, is refused") {
    CHECK(
        one_line(changed([](model_description& m) { m.predictor = "nearer"; }))
            .starts_with("a.model:2:11: error: there is no predictor plugin 'nearer' – did you mean 'nearest'?; known: "
                         "nearest, random_forest and regression_tree; "));
    CHECK(
        changed([](model_description& m) { m.predictor = "./nearest.so"; }) ==
        "a.model:2:11: error: './nearest.so' is not the name of a predictor; name the plugin where the model is named");
    CHECK(one_line(changed([](model_description& m) {
              m.version = "0.9";
          })).starts_with("a.model:2:11: error: the model was trained by nearest 0.9, and this is nearest 1.0 ("));
    CHECK(
        one_line(refusal(some_model(), some_rows, "random_forest"))
            .starts_with("a.model:2:11: error: the model was trained by nearest 1.0, and this is random_forest 1.0 ("));
}

TEST_CASE("a model with options that its predictor does not take is refused") {
    CHECK(one_line(changed([](model_description& m) { m.options["neighbors"] = std::int64_t{3}; })) ==
          "a.model:2:11: error: the predictor plugin 'nearest' has no option 'neighbors' – did you mean 'neighbours'?; "
          "its options: neighbours");
    CHECK(one_line(changed([](model_description& m) { m.options["neighbours"] = std::int64_t{0}; })) ==
          "a.model:2:11: error: 'neighbours' takes an integer from 1 to 1000000, not 0; neighbours: rows whose classes "
          "or values count, alike (default 1)");
}

TEST_CASE("a model that its predictor does not understand is refused with the place") {
    const std::string rows = some_rows;
    CHECK(one_line(refusal(some_model(), rows.substr(0, rows.size() - 3) + "\n")) ==
          "a.model:23:1: error: a feature should be here, a number; train the model again");
    CHECK(one_line(refusal(some_model(), rows + "2 3 4\n")) ==
          "a.model:23:1: error: the model goes on after all that its predictor knows; train the model again");
    CHECK(one_line(refusal(some_model(), "range 2 1\n" + rows)) ==
          "a.model:17:9: error: the greatest value lies below the least; train the model again");
    CHECK(one_line(changed([](model_description& m) { m.features.pop_back(); })) ==
          "a.model:17:1: error: 'scale' should be here; train the model again");
}
