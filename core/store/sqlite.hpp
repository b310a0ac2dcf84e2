#pragma once

#include <sqlite3.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

/// SQLite as values: a connection, a prepared statement, and its errors as one line that says what to do.
namespace gst::sqlite {

enum class opening {
    write, ///< for reading and writing; creates the file
    read,
    frozen, ///< for reading a file that nobody writes: no locks, no files beside it
};

class connection {
  public:
    /// `vfs` is SQLite's name of a way to lock.
    connection(std::string path, const char* vfs, std::chrono::milliseconds patience, opening how = opening::write);

    void execute(const std::string& sql);
    std::int64_t integer(const std::string& sql); ///< first column of the first row
    std::string text(const std::string& sql);
    std::int64_t last_row() const { return sqlite3_last_insert_rowid(handle_.get()); }
    const std::string& path() const { return path_; }
    sqlite3* handle() const { return handle_.get(); }
    struct waiting { ///< for a locked database
        std::chrono::milliseconds patience;
        std::chrono::steady_clock::time_point since{};
    };
    /// Throws what SQLite's last error means to the user.
    [[noreturn]] void fail() const;

  private:
    struct closer {
        void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
    };
    std::string path_;
    std::unique_ptr<waiting> waiting_;
    std::unique_ptr<sqlite3, closer> handle_;
};

/// A prepared statement. Values are bound one after the other, then `step` goes from row to row.
class statement {
  public:
    statement(const connection& on, const std::string& sql);

    statement& bind(std::string_view text);
    statement& bind(std::int64_t number);
    statement& bind(double number);
    /// True while there is a row to read.
    bool step();
    /// Steps through to the end, ready to be bound again.
    void run();
    void reset();

    std::string text(int column) const;
    std::int64_t integer(int column) const { return sqlite3_column_int64(handle_.get(), column); }
    bool is_null(int column) const { return sqlite3_column_type(handle_.get(), column) == SQLITE_NULL; }
    double real(int column) const { return sqlite3_column_double(handle_.get(), column); }

  private:
    struct finalizer {
        void operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }
    };
    const connection& on_;
    std::unique_ptr<sqlite3_stmt, finalizer> handle_;
    int bound_ = 0;
};

/// Leaves a statement ready to be bound again, however its user is left.
class rewind {
  public:
    explicit rewind(statement& s) : statement_(s) {}
    ~rewind() { statement_.reset(); }
    rewind(const rewind&) = delete;
    rewind& operator=(const rewind&) = delete;

  private:
    statement& statement_;
};

/// Everything read during its life is of one moment; what was written is rolled back unless committed.
class transaction {
  public:
    /// With `write` it waits for other writers first.
    explicit transaction(connection& on, bool write = false);
    ~transaction();
    transaction(const transaction&) = delete;
    transaction& operator=(const transaction&) = delete;
    void commit();

  private:
    connection& on_;
    bool open_ = true;
};

} // namespace gst::sqlite
