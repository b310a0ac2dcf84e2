#include "core/base/error.hpp"
#include "core/store/lock_file.hpp"
#include "core/store/results.hpp"
#include "core/store/sqlite.hpp"
#include "tests/catch.hpp"
#include "tests/store/support.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace gst;
using namespace gst::test;
using namespace std::chrono_literals;

namespace {

template<class Error>
std::string refusal(const std::filesystem::path& path) {
    try {
        result_store store(path, 50ms);
        return "opened";
    } catch (const Error& e) {
        return e.what();
    }
}

std::string contents(const std::filesystem::path& path) {
    std::ostringstream out;
    out << std::ifstream(path, std::ios::binary).rdbuf();
    return out.str();
}

} // namespace

TEST_CASE("a database of a newer gst is refused and left as it was") {
    const temporary_folder folder;
    const auto path = folder / "results.db";
    { result_store store(path); }
    sqlite::connection(path, "unix", 0ms).execute("PRAGMA user_version = 9; PRAGMA journal_mode = DELETE");
    const std::string before = contents(path);
    CHECK(refusal<user_error>(path) == fmt::format("error: '{}' was written by a newer gst (format 9, this one knows "
                                                   "up to 2); update gst or name another file "
                                                   "for the results",
                                                   path.string()));
    CHECK(contents(path) == before);
}

TEST_CASE("a database of the first format is brought to the newest, with all that it has") {
    const temporary_folder folder;
    const auto path = folder / "results.db";
    {
        result_store store(path);
        measurement m;
        m.outcome = status::correct;
        m.time = 2;
        store.insert({}, {}, m, store.begin_session({}));
    }
    sqlite::connection(path, "unix", 0ms).execute("DROP TABLE bandwidths; PRAGMA user_version = 1");
    result_store store(path);
    CHECK(store.lookup(result_key()).value().time == 2);
    CHECK(store.first_bandwidth({}, 5) == 5);
}

TEST_CASE("a database of another program is refused and left as it was") {
    const temporary_folder folder;
    const auto path = folder / "other.db";
    sqlite::connection(path, "unix", 0ms).execute("CREATE TABLE photos (id)");
    const std::string before = contents(path);
    CHECK(
        refusal<user_error>(path) ==
        fmt::format("error: '{}' is not a results database of gst; name another file for the results", path.string()));
    CHECK(contents(path) == before);
}

TEST_CASE("a file that is no database is refused and left as it was") {
    const temporary_folder folder;
    const auto path = folder / "notes.txt";
    const std::string text = std::string(5000, 'x');
    std::ofstream(path) << text;
    CHECK(
        refusal<user_error>(path) ==
        fmt::format("error: '{}' is not a results database of gst; name another file for the results", path.string()));
    CHECK(contents(path) == text);
}

TEST_CASE("a folder is not a database") {
    const temporary_folder folder;
    CHECK(refusal<user_error>(folder.path()) ==
          fmt::format("error: '{}' is a folder; name a file for the results", folder.path().string()));
}

TEST_CASE("a place below a file cannot hold a database") {
    const temporary_folder folder;
    std::ofstream(folder / "file") << "text";
    CHECK(refusal<machine_error>(folder / "file" / "results.db") ==
          fmt::format("the folder '{}' for the results cannot be made (Not a directory); name another place for the "
                      "results: [store] path",
                      (folder / "file").string()));
}

TEST_CASE("a database that cannot be written is refused, whether by its own rights or its folder's") {
    const temporary_folder folder;
    ::chmod(folder.path().c_str(), 0777);
    const auto path = folder / "results.db";
    { result_store store(path); }
    ::chmod(path.c_str(), 0444);
    const auto refused = process({"count", path}, "", true).finish();
    CHECK(refused.output ==
          fmt::format("results cannot be stored in '{0}': '{0}' cannot be written (Permission denied); make it "
                      "writable or name another file for the results\n",
                      path.string()));
    CHECK(refused.status == 3);
    ::chmod(path.c_str(), 0666);
    ::chmod(folder.path().c_str(), 0555);
    CHECK(process({"count", path}, "", true).finish().output ==
          fmt::format(
              "results cannot be stored in '{}': '{}' cannot be written (Permission denied); make it writable or name "
              "another file for the results\n",
              path.string(), folder.path().string()));
    ::chmod(folder.path().c_str(), 0777);
    CHECK(process({"count", path}, "", true).finish().output == "0 rows, 0 keys\n");
}

TEST_CASE("a database that another process keeps locked is waited for, then named") {
    const temporary_folder folder;
    const auto path = folder / "results.db";
    result_store store(path, 50ms);
    sqlite::connection other(path, "unix", 0ms);
    other.execute("BEGIN IMMEDIATE");
    std::string message;
    try {
        store.begin_session({});
    } catch (const machine_error& e) {
        message = e.what();
    }
    CHECK(message ==
          fmt::format("another process has kept the results database '{}' locked for 0.05 s; end it or name another "
                      "file for the results",
                      path.string()));
    other.execute("COMMIT");
    store.begin_session({});
}

TEST_CASE("a damaged database is named") {
    const temporary_folder folder;
    const auto path = folder / "results.db";
    {
        result_store store(path);
        const session_id session = store.begin_session({});
        for (int i = 0; i < 100; ++i) {
            store.insert(key_of(i), {}, correct(i), session);
        }
    }
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(100);
    file << std::string(4000, '\xAA');
    file.close();
    CHECK(refusal<machine_error>(path) == fmt::format("the results database '{}' is damaged (database disk image is "
                                                      "malformed); move it away and gst begins a new "
                                                      "one, or get it again where it is a recording",
                                                      path.string()));
}

TEST_CASE("a full disk ends the session with what was stored before") {
    const temporary_folder folder;
    const auto path = folder / "results.db";
    { result_store store(path); }
    const auto full = process({"insert", path, "0", "1000"}, "full:20").finish();
    CHECK(full.status == 3);
    const std::size_t last = full.output.rfind('\n', full.output.size() - 2) + 1;
    CHECK(full.output.substr(last) == fmt::format("no space is left for the results database '{}'; what was stored "
                                                  "before is kept – free some space and run the "
                                                  "same command again\n",
                                                  path.string()));
    const auto stored = std::count(full.output.begin(), full.output.end(), '\n') - 1;
    CHECK(stored > 0);
    CHECK(process({"count", path}).finish().output == fmt::format("{0} rows, {0} keys\n", stored));
}

TEST_CASE("a lock file that lives is waited for, then named with its owner") {
    const temporary_folder folder;
    const std::string path = folder / "lock";
    lock_file holder(path, 0ms);
    holder.acquire();
    lock_file waiting(path, 30ms);
    std::array<char, 256> host{};
    ::gethostname(host.data(), host.size() - 1);
    CHECK_THROWS_WITH(waiting.acquire(),
                      fmt::format("process {} on {} has held '{}' for 0.03 s; if it does not run any more, remove '{}'",
                                  ::getpid(), host.data(), path, path));
    holder.release();
    waiting.acquire();
    waiting.release();
}

TEST_CASE("a lock file of another machine, or one that says nothing, is never taken away") {
    const temporary_folder folder;
    const std::string path = folder / "lock";
    for (const char* owner : {"elsewhere 99 12345 boot/pid:[1]", "scribble"}) {
        REQUIRE(::symlink(owner, path.c_str()) == 0);
        CHECK_THROWS_AS(lock_file(path, 30ms).acquire(), machine_error);
        CHECK(::unlink(path.c_str()) == 0);
    }
}
