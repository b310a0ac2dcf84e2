#include "tests/store/some_recording.hpp"

#include <sstream>
#include <vector>

namespace gst {

namespace {

/// A number with all bits of its mantissa in use.
double some_number(random_source& rng) {
    return 1e-3 + 1e4 * rng.uniform() * rng.uniform();
}

std::vector<value> some_domain(random_source& rng, std::uint64_t kind) {
    std::vector<value> domain;
    const std::uint64_t size = 1 + rng.below(5);
    for (std::uint64_t i = 0; i < size; ++i) {
        switch (kind) {
        case 0:
            domain.emplace_back(static_cast<std::int64_t>(1U << i) - 4);
            break;
        case 1:
            domain.emplace_back(0.1 + static_cast<double>(i));
            break;
        case 2:
            return {value(false), value(true)};
        default: {
            static const std::vector<std::string> words{"local", "a b, \"c\"", "32", "true", "", "it's", "1e3", "'x'"};
            for (const std::string& word : words) {
                domain.emplace_back(word);
            }
            return domain;
        }
        }
    }
    return domain;
}

recorded some_entry(random_source& rng) {
    recorded e;
    e.outcome = static_cast<status>(rng.below(3) == 0 ? 1 + rng.below(5) : 0);
    if (e.outcome == status::correct) {
        e.time = some_number(rng);
        e.censored = rng.below(5) == 0;
        for (std::uint64_t i = rng.below(4); i > 0; --i) {
            e.times.push_back(some_number(rng));
        }
    } else {
        e.message = rng.below(2) == 0 ? "" : "line 1: \"x\", – broken\nline 2";
    }
    for (const char* name : cost_names) {
        if (rng.below(2) == 0) {
            e.cost[name] = some_number(rng);
        }
    }
    for (const char* name : {"GFLOP/s", "registers"}) {
        if (rng.below(2) == 0) {
            e.measurements[name] = some_number(rng);
        }
    }
    e.timestamp = rng.below(2) == 0 ? "" : "2023-12-22 09:54:05.502007+00:00";
    return e;
}

} // namespace

recording some_recording(random_source& rng) {
    recording_builder b;
    std::vector<std::vector<value>> domains;
    for (std::uint64_t kind = 0; kind < 4; ++kind) {
        domains.push_back(some_domain(rng, kind));
        b.declare("p" + std::to_string(kind), domains.back());
        b.set_default(domains.back().back());
    }
    for (std::uint64_t i = 1 + rng.below(40); i > 0; --i) {
        std::vector<std::pair<std::string, value>> named;
        for (std::size_t p = 0; p < domains.size(); ++p) {
            named.emplace_back("p" + std::to_string(p), domains[p][rng.below(domains[p].size())]);
        }
        b.add(named, some_entry(rng));
    }
    b.out.kernel = "some_kernel";
    b.out.device = "Some Device, 2nd";
    b.out.problem_size = {value(std::int64_t{4096}), value(std::string("n/2"))};
    b.out.constraints.push_back({expression::parse("p0 <= 2 or not p2"), "p0 <= 2 or not p2"});
    return b.finish();
}

std::string written(const recording& r, recording_format format) {
    std::ostringstream out;
    write_recording(r, format, out);
    return out.str();
}

recording read(const temporary_folder& folder, const std::string& text) {
    return read_recording(folder.write("recording", text), "recording");
}

} // namespace gst
