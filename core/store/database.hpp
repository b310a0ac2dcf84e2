#pragma once

#include "core/store/lock_file.hpp"
#include "core/store/sqlite.hpp"
#include "core/store/store_use.hpp"

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>

namespace gst {

/// An open results database and the way in which its file system lets several processes share it:
///   full locks      write-ahead log: readers and writers do not wait for each other
///   over a network  SQLite's locks and a rollback journal
///   no locks        a rollback journal, and around every access a lock file beside the database
/// A database that is only read and cannot be written is left as it is, and so is everything beside it.
class database {
  public:
    database(const std::filesystem::path& path, std::chrono::milliseconds patience, store_use use = store_use::write);

    /// Held around every use of `connection`.
    class access {
      public:
        explicit access(database& to);
        ~access();
        access(const access&) = delete;
        access& operator=(const access&) = delete;

      private:
        database& to_;
        std::unique_lock<std::mutex> in_process_;
    };

    sqlite::connection& connection() { return *connection_; }
    /// After a write, outside `access`: without a log the others wait for the whole file, and a short gap is when they
    /// get it.
    void let_others_in() const;
    const std::string& notice() const { return notice_; }

  private:
    void open(const std::string& path, std::chrono::milliseconds patience);
    void open_unwritable(const std::string& path, std::chrono::milliseconds patience);

    std::mutex mutex_;
    std::optional<lock_file> lock_;
    std::optional<sqlite::connection> connection_;
    bool shared_memory_ = false;
    std::string notice_;
};

} // namespace gst
