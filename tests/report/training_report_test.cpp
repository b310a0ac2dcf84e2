#include "core/report/training_report.hpp"
#include "tests/catch.hpp"
#include "tests/tuned_suite.hpp"

#include <sstream>

using namespace gst;

namespace {

/// The small suite, with "global" predicted for a and d, "local" for b and c.
training_report small_report() {
    training_report r;
    r.suite = small_tuned_suite();
    r.tuned = {0, 1, 2, 3};
    heuristic_training h;
    h.heuristic = "hybrid";
    h.table.features = {{"size", "points"}};
    h.table.classes = r.suite.values;
    const auto row = [&](const char* name, double size, double best, double global, double local) {
        h.table.add(name, std::vector<double>{size}, best, std::vector<double>{global, local});
    };
    row("a", 5, 0, 1.0 / 2, 1.0 / 4);
    row("b", 7, 0, 1.0 / 1, 1.0 / 2);
    row("c", 25, 1, 1.0 / 8, 1.0 / 2);
    row("d", 27, 0, 1.0 / 4, 0);
    h.predicted = {0, 1, 1, 0};
    h.methods = {{"nearest", accuracy_of(h.table, h.predicted), std::nullopt}};
    h.label_noise = 0.25;
    h.about.importances = {1};
    r.heuristics = {h};
    return r;
}

/// The first line that begins with this text; runs of blanks are one, those at the beginning none.
std::string line_of(const std::string& text, const std::string& begin) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string plain;
        for (std::string word; words >> word;) {
            plain += (plain.empty() ? "" : " ") + word;
        }
        if (plain.starts_with(begin)) {
            return plain;
        }
    }
    return "";
}

} // namespace

TEST_CASE("accuracies count choices and weigh what wrong ones cost") {
    const heuristic_training h = small_report().heuristics[0];
    CHECK(h.methods[0].one_out.absolute == 0.75);
    CHECK(h.methods[0].one_out.penalty_weighted == (1 + 0.5 + 1 + 1) / 4);
    const accuracy never = accuracy_of(h.table, std::vector<std::size_t>{1, 1, 0, 1}); // on d it finds nothing
    CHECK(never.absolute == 0);
    CHECK(never.penalty_weighted == (0.5 + 0.5 + 0.25 + 0) / 4);
}

TEST_CASE("the report has the paper's tables") {
    const std::string text = to_text(small_report());
    INFO(text);
    CHECK(text.starts_with("4 stencils on 64x64x64 points, tuned on Some GPU (cuda; 1.0)\n"));
    // Random search's 4 ms over 2, 2, 2 and 4 ms are 2, 2, 2 and 1; 10⁶ operations in 1 ms are 1 GFLOP/s.
    CHECK(line_of(text, "random 1") == "random 1.000 1 4 8.0 2.50 0.50 0.2 0.2 … 0.2");
    CHECK(line_of(text, "hybrid, predicted") == "hybrid, predicted 1.682 3 4 8.0 2.50 0.50 0.4 0.2 … 0.5");
    CHECK(line_of(text, "hybrid, oracle") == "hybrid, oracle 2.000 4 4 16.0 5.00 1.00 0.6 0.2 … 1.0");
    CHECK(line_of(text, "global 1") == "global 1.414 3 4 8.0 2.50 0.50 0.5 0.1 … 1.0");
    CHECK(line_of(text, "local 1") == "local 1.587 1 3 8.0 2.50 0.50 0.4 0.2 … 0.5");
    CHECK(text.find("  hybrid, predicted: 68.2 % faster kernels in 0.0 % less time than random\n") !=
          std::string::npos);
    CHECK(line_of(text, "hybrid nearest") == "hybrid nearest 0.750 0.875 – –");
    CHECK(line_of(text, "hybrid measured once more") == "hybrid measured once more 0.750");
    CHECK(text.find("  importance: size 1.00\n") != std::string::npos);
    CHECK(line_of(text, "c ") == "c 2 0.5 2.000 TBx=32");
    CHECK(to_text(small_report()) == text);
}

TEST_CASE("the report says what is left out, and why") {
    training_report r = small_report();
    r.suite.stencils.push_back({"e", "star", "0123", 1, {1, 1}, "the device has no f64"});
    r.suite.stencils.push_back({"f", "star", "0123", 1, {1, 1}, ""});
    r.suite.notes = {"a, hybrid, local: something"};
    const std::string text = to_text(r);
    CHECK(text.find("\n  e: left out, the device has no f64\n  f: left out, not all strategies have run\n"
                    "  a, hybrid, local: something\n") != std::string::npos);
    r.tuned.clear();
    CHECK(to_text(r).ends_with("no stencil is tuned as yet\n"));
}

TEST_CASE("where one value is best for all, the report says that nothing is learned") {
    training_report r = small_report();
    r.heuristics[0].one_class = true;
    r.heuristics[0].table.targets = {0, 0, 0, 0};
    CHECK(to_text(r).find("\nhybrid: load = global is best for every stencil; there is nothing to learn\n") !=
          std::string::npos);
}

TEST_CASE("where nothing was found, the report compares nothing") {
    training_report r = small_report();
    for (tuned_suite::run& run : r.suite.runs) {
        run.time = run.strategy == "hybrid" ? 0 : run.time;
    }
    r.heuristics[0].table = {};
    r.heuristics[0].table.classes = r.suite.values;
    r.heuristics[0].predicted.clear();
    r.heuristics[0].methods.clear();
    const std::string text = to_text(r);
    INFO(text);
    CHECK(line_of(text, "hybrid, oracle") == "hybrid, oracle – 0 0 16.0 5.00 1.00 – – … –");
    CHECK(text.find("\n  hybrid, predicted: 0.0 % less time than random; there is no stencil on which both found "
                    "something\n") != std::string::npos);
    CHECK(text.find("faster kernels") == std::string::npos);
    CHECK(text.find("\nhybrid: no value of load led to anything on any stencil; there is nothing to learn\n") !=
          std::string::npos);
    CHECK(line_of(text, "c ") == "c – – – nothing was found");
}

TEST_CASE("of a model of the time the report has what it learned from") {
    training_report r = small_report();
    r.time = time_training{"random_forest", 40, 4, 0.5, 0.9, 0.8, {"size", "TBx"}, {0.25, {0.75, 0.25}}};
    CHECK(to_text(r).ends_with(
        "5 random ones 80.0 %\n  importance: size 0.75, TBx 0.25\n  out-of-bag error: 0.250 binary orders of time\n"));
}
