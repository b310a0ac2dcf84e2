#include "core/store/recording/results_recording.hpp"

#include "core/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace gst {

namespace {

/// What makes two rows results of one problem on one device.
std::string group_of(const result_row& row) {
    return fmt::format("stencil '{}', grid '{}', device '{}', backend '{}', problem {}", row.stencil, row.grid,
                       row.device, row.backend, row.problem_digest);
}

void check_one_group(const std::vector<result_row>& rows) {
    std::set<std::string> groups;
    for (const result_row& row : rows) {
        groups.insert(group_of(row));
    }
    if (groups.size() > 1) {
        throw user_error(fmt::format("the database has results of {} problems and devices that fit:\n  {}",
                                     groups.size(), fmt::join(groups, "\n  ")),
                         "choose one by stencil, grid, device, backend or problem");
    }
}

constexpr double seconds_per_millisecond = 1e-3;

/// The number with the fewest digits, from 13 on, that gives these seconds: what was milliseconds once is these again,
/// but for a number in fifty, of which another one in its last digit gives the same seconds (recorded_as).
double milliseconds_of(double seconds) {
    const double about = seconds / seconds_per_millisecond;
    for (int digits = 13; digits <= 17; ++digits) {
        const double candidate = std::stod(fmt::format("{:.{}g}", about, digits));
        if (candidate * seconds_per_millisecond == seconds) {
            return candidate;
        }
    }
    return about;
}

/// Under which name a cost is kept in milliseconds, too, where the seconds do not tell them.
std::string recorded_as(const std::string& cost) {
    return cost + "_ms";
}

recorded entry_of(const result_row& row) {
    recorded to;
    to.outcome = row.what.outcome;
    to.time = row.what.outcome == status::correct ? row.what.time : 0;
    to.times = row.what.times;
    to.censored = row.what.censored;
    to.measurements = row.what.metrics;
    to.message = row.what.message;
    to.timestamp = row.created;
    for (const char* name : cost_names) {
        const auto exact = row.what.cost.find(recorded_as(name));
        if (const auto found = row.what.cost.find(name); found != row.what.cost.end()) {
            to.cost[name] = exact == row.what.cost.end() ? milliseconds_of(found->second) : exact->second;
        }
    }
    return to;
}

/// "512x512x256" as sizes.
std::vector<value> sizes_of(const std::string& grid) {
    std::vector<value> sizes;
    for (std::size_t at = 0; at < grid.size();) {
        const std::size_t end = std::min(grid.find('x', at), grid.size());
        const std::string part = grid.substr(at, end - at);
        const bool integer =
            !part.empty() && part.size() < 18 && part.find_first_not_of("0123456789") == std::string::npos;
        if (!integer) {
            return {grid};
        }
        sizes.emplace_back(std::int64_t{std::stoll(part)});
        at = end + 1;
    }
    return sizes;
}

} // namespace

recording recording_of(result_store& store, const result_filter& filter) {
    const std::vector<result_row> rows = store.query(filter);
    if (rows.empty()) {
        throw user_error("no result in the database fits", "gst results lists them all");
    }
    check_one_group(rows);
    recording_builder b;
    b.out.kernel = rows.front().stencil;
    b.out.device = rows.front().device;
    b.out.problem_size = sizes_of(rows.front().grid);
    for (const auto& [name, v] : rows.front().configuration) { // older ones may not have kept the order
        b.declare_open(name);
    }
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) { // the newest last: it replaces older ones
        try {
            b.add(row->configuration, entry_of(*row));
        } catch (const user_error& e) {
            throw user_error(
                fmt::format("result {} does not fit the others: {}", row->id, e.diagnostics().front().message),
                "choose results of one search space, by session or since");
        }
    }
    return b.finish();
}

void store_recording(result_store& store, const recording& r, const std::string& file, const std::string& command,
                     const std::string& version) {
    const session_id session = store.begin_session({file, command, "recorded", 0, "", version});
    result_key key;
    key.stencil = r.kernel;
    key.grid = problem_text(r);
    key.device = r.device;
    key.backend = "recorded";
    key.method = "recorded";
    key.problem = "recorded " + r.kernel;
    for (const parameter& p : r.parameters) {
        key.problem += " " + p.name;
    }
    for (const recorded& e : r.entries) {
        named_values named;
        key.program.clear();
        for (std::size_t p = 0; p < r.parameters.size(); ++p) {
            const value& v = r.parameters[p].domain[e.which[p]];
            named.emplace_back(r.parameters[p].name, v);
            key.program += fmt::format("{}={}\n", r.parameters[p].name, to_string(v));
        }
        measurement m;
        m.outcome = e.outcome;
        m.time = e.time;
        m.times = e.times;
        m.censored = e.censored;
        m.message = e.message;
        m.metrics = e.measurements;
        for (const auto& [name, milliseconds] : e.cost) {
            m.cost[name] = milliseconds * seconds_per_millisecond;
            if (milliseconds_of(m.cost[name]) != milliseconds) {
                m.cost[recorded_as(name)] = milliseconds;
            }
        }
        store.insert(key, named, m, session, e.timestamp);
    }
    store.end_session(session, "done");
}

} // namespace gst
