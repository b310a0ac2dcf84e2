#include "core/base/error.hpp"
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

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
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

TEST_CASE("a model whose predictor is not there, or is another one, is refused") {
    CHECK(first_line(changed([](model_description& m) { m.predictor = "nearer"; })) ==
          "a.model:2:11: error: there is no predictor plugin 'nearer' – did you mean 'nearest'?");
    CHECK(changed([](model_description& m) { m.predictor = "./nearest.so"; }) ==
          "a.model:2:11: error: './nearest.so' is not the name of a predictor\n  predictor \"./nearest.so\" \"1.0\"\n  "
          "          ^~~~~~~~~~~~~~~~~~~~\n  name the plugin where the model is named");
    CHECK(first_line(changed([](model_description& m) {
              m.version = "0.9";
          })).starts_with("a.model:2:11: error: the model was trained by nearest 0.9, and this is nearest 1.0 ("));
    CHECK(
        first_line(refusal(some_model(), some_rows, "random_forest"))
            .starts_with("a.model:2:11: error: the model was trained by nearest 1.0, and this is random_forest 1.0 ("));
}

TEST_CASE("a model with options that its predictor does not take is refused") {
    CHECK(first_line(changed([](model_description& m) { m.options["neighbors"] = std::int64_t{3}; })) ==
          "a.model:2:11: error: the predictor plugin 'nearest' has no option 'neighbors' – did you mean 'neighbours'?");
    CHECK(first_line(changed([](model_description& m) { m.options["neighbours"] = std::int64_t{0}; })) ==
          "a.model:2:11: error: 'neighbours' takes an integer from 1 to 1000000, not 0");
}

TEST_CASE("a model that its predictor does not understand is refused with the place") {
    const std::string rows = some_rows;
    CHECK(first_line(refusal(some_model(), rows.substr(0, rows.size() - 3) + "\n")) ==
          "a.model:22:1: error: a feature should be here, a number");
    CHECK(first_line(refusal(some_model(), rows + "2 3 4\n")) ==
          "a.model:22:1: error: the model goes on after all that its predictor knows");
    CHECK(first_line(refusal(some_model(), "range 2 1\n" + rows)) ==
          "a.model:16:9: error: the greatest value lies below the least");
    CHECK(first_line(changed([](model_description& m) { m.features.pop_back(); })) ==
          "a.model:16:1: error: 'scale' should be here");
}
