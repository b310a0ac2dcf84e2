#include "tests/catch.hpp"
#include "tests/program/tuning.hpp"

#include <nlohmann/json.hpp>

using namespace gst;
using namespace gst::test;
using nlohmann::json;

namespace {

/// The command must end with this code and say this, on stderr, with the paths of the playground taken out.
void check_refusal(const playground& here, const std::string& arguments, int code, const std::string& said) {
    const finished_command c = here.gst(arguments);
    INFO(arguments << "\n" << c.out << c.err);
    CHECK(c.code == code);
    CHECK(here.folder().without_path(c.err).find(said) != std::string::npos);
}

} // namespace

TEST_CASE("files that are none, or hold something else, are the user's mistake") {
    const playground here;
    here.folder().write("empty", "");
    here.folder().write("bytes", "\xff\xfe\x00");
    for (const std::string command : {"check ", "space ", "show ", "run ", "tune "}) {
        check_refusal(here, command + "''", 2, "error: cannot read ''");
        check_refusal(here, command + "examples", 2, "error: cannot read 'examples' (Is a directory)");
        check_refusal(here, command + "/dev/zero", 2, "error: cannot read '/dev/zero' (File too large)");
        check_refusal(here, command + "empty", 2, "error: 'empty' says nothing: stencil.file and grid.size must");
        check_refusal(here, command + "bytes", 2, "bytes:1:1: error: not TOML");
    }
    const std::string file = "check examples/heat3d/app.toml --set stencil.file=";
    check_refusal(here, file + "/dev/zero", 2, "--set:1:14: error: cannot read '/dev/zero' (File too large)");
    check_refusal(here, file + "nowhere", 2, "--set:1:14: error: cannot read 'nowhere' (No such file or directory)");
    check_refusal(here, "results --store examples", 2, "is a folder; name a file for the results");
    check_refusal(here, "results --store bytes", 2, "is not a results database of gst");
}

TEST_CASE("absurd numbers are the user's mistake") {
    const playground here;
    check_refusal(here, "results --limit -1", 2, "--limit");
    check_refusal(here, "results --limit 99999999999999999999999", 2, "--limit");
    check_refusal(here, "results --since yesterday", 2, "'yesterday' is no date: write 2026-01-31");
    check_refusal(here, "results --since 2026-13x", 2, "is no date");
    check_refusal(here, "check --seed 9223372036854775808 examples/heat3d/app.toml", 2, "--seed");
    check_refusal(here, "check --seed -1 examples/heat3d/app.toml", 2, "--seed");
    check_refusal(here, "check examples/heat3d/app.toml --set run.format=[]", 2, "run.format names no format");
    check_refusal(here, "rnu examples/heat3d/app.toml", 2, "error: there is no command 'rnu' – did you mean 'run'?");
    check_refusal(here, "space --sample -1 examples/heat3d/app.toml", 2, "--sample");
    const std::string check = "check examples/heat3d/app.toml --set ";
    check_refusal(here, check + "grid.size=[1099511627776,8,8]", 2, "the grid has 1099511627776 points along x");
    check_refusal(here, check + "grid.size=[1e300,8,8]", 2, "grid.size must be an array of integers from 1 to");
    check_refusal(here, check + "parameters.alpha=nan", 2, "parameters.alpha must be a number, not nan");
    check_refusal(here, check + "parameters.alpha=-inf", 2, "parameters.alpha must be a number, not -inf");
    check_refusal(here, check + "space.domain.WX=[7]", 2, "WX cannot be 7 here");
    check_refusal(here, check + "space.constraints='WX *'", 2, "error: ");
    check_refusal(here, check + "initial.u.expression='x +' --set initial.u.kind=expression", 2, "error: ");
}

TEST_CASE("the time loop's files are looked at before tuning") {
    const playground here;
    here.folder().write("file", "no checkpoint");
    const std::string run = "run " + small("random", 2) + " --set run.steps=2 --set ";
    check_refusal(here, run + "run.output=file", 2, "--set:1:12: error: nothing can be written into 'file' (");
    check_refusal(here, run + "run.output=/proc/nowhere", 2, "nothing can be written into '/proc/nowhere' (");
    check_refusal(here, run + "run.checkpoint=file/state", 2, "nothing can be written into 'file' (");
    check_refusal(here, run + "run.checkpoint=examples", 2, "'examples' is a folder");
    check_refusal(here, run + "run.checkpoint=file --set run.resume=true", 2, "it is no checkpoint of gst");
    CHECK(rows_of(here).empty());
}

TEST_CASE("files with initial data are looked at before tuning") {
    const playground here;
    const std::string head = "\x93NUMPY\x01" + std::string(1, '\0') + "\x76" + std::string(1, '\0');
    const auto array = [&](const std::string& name, std::string text, std::size_t bytes) {
        text.resize(0x76, ' ');
        here.folder().write(name, head + text + std::string(bytes, '\0'));
    };
    array("small.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (8, 8, 8), }", 2048);
    array("complex.npy", "{'descr': '<c8', 'fortran_order': False, 'shape': (32, 32, 32), }", 8 << 15);
    array("short.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (32, 32, 32), }", 100);
    array("whole.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (32, 32, 32), }", 4 << 15);
    here.folder().write("text.npy", "1, 2, 3");
    const std::string settings = small("random", 2) + " --set run.steps=2 --set run.output=out "
                                                      "--set initial.u.kind=file --set initial.u.file=";
    for (const std::string command : {"run ", "check "}) {
        const auto refused = [&](const std::string& file, const std::string& said) {
            check_refusal(here, command + settings + file, 2, "--set:1:16: error: '" + file + "' " + said);
        };
        refused("none.npy", "cannot be read (No such file or directory)");
        refused("examples", "cannot be read (Is a directory)");
        refused("small.npy", "is 8×8×8, the grid needs 32×32×32 or, with halo, 34×34×34 – (z, y, x) order");
        refused("complex.npy", "holds elements of type '<c8'");
        refused("short.npy", "ends after 100 of its 131072 bytes of data");
        refused("text.npy", "is no .npy file");
    }
    CHECK(rows_of(here).empty());
    const std::string run = "run " + settings + "whole.npy --set run.checkpoint=state --set run.resume=true";
    CHECK(here.gst(run).code == 0);
    // The checkpoint has the data now.
    std::filesystem::remove(here.folder() / "whole.npy");
    CHECK(here.gst(run + " --set run.steps=4").code == 0);
}

TEST_CASE("output that cannot be written is the machine's fault") {
    const playground here;
    for (const std::string command : {"--help", "plugins", "space examples/heat3d/app.toml"}) {
        INFO(command);
        CHECK(here.run("build/bin/gst " + command + " >/dev/full").code == 3);
        CHECK(here.run("build/bin/gst " + command + " >&-").code == 3);
    }
}

TEST_CASE("closed streams are not mistaken for the database") {
    const playground here;
    CHECK(here.run("build/bin/gst tune " + small("random", 2) + " <&- >&- 2>&-").code == 3); // nobody sees the report
    CHECK(rows_of(here).size() == 2);
    CHECK(here.run("build/bin/gst space --sample 100000 examples/heat3d/app.toml | head -1").code == 0);
}

TEST_CASE("names may be in any script, and need not even be text") {
    const playground here;
    const finished_command c =
        here.run("mkdir 'ünï çödé' && cp -r examples/heat3d 'ünï çödé/日本' && build/bin/gst run "
                 "'ünï çödé/日本/app.toml' --set grid.size=[8,8,8] --set budget.evaluations=1 "
                 "--set run.steps=1 --set run.output='ünï çödé/出力' && ls 'ünï çödé/出力'");
    INFO(c.err);
    CHECK(c.code == 0);
    CHECK(c.out.find("wrote ünï çödé/出力/u_000001.npy\nu_000001.npy\n") != std::string::npos);
    const finished_command bytes =
        here.run("mkdir $'\\xff' && build/bin/gst run --json " + small("random", 1) +
                 " --set run.steps=1 --set initial.u.kind=noise --set \"run.output=\\\"$PWD/\\\"\" && cd $'\\xff' && "
                 "cp -r ../examples/heat3d . && ../build/bin/gst run --json heat3d/app.toml --set grid.size=[8,8,8] "
                 "--set budget.evaluations=1 --set run.steps=1");
    INFO(bytes.err);
    CHECK(bytes.code == 0);
}

TEST_CASE("results are listed where nothing can be written") {
    const playground here;
    REQUIRE(here.gst("tune " + small("random", 2)).code == 0);
    const std::string user = ::geteuid() == 0 ? "setpriv --bounding-set=-dac_override,-dac_read_search " : "";
    const finished_command listed =
        here.run("chmod 755 . && chmod 555 data/gst && cd / && " + user + "\"$OLDPWD\"/build/bin/gst results --json " +
                 "--store \"$OLDPWD\"/data/gst/results.db; code=$?; chmod 755 \"$OLDPWD\"/data/gst; exit $code");
    INFO(listed.err);
    CHECK(listed.code == 0);
    CHECK(json::parse(listed.out).size() == 2);
    CHECK(listed.err.find("cannot be written and is read as it is: results that another process stores meanwhile may "
                          "be missing") != std::string::npos);
}

TEST_CASE("PoCL works without a folder of its own for its cache, and where it cannot the line says what to do") {
    const playground here;
    const std::string nowhere = "env -u XDG_CACHE_HOME -u POCL_CACHE_DIR HOME=/dev/null ";
    here.folder().write("tmp/x", "");
    const finished_command tuned =
        here.run(nowhere + "TMPDIR=\"$PWD/tmp\" build/bin/gst tune " + small("random", 1) + " && ls tmp");
    INFO(tuned.err);
    CHECK(tuned.code == 0);
    CHECK(tuned.out.find("gst-pocl-") != std::string::npos);
    const finished_command refused = here.run(nowhere + "TMPDIR=/dev/null build/bin/gst devices --backend opencl");
    if (refused.code == 0) { // another driver's device can be used
        CHECK(refused.out.find("Portable Computing Language") == std::string::npos);
        return;
    }
    CHECK(refused.code == 3);
    CHECK(refused.err.find("PoCL needs a folder for compiled kernels and can write neither "
                           "'/dev/null/.cache/pocl/kcache' (Not a directory) nor '/dev/null/gst-pocl-") !=
          std::string::npos);
    CHECK(refused.err.find("; set POCL_CACHE_DIR to a folder that can be written\n") != std::string::npos);
}

TEST_CASE("a device is chosen by its number too") {
    const playground here;
    CHECK(here.gst("space --count examples/heat3d/app.toml --set backend.device=0").code == 0);
    CHECK(here.gst("space --count examples/heat3d/app.toml --set 'backend.device = cpu'").code == 0);
    check_refusal(here, "space examples/heat3d/app.toml --set backend.device=99", 2, "no device fits '99'");
}

TEST_CASE("a store that is full ends tuning with what was found") {
    const playground here;
    const finished_command c = here.run(
        "LD_PRELOAD=build/tests/faulty_file_system.so GST_FAULT=full:60 build/bin/gst tune " + small("random", 400));
    INFO(c.out << c.err);
    CHECK(c.code == 3);
    CHECK(c.out.find("  best  ") != std::string::npos);
    CHECK(c.out.find("what was measured before is kept – go on with: gst tune ") != std::string::npos);
    const std::vector<result_row> rows = rows_of(here);
    CHECK(rows.size() > 5);
    CHECK(keys_of(rows).size() == rows.size());
}
