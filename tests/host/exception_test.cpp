#include "core/api/search.hpp"
#include "core/host/make_plugin.hpp"
#include "tests/catch.hpp"
#include "tests/host/fixture.hpp"

#include <typeinfo>

using namespace gst;
using namespace gst::test;

namespace {

std::unique_ptr<search> throwing(const std::string& in_create, const std::string& in_run) {
    const plugin& p = find_plugin("search", built("search_throwing.so").string(), "/");
    return make_search(p, check_options(p, {{"create", in_create}, {"run", in_run}}));
}

problem small_problem() {
    parameter p;
    p.name = "a";
    p.domain = {std::int64_t{1}, std::int64_t{2}};
    p.neutral = std::int64_t{1};
    problem::host h;
    h.measure = [](std::span<const configuration> batch) {
        measurement m;
        m.outcome = status::correct;
        m.time = 1;
        return std::vector<measurement>(batch.size(), m);
    };
    h.prefetch = [](std::span<const configuration>) {};
    h.elapsed = [] { return 0.0; };
    h.interrupted = [] { return false; };
    return problem(space({p}, {}), 1, h);
}

std::string failure_of_run(const std::string& what) {
    problem p = small_problem();
    return failure([&] { throwing("", what)->run(p); });
}

} // namespace

TEST_CASE("a strategy runs through the host and gets its options") {
    const plugin& good = find_plugin("search", built("search_good.so").string(), "/");
    problem p = small_problem();
    make_search(good, check_options(good, {{"start", std::string("random")}}))->run(p);
    CHECK(p.evaluations() == 1);
    CHECK(p.trace_lines() == std::vector<std::string>{"cooling = 2.5", "note = ", "request = 16", "restart = true",
                                                      "seeds = 3", "share = 0.5", "start = random"});
}

TEST_CASE("the strategy of the documentation finds the best of a small space") {
    const plugin& p = find_plugin("search", built("search_local_search.so").string(), "/");
    problem small = small_problem();
    make_search(p, check_options(p, {}))->run(small);
    CHECK(small.evaluations() == 2);
    CHECK(small.best());
}

TEST_CASE("what create throws arrives as the core's error and names the plugin") {
    CHECK(failure([] { throwing("own", ""); }) == "3 the search plugin 'throwing' failed to start: out of ideas");
    CHECK(failure([] { throwing("integer", ""); }) ==
          "3 the search plugin 'throwing' failed to start: it threw something that is no std::exception");
    CHECK(failure([] { throwing("user", ""); }) == "2 error: low lies above high\n  swap them");
    const plugin& null = find_plugin("search", built("search_null.so").string(), "/");
    CHECK(failure([&] { make_search(null, check_options(null, {})); }) ==
          "3 the search plugin 'null' failed to start: its create returned nothing");
}

TEST_CASE("what run throws arrives as the core's error and names the plugin") {
    CHECK(failure_of_run("own") == "3 the search plugin 'throwing' failed to search: out of ideas");
    CHECK(failure_of_run("integer") ==
          "3 the search plugin 'throwing' failed to search: it threw something that is no std::exception");
    CHECK(failure_of_run("own_machine") == "3 the device is lost");
    CHECK(failure_of_run("user") == "2 error: low lies above high\n  swap them");
    CHECK(failure_of_run("") == "");
}

TEST_CASE("no error of a plugin's own type leaves the host") {
    problem p = small_problem();
    for (const std::string what : {"own", "own_machine"}) {
        try {
            throwing("", what)->run(p);
            FAIL("nothing was thrown");
        } catch (const std::exception& error) {
            CHECK(typeid(error) == typeid(machine_error));
        }
    }
}

TEST_CASE("what a backend throws arrives as the core's error and names the plugin") {
    const plugin& p = find_plugin("backend", built("backend_throwing.so").string(), "/");
    const std::unique_ptr<backend> b = make_backend(p, check_options(p, {}));
    CHECK(failure([&] { b->devices(); }) == "3 the backend plugin 'throwing' failed to list its devices: no bus");
    CHECK_THROWS_AS(b->compile({}, {}), compile_error);
    CHECK_THROWS_WITH(b->compile({}, {}), "line 1: what?");
    const std::unique_ptr<device> d = b->open({});
    CHECK(failure([&] { d->allocate(8, nullptr, nullptr); }) ==
          "3 the backend plugin 'throwing' failed to allocate: it threw something that is no std::exception");
    memory nothing;
    CHECK(
        failure([&] { d->write(nothing, 0, {}); }) ==
        "3 the backend plugin 'throwing' failed to write to the device: it threw something that is no std::exception");
    CHECK(
        failure([&] { d->read(nothing, 0, {}); }) ==
        "3 the backend plugin 'throwing' failed to read from the device: it threw something that is no std::exception");
    CHECK(failure([&] { d->load({}); }) == "3 the backend plugin 'throwing' failed to load a program: not my binary");
    CHECK(failure([&] { d->run({}); }) == "3 the backend plugin 'throwing' failed to run a program: lost");
    CHECK(failure([&] { d->state(); }) == "3 the backend plugin 'throwing' failed to tell the device's state: too hot");
}
