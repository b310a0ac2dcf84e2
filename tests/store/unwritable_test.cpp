#include "core/store/sqlite.hpp"
#include "tests/catch.hpp"
#include "tests/store/support.hpp"

#include <fmt/format.h>

#include <set>
#include <sys/stat.h>

using namespace gst;
using namespace gst::test;
using namespace std::chrono_literals;

namespace {

std::set<std::string> files_in(const temporary_folder& folder) {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        names.insert(entry.path().filename());
    }
    return names;
}

/// What a user who may not write here reads; nothing may change.
std::string read(const temporary_folder& folder, const std::filesystem::path& path) {
    const auto before = files_in(folder);
    const auto read = process({"read", path}, "", true).finish();
    CHECK(read.status == 0);
    CHECK(files_in(folder) == before);
    return read.output;
}

std::string notice(const std::filesystem::path& path) {
    return fmt::format("'{}' cannot be written and is read as it is: results that another process stores meanwhile may "
                       "be missing or disturb the reading\n",
                       path.string());
}

/// A database whose last rows are in its log, because the process that wrote them was killed.
void leave_log(const std::filesystem::path& path) {
    process writer({"insert", path, "0", "1000000"});
    writer.wait_for_output();
    writer.kill();
    writer.finish();
    REQUIRE(std::filesystem::file_size(path.string() + "-wal") > 0);
    REQUIRE(std::filesystem::exists(path.string() + "-shm"));
}

} // namespace

TEST_CASE("a database in a folder that cannot be written is read") {
    const temporary_folder folder;
    for (const std::string name : {"results.db", "a%20b?c#d.db"}) {
        const auto path = folder / name;
        CHECK(process({"insert", path, "0", "20"}).finish().status == 0);
        ::chmod(path.c_str(), 0444);
        ::chmod(folder.path().c_str(), 0555);
        CHECK(read(folder, path) == notice(path) + "20 rows, 20 keys\n");
        CHECK(process({"insert", path, "20", "1"}, "", true).finish().status == 3);
        ::chmod(folder.path().c_str(), 0755);
    }
}

TEST_CASE("a database that cannot be written is read without leaving files beside it") {
    const temporary_folder folder;
    const auto path = folder / "results.db";
    CHECK(process({"insert", path, "0", "20"}).finish().status == 0);
    ::chmod(path.c_str(), 0444);
    ::chmod(folder.path().c_str(), 0777);
    CHECK(read(folder, path) == notice(path) + "20 rows, 20 keys\n");
}

TEST_CASE("rows that are still in the log are read, too, where nothing can be written") {
    const temporary_folder folder;
    const auto path = folder / "results.db";
    leave_log(path);
    for (const char* suffix : {"", "-wal", "-shm"}) {
        ::chmod((path.string() + suffix).c_str(), 0444);
    }
    ::chmod(folder.path().c_str(), 0555);
    const std::string shared = read(folder, path);
    CHECK(shared.find(" rows, ") != std::string::npos);
    CHECK(shared.find("cannot be written") == std::string::npos); // locks keep readers and writers apart
    CHECK(shared != "0 rows, 0 keys\n");
    ::chmod(folder.path().c_str(), 0755);
    std::filesystem::remove(path.string() + "-shm"); // as after copying the two others
    ::chmod(folder.path().c_str(), 0555);
    CHECK(read(folder, path) == notice(path) + shared);
    ::chmod(folder.path().c_str(), 0755);
}

TEST_CASE("a database that one process writes is read by another that cannot") {
    const temporary_folder folder;
    const auto path = folder / "results.db";
    result_store writer(path);
    const session_id session = writer.begin_session({});
    ::chmod(folder.path().c_str(), 0755);
    for (int rows = 1; rows <= 3; ++rows) {
        writer.insert(key_of(rows), {}, correct(rows), session);
        CHECK(read(folder, path) == fmt::format("{0} rows, {0} keys\n", rows));
    }
}

TEST_CASE("without a log a database is read under SQLite's locks") {
    const temporary_folder folder;
    const auto path = folder / "results.db";
    CHECK(process({"insert", path, "0", "20"}).finish().status == 0);
    sqlite::connection(path, "unix", 0ms).execute("PRAGMA journal_mode = DELETE");
    ::chmod(folder.path().c_str(), 0555);
    CHECK(read(folder, path) == "20 rows, 20 keys\n");
    ::chmod(folder.path().c_str(), 0755);
}

TEST_CASE("what cannot be read, or not without changing it, is refused") {
    const temporary_folder folder;
    const auto path = folder / "results.db";
    CHECK(process({"insert", path, "0", "1"}).finish().status == 0);
    ::chmod(folder.path().c_str(), 0555);
    ::chmod(path.c_str(), 0);
    const auto secret = process({"read", path}, "", true).finish();
    CHECK(secret.status == 3);
    CHECK(secret.output.find("unable to open database file") != std::string::npos);
    ::chmod(path.c_str(), 0644);
    ::chmod(folder.path().c_str(), 0755);
    sqlite::connection(path, "unix", 0ms).execute("PRAGMA user_version = 9");
    ::chmod(folder.path().c_str(), 0555);
    const auto newer = process({"read", path}, "", true).finish();
    CHECK(newer.status == 2);
    CHECK(newer.output.find("was written by a newer gst (format 9") != std::string::npos);
    ::chmod(folder.path().c_str(), 0755);
}
