#pragma once

#include "core/api/measurement.hpp"
#include "core/space/value.hpp"
#include "core/store/result_key.hpp"
#include "core/store/store_use.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gst {

/// One use of gst that measures: what was asked, so that `gst results` can say where a row came from.
struct GST_API session_record {
    std::string app;     ///< path of the app.toml
    std::string command; ///< the command line
    std::string strategy;
    std::uint64_t seed = 0;
    std::string budget;  ///< as written: "200 evaluations, 60 s"
    std::string version; ///< of gst
};

using session_id = std::int64_t;

/// A stored measurement. The texts of problem and program are kept as digests.
struct GST_API result_row {
    std::int64_t id = 0; ///< ascending in the order of insertion
    std::string key;     ///< digest_of its result_key
    std::string stencil, grid, backend, device, driver, method;
    std::string problem_digest, program_digest;
    named_values configuration; ///< as space::describe gives it; older rows have it in the order of the names
    measurement what;           ///< `known` is set
    session_id session = 0;
    std::string strategy, version; ///< of the session
    std::uint64_t seed = 0;        ///< of the session
    std::string created;           ///< UTC: "2025-01-31T13:45:00.123Z"; of a recording: as it says, or empty
};

/// What to list; absent parts allow everything.
struct GST_API result_filter {
    std::optional<std::string> stencil{};
    std::optional<std::string> problem_digest{};
    std::optional<std::string> grid{}; ///< "512x512x256"
    std::optional<std::string> backend{};
    std::optional<std::string> device{}; ///< a part of its name, in any case
    std::optional<std::string> driver{}; ///< as result_key has it
    std::optional<std::string> method{}; ///< what it begins with
    std::optional<status> outcome{};
    std::optional<std::string> since{}; ///< created at or after: "2025-01-31", or with a time
    std::optional<session_id> session{};
    bool fastest_first = false; ///< only complete correct ones, by time; otherwise newest first
    std::uint64_t limit = 0;    ///< 0: all
};

/// "", or what is wrong with a date such as 2026-01-31 or a time such as 2026-01-31T12:30: result_filter::since.
GST_API std::string date_mistake(const std::string& text);

/// The results database: one row per measurement, each written in a transaction of its own, so that a process that is
/// killed loses at most what was in flight. Any number of processes use one database at once; within a process any
/// thread may call. A key may have several rows (measured again, or by two processes at once): the newest is what is
/// known of it.
class GST_API result_store {
  public:
    /// Opens the database, creates it (with its folders) when it is not there, and migrates an older one. `patience` is
    /// how long a locked database is waited for. Throws user_error for a file that is no database of gst or of a newer
    /// one, machine_error when it cannot be used; one line each. For store_use::read a database that cannot be written
    /// is opened as well; whether others that write it are noticed is in the notice.
    explicit result_store(const std::filesystem::path& path,
                          std::chrono::milliseconds patience = std::chrono::seconds(30),
                          store_use use = store_use::write);
    ~result_store();
    result_store(const result_store&) = delete;
    result_store& operator=(const result_store&) = delete;

    /// What the user should know of how the database is kept ("… cannot lock files; …"); mostly empty.
    const std::string& notice() const;

    session_id begin_session(const session_record& s);
    /// A session that was killed stays without an outcome.
    void end_session(session_id id, const std::string& outcome);

    /// Appends a measurement; on return it survives a kill. Throws std::logic_error for a `not_run`: nothing was
    /// measured. `created`: when it was measured; now, if that is not given.
    void insert(const result_key& key, const named_values& named, const measurement& m, session_id session,
                const std::optional<std::string>& created = {});
    /// The newest measurement of the key, with `known` set.
    std::optional<measurement> lookup(const result_key& key);
    /// One answer per key, all as of one moment.
    std::vector<std::optional<measurement>> lookup(std::span<const result_key> keys);

    /// The copy bandwidth that was first measured for the key (its program is empty); this one, which is kept, where it
    /// is the first. So that a model that depends on it says the same in a run that goes on.
    double first_bandwidth(const result_key& key, double measured);

    /// Every stored row that passes the filter; with `fastest_first` only the newest row of each key.
    std::vector<result_row> query(const result_filter& filter = {});
    /// The fastest complete correct row of each stencil, problem, grid, backend and device.
    std::vector<result_row> best_per_problem(const result_filter& filter = {});

  private:
    struct state;
    std::unique_ptr<state> state_;
};

} // namespace gst
