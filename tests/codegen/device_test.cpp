#include "core/codegen/generate.hpp"
#include "core/measure/wire.hpp"
#include "tests/catch.hpp"
#include "tests/codegen/drawn_case.hpp"
#include "tests/dsl/stencils_of.hpp"
#include "tests/first_seed.hpp"
#include "tests/stencil/random_stencil.hpp"
#include "tests/temporary_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <string_view>
#include <utility>

using namespace gst;
using namespace gst::testing;

namespace {

/// What a compiler may take for one of many programs: PoCL usually takes seconds, but took 6 minutes for one.
constexpr double random_compile_seconds = 150;

/// Programs to try; the long version (GST_TEST_LONG=1) tries 2000, GST_TEST_LONG=<n> n.
int cases() {
    const char* wanted = std::getenv("GST_TEST_LONG");
    const int number = wanted ? std::atoi(wanted) : 90;
    return number == 1 ? 2000 : number;
}

/// Whether the fault is the optimizer's of an OpenCL driver: the same program is right when it is compiled without
/// optimization, and right in Oclgrind, which sees no race, no foreign memory and no undefined value in it.
bool is_miscompiled(test_device& on, const program_case& c) {
    if (on.info.backend != "opencl" || !wrong_of(on, c, unoptimized(on.info)).empty()) {
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
            check_case(on_, c, true);
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
    test_device on = open_test_device(random_compile_seconds);
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
    test_device on = open_test_device(random_compile_seconds);
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

TEST_CASE("vectors whose results are stored in another type than the computed one", "[device]") {
    test_device on = open_test_device();
    for (const char* stored : {"f16", "f32", "f64"}) {
        program_case c;
        c.s =
            stencil_of(fmt::format("stencil other(x, y) {{\nfield u: {} compute f64 {{ all: clamp }}\nfield v: f64 {{ "
                                   "all: clamp }}\nu[t+1] = 0.5*v[x-1] + 0.25*v[y+1]\nv[t+1] = 0.75*v[x+1]\n}}\n",
                                   stored));
        c.size = {37, 9, 1};
        c.steps = 2;
        c.how.work_group = {2, 2, 1};
        c.how.block = {4, 1, 1};
        c.how.vector_width = 4;
        c.how.vector_arithmetic = on.info.language.vector_arithmetic;
        check_case(on, c);
        c.how.work_group = {1, 1, 1};
        c.how.stream_axis = 1;
        c.how.stream_length = 5;
        c.how.local = c.how.loops = true;
        c.how.steps = 2;
        c.how.block = {20, 1, 1};
        c.steps = 3;
        check_case(on, c);
    }
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
    check_case(on, c, true);
}

TEST_CASE("a program without its barrier", "[.race]") {
    test_device on = open_test_device();
    const stencil s = stencil_of("stencil race(x) {\nfield u { x: clamp }\nu[t+1] = u[x-1] + u[x+1]\n}\n");
    schedule how;
    how.work_group = {8, 1, 1};
    how.local = true;
    lowered_program p = lower(s, {64, 1, 1}, padded_rows, how);
    nest::block& body = p.modules.front().front().body;
    REQUIRE(std::erase_if(body, [](const auto& one) { return std::holds_alternative<nest::barrier>(one.what); }) == 1);
    execute(on, spell(p, on.info.language), s, random_state(s, {64, 1, 1}, 1), {}, 1);
}
