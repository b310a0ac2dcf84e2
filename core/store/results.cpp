#include "core/store/results.hpp"

#include "core/base/hash.hpp"
#include "core/store/database.hpp"
#include "core/store/encode.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <bit>
#include <cctype>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string_view>

namespace gst {

namespace {

std::string now() {
    const auto time = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)),
                       (time - seconds).count());
}

constexpr const char* measurement_columns = "m.status, m.time, m.times, m.censored, m.message, m.metrics, m.cost, m.id";
constexpr int measurement_column_count = 8;

measurement read_measurement(const sqlite::statement& row, int column) {
    measurement m;
    m.outcome = status_named(row.text(column));
    m.time = row.is_null(column + 1) ? std::numeric_limits<double>::quiet_NaN() : row.real(column + 1);
    m.times = encode::numbers_of(row.text(column + 2));
    m.censored = row.integer(column + 3) != 0;
    m.message = row.text(column + 4);
    m.metrics = encode::named_numbers_of(row.text(column + 5));
    m.cost = encode::named_numbers_of(row.text(column + 6));
    m.known = true;
    m.row = row.integer(column + 7);
    return m;
}

result_row read_row(const sqlite::statement& row) {
    result_row r;
    r.what = read_measurement(row, 0);
    int column = measurement_column_count;
    r.id = r.what.row;
    for (std::string* text : {&r.key, &r.stencil, &r.grid, &r.backend, &r.device, &r.driver, &r.method,
                              &r.problem_digest, &r.program_digest}) {
        *text = row.text(column++);
    }
    r.configuration = encode::configuration_of(row.text(column++));
    r.session = row.integer(column++);
    r.created = row.text(column++);
    r.strategy = row.text(column++);
    r.version = row.text(column++);
    r.seed = std::bit_cast<std::uint64_t>(row.integer(column));
    return r;
}

constexpr const char* row_columns = "m.key, m.stencil, m.grid, m.backend, m.device, m.driver, m.method, m.problem, "
                                    "m.program, m.configuration, m.session, m.created, s.strategy, s.version, s.seed";

constexpr std::string_view least_date = "0000-01-01T00:00:00.000Z";

/// With what a date leaves out: 2026-01 is 2026-01-01T00:00:00.000Z.
std::string whole_date(const std::string& text) {
    return text + std::string(least_date.substr(std::min(text.size(), least_date.size())));
}

/// The conditions of a filter and the texts for their question marks.
struct conditions {
    std::string sql = "1";
    std::vector<std::string> texts;
};

conditions conditions_of(const result_filter& f) {
    conditions c;
    const auto require = [&](const char* condition, const std::optional<std::string>& text) {
        if (text) {
            c.sql += fmt::format(" AND {}", condition);
            c.texts.push_back(*text);
        }
    };
    require("m.stencil = ?", f.stencil);
    require("m.problem = ?", f.problem_digest);
    require("m.grid = ?", f.grid);
    require("m.backend = ?", f.backend);
    require("instr(lower(m.device), lower(?)) > 0", f.device);
    require("m.driver = ?", f.driver);
    require("instr(m.method, ?) = 1", f.method);
    // Recordings write times in their own ways; where one says none, that of the import counts.
    require("COALESCE(julianday(m.created), (SELECT julianday(began) FROM sessions WHERE id = m.session)) >= "
            "julianday(?)",
            f.since ? std::optional(whole_date(*f.since)) : std::nullopt);
    if (f.outcome) {
        require("m.status = ?", std::string(name_of(*f.outcome)));
    }
    if (f.session) {
        c.sql += fmt::format(" AND m.session = {}", *f.session);
    }
    return c;
}

/// Complete correct measurements that no newer one of their key has replaced.
constexpr const char* comparable = "m.status = 'correct' AND NOT m.censored AND m.time IS NOT NULL AND NOT EXISTS "
                                   "(SELECT 1 FROM measurements AS newer WHERE newer.key = m.key AND newer.id > m.id)";

std::string limit_of(const result_filter& f) {
    return f.limit > 0 ? fmt::format(" LIMIT {}", f.limit) : "";
}

std::vector<result_row> rows(sqlite::connection& db, const std::string& sql, const conditions& c) {
    sqlite::statement s(db, sql);
    for (const std::string& text : c.texts) {
        s.bind(text);
    }
    std::vector<result_row> out;
    while (s.step()) {
        out.push_back(read_row(s));
    }
    return out;
}

} // namespace

std::string date_mistake(const std::string& text) {
    const std::string whole = whole_date(text);
    bool fits = whole.size() == least_date.size() && text.size() >= 4;
    for (std::size_t i = 0; fits && i < whole.size(); ++i) {
        const bool digit = std::isdigit(static_cast<unsigned char>(least_date[i])) != 0;
        fits = digit ? std::isdigit(static_cast<unsigned char>(whole[i])) != 0 : whole[i] == least_date[i];
    }
    // Not within a number.
    fits = fits && (text.size() > 19 || std::isdigit(static_cast<unsigned char>(whole[text.size()])) == 0);
    if (fits) {
        const auto part = [&](std::size_t at, std::size_t digits) { return std::stoi(whole.substr(at, digits)); };
        const std::chrono::year_month_day day(std::chrono::year(part(0, 4)),
                                              std::chrono::month(static_cast<unsigned>(part(5, 2))),
                                              std::chrono::day(static_cast<unsigned>(part(8, 2))));
        fits = day.ok() && part(11, 2) < 24 && part(14, 2) < 60 && part(17, 2) < 60;
    }
    return fits ? "" : "'" + text + "' is no date: write 2026-01-31, or 2026-01-31T12:30 for a time";
}

struct result_store::state {
    database db;
    sqlite::statement insert;
    sqlite::statement newest;

    state(const std::filesystem::path& path, std::chrono::milliseconds patience, store_use use)
        : db(path, patience, use),
          insert(prepare(
              "INSERT INTO measurements (key, stencil, grid, backend, device, driver, method, problem, program, "
              "configuration, status, time, times, censored, message, metrics, cost, session, created) "
              "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")),
          newest(prepare(fmt::format("SELECT {} FROM measurements AS m WHERE key = ? ORDER BY id DESC LIMIT 1",
                                     measurement_columns))) {}

    sqlite::statement prepare(const std::string& sql) {
        const database::access alone(db);
        return {db.connection(), sql};
    }
    std::optional<measurement> find(const std::string& key) {
        const sqlite::rewind afterwards(newest);
        return newest.bind(key).step() ? std::optional(read_measurement(newest, 0)) : std::nullopt;
    }
};

result_store::result_store(const std::filesystem::path& path, std::chrono::milliseconds patience, store_use use)
    : state_(std::make_unique<state>(path, patience, use)) {}

result_store::~result_store() = default;

const std::string& result_store::notice() const {
    return state_->db.notice();
}

session_id result_store::begin_session(const session_record& s) {
    const database::access alone(state_->db);
    sqlite::connection& db = state_->db.connection();
    sqlite::statement(db, "INSERT INTO sessions (app, command, strategy, seed, budget, version, began) "
                          "VALUES (?, ?, ?, ?, ?, ?, ?)")
        .bind(s.app)
        .bind(s.command)
        .bind(s.strategy)
        .bind(std::bit_cast<std::int64_t>(s.seed))
        .bind(s.budget)
        .bind(s.version)
        .bind(now())
        .run();
    return db.last_row();
}

void result_store::end_session(session_id id, const std::string& outcome) {
    const database::access alone(state_->db);
    sqlite::statement(state_->db.connection(), "UPDATE sessions SET ended = ?, outcome = ? WHERE id = ?")
        .bind(now())
        .bind(outcome)
        .bind(id)
        .run();
}

double result_store::first_bandwidth(const result_key& key, double measured) {
    const database::access alone(state_->db);
    sqlite::connection& db = state_->db.connection();
    const std::string digest = digest_of(key);
    sqlite::statement(db, "INSERT OR IGNORE INTO bandwidths (key, bandwidth) VALUES (?, ?)")
        .bind(digest)
        .bind(measured)
        .run();
    sqlite::statement known(db, "SELECT bandwidth FROM bandwidths WHERE key = ?");
    return known.bind(digest).step() ? known.real(0) : measured;
}

void result_store::insert(const result_key& key, const named_values& named, const measurement& m, session_id session,
                          const std::optional<std::string>& created) {
    if (m.outcome == status::not_run) {
        throw std::logic_error("a configuration that was not run has no measurement to store");
    }
    {
        const database::access alone(state_->db);
        state_->insert.bind(digest_of(key))
            .bind(key.stencil)
            .bind(key.grid)
            .bind(key.backend)
            .bind(key.device)
            .bind(key.driver)
            .bind(key.method)
            .bind(digest(key.problem))
            .bind(digest(key.program))
            .bind(encode::configuration(named))
            .bind(name_of(m.outcome))
            .bind(m.time)
            .bind(encode::numbers(m.times))
            .bind(static_cast<std::int64_t>(m.censored))
            .bind(m.message)
            .bind(encode::named_numbers(m.metrics))
            .bind(encode::named_numbers(m.cost))
            .bind(session)
            .bind(created ? *created : now())
            .run();
    }
    state_->db.let_others_in();
}

std::optional<measurement> result_store::lookup(const result_key& key) {
    const std::string digested = digest_of(key);
    const database::access alone(state_->db);
    return state_->find(digested);
}

std::vector<std::optional<measurement>> result_store::lookup(std::span<const result_key> keys) {
    std::vector<std::string> digested;
    for (const result_key& key : keys) {
        digested.push_back(digest_of(key));
    }
    const database::access alone(state_->db);
    const sqlite::transaction one_moment(state_->db.connection());
    std::vector<std::optional<measurement>> out;
    for (const std::string& key : digested) {
        out.push_back(state_->find(key));
    }
    return out;
}

std::vector<result_row> result_store::query(const result_filter& filter) {
    const conditions c = conditions_of(filter);
    const std::string only = filter.fastest_first ? fmt::format(" AND {}", comparable) : "";
    const database::access alone(state_->db);
    return rows(
        state_->db.connection(),
        fmt::format(
            "SELECT {}, {} FROM measurements AS m JOIN sessions AS s ON s.id = m.session WHERE {}{} ORDER BY {}{}",
            measurement_columns, row_columns, c.sql, only, filter.fastest_first ? "m.time, m.id" : "m.id DESC",
            limit_of(filter)),
        c);
}

std::vector<result_row> result_store::best_per_problem(const result_filter& filter) {
    const conditions c = conditions_of(filter);
    const database::access alone(state_->db);
    return rows(
        state_->db.connection(),
        fmt::format(
            "SELECT {}, {} FROM (SELECT *, row_number() OVER (PARTITION BY stencil, problem, grid, backend, device "
            "ORDER BY time, id) AS place FROM measurements AS m WHERE {} AND {}) AS m "
            "JOIN sessions AS s ON s.id = m.session WHERE place = 1 "
            "ORDER BY m.stencil, m.grid, m.device, m.backend, m.id{}",
            measurement_columns, row_columns, c.sql, comparable, limit_of(filter)),
        c);
}

} // namespace gst
