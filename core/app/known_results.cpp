#include "core/app/known_results.hpp"

#include "core/base/hash.hpp"

#include <fmt/format.h>

namespace gst {

namespace {

constexpr const char* noise_seed = ", noise seed "; // the end of a method

} // namespace

std::string method_text(const measuring& m, std::uint64_t data_seed) {
    const timing_method& t = m.timing;
    return fmt::format("{}{}, warm-up {}, {} to {} repetitions of {} ms, precision {}{}{}", t.method,
                       t.flush_cache ? " with flushed cache" : "", t.warm_up, t.min_repetitions, t.max_repetitions,
                       t.repetition_ms, t.precision, noise_seed, data_seed);
}

known_results::known_results(result_store& store, const tuning_request& r, const target& t, const workload& w,
                             const std::string& method)
    : store_(store), workload_(w) {
    common_.stencil = r.stencil.name;
    common_.problem = problem_text(r.stencil);
    common_.grid = grid_text(r.stencil.dimensions, r.size);
    common_.backend = t.device.backend;
    common_.device = t.device.name;
    common_.driver = t.device.driver;
    common_.method = method;
}

std::vector<std::optional<measurement>> known_results::lookup(std::span<const configuration> which) const {
    std::vector<result_key> keys;
    for (const configuration& c : which) {
        keys.push_back(key_of(c));
    }
    return store_.lookup(keys);
}

void known_results::insert(const configuration& c, const measurement& m, session_id session) const {
    store_.insert(key_of(c), workload_.space.describe(c), m, session);
}

std::optional<configuration> known_results::fastest(double below, session_id session) const {
    result_filter f;
    f.stencil = common_.stencil;
    f.problem_digest = digest(common_.problem);
    f.grid = common_.grid;
    f.backend = common_.backend;
    f.device = common_.device;
    f.driver = common_.driver;
    f.method = common_.method.substr(0, common_.method.find(noise_seed)); // what is measured again is verified again
    f.fastest_first = true;
    f.limit = 100; // the others are of programs or spaces that are no more
    for (const result_row& row : store_.query(f)) {
        if (row.what.time >= below) {
            break;
        }
        if (row.session == session || row.device != common_.device) { // whose name has this one's in it
            continue;
        }
        const std::optional<configuration> c = workload_.space.find(row.configuration);
        if (c && digest(key_of(*c).program) == row.program_digest) {
            return c;
        }
    }
    return {};
}

result_key known_results::key_of(const configuration& c) const {
    result_key key = common_;
    // Generating a program takes longer than all else here: a configuration is looked up before it is inserted.
    auto [found, is_new] = programs_.try_emplace(c);
    if (is_new) {
        found->second = digest(program_text(workload_.generate(c)));
    }
    key.program = found->second;
    return key;
}

} // namespace gst
