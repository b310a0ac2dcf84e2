#include "core/base/random.hpp"
#include "core/codegen/generate.hpp"
#include "core/codegen/stream_rules.hpp"
#include "core/measure/wire.hpp"
#include "dsl/dsl.hpp"
#include "tests/catch.hpp"
#include "tests/codegen/device_case.hpp"
#include "tests/stencil/random_stencil.hpp"
#include "tests/stencil/same.hpp"
#include "tests/temporary_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

using namespace gst;
using namespace gst::testing;

namespace {

/// Programs to try; the long version (GST_TEST_LONG=1) tries 2000, GST_TEST_LONG=<n> n.
int cases() {
    const char* wanted = std::getenv("GST_TEST_LONG");
    const int number = wanted ? std::atoi(wanted) : 90;
    return number == 1 ? 2000 : number;
}

/// A random power of two up to `most`.
std::uint64_t power_of_two(random_source& rng, std::uint64_t most) {
    std::uint64_t v = 1;
    while (v * 2 <= most && rng.below(2) == 1) {
        v *= 2;
    }
    return v;
}

/// A schedule that streams; with temporal blocking where the stencil allows.
schedule random_streaming(random_source& rng, const stencil& s, extent3 size, const device_info& device) {
    for (;;) {
        schedule h;
        h.stream_axis = static_cast<int>(rng.below(static_cast<std::uint64_t>(s.dimensions)));
        const auto along = static_cast<std::size_t>(h.stream_axis);
        h.steps = rng.below(2) == 0 ? 1 : 2 + static_cast<int>(rng.below(7));
        h.stream_length = 1 + rng.below(static_cast<std::uint64_t>(size[along]));
        h.planes = 1 + static_cast<int>(rng.below(2));
        h.retiming = rng.below(2) == 0;
        h.tapering = rng.below(2) == 0;
        h.skewing = h.steps > 1 && rng.below(2) == 0;
        h.split_barriers = h.steps > 1 && rng.below(2) == 0;
        h.prefetch = rng.below(2) == 0;
        h.ahead = h.prefetch ? 1 + static_cast<int>(rng.below(4)) : 1;
        h.local = h.steps > 1 || rng.below(2) == 0;
        h.shuffle = device.language.sub_group > 0 && along != 0 && rng.below(2) == 0;
        h.lanes = static_cast<std::uint64_t>(device.language.sub_group);
        h.halo = h.steps == 1 && h.local && !h.shuffle && h.ahead > 1 && rng.below(2) == 0;
        h.constant = rng.below(3) == 0;
        for (std::size_t axis = 0; axis < static_cast<std::size_t>(s.dimensions); ++axis) {
            if (axis != along) {
                h.work_group[axis] = axis == 0 && h.shuffle ? h.lanes * (1 + rng.below(3)) : power_of_two(rng, 16);
                h.cyclic[axis] = h.shuffle ? 1 : 1 + rng.below(4) / 3;
                h.block[axis] = h.cyclic[axis] > 1 ? 1 : 1 + rng.below(axis == 0 ? 2 : 3);
            }
        }
        if (h.split_barriers && rng.below(2) == 0) { // with points between the halves
            h.retiming = h.skewing = false;
            const std::size_t across = along == 0 ? 1 : along == 1 && s.dimensions == 3 ? 2 : along - 1;
            h.block[across] = 3 + rng.below(2);
            h.cyclic[across] = 1;
        }
        if (h.retiming && s.dimensions == 3 && rng.below(2) == 0) {
            h.filtered_rows = rng.below(2) == 0 ? 2 : 4;
            const std::size_t across = along == 2 ? 1 : 2;
            h.block[across] = static_cast<std::uint64_t>(h.filtered_rows) * (1 + rng.below(2));
            h.cyclic[across] = 1;
            if (!no_filtering(s, h.stream_axis, h.filtered_rows, h.steps > 1).empty()) {
                h.filtered_rows = 1;
            }
        }
        std::vector<int> divisors;
        for (int g = 1; g <= std::min(h.steps, 4); ++g) {
            if (h.steps % g == 0) {
                divisors.push_back(g);
            }
        }
        h.work_group[along] = static_cast<std::uint64_t>(divisors[rng.below(divisors.size())]);
        h.vector_width = along == 0 ? 1 : static_cast<int>(power_of_two(rng, 4));
        if (along != 0) {
            h.block[0] *= static_cast<std::uint64_t>(h.vector_width);
        }
        h.streaming_stores = rng.below(2) == 0 && (device.type == "cpu" || device.backend == "cuda");
        h.loops = device.type == "cpu" && h.steps > 1 && h.stream_axis == s.dimensions - 1 && rng.below(3) == 0;
        if (h.loops) {
            h.planes = h.ahead = 1;
            h.retiming = h.skewing = h.split_barriers = h.prefetch = h.shuffle = false;
            h.vector_arithmetic = rng.below(2) == 0 && device.language.vector_arithmetic;
            h.cache_prefetch = rng.below(2) == 0;
            h.work_group = h.cyclic = {1, 1, 1};
            for (std::size_t axis = 0; axis < along; ++axis) {
                h.block[axis] = 1 + rng.below(2 * static_cast<std::uint64_t>(size[axis]));
            }
            h.block[0] = static_cast<std::uint64_t>(round_up(static_cast<std::int64_t>(h.block[0]), h.vector_width));
        }
        if (no_streaming(s, make_layout(size, reach_of(s), padded_rows), h).empty()) {
            return h;
        }
    }
}

/// A schedule that both the grid and the device allow, often with work-groups that the grid does not fill.
schedule random_schedule(random_source& rng, extent3 size, const device_info& device) {
    schedule s;
    std::uint64_t work_items = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto power = [&](std::uint64_t most) { return power_of_two(rng, most); };
        const auto n = static_cast<std::uint64_t>(size[axis]);
        s.work_group[axis] = power(std::min<std::uint64_t>(n, 64 / work_items));
        work_items *= s.work_group[axis];
        s.block[axis] = power(n / s.work_group[axis]);
        s.cyclic[axis] = power(n / (s.work_group[axis] * s.block[axis]));
    }
    while (s.vector_width * 2 <= 16 && static_cast<std::uint64_t>(s.vector_width) * 2 <= s.block[0] &&
           rng.below(3) > 0) {
        s.vector_width *= 2;
    }
    s.local = rng.below(3) == 0;
    s.image = device.images && rng.below(4) == 0;
    s.image_width = 8192;
    s.vector_arithmetic = rng.below(2) == 0 && device.language.vector_arithmetic;
    // NVIDIA's OpenCL compiler aborts on some of them, see make_workload.
    s.streaming_stores = rng.below(2) == 0 && (device.type == "cpu" || device.backend == "cuda");
    s.cache_prefetch = rng.below(2) == 0;
    s.constant = rng.below(3) == 0;
    return s;
}

bool has_half_arithmetic(const stencil& s) {
    for (const node& n : s.nodes) {
        if (n.type == scalar::f16 && !std::holds_alternative<ir::read>(n.op)) {
            return true;
        }
    }
    return false;
}

constexpr std::int64_t usual_points = 3000;

program_case make_case(std::uint64_t number, const device_info& device, std::int64_t most_points = usual_points) {
    program_case c;
    c.number = number;
    c.drawn = fmt::format("GST_TEST_CASE={} GST_TEST_POINTS={}", number, most_points);
    random_source rng(first_seed() * 1000003 + number);
    do {
        c.s = rng.below(8) == 0 ? random_columns(rng) : random_stencil(rng);
    } while (has_half_arithmetic(c.s) && !device.f16);
    c.size = random_grid(c.s, rng, most_points);
    c.parameters = random_parameters(c.s, rng);
    const bool streams = c.s.dimensions > 1 && rng.below(2) == 0;
    c.how = streams ? random_streaming(rng, c.s, c.size, device) : random_schedule(rng, c.size, device);
    c.alignment = std::array{raw_rows, std::int64_t{4}, std::int64_t{8}, padded_rows}[rng.below(4)];
    c.noise = rng.next();
    c.first_step = static_cast<std::int64_t>(rng.below(5));
    c.steps = 1 + static_cast<int>(rng.below(4));
    if (c.how.steps > 1) { // at least one call, often a remainder
        c.steps += c.how.steps;
    }
    return c;
}

std::string technique_of(const schedule& how) {
    if (how.stream_axis >= 0) {
        return fmt::format("streaming {}{}", how.retiming ? "partial sums" : "queues", how.local ? ", shared" : "");
    }
    const char* loads = how.image               ? "images"
                        : how.vector_width == 1 ? "scalars"
                        : how.vector_arithmetic ? "vector arithmetic"
                                                : "vector loads";
    return how.local ? std::string(how.image ? "local memory from images" : "local memory") : std::string(loads);
}

/// What a case exercises; any two of these may interact.
std::set<std::string> features_of(const program_case& c) {
    std::set<std::string> out{technique_of(c.how), fmt::format("rows at multiples of {}", c.alignment),
                              fmt::format("{} dimensions", c.s.dimensions)};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto add = [&](bool holds, const char* what) {
            if (holds) {
                out.insert(fmt::format("{} {}", what, "xyz"[axis]));
            }
        };
        const std::uint64_t tile = c.how.work_group[axis] * c.how.block[axis] * c.how.cyclic[axis];
        add(c.how.block[axis] > 1, "block");
        add(c.how.cyclic[axis] > 1, "cyclic");
        add(c.how.work_group[axis] > 1, "work-group");
        add(static_cast<std::uint64_t>(c.size[axis]) % tile != 0, "partial");
        add(c.how.stream_axis == static_cast<int>(axis), "streaming");
    }
    for (const field& f : c.s.fields) {
        out.insert(fmt::format("{}{}", name_of(f.type), f.coefficient ? " coefficient" : ""));
        out.insert(f.history > 0 ? "history" : "one level");
        for (std::size_t axis = 0; axis < 3; ++axis) {
            for (const boundary& b : f.faces[axis]) {
                if (f.halo[axis] > 0 && !f.coefficient) {
                    out.insert(fmt::format("{}", name_of(b.kind)));
                }
            }
        }
    }
    if (c.s.updates.size() > 1) {
        out.insert("stages");
    }
    if (c.how.constant) {
        out.insert("constant memory");
    }
    if (c.how.stream_axis >= 0) {
        out.insert(c.how.steps > 1 ? "several steps" : "one step");
        const auto add = [&](bool holds, const char* what) {
            if (holds) {
                out.insert(what);
            }
        };
        add(c.how.planes > 1, "several planes");
        add(c.how.skewing, "skewing");
        const bool alone = c.how.shuffle && !c.how.shows_ends();
        add(c.how.split_barriers && !c.how.retiming && no_split_barriers(c.s, c.how.stream_axis, alone).empty(),
            "split barriers");
        add(c.how.shows_ends(), "several sub-groups");
        add(c.how.halo, "halo tiles");
        add(c.how.tapering, "tapering");
        add(c.how.filtered_rows > 1, "filtered rows");
        add(c.how.loops, "loops");
        add(c.how.prefetch, c.how.ahead > 1 ? "prefetch by copies" : "prefetch");
        add(c.how.shuffle, "shuffle");
        add(c.how.stage_groups() > 1, "stage groups");
        add(c.how.vector_width > 1, "vectors");
    }
    if (c.how.streaming_stores && c.how.vector_width > 1) {
        out.insert("streaming stores");
    }
    if (c.how.cache_prefetch && c.how.vector_width > 1 && (c.how.stream_axis < 0 || c.how.loops)) {
        out.insert("cache prefetch");
    }
    return out;
}

using feature_pair = std::pair<std::string, std::string>;

std::vector<feature_pair> pairs_of(const program_case& c) {
    const std::set<std::string> all = features_of(c);
    std::vector<feature_pair> out;
    for (auto a = all.begin(); a != all.end(); ++a) {
        for (auto b = std::next(a); b != all.end(); ++b) {
            out.emplace_back(*a, *b);
        }
    }
    return out;
}

/// Picks cases so that every pair of features that some candidate has is exercised: of a few candidates at a time the
/// one with the most new pairs (a greedy covering array), at the end one for each pair that is left.
class case_picker {
  public:
    explicit case_picker(const device_info& device) : device_(device) {}

    /// The next case; nothing when `wanted` have been picked and no pair is left.
    std::optional<program_case> next(int wanted) {
        if (picked_ < wanted) {
            std::optional<program_case> best;
            std::size_t most = 0;
            for (int i = 0; i < 12; ++i) {
                const std::uint64_t number = drawn_++;
                program_case c = make_case(number, device_);
                std::size_t fresh = 0;
                for (const feature_pair& p : pairs_of(c)) {
                    seen_.emplace(p, number);
                    fresh += covered_.count(p) == 0 ? 1 : 0;
                }
                if (!best || fresh > most) {
                    best = std::move(c);
                    most = fresh;
                }
            }
            return picked(std::move(*best));
        }
        for (const auto& [pair, number] : seen_) {
            if (covered_.count(pair) == 0) {
                return picked(make_case(number, device_));
            }
        }
        return std::nullopt;
    }

    std::size_t covered() const { return covered_.size(); }
    bool covers(const std::string& a, const std::string& b) const { return covered_.count(std::minmax(a, b)) > 0; }

  private:
    program_case picked(program_case c) {
        ++picked_;
        for (const feature_pair& p : pairs_of(c)) {
            covered_.insert(p);
        }
        return c;
    }

    const device_info& device_;
    std::uint64_t drawn_ = 0;
    int picked_ = 0;
    std::map<feature_pair, std::uint64_t> seen_; ///< and a case that has it
    std::set<feature_pair> covered_;
};

/// The case in calls of several steps, and as many steps that one is left over or not.
program_case with_calls(program_case c, int number) {
    c.per_call = 2 + number % 3;
    for (field& f : c.s.fields) { // every level that a call computes gets a buffer
        f.history = f.coefficient ? 0 : std::max(f.history, c.per_call - 1);
    }
    c.steps = 1 + number % 9;
    c.drawn += fmt::format(" GST_TEST_CALLS={}", number);
    return c;
}

/// Whether the fault is the optimizer's of an OpenCL driver: the same program is right when it is compiled without
/// optimization, and right in Oclgrind, which sees no race, no foreign memory and no undefined value in it.
bool is_miscompiled(test_device& on, const program_case& c) {
    if (on.info.backend != "opencl" || !wrong_of(on, c, "-cl-opt-disable").empty()) {
        return false;
    }
    const temporary_folder folder;
    const std::string device = (folder / "device.json").string();
    const std::string log = (folder / "log").string();
    std::ofstream(device) << nlohmann::json(on.info);
    const std::string command =
        fmt::format("{} GST_TEST_DEVICE=Oclgrind GST_TEST_DRAWN_FOR='{}' oclgrind --data-races --uninitialized "
                    "--local-mem-size 1048576 '{}' '[.case]' > /dev/null 2> '{}'",
                    c.drawn, device, std::filesystem::read_symlink("/proc/self/exe").string(), log);
    return std::system(command.c_str()) == 0 && std::filesystem::file_size(log) == 0;
}

/// Whether the compiler gave up as LLVM 18 and 19 do on 3 of 100 programs the way PoCL 6 calls them.
bool gives_up(std::string_view message) {
    return message.find("Instruction Combining did not reach a fixpoint") != std::string_view::npos;
}

/// Checks cases, each while the next one's program is compiled, and counts those of which nothing is known because the
/// driver's compiler failed, and those that it compiled wrongly.
class case_checker {
  public:
    explicit case_checker(test_device& on) : on_(on) {}

    void add(program_case c) {
        compile_ahead(on_, program_of(c, on_.info.language));
        ++added_;
        if (const std::optional<program_case> before = std::exchange(last_, std::move(c))) {
            check(*before);
        }
    }

    int added() const { return added_; }
    /// Checks the last case. Fails when the compiler fails more often than now and then.
    void conclude() {
        check(last_.value());
        std::cout << fmt::format("{} programs on {}; its compiler failed on {} and compiled {} wrongly\n", added_,
                                 on_.info.name, unknown_, miscompiled_);
        CHECK(given_up_ <= 1 + added_ / 10);
        CHECK(unknown_ - given_up_ <= 1 + added_ / 100);
        CHECK(miscompiled_ <= 1 + added_ / 1000);
    }

  private:
    void check(const program_case& c) {
        INFO("case " << c.number << ", GST_TEST_SEED=" << first_seed());
        try {
            compile(on_, program_of(c, on_.info.language));
        } catch (const compiler_failure& failure) {
            ++unknown_;
            given_up_ += gives_up(failure.what()) ? 1 : 0;
            std::cout << fmt::format("GST_TEST_SEED={} {}: {}\n", first_seed(), c.drawn, failure.what());
            return;
        }
        const std::string wrong = wrong_of(on_, c);
        if (wrong.empty()) {
            SUCCEED("computes what the interpreter computes");
        } else if (is_miscompiled(on_, c)) {
            ++miscompiled_;
            std::cout << fmt::format("GST_TEST_SEED={} {}: compiled wrongly, and rightly without optimization and by "
                                     "Oclgrind: {}\n",
                                     first_seed(), c.drawn, wrong);
        } else {
            check_case(on_, c);
        }
    }

    test_device& on_;
    std::optional<program_case> last_;
    int added_ = 0;
    int unknown_ = 0;
    int given_up_ = 0; ///< of these
    int miscompiled_ = 0;
};

} // namespace

TEST_CASE("random programs compute what the interpreter computes", "[device]") {
    test_device on = open_test_device();
    case_picker picker(on.info);
    case_checker checker(on);
    while (std::optional<program_case> c = picker.next(cases())) {
        checker.add(std::move(*c));
    }
    checker.conclude();
    std::cout << fmt::format("{} pairs of features (GST_TEST_SEED={})\n", picker.covered(), first_seed());
    for (const char* technique :
         {"scalars", "vector loads", "vector arithmetic", "local memory", "images", "local memory from images",
          "streaming queues", "streaming partial sums", "streaming queues, shared", "streaming partial sums, shared"}) {
        const std::string loads = technique;
        if ((!on.info.images && loads.find("images") != std::string::npos) ||
            (!on.info.language.vector_arithmetic && loads == "vector arithmetic")) {
            continue;
        }
        for (const char* kind : {"fixed", "constant", "clamp", "periodic", "mirror"}) {
            INFO(loads << " with " << kind << " boundaries");
            CHECK(picker.covers(loads, kind));
        }
    }
}

TEST_CASE("calls of several steps, and what is left over, compute what the interpreter computes", "[device]") {
    test_device on = open_test_device();
    const auto reads_step = [](const node& n) { return std::holds_alternative<ir::step_number>(n.op); };
    case_checker checker(on);
    for (std::uint64_t number = 0; checker.added() < cases() / 3; ++number) {
        program_case c = make_case(number, on.info);
        if (c.how.stream_axis >= 0 || std::any_of(c.s.nodes.begin(), c.s.nodes.end(), reads_step)) {
            continue;
        }
        checker.add(with_calls(std::move(c), checker.added()));
    }
    checker.conclude();
}

// tests/codegen/races.sh runs these under Oclgrind, which reports data races and accesses beyond an array.

TEST_CASE("small random programs", "[.races]") {
    test_device on = open_test_device();
    const int programs = std::getenv("GST_TEST_LONG") ? 400 : 40;
    int refused = 0;
    for (int i = 0; i < programs; ++i) {
        program_case c = make_case(static_cast<std::uint64_t>(i), on.info, 150);
        c.how.local = c.how.stream_axis >= 0 ? c.how.local : i % 2 == 0;
        try { // results are compared elsewhere: Oclgrind converts true to 255.0
            execute(on, program_of(c, on.info.language), c.s, start_of(c), c.parameters, c.steps);
        } catch (const compile_error& error) { // Oclgrind 21.10 lacks some of LLVM's instructions
            if (std::string(error.what()).find("cannot make the kernel") == std::string::npos) {
                throw;
            }
            ++refused;
        }
    }
    std::cout << programs - refused << " programs on " << on.info.name << ", which refused " << refused << "\n";
    CHECK(refused < programs / 3);
}

// GST_TEST_CASE=<number>: one case again, by itself. GST_TEST_DRAWN_FOR=<file>: as it was drawn for another device.
TEST_CASE("one random program", "[.case]") {
    test_device on = open_test_device();
    if (const char* file = std::getenv("GST_TEST_DRAWN_FOR")) {
        nlohmann::json::parse(std::ifstream(file)).get_to(on.info);
    }
    const char* number = std::getenv("GST_TEST_CASE");
    const char* points = std::getenv("GST_TEST_POINTS");
    const char* calls = std::getenv("GST_TEST_CALLS");
    program_case c =
        make_case(number ? std::strtoull(number, nullptr, 10) : 0, on.info, points ? std::atoll(points) : usual_points);
    if (calls) {
        c = with_calls(std::move(c), std::atoi(calls));
    }
    c.how.local = c.how.local || std::getenv("GST_TEST_LOCAL");
    check_case(on, c);
}

TEST_CASE("a program without its barrier", "[.race]") {
    test_device on = open_test_device();
    const stencil s =
        dsl::compile(std::make_shared<source>(
                         source{"race.gst", "stencil race(x) {\nfield u { x: clamp }\nu[t+1] = u[x-1] + u[x+1]\n}\n"}))
            .front();
    schedule how;
    how.work_group = {8, 1, 1};
    how.local = true;
    lowered_program p = lower(s, {64, 1, 1}, padded_rows, how);
    nest::block& body = p.modules.front().front().body;
    REQUIRE(std::erase_if(body, [](const auto& one) { return std::holds_alternative<nest::barrier>(one.what); }) == 1);
    execute(on, spell(p, on.info.language), s, random_state(s, {64, 1, 1}, 1), {}, 1);
}
