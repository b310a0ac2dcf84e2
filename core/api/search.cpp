#include "core/api/search.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <unordered_map>

namespace gst {

namespace {

struct configuration_hash {
    std::size_t operator()(const configuration& c) const {
        std::uint64_t hash = c.size();
        for (const std::uint16_t position : c) {
            hash = (hash ^ position) * 0x9E3779B97F4A7C15ULL;
            hash ^= hash >> 29;
        }
        return hash;
    }
};

template<class T>
using by_configuration = std::unordered_map<configuration, T, configuration_hash>;

measurement refused(const space& s, const configuration& c) {
    measurement m;
    m.outcome = status::constraints;
    for (const std::string& reason : s.violations(c)) {
        m.message += (m.message.empty() ? "" : "; ") + reason;
    }
    return m;
}

/// Without its list and maps, which take longer to copy than all else here.
measurement brief(const measurement& m) {
    measurement out;
    out.outcome = m.outcome;
    out.time = m.time;
    out.censored = m.censored;
    out.known = m.known;
    out.row = m.row;
    out.message = m.message;
    return out;
}

} // namespace

struct problem::state {
    state(gst::space s, std::uint64_t seed, host h)
        : space(std::move(s)), count(space.count()), from(std::move(h)), rng(seed) {}

    gst::space space;
    std::uint64_t count;
    host from;
    random_source rng;
    problem* parent = nullptr; ///< of a child: has the budget and the results
    by_configuration<measurement> cache;
    std::uint64_t recalled = 0; ///< of the cache, from the parent: they cost nothing
    std::optional<evaluated> best;
    std::vector<std::string> trace;

    std::uint64_t left() const {
        const bool over = (from.interrupted && from.interrupted()) ||
                          (from.max_seconds > 0 && from.elapsed && from.elapsed() >= from.max_seconds);
        if (over) {
            return 0;
        }
        const std::uint64_t unknown = count - std::min<std::uint64_t>(count, cache.size());
        const std::uint64_t budget = parent ? std::min(unknown, parent->remaining()) : unknown;
        if (from.max_evaluations == 0) {
            return budget;
        }
        const std::uint64_t spent = cache.size() - recalled;
        return std::min(budget, from.max_evaluations - std::min(from.max_evaluations, spent));
    }

    /// What is known of c, here or where the problem comes from; null when nothing is.
    const measurement* find(const configuration& c) {
        if (const auto found = cache.find(c); found != cache.end()) {
            return &found->second;
        }
        const measurement* known = parent && space.contains(c) ? parent->state_->find(c) : nullptr;
        if (known) {
            remember(c, *known);
            ++recalled;
        }
        return known;
    }

    /// What c's measurement is without measuring: known, or that the space does not have it; nothing for all others.
    std::optional<measurement> unmeasured(const configuration& c) {
        if (const measurement* found = find(c)) {
            measurement m = *found;
            m.known = true;
            return m;
        }
        return space.contains(c) ? std::nullopt : std::optional(refused(space, c));
    }

    std::vector<measurement> ask(std::span<const configuration> wanted) const {
        std::vector<measurement> measured = from.measure(wanted);
        if (measured.size() != wanted.size()) {
            throw std::logic_error("the host answers with another number of measurements");
        }
        return measured;
    }

    void remember(const configuration& c, const measurement& m) {
        if (m.outcome == status::not_run) {
            return;
        }
        cache.emplace(c, brief(m));
        if (m.outcome == status::correct && !m.censored && (!best || m.time < best->what.time)) {
            best = evaluated{c, m};
        }
    }
};

problem::problem(gst::space space, std::uint64_t seed, host h)
    : state_(std::make_unique<state>(std::move(space), seed, std::move(h))) {}
problem::problem(gst::space part, problem& parent, std::uint64_t most)
    : state_(std::make_unique<state>(std::move(part), parent.rng().next(), parent.state_->from)) {
    state_->parent = &parent;
    state_->from.max_evaluations = most;
    state_->from.measure = [&parent](std::span<const configuration> batch) { return parent.measure(batch); };
    state_->from.measure_any = [&parent](std::span<const configuration> batch) {
        std::vector<measurement> out(batch.size());
        if (const std::optional<answer> one = parent.measure_any(batch)) {
            out[one->place] = one->what;
        }
        return out;
    };
    state_->from.prefetch = [&parent](std::span<const configuration> batch) { parent.prefetch(batch); };
}
problem::~problem() = default;

const space& problem::space() const {
    return state_->space;
}
const std::map<std::string, double>& problem::features() const {
    return state_->from.features;
}
random_source& problem::rng() {
    return state_->rng;
}

measurement problem::measure(const configuration& c) {
    if (std::optional<measurement> known = state_->unmeasured(c)) {
        return *std::move(known);
    }
    if (state_->left() == 0) {
        return {};
    }
    measurement m = std::move(state_->ask({&c, 1}).front());
    state_->remember(c, m);
    return m;
}

std::vector<measurement> problem::measure(std::span<const configuration> batch) {
    if (batch.size() == 1) { // many strategies ask for one at a time
        std::vector<measurement> one;
        one.push_back(measure(batch.front()));
        return one;
    }
    constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    std::vector<measurement> results(batch.size());
    std::vector<configuration> wanted;
    std::vector<std::size_t> asked(batch.size(), none); // its place among the wanted
    by_configuration<std::size_t> places;
    const std::uint64_t left = state_->left();
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const configuration& c = batch[i];
        if (std::optional<measurement> known = state_->unmeasured(c)) {
            results[i] = *std::move(known);
        } else if (const auto twice = places.find(c); twice != places.end()) {
            asked[i] = twice->second;
        } else if (wanted.size() < left) {
            asked[i] = wanted.size();
            places.emplace(c, wanted.size());
            wanted.push_back(c);
        }
    }
    if (wanted.empty()) {
        return results;
    }
    std::vector<measurement> measured = state_->ask(wanted);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        state_->remember(wanted[i], measured[i]);
    }
    if (wanted.size() == batch.size()) {
        return measured;
    }
    std::vector<bool> answered(wanted.size());
    for (std::size_t i = 0; i < batch.size(); ++i) {
        if (asked[i] != none) {
            if (!answered[asked[i]]) {
                results[i] = std::move(measured[asked[i]]);
                answered[asked[i]] = true;
            } else if (std::optional<measurement> known = state_->unmeasured(batch[i])) {
                results[i] = *std::move(known);
            }
        }
    }
    return results;
}

std::optional<problem::answer> problem::measure_any(std::span<const configuration> batch) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
        if (std::optional<measurement> known = state_->unmeasured(batch[i])) {
            return answer{i, *std::move(known)};
        }
    }
    if (batch.empty() || state_->left() == 0) {
        return std::nullopt;
    }
    const bool any = static_cast<bool>(state_->from.measure_any);
    const std::vector<measurement> results =
        any ? state_->from.measure_any(batch) : state_->from.measure(batch.first(1));
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (results[i].outcome != status::not_run) {
            state_->remember(batch[i], results[i]);
            return answer{i, results[i]};
        }
    }
    return std::nullopt;
}

void problem::prefetch(std::span<const configuration> configurations) {
    if (!state_->from.prefetch) {
        return;
    }
    std::vector<configuration> wanted;
    by_configuration<bool> seen;
    const std::uint64_t left = state_->left();
    for (const configuration& c : configurations) {
        if (wanted.size() < left && !known(c) && state_->space.contains(c) && seen.emplace(c, true).second) {
            wanted.push_back(c);
        }
    }
    if (!wanted.empty()) {
        state_->from.prefetch(wanted);
    }
}

std::uint64_t problem::parallel() const {
    return state_->from.parallel;
}

double problem::estimate(const configuration& c) const {
    if (!estimates()) {
        throw user_error("the strategy ranks configurations by a performance model, which this workload does not have",
                         "choose a strategy that needs measurements alone, e.g. auto");
    }
    const double ms = state_->from.estimate(c);
    return ms > 0 && ms < unbelievable ? ms : unbelievable;
}

bool problem::estimates() const {
    return static_cast<bool>(state_->from.estimate);
}

std::optional<problem::evaluated> problem::child(const gst::space& part, const std::string& strategy,
                                                 const std::map<std::string, value>& options, std::uint64_t most,
                                                 double seconds) {
    if (!state_->from.make_search) {
        throw std::logic_error("the host makes no strategies");
    }
    problem inner(part, *this, most);
    host& of = inner.state_->from;
    if (seconds > 0 && of.elapsed) {
        const double end = of.elapsed() + seconds;
        of.max_seconds = of.max_seconds > 0 ? std::min(of.max_seconds, end) : end;
    }
    state_->from.make_search(strategy, options)->run(inner);
    return inner.best();
}

const std::optional<problem::evaluated>& problem::best() const {
    return state_->best;
}
bool problem::known(const configuration& c) const {
    return state_->find(c) != nullptr;
}
std::uint64_t problem::evaluations() const {
    return state_->cache.size();
}
std::uint64_t problem::remaining() const {
    return state_->left();
}
double problem::seconds_left() const {
    const host& from = state_->from;
    return from.max_seconds > 0 && from.elapsed ? std::max(0.0, from.max_seconds - from.elapsed())
                                                : std::numeric_limits<double>::infinity();
}
void problem::stage(const std::string& name) {
    if (state_->from.stage) {
        state_->from.stage(name);
    }
}
void problem::trace(const std::string& line) {
    state_->trace.push_back(line);
    if (state_->parent) {
        state_->parent->trace("  " + line);
    }
}
const std::vector<std::string>& problem::trace_lines() const {
    return state_->trace;
}

} // namespace gst
