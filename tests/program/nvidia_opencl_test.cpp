#include "tests/catch.hpp"
#include "tests/program/tuning.hpp"

using namespace gst;
using namespace gst::test;

namespace {

value value_of(const result_row& row, const std::string& parameter) {
    const auto at = std::ranges::find(row.configuration, parameter, &named_values::value_type::first);
    REQUIRE(at != row.configuration.end());
    return at->second;
}

} // namespace

TEST_CASE("on NVIDIA's OpenCL programs whose registers spill are refused, and those with a stack alone are not") {
    for (const std::string driver : {"", "GST_DRIVER=cached "}) {
        const playground here;
        const finished_command c = here.run(driver + "LD_PRELOAD=build/tests/nvidia_opencl.so build/bin/gst tune " +
                                            small("random", 12) + " --set 'space.domain.load=[\"global\", \"local\"]'");
        INFO(driver << "\n" << c.out << c.err);
        CHECK(c.code == 0);
        std::map<std::string, std::set<status>> outcomes;
        for (const result_row& row : rows_of(here)) {
            const std::string how = std::get<std::string>(value_of(row, "load"));
            outcomes[how].insert(row.what.outcome);
            if (how == "local") {
                CHECK(row.what.message ==
                      "registers of the program spill (48 bytes of stores and loads), and NVIDIA's OpenCL is not to be "
                      "trusted with that; its CUDA is");
            } else {
                CHECK(row.what.metrics.at("private_bytes") == 40);
            }
        }
        CHECK(outcomes ==
              std::map<std::string, std::set<status>>{{"global", {status::correct}}, {"local", {status::compile}}});
    }
}

TEST_CASE("on NVIDIA's OpenCL programs are loaded with the bound on registers that they were compiled with") {
    const playground here;
    const finished_command c = here.run(
        "GST_DRIVER=ampere LD_PRELOAD=build/tests/nvidia_opencl.so build/bin/gst tune " + small("random", 12) +
        " --set space.preset=gest --set space.domain.useStreaming=[true] --set space.domain.useShuffle=[false]"
        " --set space.domain.useShared=[false] --set space.domain.usePrefetching=[false] --set space.domain.MB=[1,2]");
    INFO(c.out << "\n" << c.err);
    CHECK(c.code == 0);
    std::map<std::int64_t, std::set<status>> outcomes; // by work-groups that registers are kept free for
    for (const result_row& row : rows_of(here)) {
        outcomes[std::get<std::int64_t>(value_of(row, "MB"))].insert(row.what.outcome);
    }
    CHECK(outcomes == std::map<std::int64_t, std::set<status>>{{1, {status::correct}}, {2, {status::correct}}});
}
