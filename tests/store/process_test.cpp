#include "core/store/results.hpp"
#include "core/store/sqlite.hpp"
#include "tests/catch.hpp"
#include "tests/store/support.hpp"

#include <fmt/format.h>

#include <memory>
#include <random>
#include <thread>

using namespace gst;
using namespace gst::test;

namespace {

std::string notice_for(const std::string& fault, const std::filesystem::path& path) {
    return fault.ends_with("_locks")
               ? fmt::format("the file system of '{0}' cannot lock files; '{0}.lock' guards the results instead\n",
                             path.string())
               : "";
}

std::string shown(const std::string& fault, const std::filesystem::path& path, long rows) {
    return fmt::format("{0}{1} rows, {1} keys\n", notice_for(fault, path), rows);
}

} // namespace

TEST_CASE("processes that open and fill one new database at once lose nothing") {
    for (const std::string fault : {"", "network", "no_locks", "silent_locks"}) {
        INFO("fault '" << fault << "'");
        const temporary_folder folder;
        const auto path = folder / "results.db";
        std::vector<std::unique_ptr<process>> writers;
        for (int i = 0; i < 4; ++i) {
            writers.push_back(std::make_unique<process>(
                std::vector<std::string>{"insert", path, std::to_string(1000 * i), "50"}, fault));
        }
        for (auto& writer : writers) {
            const auto done = writer->finish();
            CHECK(done.status == 0);
            CHECK(std::count(done.output.begin(), done.output.end(), '\n') == 50);
        }
        CHECK(process({"count", path}, fault).finish().output == shown(fault, path, 200));
        CHECK_FALSE(std::filesystem::exists(path.string() + ".lock"));
    }
}

TEST_CASE("a killed writer loses at most the row in flight, and the next one goes on") {
    const std::uint64_t seed = std::random_device{}();
    INFO("seed " << seed);
    random_source rng(seed);
    for (const std::string fault : {"", "network", "no_locks"}) {
        INFO("fault '" << fault << "'");
        const temporary_folder folder;
        const auto path = folder / "results.db";
        long least = 0;
        long most = 0;
        for (int round = 0; round < 8; ++round) {
            process writer({"insert", path, std::to_string(1'000'000 * round), "1000000"}, fault);
            writer.wait_for_output();
            std::this_thread::sleep_for(std::chrono::microseconds(rng.below(50'000)));
            writer.kill();
            const auto killed = writer.finish();
            REQUIRE(killed.status == -9);
            const long told = std::count(killed.output.begin(), killed.output.end(), '\n');
            least += told;
            most += told + 1;
        }
        const std::string counted = process({"count", path}, fault).finish().output;
        const std::size_t line = notice_for(fault, path).size();
        CHECK(counted.substr(0, line) == notice_for(fault, path));
        const long rows = std::stol(counted.substr(line));
        CHECK(rows >= least);
        CHECK(rows <= most);
        CHECK(least > 0);
        CHECK(sqlite::connection(path, "unix", std::chrono::seconds(1)).text("PRAGMA integrity_check") == "ok");
    }
}

TEST_CASE("a write-ahead log that a killed process left is read where there are no locks, and the other way round") {
    const temporary_folder folder;
    const auto path = folder / "results.db";
    process writer({"insert", path, "0", "1000000"});
    while (!std::filesystem::exists(path.string() + "-wal") ||
           std::filesystem::file_size(path.string() + "-wal") < 20'000) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    writer.kill();
    const std::string told = writer.finish().output;
    REQUIRE(std::filesystem::exists(path.string() + "-wal"));
    const auto rows = static_cast<long>(result_store(path).query().size());
    CHECK(rows >= std::count(told.begin(), told.end(), '\n'));
    CHECK(process({"insert", path, "2000000", "10"}, "no_locks").finish().status == 0);
    CHECK(process({"insert", path, "3000000", "10"}, "").finish().status == 0);
    CHECK(process({"insert", path, "4000000", "10"}, "network").finish().status == 0);
    CHECK(process({"count", path}, "no_locks").finish().output == shown("no_locks", path, rows + 30));
}
