#include "core/api/backend.hpp"
#include "core/store/measured_units.hpp"
#include "core/store/results.hpp"
#include "core/tune/measure_units.hpp"
#include "tests/app/shell.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>

using namespace gst;

namespace {

/// A sample that is measured in seconds.
constexpr const char* small_suite =
    "[units]\nkernels = 3\nlaunches = 2\nmost_reads = 262144\nreal = false\ntraining = 0.5\nagain = 1\n"
    "[backend]\nname = \"opencl\"\n[measure]\nmin_repetitions = 1\nmax_repetitions = 1\n"
    "repetition_ms = 0\n[store]\npath = \"results.db\"\n";

/// Launches whose local memory pays where 32 work-items make many transactions per read.
measured_units invented() {
    device_info device;
    device.work_group = 256;
    device.local_bytes = 49152;
    measured_units m = drawn_units({3, 60, 6}, device);
    m.device = "invented";
    m.backend = "opencl";
    m.driver = "1";
    m.predictor = "random_forest";
    m.predictor_options = {{"trees", std::int64_t{20}}, {"attributes", std::int64_t{4}}};
    m.training = 0.3;
    for (measured_units::instance& i : m.instances) {
        i.without = unit_profile(m.kernel_of(i), i.how).transactions;
        i.with = 6;
    }
    m.instances[3].with = 0;                                // it failed
    m.instances[5].again_with = m.instances[5].without + 1; // another label by noise, or not
    m.instances[5].again_without = m.instances[5].without;
    m.instances[6].again_with = m.instances[6].again_without = 1;
    return m;
}

} // namespace

TEST_CASE("report and model of the shipped table are those beside it, to the last byte") {
    const std::filesystem::path folder = std::filesystem::path(GST_SOURCE_DIR) / "examples/replay/local_memory_h200";
    const playground here;
    const finished_command done =
        here.gst("train --from '" + (folder / "units.json.gz").string() + "' --models models");
    INFO(done.err);
    CHECK(done.code == 0);
    if (std::getenv("GST_APPROVE") != nullptr) {
        std::ofstream(folder / "report.txt") << done.out;
        std::filesystem::copy_file(here.folder() / "models/useShared.model", folder / "useShared.model",
                                   std::filesystem::copy_options::overwrite_existing);
    }
    CHECK(done.out == text_of(folder / "report.txt"));
    CHECK(text_of(here.folder() / "models/useShared.model") == text_of(folder / "useShared.model"));
}

TEST_CASE("gst synth han writes a suite that gst train reads") {
    const playground here;
    const finished_command made = here.gst("synth han --kernels 7 --launches 3 --seed 5 units");
    CHECK(made.code == 0);
    CHECK(made.out == "units/suite.toml. Next:\n  gst train units/suite.toml\n");
    CHECK(here.gst("train units/suite.toml --set units.kernel=3").err.find("did you mean 'kernels'?") !=
          std::string::npos);
    CHECK(here.gst("train units/suite.toml --set units.training=2").code == 2);
    CHECK(here.gst("train units/suite.toml --set units.options={tree=3}").err.find("did you mean 'trees'?") !=
          std::string::npos);
    CHECK(here.gst("train units/suite.toml --set grid.size=[3]")
              .err.find("beside [units] there are backend, measure and store") != std::string::npos);
    const finished_command again = here.gst("synth han units");
    CHECK(again.code == 2);
    CHECK(again.err == "error: 'units' has a suite already\n  choose another folder\n");
}

TEST_CASE("unit kernels are measured once, over an interruption, and the table holds them") {
    const playground here;
    here.folder().write("suite.toml", small_suite);
    const finished_command first = here.gst("train --for 0.01s suite.toml");
    CHECK(first.code == 0);
    CHECK(first.out == "not all launches are measured; the same command goes on from there\n");
    const finished_command rest = here.gst("train suite.toml"); // 3 instances to learn from may be of one class
    INFO(rest.out << rest.err);
    CHECK(rest.code == 0);
    const measured_units m = read_measured_units(here.folder() / "units.json.gz", "units.json.gz");
    REQUIRE(m.instances.size() == 6);
    for (const measured_units::instance& i : m.instances) {
        CHECK(i.with > 0);
        CHECK(i.without > 0);
    }
    CHECK(std::ranges::all_of(m.instances, [](const auto& i) { return i.again_with > 0 && i.again_without > 0; }));
    const std::size_t rows = result_store(here.folder() / "results.db").query().size();
    CHECK(rows == 12);
    here.gst("train suite.toml");
    CHECK(result_store(here.folder() / "results.db").query().size() == rows);
    // More launches of the same kernels: those that the table holds are not measured again, even without the database.
    here.gst("train --set units.launches=4 --set units.again=0 --set store.path=other.db suite.toml");
    const measured_units more = read_measured_units(here.folder() / "units.json.gz", "units.json.gz");
    CHECK(more.driver == m.driver);
    CHECK(more.instances.size() > m.instances.size());
    for (const measured_units::instance& i : m.instances) {
        CHECK(std::ranges::find(more.instances, i) != more.instances.end());
    }
    CHECK(result_store(here.folder() / "other.db").query().size() == 2 * (more.instances.size() - m.instances.size()));
    // Fewer: what was measured is not thrown away.
    const finished_command fewer = here.gst("train --set units.launches=1 suite.toml");
    CHECK(fewer.code == 2);
    CHECK(fewer.err.find("the others would be lost\n  name another table: [units] table = ") != std::string::npos);
    CHECK(read_measured_units(here.folder() / "units.json.gz", "units.json.gz").instances == more.instances);
    const finished_command other = here.gst("train --set measure.warm_up=3 suite.toml");
    CHECK(other.code == 2);
    CHECK(other.err.find("name another table") != std::string::npos);
    here.run("mv units.json.gz whole.json.gz; head -c 300 whole.json.gz > units.json.gz");
    const finished_command cut = here.gst("train suite.toml");
    CHECK(cut.code == 2);
    CHECK(cut.err.find("the table cannot be gone on from: ") != std::string::npos);
    CHECK(cut.err.find("move it away: what is in the database is not measured again") != std::string::npos);
}

TEST_CASE("a table of unit kernels gives the same report and model every time, and what it holds is found") {
    const playground here;
    write_measured_units(here.folder() / "units.json.gz", invented());
    const finished_command report = here.gst("train --from units.json.gz --models a");
    INFO(report.out << report.err);
    REQUIRE(report.code == 0);
    CHECK(report.out.find("360 instances") == std::string::npos); // one failed
    CHECK(report.out.find("of 60 synthetic kernels, 1 that failed left out") != std::string::npos);
    for (const char* line : {"random_forest", "nearest neighbour", "always false", "always true", "transpose",
                             "matrix_product_a", "convolution", "jacobi"}) {
        CHECK(report.out.find(line) != std::string::npos);
    }
    const std::size_t at = report.out.find("random_forest ");
    CHECK(std::stod(report.out.substr(at + 24)) > 95); // % right
    CHECK(report.out.find("importances\n  transactions ") != std::string::npos);
    CHECK(report.out.find("labels, measured again") != std::string::npos);
    CHECK(report.out.find("of 2 instances") != std::string::npos);
    CHECK(text_of(here.folder() / "a/useShared.model").find("score \"label_noise\"") != std::string::npos);
    CHECK(here.gst("train --from units.json.gz --models b").out == report.out);
    CHECK(text_of(here.folder() / "a/useShared.model") == text_of(here.folder() / "b/useShared.model"));

    measured_units one_class = invented();
    for (measured_units::instance& i : one_class.instances) {
        i.with = 1000;
    }
    write_measured_units(here.folder() / "units.json", one_class);
    const finished_command one = here.gst("train --from units.json --models c");
    INFO(one.out << one.err);
    CHECK(one.code == 0);
    CHECK(one.out.find("all that would be learned from is of the class 'false': there is nothing to learn\n") !=
          std::string::npos);
    CHECK(one.out.find("always false                 100.0 %") != std::string::npos);
    CHECK(one.out.find("all, always true") != std::string::npos);
    CHECK(one.out.find("labels, measured again") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(here.folder() / "c/useShared.model"));
    // The model of an earlier table does not stay where this one gives none.
    here.run("cp -r a d");
    CHECK(here.gst("train --from units.json --models d").out == one.out);
    CHECK_FALSE(std::filesystem::exists(here.folder() / "d/useShared.model"));

    measured_units few = invented();
    few.training = 1e-6;
    write_measured_units(here.folder() / "units.json", few);
    const finished_command none = here.gst("train --from units.json");
    INFO(none.out << none.err);
    CHECK(none.code == 0);
    CHECK(none.out.find("no instance is left to learn from: measure more, or learn from a larger share\n") !=
          std::string::npos);
}
