#include "core/store/schema.hpp"

#include "core/base/error.hpp"

#include <fmt/format.h>

#include <array>

namespace gst {

namespace {

constexpr std::int64_t application = 0x67737431; // "gst1", in the file's header

/// migrations[i] brings version i to version i + 1; a new database is of version 0.
constexpr std::array<const char*, 2> migrations{R"(
CREATE TABLE sessions (
    id       INTEGER PRIMARY KEY,
    app      TEXT NOT NULL,
    command  TEXT NOT NULL,
    strategy TEXT NOT NULL,
    seed     INTEGER NOT NULL,      -- the bits of an unsigned number
    budget   TEXT NOT NULL,
    version  TEXT NOT NULL,
    began    TEXT NOT NULL,
    ended    TEXT,                  -- NULL: running, or killed
    outcome  TEXT
);
CREATE TABLE measurements (
    id            INTEGER PRIMARY KEY,
    key           TEXT NOT NULL,
    stencil       TEXT NOT NULL,
    grid          TEXT NOT NULL,
    backend       TEXT NOT NULL,
    device        TEXT NOT NULL,
    driver        TEXT NOT NULL,
    method        TEXT NOT NULL,
    problem       TEXT NOT NULL,    -- digest
    program       TEXT NOT NULL,    -- digest
    configuration TEXT NOT NULL,    -- JSON, as the next ones
    status        TEXT NOT NULL,
    time          REAL,             -- ms per step
    times         TEXT NOT NULL,
    censored      INTEGER NOT NULL,
    message       TEXT NOT NULL,
    metrics       TEXT NOT NULL,
    cost          TEXT NOT NULL,
    session       INTEGER NOT NULL REFERENCES sessions(id),
    created       TEXT NOT NULL
);
CREATE INDEX measurements_by_key ON measurements(key);
)",
                                                R"(
CREATE TABLE bandwidths (
    key       TEXT PRIMARY KEY,     -- of a problem on a device: that of its measurements, without a program
    bandwidth REAL NOT NULL         -- bytes per second of a copy, as it was first measured
);
)"};

constexpr auto newest = static_cast<std::int64_t>(migrations.size());

std::int64_t accepted_version(sqlite::connection& db) {
    const std::int64_t version = db.integer("PRAGMA user_version");
    const std::int64_t of = db.integer("PRAGMA application_id");
    const bool empty = db.integer("SELECT count(*) FROM sqlite_master") == 0;
    if (of != application && !(empty && of == 0 && version == 0)) {
        throw user_error(
            fmt::format("'{}' is not a results database of gst; name another file for the results", db.path()));
    }
    if (version > newest) {
        throw user_error(
            fmt::format("'{}' was written by a newer gst (format {}, this one knows up to {}); update gst or name "
                        "another file for the results",
                        db.path(), version, newest));
    }
    return version;
}

} // namespace

void check_schema(sqlite::connection& db) {
    const std::int64_t version = accepted_version(db);
    if (version != newest) {
        throw user_error(fmt::format("'{}' was written by an older gst (format {}, this one reads {}) and cannot be "
                                     "changed; copy it to a place where it can",
                                     db.path(), version, newest));
    }
}

void migrate(sqlite::connection& db) {
    const std::int64_t version = accepted_version(db);
    for (std::int64_t i = version; i < newest; ++i) {
        db.execute(migrations[static_cast<std::size_t>(i)]);
    }
    if (version != newest) {
        db.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", application, newest));
    }
}

} // namespace gst
