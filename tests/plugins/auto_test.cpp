#include "plugins/search/gaussian_process.hpp"
#include "plugins/search/surrogate.hpp"
#include "tests/catch.hpp"
#include "tests/plugins/tuned.hpp"

#include <bit>
#include <cmath>
#include <numeric>
#include <tuple>

using namespace gst;
using namespace gst::test;

namespace {

/// A valley in a space of 10^4, its bottom at (7, 2, 5, 1): 1 ms.
double valley(const configuration& c) {
    const double bottom[] = {7, 2, 5, 1};
    double t = 1;
    for (std::size_t k = 0; k < 4; ++k) {
        t += (c[k] - bottom[k]) * (c[k] - bottom[k]) * (static_cast<double>(k) + 1) / 4;
    }
    return t;
}

} // namespace

TEST_CASE("a Gaussian process of one point, by hand") {
    gaussian_process g(1);
    g.learn({{0}}, {2});
    // At the point: k = 1, so that the mean is 2 / (1 + noise) and the variance 1 - 1 / (1 + noise).
    CHECK(g.predict({0}).mean == Approx(2 / 1.01));
    CHECK(g.predict({0}).deviation == Approx(std::sqrt(1 - 1 / 1.01)));
    // One length away: (1 + √5 + 5/3) exp(-√5).
    const double k = (1 + std::sqrt(5.0) + 5.0 / 3) * std::exp(-std::sqrt(5.0));
    CHECK(g.predict({1}).mean == Approx(k * 2 / 1.01));
    CHECK(g.predict({100}).mean == Approx(0).margin(1e-9));
    CHECK(g.predict({100}).deviation == Approx(1));
}

TEST_CASE("a Gaussian process passes by its points and fits the lengths to what matters") {
    std::vector<gaussian_process::point> points;
    std::vector<double> targets;
    for (int i = 0; i < 8; ++i) {
        for (int j = 0; j < 3; ++j) { // the second coordinate does not matter
            points.push_back({0.3 * i, 0.5 * j});
            targets.push_back(std::sin(0.9 * i));
        }
    }
    gaussian_process g(2);
    g.learn(points, targets);
    g.fit();
    for (std::size_t i = 0; i < points.size(); ++i) {
        CHECK(g.predict(points[i]).mean == Approx(targets[i]).margin(0.05));
    }
    CHECK(g.predict({0.3 * 3.5, 7}).mean == Approx(std::sin(0.9 * 3.5)).margin(0.25)); // far away in the second
}

TEST_CASE("a surrogate expects most where the times fall, failures and slow ones apart") {
    const space where = with({numbers("a", {1, 2, 4, 8, 16, 32, 64}), numbers("b", {0, 1})});
    std::vector<candidate> known;
    for (std::uint16_t i = 0; i < 5; ++i) {
        known.push_back({{i, 0}, 100.0 / (1 << i)});
    }
    known.push_back({{4, 1}, std::numeric_limits<double>::infinity()});
    for (const auto what : {surrogate::view::speed, surrogate::view::faster_half, surrogate::view::time}) {
        surrogate s(where, what, 100);
        s.learn(known);
        CHECK(s.improvement({5, 0}) > s.improvement({0, 1}));
        CHECK(s.improvement({5, 0}) > s.improvement({5, 1}));
        surrogate few(where, what, 4); // learns the two fastest and the two latest
        few.learn(known);
        CHECK(few.improvement({5, 0}) > few.improvement({5, 1}));
    }
}

TEST_CASE("a surrogate learns that numbers which are no powers of two are another thing") {
    // 3, 5, 6 and 7 are a hundred times slower than their neighbours: the slow ones tell nothing of 8.
    const space where = with({numbers("a", {1, 2, 3, 4, 5, 6, 7, 8}), numbers("b", {1, 2, 4})});
    std::vector<candidate> known;
    for (std::uint16_t i = 0; i < 7; ++i) {
        const std::int64_t a = std::get<std::int64_t>(where.parameters()[0].domain[i]);
        known.push_back(
            {{i, 0}, (std::has_single_bit(static_cast<std::uint64_t>(a)) ? 1.0 : 100.0) / static_cast<double>(a)});
    }
    surrogate s(where, surrogate::view::time, 100);
    s.learn(known);
    for (const std::uint16_t slow : std::initializer_list<std::uint16_t>{2, 4, 5, 6}) {
        CHECK(s.improvement({7, 0}) > s.improvement({slow, 1}));
    }
}

TEST_CASE("auto finds in 60 evaluations what 60 random ones do not") {
    const timing time = [](const configuration& c) { return std::optional(valley(c)); };
    for (const std::uint64_t seed : {1, 2, 3}) {
        const tuned own = run({"auto", {}, seed, 60}, decimal(4), time);
        const tuned random = run({"random", {}, seed, 60}, decimal(4), time);
        CHECK(own.best->what.time <= 1.25);
        CHECK(own.best->what.time < random.best->what.time);
        CHECK(own.batches[0] == 5);
    }
}

TEST_CASE("auto has one compiler work while it learns") {
    const timing time = [](const configuration& c) { return std::optional(valley(c)); };
    const tuned own = run({.strategy = "auto", .seed = 1, .budget = 60, .compilers = 1}, decimal(4), time);
    CHECK(own.batches.empty());
    REQUIRE(own.measured.size() == 60);
    REQUIRE(own.open.size() == 60);
    CHECK(own.open[0] == 6);
    CHECK(std::ranges::min(own.open) == 2); // the one that is measured, and one that is compiled
    CHECK(own.best->what.time <= 1.25);
    // The last ones of a space are measured, too.
    CHECK(run({.strategy = "auto", .compilers = 1}, decimal(1), sum_of).measured.size() == 10);
}

TEST_CASE("auto begins with what a performance model ranks highest, and finds what it does not expect") {
    // The cost is |a - 7| + |b - 2| + |c - 5| + |d - 1| + 1 ms.
    const auto distance = [](const configuration& c, std::initializer_list<int> bottom) {
        double t = 1;
        std::size_t k = 0;
        for (const int at : bottom) {
            t += std::abs(c[k++] - at);
        }
        return t;
    };
    const timing time = [&](const configuration& c) { return std::optional(distance(c, {7, 2, 5, 1})); };
    const auto right = [&](const configuration& c) { return 3 * distance(c, {7, 2, 5, 1}); };
    const auto wrong = [&](const configuration& c) { return distance(c, {1, 8, 1, 8}); };
    for (const std::uint64_t seed : {1, 2, 3}) {
        const auto first = [&](const tuned& t) { return *time(t.measured.front()); };
        const tuned blind = run({"auto", {}, seed, 80}, decimal(4), time);
        const tuned guided = run({.strategy = "auto", .seed = seed, .budget = 80, .estimate = right}, decimal(4), time);
        CHECK(guided.batches[0] == 5);
        CHECK(first(guided) < first(blind));
        CHECK(guided.best->what.time == 1);
        const tuned misled = run({.strategy = "auto", .seed = seed, .budget = 80, .estimate = wrong}, decimal(4), time);
        CHECK(first(misled) > first(guided));
        CHECK(misled.best->what.time <= 2);
    }
    // Every configuration of a small space is measured, also those that were drawn and not begun with.
    const timing other = [](const configuration& c) { return std::optional(1.0 + c[0] * c[1]); };
    const auto model = [](const configuration& c) { return 2.0 + c[0]; };
    const tuned all = run({.strategy = "auto", .seed = 1, .estimate = model}, decimal(2), other);
    CHECK(all.measured.size() == 100);
}

TEST_CASE("auto learns how far a performance model is to be trusted") {
    // Neighbours have nothing in common: only the model knows, and what it says fastest is slowest.
    const auto time_of = [](const configuration& c) {
        std::uint64_t mixed = 1469598103934665603U;
        for (const std::uint16_t position : c) {
            mixed = (mixed ^ position) * 1099511628211U;
            mixed ^= mixed >> 29U;
        }
        return 1.0 + static_cast<double>(mixed % 1000);
    };
    const timing time = [&](const configuration& c) { return std::optional(time_of(c)); };
    const auto inverted = [&](const configuration& c) { return 1e4 / time_of(c); };
    for (const std::uint64_t seed : {1, 2, 3}) {
        const tuned own = run({.strategy = "auto", .seed = seed, .budget = 60, .estimate = inverted}, decimal(4), time);
        CHECK(own.best->what.time <= 6); // 60 random ones: in 26 of 100 runs
    }
}

TEST_CASE("without a model auto looks around the untuned configuration") {
    // A slow plane but for (0, 0, 0, 0) and its neighbours (0, 0, n, 0), which are far from everything else.
    const timing time = [](const configuration& c) {
        const int others = (c[0] > 0) + (c[1] > 0) + (c[3] > 0);
        return std::optional(others > 0 ? 100.0 + c[0] + c[1] + c[3] : 99.0 - c[2]);
    };
    for (const std::uint64_t seed : {1, 2, 3}) {
        CHECK(run({"auto", {}, seed, 40}, decimal(4), time).best->what.time == 90);
    }
}

TEST_CASE("auto goes on picking from around the untuned configuration while that is fast") {
    // How many of 80 are measured of it and its neighbours, which take so long, in a valley from 1 to some 60 ms.
    const auto measured_there = [](double ms, double quantile, std::uint64_t seed) {
        const auto there = [](const configuration& c) {
            return (c[0] > 0) + (c[1] > 0) + (c[2] > 0) + (c[3] > 0) <= 1;
        };
        const timing time = [&](const configuration& c) { return std::optional(there(c) ? ms : valley(c)); };
        const tuned t = run({"auto", {{"quantile", quantile}}, seed, 80}, decimal(4), time);
        return std::count_if(t.measured.begin(), t.measured.end(), there);
    };
    std::ptrdiff_t fast[2]{}; // without and with such picks
    std::ptrdiff_t slow[2]{};
    for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
        for (const int with : {0, 1}) {
            fast[with] += measured_there(1.1, with * 0.25, seed);
            slow[with] += measured_there(500, with * 0.25, seed);
        }
    }
    CHECK(fast[1] >= fast[0] + 20);
    CHECK(slow[1] <= slow[0] + 5);
    CHECK(slow[1] < fast[1] / 2);
}

namespace {

/// Twelve valleys, their bottoms at 1 to 2.1 ms.
double valleys(const configuration& c) {
    double least = 1000;
    for (int valley = 0; valley < 12; ++valley) {
        double t = 1 + 0.1 * (valley * 5 % 12);
        for (std::size_t k = 0; k < c.size(); ++k) {
            const int bottom = (valley * 7 + static_cast<int>(k) * (valley + 3) * 3) % 10;
            t += 0.3 * std::abs(c[k] - bottom);
        }
        least = std::min(least, t);
    }
    return least;
}

std::ptrdiff_t courses_of(const tuned& t) {
    return 1 + std::ranges::count_if(t.trace, [](const std::string& s) { return s.starts_with("begins anew"); });
}

} // namespace

TEST_CASE("auto begins anew where nothing faster is found") {
    const timing time = [](const configuration& c) { return std::optional(valleys(c)); };
    const timing some = [](const configuration& c) { // a third of them fails
        return (c[0] + c[2] + c[5]) % 3 == 1 ? std::nullopt : std::optional(valleys(c));
    };
    const auto blunt = [](const configuration& c) { return valleys(c) * (1 + 0.3 * ((c[1] * 7 + c[3] * 3) % 5)); };
    const tuning plain{.strategy = "auto", .budget = 500};
    const tuning compiled{.strategy = "auto", .budget = 700, .compilers = 15};
    const tuning few_compilers{.strategy = "auto", .budget = 500, .compilers = 3};
    const tuning guided{.strategy = "auto", .budget = 500, .estimate = blunt, .compilers = 3};
    const std::tuple<tuning, timing, double> cases[] = {
        {plain, time, 0.9}, {plain, some, 1}, {few_compilers, time, 0.95}, {compiled, time, 0.92}, {guided, time, 1}};
    for (const auto& [how, measure, share] : cases) {
        double best[2]{}; // sums, in one course and in several
        for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
            for (const std::int64_t several : {0, 1}) {
                tuning one = how;
                one.seed = seed;
                one.options["patience"] = several == 1 ? std::int64_t{40} : std::int64_t{1000000};
                const tuned t = run(one, decimal(6), measure);
                CHECK((courses_of(t) > 1) == (several == 1));
                CHECK(t.measured.size() == how.budget);
                best[several] += t.best->what.time;
            }
        }
        CHECK(best[1] < share * best[0]);
    }
}

TEST_CASE("auto comes to the last configuration of a space, beginning anew on the way") {
    for (const std::uint64_t compilers : {0, 1, 3, 15}) {
        for (const auto& time : {timing(sum_of), timing(never)}) {
            const tuned t =
                run({.strategy = "auto", .options = {{"patience", std::int64_t{5}}}, .compilers = compilers},
                    decimal(2), time);
            CHECK(t.measured.size() == 100);
            CHECK(courses_of(t) > 1);
        }
    }
}

TEST_CASE("auto has the patience to see what it picked, however many compilers work") {
    // Random configurations are no reason to begin anew, nor are picks of processes that knew little more than these.
    const timing time = [](const configuration& c) { return std::optional(valleys(c)); };
    for (const std::uint64_t seed : {1, 2}) {
        tuning how{.strategy = "auto", .options = {{"patience", std::int64_t{20}}}, .seed = seed, .budget = 2000};
        how.compilers = 64;
        CHECK(courses_of(run(how, decimal(6), time)) <= 2000 / (2 * 64 + 4 * 64) + 1);
        how.budget = 600;
        how.compilers = 0;
        how.options["first"] = std::int64_t{200};
        CHECK(courses_of(run(how, decimal(6), time)) <= 600 / 220 + 1);
    }
}

TEST_CASE("auto tries slow surroundings of the untuned configuration in one course alone") {
    const auto there = [](const configuration& c) {
        return std::ranges::count_if(c, [](std::uint16_t position) { return position > 0; }) <= 1;
    };
    const timing time = [&](const configuration& c) { return std::optional(there(c) ? 500 : valleys(c)); };
    for (const std::uint64_t seed : {1, 2, 3}) {
        const tuned t = run({"auto", {{"patience", std::int64_t{20}}}, seed, 1000}, decimal(6), time);
        CHECK(courses_of(t) > 10);
        CHECK(std::ranges::count_if(t.measured, there) < courses_of(t));
    }
}

TEST_CASE("auto looks at children of the fastest, which differ from all of them in several parameters") {
    const auto unlike_all = [](const tuned& t) {
        std::ptrdiff_t count = 0;
        for (auto c = t.measured.begin() + 5; c != t.measured.end(); ++c) {
            count += std::all_of(t.measured.begin(), c, [&](const configuration& before) {
                return std::inner_product(c->begin(), c->end(), before.begin(), 0, std::plus<>(),
                                          std::not_equal_to<>()) > 1;
            });
        }
        return count;
    };
    const timing time = [](const configuration& c) { return std::optional(valley(c)); };
    for (const std::uint64_t seed : {1, 2, 3}) {
        const auto of = [&](std::int64_t children) {
            return unlike_all(
                run({"auto", {{"random", std::int64_t{1}}, {"children", children}}, seed, 60}, decimal(8), time));
        };
        CHECK(of(100) > of(0) + 3);
    }
}
