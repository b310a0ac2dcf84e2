#include "core/store/database.hpp"

#include "core/base/error.hpp"
#include "core/store/file_system.hpp"
#include "core/store/schema.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <thread>
#include <unistd.h>

namespace gst {

namespace {

namespace fs = std::filesystem;

bool writable(const fs::path& path) {
    return ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0;
}

/// The path without symbolic links, so that all who open the database meet at one lock file.
fs::path real_path(const fs::path& path) {
    std::error_code failed;
    const fs::path real = fs::weakly_canonical(path, failed);
    const fs::path file = failed ? fs::absolute(path) : real;
    if (fs::is_directory(file, failed)) {
        throw user_error(fmt::format("'{}' is a folder; name a file for the results", path.string()));
    }
    return file;
}

/// The database or its folder, when it is there and cannot be written.
std::optional<fs::path> unwritable_part(const fs::path& file) {
    std::error_code failed;
    for (const fs::path& needed : {file, file.parent_path()}) {
        if (fs::exists(needed, failed) && !writable(needed)) {
            return needed;
        }
    }
    return std::nullopt;
}

/// The real path of a database whose folder exists and can be written.
fs::path prepared(const fs::path& path) {
    std::error_code failed;
    const fs::path folder = fs::absolute(path).parent_path();
    fs::create_directories(folder, failed);
    if (failed) {
        throw machine_error(fmt::format(
            "the folder '{}' for the results cannot be made ({}); name another place for the results: [store] path",
            folder.string(), failed.message()));
    }
    const fs::path file = real_path(path);
    if (const auto needed = unwritable_part(file)) {
        throw machine_error(
            fmt::format("results cannot be stored in '{}': '{}' cannot be written ({}); make it writable "
                        "or name another file for the results",
                        path.string(), needed->string(), std::strerror(errno)));
    }
    return file;
}

/// Whether the head of the file says that there may be a write-ahead log.
bool says_log(const std::string& path) {
    std::array<char, 20> head{};
    std::ifstream(path, std::ios::binary).read(head.data(), head.size());
    return head[19] == 2;
}

/// SQLite does not wait in every place where two processes that open a database at once can meet.
template<class F>
void until_free(const sqlite::connection& db, std::chrono::milliseconds patience, F&& action) {
    const auto begin = std::chrono::steady_clock::now();
    while (true) {
        try {
            action();
            return;
        } catch (const machine_error&) {
            const bool busy = (sqlite3_errcode(db.handle()) & 0xff) == SQLITE_BUSY;
            if (!busy || std::chrono::steady_clock::now() - begin > patience) {
                throw;
            }
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

void migrate_at_once(sqlite::connection& db) {
    sqlite::transaction alone(db, true);
    migrate(db);
    alone.commit();
}

} // namespace

database::database(const fs::path& given, std::chrono::milliseconds patience, store_use use) {
    if (use == store_use::read && unwritable_part(real_path(given))) {
        open_unwritable(real_path(given).string(), patience);
        return;
    }
    const fs::path path = prepared(given);
    const lock_support support = probe_locks(path.parent_path());
    shared_memory_ = support == lock_support::full;
    if (support == lock_support::none) {
        lock_.emplace(path.string() + ".lock", patience);
        notice_ = fmt::format("the file system of '{}' cannot lock files; '{}' guards the results instead",
                              given.string(), lock_->path());
    }
    open(path.string(), patience);
}

void database::open(const std::string& path, std::chrono::milliseconds patience) {
    std::optional<access> alone;
    if (lock_) {
        alone.emplace(*this);
    }
    connection_.emplace(path, lock_ ? "unix-none" : "unix", patience);
    sqlite::connection& db = *connection_;
    if (lock_) {
        // A write-ahead log that came from elsewhere is read without shared memory only by a process that is alone.
        db.execute("PRAGMA locking_mode = EXCLUSIVE");
    }
    until_free(db, patience, [&] { migrate_at_once(db); });
    const char* journal = shared_memory_ ? "PRAGMA journal_mode = WAL" : "PRAGMA journal_mode = TRUNCATE";
    until_free(db, patience, [&] { db.execute(journal); });
    // What is committed survives a kill; a power cut may cost the last rows.
    db.execute("PRAGMA synchronous = NORMAL");
    if (lock_) {
        db.execute("PRAGMA locking_mode = NORMAL");
        db.integer("SELECT count(*) FROM sqlite_master"); // takes effect with the next read
    }
}

void database::open_unwritable(const std::string& path, std::chrono::milliseconds patience) {
    // Where a log is used and the memory that its users share is not there, SQLite would make it – as a file of this
    // user, which might lock the owner out – or refuse.
    std::error_code none;
    if (!says_log(path) || fs::exists(path + "-shm", none)) {
        connection_.emplace(path, "unix", patience, sqlite::opening::read);
    } else {
        const auto log = fs::file_size(path + "-wal", none);
        if (!none && log > 0) {
            connection_.emplace(path, "unix-none", patience, sqlite::opening::read);
            connection_->execute("PRAGMA locking_mode = EXCLUSIVE"); // reads the log with memory of its own
        } else {
            connection_.emplace(path, "unix-none", patience, sqlite::opening::frozen);
        }
        notice_ = fmt::format("'{}' cannot be written and is read as it is: results that another process stores "
                              "meanwhile may be missing or disturb the reading",
                              path);
    }
    check_schema(*connection_);
}

void database::let_others_in() const {
    if (!shared_memory_) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

database::access::access(database& to) : to_(to), in_process_(to.mutex_) {
    if (to_.lock_) {
        to_.lock_->acquire();
    }
}

database::access::~access() {
    if (to_.lock_) {
        to_.lock_->release();
    }
}

} // namespace gst
