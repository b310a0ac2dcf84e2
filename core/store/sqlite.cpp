#include "core/store/sqlite.hpp"

#include "core/base/error.hpp"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>
#include <thread>

namespace gst::sqlite {

namespace {
/// Asks again every millisecond: SQLite's own handler sleeps ever longer, and a writer without pauses would starve the
/// others.
int wait_a_little(void* begin_and_patience, int asked) {
    auto& waiting = *static_cast<connection::waiting*>(begin_and_patience);
    const auto now = std::chrono::steady_clock::now();
    if (asked == 0) {
        waiting.since = now;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return now - waiting.since < waiting.patience ? 1 : 0;
}

std::string frozen_uri(const std::string& path) {
    std::string out = "file:";
    for (const char c : path) {
        out += c == '%' || c == '?' || c == '#' ? fmt::format("%{:02x}", c) : std::string(1, c);
    }
    return out + "?immutable=1";
}
} // namespace

connection::connection(std::string path, const char* vfs, std::chrono::milliseconds patience, opening how)
    : path_(std::move(path)), waiting_(std::make_unique<waiting>(patience)) {
    sqlite3* opened = nullptr;
    int flags = SQLITE_OPEN_NOMUTEX;
    flags |= how == opening::write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    flags |= how == opening::frozen ? SQLITE_OPEN_URI : 0;
    const int code = sqlite3_open_v2((how == opening::frozen ? frozen_uri(path_) : path_).c_str(), &opened, flags, vfs);
    handle_.reset(opened);
    if (code != SQLITE_OK) {
        fail();
    }
    sqlite3_extended_result_codes(opened, 1);
    sqlite3_busy_handler(opened, wait_a_little, waiting_.get());
    execute("PRAGMA foreign_keys = ON");
}

void connection::fail() const {
    const int code = handle_ ? sqlite3_extended_errcode(handle_.get()) : SQLITE_NOMEM;
    const int system = handle_ ? sqlite3_system_errno(handle_.get()) : 0;
    const std::string cause = handle_ ? sqlite3_errmsg(handle_.get()) : "out of memory";
    switch (code & 0xff) {
    case SQLITE_CONSTRAINT:
        throw std::logic_error(fmt::format("a row breaks the schema of '{}': {}", path_, cause));
    case SQLITE_NOTADB:
        throw user_error(
            fmt::format("'{}' is not a results database of gst; name another file for the results", path_));
    case SQLITE_CORRUPT:
        throw machine_error(fmt::format("the results database '{}' is damaged ({}); move it away and gst begins a new "
                                        "one, or get it again where it "
                                        "is a recording",
                                        path_, cause));
    case SQLITE_FULL:
        throw machine_error(
            fmt::format("no space is left for the results database '{}'; what was stored before is kept – "
                        "free some space and run the same command again",
                        path_));
    case SQLITE_BUSY:
        throw machine_error(fmt::format("another process has kept the results database '{}' locked for {} s; end it or "
                                        "name another file for the results",
                                        path_, std::chrono::duration<double>(waiting_->patience).count()));
    case SQLITE_READONLY:
        throw machine_error(fmt::format("the results database '{}' cannot be written; make it writable or name another "
                                        "file for the results",
                                        path_));
    default:
        throw machine_error(fmt::format("the results database '{}' cannot be used: {}{}", path_, cause,
                                        system != 0 ? fmt::format(" ({})", std::strerror(system)) : ""));
    }
}

void connection::execute(const std::string& sql) {
    if (sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
        fail();
    }
}

std::int64_t connection::integer(const std::string& sql) {
    statement s(*this, sql);
    return s.step() ? s.integer(0) : 0;
}

std::string connection::text(const std::string& sql) {
    statement s(*this, sql);
    return s.step() ? s.text(0) : "";
}

statement::statement(const connection& on, const std::string& sql) : on_(on) {
    sqlite3_stmt* prepared = nullptr;
    if (sqlite3_prepare_v3(on.handle(), sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT, &prepared, nullptr) != SQLITE_OK) {
        on.fail();
    }
    handle_.reset(prepared);
}

statement& statement::bind(std::string_view text) {
    sqlite3_bind_text64(handle_.get(), ++bound_, text.data() ? text.data() : "", text.size(), SQLITE_TRANSIENT,
                        SQLITE_UTF8);
    return *this;
}

statement& statement::bind(std::int64_t number) {
    sqlite3_bind_int64(handle_.get(), ++bound_, number);
    return *this;
}

statement& statement::bind(double number) {
    sqlite3_bind_double(handle_.get(), ++bound_, number);
    return *this;
}

bool statement::step() {
    const int code = sqlite3_step(handle_.get());
    if (code == SQLITE_ROW) {
        return true;
    }
    if (code == SQLITE_DONE) {
        reset();
        return false;
    }
    try {
        on_.fail();
    } catch (...) {
        reset();
        throw;
    }
}

void statement::run() {
    while (step()) {
    }
}

void statement::reset() {
    sqlite3_reset(handle_.get());
    bound_ = 0;
}

std::string statement::text(int column) const {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(handle_.get(), column));
    return bytes ? std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column))) : "";
}

transaction::transaction(connection& on, bool write) : on_(on) {
    on_.execute(write ? "BEGIN IMMEDIATE" : "BEGIN");
}

transaction::~transaction() {
    if (open_) {
        sqlite3_exec(on_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
    }
}

void transaction::commit() {
    on_.execute("COMMIT");
    open_ = false;
}

} // namespace gst::sqlite
