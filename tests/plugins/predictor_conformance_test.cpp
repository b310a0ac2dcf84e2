// What holds for every predictor: those of this build, and the plugins that GST_TEST_PREDICTORS names (files separated
// by ':'), on synthetic tables.

#include "core/base/error.hpp"
#include "tests/catch.hpp"
#include "tests/first_seed.hpp"
#include "tests/plugins/tables.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>
#include <sstream>
#include <thread>

using namespace gst;
using namespace gst::test;

namespace {

std::vector<std::string> predictors() {
    std::vector<std::string> all;
    for (const plugin_listing& l : list_plugins()) {
        if (l.kind == "predictor") {
            all.push_back(l.name);
        }
    }
    const char* more = std::getenv("GST_TEST_PREDICTORS");
    std::istringstream files(more ? more : "");
    for (std::string file; std::getline(files, file, ':');) {
        all.push_back(file);
    }
    return all;
}

/// Classes or values with some noise; features of very different size, and one that never changes.
training_table noisy(std::size_t classes, std::size_t rows, random_source& rng) {
    training_table t = empty_table(4, classes);
    for (std::size_t i = 0; i < rows; ++i) {
        const double a = 1e9 * rng.uniform();
        const double b = 1e-9 * rng.uniform();
        const auto c = static_cast<double>(rng.below(3));
        const double value = a / 1e9 + 1e9 * b * c + 0.1 * rng.normal();
        const auto k = static_cast<double>(classes);
        // Every class is there.
        const double target = i < classes ? static_cast<double>(i) : std::clamp(std::floor(value * k / 3), 0.0, k - 1);
        t.add("", std::vector<double>{a, b, c, 0.1}, classes > 0 ? target : value);
    }
    return t;
}

/// The tables that must be learned from, however odd.
std::vector<training_table> tables(random_source& rng) {
    std::vector<training_table> all{noisy(2, 60, rng), noisy(5, 60, rng), noisy(0, 60, rng)};
    training_table two = empty_table(1, 3); // rows, of three classes
    two.add("", std::vector<double>{1}, 0);
    two.add("", std::vector<double>{2}, 2);
    all.push_back(two);
    training_table contradictory = empty_table(2, 2);
    training_table constant = empty_table(2, 0);
    training_table adjacent = empty_table(1, 2); // no number lies between the features of the classes
    for (int i = 0; i < 20; ++i) {
        contradictory.add("", std::vector<double>{1, 1}, i % 2);
        constant.add("", std::vector<double>{rng.uniform(), 3}, 0.7);
        adjacent.add("", std::vector<double>{i % 2 == 0 ? 1.0 : std::nextafter(1.0, 2.0)}, i % 2);
    }
    all.insert(all.end(), {contradictory, constant, adjacent});
    training_table single = empty_table(1, 0);
    single.add("", std::vector<double>{-1}, 4);
    all.push_back(single);
    training_table wide = empty_table(20, 0); // more features than rows
    for (int i = 0; i < 7; ++i) {
        std::vector<double> row(20);
        std::generate(row.begin(), row.end(), [&] { return 1e6 * rng.normal(); });
        wide.add("", row, rng.normal());
    }
    all.push_back(wide);
    return all;
}

/// The same answer, to the last bit.
bool equal(const prediction& a, const prediction& b) {
    return a.probabilities == b.probabilities &&
           std::bit_cast<std::uint64_t>(a.value) == std::bit_cast<std::uint64_t>(b.value) && a.outside == b.outside;
}

void load(predictor& p, const std::string& text, const training_table& t) {
    model_reader in(std::make_shared<const source>(source{"m.model", text}));
    p.load(in, {t.features.size(), t.classes.size()});
    if (!in.at_end()) {
        in.word("");
        in.fail("more than the model");
    }
}

std::vector<std::string> words(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> out;
    for (std::string word; in >> word;) {
        out.push_back(word);
    }
    return out;
}

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) {
        out += word + ' ';
    }
    return out;
}

} // namespace

TEST_CASE("a predictor answers on every table that can be learned from, near and far", "[predictors]") {
    random_source rng(testing::first_seed() + 1);
    for (const std::string& name : predictors()) {
        for (const training_table& t : tables(rng)) {
            INFO(name << ", " << t.size() << " rows, " << t.classes.size() << " classes");
            const auto p = make(name);
            const learned l = p->learn(t);
            CHECK((l.importances.empty() || l.importances.size() == t.features.size()));
            CHECK(std::accumulate(l.importances.begin(), l.importances.end(), 0.0) ==
                  Approx(l.importances.empty() ? 0 : 1));
            CHECK((!l.out_of_bag_error || *l.out_of_bag_error >= 0));
            for (int i = 0; i < 20; ++i) {
                std::vector<double> row(t.features.size());
                std::generate(row.begin(), row.end(), [&] { return std::exp(20 * rng.normal()) * rng.normal(); });
                const prediction far = p->predict(row); // the host checks it
                CHECK((t.classes.empty() || far.choice() < t.classes.size()));
            }
        }
    }
}

TEST_CASE("a predictor learns what two clusters are, and what a step is", "[predictors]") {
    random_source rng(testing::first_seed() + 2);
    const auto side = [](const std::vector<double>& row) { return row[1] > 0.5 ? 1.0 : 0.0; };
    for (const std::string& name : predictors()) {
        INFO(name);
        const auto classes = make(name);
        classes->learn(sampled(2, 2, 300, rng, side));
        CHECK(accuracy(*classes, sampled(2, 2, 300, rng, side)) > 0.85);
        const auto values = make(name);
        values->learn(sampled(2, 0, 300, rng, side));
        CHECK(error(*values, sampled(2, 0, 300, rng, side)) < 0.4); // 0.5 for the mean
    }
}

TEST_CASE("the same table gives the same model, whatever was learned before", "[predictors]") {
    random_source rng(testing::first_seed() + 3);
    for (const std::string& name : predictors()) {
        INFO(name);
        const training_table t = noisy(3, 80, rng);
        const auto once = make(name);
        once->learn(t);
        const auto again = make(name);
        again->learn(noisy(0, 50, rng));
        again->learn(t);
        CHECK(once->save() == again->save());
    }
}

TEST_CASE("a model that was saved predicts the same to the last bit", "[predictors]") {
    random_source rng(testing::first_seed() + 4);
    for (const std::string& name : predictors()) {
        for (const training_table& t : tables(rng)) {
            INFO(name << ", " << t.size() << " rows, " << t.classes.size() << " classes");
            const auto p = make(name);
            p->learn(t);
            const auto loaded = make(name);
            load(*loaded, p->save(), t);
            CHECK(loaded->save() == p->save());
            bool same = true;
            for (int i = 0; i < 50; ++i) {
                std::vector<double> row(t.features.size());
                std::generate(row.begin(), row.end(), [&] { return std::exp(10 * rng.normal()); });
                same = same && equal(p->predict(row), loaded->predict(row)) &&
                       equal(p->predict(t.row(i % t.size())), loaded->predict(t.row(i % t.size())));
            }
            CHECK(same);
        }
    }
}

TEST_CASE("a model that was cut off is refused wherever it was", "[predictors]") {
    random_source rng(testing::first_seed() + 5);
    for (const std::string& name : predictors()) {
        for (const std::size_t classes : {0, 3}) {
            INFO(name << ", " << classes << " classes");
            const training_table t = noisy(classes, 30, rng);
            const auto p = make(name);
            p->learn(t);
            const std::vector<std::string> all = words(p->save());
            for (int i = 0; i < 100; ++i) {
                const auto cut = static_cast<std::ptrdiff_t>(rng.below(all.size()));
                CHECK_THROWS_AS(load(*make(name), joined({all.begin(), all.begin() + cut}), t), user_error);
            }
        }
    }
}

TEST_CASE("a word that is none of a model's is refused; another number is refused or predicts", "[predictors]") {
    random_source rng(testing::first_seed() + 6);
    for (const std::string& name : predictors()) {
        for (const std::size_t classes : {0, 3}) {
            const training_table t = noisy(classes, 30, rng);
            const auto p = make(name);
            p->learn(t);
            const std::vector<std::string> all = words(p->save());
            for (int i = 0; i < 100; ++i) {
                std::vector<std::string> changed = all;
                std::string& word = changed[rng.below(all.size())];
                INFO(name << ", " << classes << " classes, " << word);
                word = "?";
                CHECK_THROWS_AS(load(*make(name), joined(changed), t), user_error);
                word = i % 2 == 0 ? "-1" : std::to_string(rng.below(10));
                const auto loaded = make(name);
                try {
                    load(*loaded, joined(changed), t);
                } catch (const user_error&) {
                    continue;
                }
                CHECK(loaded->predict(t.row(0)).probabilities.size() == classes);
            }
        }
    }
}

TEST_CASE("the host says in which features a row lies outside of what was learned", "[predictors]") {
    random_source rng(testing::first_seed() + 7);
    for (const std::string& name : predictors()) {
        INFO(name);
        const training_table t = noisy(2, 50, rng);
        const auto p = make(name);
        p->learn(t);
        const std::vector<double> inside(t.row(7).begin(), t.row(7).end());
        std::vector<double> far = inside;
        far[0] = 2e9;
        far[3] = 0.2;
        const auto loaded = make(name);
        load(*loaded, p->save(), t);
        for (const predictor* one : {p.get(), loaded.get()}) {
            CHECK(one->predict(inside).outside.empty());
            const auto outside = one->predict(far).outside;
            REQUIRE(outside.size() == 2);
            CHECK(outside[0].feature == 0);
            CHECK(outside[0].high < 1e9);
            CHECK((outside[1] == prediction::beyond{3, 0.1, 0.1}));
        }
    }
}

TEST_CASE("threads predict at the same time", "[predictors]") {
    random_source rng(testing::first_seed() + 8);
    for (const std::string& name : predictors()) {
        INFO(name);
        const training_table t = noisy(0, 50, rng);
        const auto p = make(name);
        p->learn(t);
        std::vector<double> first(t.size());
        std::vector<double> second(t.size());
        const auto predict = [&](std::vector<double>& to) {
            for (std::size_t i = 0; i < t.size(); ++i) {
                to[i] = p->predict(t.row(i)).value;
            }
        };
        {
            const std::jthread other([&] { predict(second); });
            predict(first);
        }
        CHECK(first == second);
    }
}

TEST_CASE("a table that nothing can be learned from is refused before a predictor sees it", "[predictors]") {
    for (const std::string& name : predictors()) {
        INFO(name);
        training_table t = empty_table(1, 2);
        t.add("", std::vector<double>{1}, 1);
        t.add("", std::vector<double>{2}, 1);
        CHECK_THROWS_AS(make(name)->learn(t), user_error);
        t.targets[0] = 0;
        t.cells[0] = std::numeric_limits<double>::quiet_NaN();
        CHECK_THROWS_AS(make(name)->learn(t), user_error);
    }
}
