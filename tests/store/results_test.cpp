#include "core/store/results.hpp"
#include "tests/catch.hpp"
#include "tests/store/support.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <thread>

using namespace gst;
using namespace gst::test;

namespace {

const session_record some_session{"heat/app.toml",       "gst run heat/app.toml", "random",
                                  0xFFFFFFFFFFFFFFFFULL, "100 evaluations",       "0.1.0"};

/// Any bits that are a number, now and then one that is none.
double any_real(random_source& rng) {
    switch (rng.below(8)) {
    case 0:
        return std::numeric_limits<double>::infinity();
    case 1:
        return std::numeric_limits<double>::quiet_NaN();
    case 2:
        return static_cast<double>(rng.below(1000));
    default: {
        const double v = std::bit_cast<double>(rng.next());
        return std::isnan(v) ? 0.1 : v;
    }
    }
}

bool same_bits(double a, double b) {
    return std::isnan(a) ? std::isnan(b) : std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

bool same_named(const named_numbers& a, const named_numbers& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const auto& x, const auto& y) { return x.first == y.first && same_bits(x.second, y.second); });
}

measurement any_measurement(random_source& rng) {
    constexpr std::array outcomes{status::correct, status::compile,     status::runtime,
                                  status::timeout, status::correctness, status::constraints};
    measurement m;
    m.outcome = outcomes[rng.below(outcomes.size())];
    m.time = any_real(rng);
    for (std::uint64_t i = rng.below(5); i > 0; --i) {
        m.times.push_back(any_real(rng));
    }
    m.censored = rng.below(2) == 1;
    for (std::uint64_t i = rng.below(20); i > 0; --i) {
        m.message += static_cast<char>(rng.below(256)); // a compiler's log may be anything
    }
    for (std::uint64_t i = rng.below(4); i > 0; --i) {
        m.metrics[fmt::format("registers \"{}\"", i)] = any_real(rng);
        m.cost["µs " + std::to_string(i)] = any_real(rng);
    }
    return m;
}

} // namespace

TEST_CASE("a measurement comes back bit for bit, from this store and from the file opened again") {
    const std::uint64_t seed = std::random_device{}();
    INFO("seed " << seed);
    random_source rng(seed);
    const temporary_folder folder;
    std::vector<measurement> written;
    const auto check = [&](result_store& store) {
        for (std::size_t i = 0; i < written.size(); ++i) {
            const auto found = store.lookup(key_of(static_cast<int>(i)));
            REQUIRE(found);
            const measurement& m = written[i];
            CHECK(found->outcome == m.outcome);
            CHECK((found->time == m.time || same_bits(found->time, m.time))); // 0 and -0 are one number in SQLite
            CHECK(std::equal(found->times.begin(), found->times.end(), m.times.begin(), m.times.end(), same_bits));
            CHECK(found->censored == m.censored);
            CHECK(found->message == m.message);
            CHECK(same_named(found->metrics, m.metrics));
            CHECK(same_named(found->cost, m.cost));
            CHECK(found->known);
        }
    };
    {
        result_store store(folder / "results.db");
        const session_id session = store.begin_session(some_session);
        for (int i = 0; i < 200; ++i) {
            written.push_back(any_measurement(rng));
            store.insert(key_of(i), {}, written.back(), session);
        }
        check(store);
    }
    result_store again(folder / "results.db");
    check(again);
}

TEST_CASE("what was never measured is not known") {
    const temporary_folder folder;
    result_store store(folder / "results.db");
    CHECK_FALSE(store.lookup(key_of(1)));
    CHECK(store.query().empty());
    CHECK(store.best_per_problem().empty());
    CHECK(store.notice().empty());
}

TEST_CASE("many keys are looked up in their order") {
    const temporary_folder folder;
    result_store store(folder / "results.db");
    const session_id session = store.begin_session(some_session);
    store.insert(key_of(1), {}, correct(1), session);
    store.insert(key_of(3), {}, correct(3), session);
    const std::vector<result_key> keys{key_of(3), key_of(2), key_of(1), key_of(3)};
    const auto found = store.lookup(keys);
    REQUIRE(found.size() == 4);
    CHECK(found[0]->time == 3);
    CHECK_FALSE(found[1]);
    CHECK(found[2]->time == 1);
    CHECK(found[3]->time == 3);
}

TEST_CASE("the bandwidth that was first measured for a problem on a device stays") {
    const temporary_folder folder;
    const auto path = folder / "results.db";
    result_key one, other;
    one.device = "one";
    other.device = "other";
    {
        result_store store(path);
        CHECK(store.first_bandwidth(one, 100.25) == 100.25);
        CHECK(store.first_bandwidth(one, 101) == 100.25);
        CHECK(store.first_bandwidth(other, 7) == 7);
    }
    result_store again(path);
    CHECK(again.first_bandwidth(one, 99) == 100.25);
    CHECK(again.first_bandwidth(other, 8) == 7);
}

TEST_CASE("a key measured again is known by its newest row, and no row is lost") {
    const temporary_folder folder;
    result_store store(folder / "results.db");
    const session_id session = store.begin_session(some_session);
    store.insert(key_of(1), {}, correct(1), session);
    store.insert(key_of(1), {}, correct(2), session);
    CHECK(store.lookup(key_of(1))->time == 2);
    CHECK(store.query().size() == 2);
    const auto fastest = store.query({.fastest_first = true});
    REQUIRE(fastest.size() == 1);
    CHECK(fastest[0].what.time == 2);
}

TEST_CASE("a row tells where it came from") {
    const temporary_folder folder;
    result_store store(folder / "results.db");
    const session_id session = store.begin_session(some_session);
    const named_values configuration{
        {"load", std::string("vector")}, {"TBx", std::int64_t{32}}, {"half", 0.5}, {"two", 2.0}, {"unrolled", true}};
    store.insert(key_of(1), configuration, correct(0.1), session);
    const auto rows = store.query();
    REQUIRE(rows.size() == 1);
    const result_row& row = rows[0];
    CHECK(row.key == digest_of(key_of(1)));
    CHECK(row.stencil == "heat3d");
    CHECK(row.grid == "64x64x64");
    CHECK(row.backend == "opencl");
    CHECK(row.device == "Device One");
    CHECK(row.driver == "driver 1");
    CHECK(row.method == "median 5..30");
    CHECK(row.problem_digest.size() == 32);
    CHECK(row.program_digest.size() == 32);
    CHECK(row.problem_digest != row.program_digest);
    CHECK(row.configuration == configuration);
    CHECK(row.what.time == 0.1);
    CHECK(row.session == session);
    CHECK(row.strategy == "random");
    CHECK(row.version == "0.1.0");
    CHECK(row.seed == 0xFFFFFFFFFFFFFFFFULL);
    CHECK(row.created.size() == std::string("2025-01-31T13:45:00.123Z").size());
    CHECK(row.created.back() == 'Z');
}

TEST_CASE("a measurement that was not made, or of no session, is a programmer's mistake") {
    const temporary_folder folder;
    result_store store(folder / "results.db");
    CHECK_THROWS_AS(store.insert(key_of(1), {}, measurement{}, store.begin_session(some_session)), std::logic_error);
    CHECK_THROWS_AS(store.insert(key_of(1), {}, correct(1), 77), std::logic_error);
    CHECK(store.query().empty());
}

namespace {

/// Rows 0 … 7: times 7, 6, … 0, of two devices, two grids, some failed or censored.
void fill(result_store& store) {
    const session_id first = store.begin_session(some_session);
    const session_id second = store.begin_session(some_session);
    for (int i = 0; i < 8; ++i) {
        result_key key = key_of(i);
        key.device = i % 2 == 0 ? "NVIDIA H200" : "pthread-cpu";
        key.grid = i < 4 ? "64x64x64" : "128x128x128";
        measurement m = correct(7 - i);
        if (i == 3) {
            m.outcome = status::compile;
            m.time = 0;
        }
        m.censored = i == 7;
        store.insert(key, {}, m, i < 6 ? first : second);
    }
}

std::vector<double> times(const std::vector<result_row>& rows) {
    std::vector<double> out;
    for (const result_row& row : rows) {
        out.push_back(row.what.time);
    }
    return out;
}

} // namespace

TEST_CASE("results are filtered by each of their properties") {
    const temporary_folder folder;
    result_store store(folder / "results.db");
    fill(store);
    using list = std::vector<double>;
    CHECK(times(store.query()) == list{0, 1, 2, 3, 0, 5, 6, 7}); // newest first
    CHECK(times(store.query({.device = "h200"})) == list{1, 3, 5, 7});
    CHECK(times(store.query({.grid = "64x64x64"})) == list{0, 5, 6, 7});
    CHECK(times(store.query({.outcome = status::compile})) == list{0});
    CHECK(times(store.query({.limit = 2})) == list{0, 1});
    CHECK(times(store.query({.fastest_first = true, .limit = 3})) == list{1, 2, 3});
    CHECK(times(store.query({.grid = "64x64x64", .device = "CPU", .fastest_first = true})) == list{6});
    CHECK(store.query({.stencil = "heat3d"}).size() == 8);
    CHECK(store.query({.stencil = "heat"}).empty());
    CHECK(store.query({.backend = "cuda"}).empty());
    CHECK(times(store.query({.session = 2})) == list{0, 1});
    CHECK(store.query({.since = "2020-01-01"}).size() == 8);
    CHECK(store.query({.since = "2999-01-01"}).empty());
    CHECK(store.query({.since = "2999"}).empty());
    CHECK(store.query({.problem_digest = store.query()[0].problem_digest}).size() == 8);
    CHECK(store.query({.device = "'; DROP TABLE measurements; --"}).empty());
    CHECK(store.query().size() == 8);
}

TEST_CASE("times of recordings are compared as times, however they are written") {
    const temporary_folder folder;
    result_store store(folder / "results.db");
    const session_id session = store.begin_session(some_session);
    const char* written[] = {"2024-11-20 10:00:00.123456+00:00", "2024-11-20T12:30:00+02:00", "20/11/2024", ""};
    for (int i = 0; i < 4; ++i) {
        store.insert(key_of(i), {}, correct(i), session, written[i]);
    }
    using list = std::vector<double>;
    CHECK(times(store.query({.since = "2024-11-20T09:00"})) == list{3, 2, 1, 0});
    CHECK(times(store.query({.since = "2024-11-20T10:15"})) == list{3, 2, 1}); // half past ten in UTC
    CHECK(times(store.query({.since = "2024-11-20T11"})) == list{3, 2});       // imported now
    CHECK(times(store.query({.since = "2999"})) == list{});
    CHECK(store.query()[3].created == written[0]);
}

TEST_CASE("dates are whole ones") {
    for (const char* good : {"2026", "2026-01", "2026-01-31", "2026-01-31T12", "2026-01-31T12:30", "2024-02-29",
                             "2026-01-31T12:30:05", "2026-01-31T12:30:05.2", "2026-01-31T12:30:05.250Z"}) {
        CHECK(date_mistake(good) == "");
    }
    for (const char* bad : {"", "202", "2026-1", "2026-13", "2026-02-29", "2026-01-3", "2026-01-31T24", "2026-01-31 12",
                            "2026-01-31T12:30:05.250Z0", "20260131", "2026-01-31T12:30:05+02:00"}) {
        INFO(bad);
        CHECK(date_mistake(bad).find("is no date") != std::string::npos);
    }
}

TEST_CASE("the best of each problem is the fastest that is correct and complete") {
    const temporary_folder folder;
    result_store store(folder / "results.db");
    fill(store);
    const auto best = store.best_per_problem();
    REQUIRE(best.size() == 4);
    std::vector<std::string> shown;
    for (const result_row& row : best) {
        shown.push_back(fmt::format("{} {} {}", row.grid, row.device, row.what.time));
    }
    CHECK(shown == std::vector<std::string>{"128x128x128 NVIDIA H200 1", "128x128x128 pthread-cpu 2",
                                            "64x64x64 NVIDIA H200 5", "64x64x64 pthread-cpu 6"});
    CHECK(store.best_per_problem({.device = "cpu"}).size() == 2);
}

TEST_CASE("threads share one store") {
    const temporary_folder folder;
    result_store store(folder / "results.db");
    const session_id session = store.begin_session(some_session);
    std::vector<std::thread> threads;
    std::atomic<int> missing{0};
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            for (int i = 0; i < 100; ++i) {
                store.insert(key_of(100 * t + i), {}, correct(i), session);
                missing += !store.lookup(key_of(100 * t + i));
            }
        });
    }
    for (std::thread& t : threads) {
        t.join();
    }
    CHECK(missing == 0);
    CHECK(store.query().size() == 400);
}

TEST_CASE("the folder of a database is made with it") {
    const temporary_folder folder;
    result_store(folder / "a" / "b" / "results.db").begin_session(some_session);
    CHECK(std::filesystem::exists(folder / "a" / "b" / "results.db"));
}
