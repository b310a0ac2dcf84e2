#include "tests/app/shell.hpp"
#include "tests/catch.hpp"

using namespace gst;

namespace {

const std::string bootstrap = std::string("'") + GST_SOURCE_DIR + "/bootstrap'";

/// A folder of commands that stand before (or, with nothing else on the PATH, in place of) the machine's.
struct pretended_machine {
    temporary_folder commands;
    playground here;

    void command(const std::string& name, const std::string& script) const {
        const std::filesystem::path file = commands.write(name, "#!/bin/bash\n" + script + "\n");
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    }
    void keep(const std::string& name) const { // the real one
        for (const char* folder : {"/usr/bin/", "/bin/"}) {
            if (std::filesystem::exists(folder + name)) {
                std::filesystem::create_symlink(folder + name, commands.path() / name);
                return;
            }
        }
        FAIL(name << " is missing");
    }
    pretended_machine() {
        for (const char* name : {"bash", "cat", "dirname", "env", "paste", "sed", "xargs"}) {
            keep(name);
        }
        command("dpkg-query", "for p in \"$@\"; do [[ $p == -* || $p == g++ ]] || echo \"ii  $p\"; done");
        command("apt-get", "echo \"apt-get $*\"; exit 100");
        command("id", "echo 1000");
    }
    finished_command run(const std::string& arguments) const {
        return here.run("PATH='" + commands.path().string() + "' " + bootstrap + " " + arguments + " </dev/null");
    }
};

const std::string remedy =
    "bootstrap: these packages are missing: g++\n"
    "bootstrap: as root, with a network: apt-get update && apt-get install --no-install-recommends g++\n";

} // namespace

TEST_CASE("bootstrap without root says exactly what is missing") {
    const pretended_machine machine;
    const finished_command c = machine.run("build");
    CHECK(c.code == 3);
    CHECK(c.err == remedy + "bootstrap: (this is not root, and there is no sudo)\n");
}

TEST_CASE("bootstrap with a sudo that asks for a password says so when nobody can type it") {
    const pretended_machine machine;
    machine.command("sudo", "exit 1");
    const finished_command c = machine.run("build");
    CHECK(c.code == 3);
    CHECK(c.err == remedy + "bootstrap: (this is not root, and sudo asks for a password)\n");
}

TEST_CASE("bootstrap installs as root, and says what is missing when that fails") {
    const pretended_machine machine;
    machine.command("id", "echo 0");
    const finished_command c = machine.run("build");
    CHECK(c.code == 3);
    CHECK(c.err.find("bootstrap: installing g++\napt-get ") == 0);
    CHECK(c.err.find("bootstrap: apt-get could not install them (see above)\n" + remedy) != std::string::npos);
}

TEST_CASE("bootstrap without apt says what to install by hand") {
    const pretended_machine machine;
    std::filesystem::remove(machine.commands.path() / "dpkg-query");
    const finished_command c = machine.run("build");
    CHECK(c.code == 3);
    CHECK(c.err.find("bootstrap: this is no Debian or Ubuntu; it takes the equivalents of: g++ cmake ninja-build ") ==
          0);
}

TEST_CASE("bootstrap refuses what it does not know with 2 and its usage") {
    const pretended_machine machine;
    CHECK(machine.run("").code == 2);
    CHECK(machine.run("frobnicate").err.find("Usage: ./bootstrap run APP.TOML") == 0);
    CHECK(machine.run("test --frobnicate").code == 2);
    CHECK(machine.run("--help").code == 0);
}

TEST_CASE("bootstrap test --all says what it does: the long versions, then the short ones under sanitizers") {
    const pretended_machine machine;
    machine.command("dpkg-query", "for p in \"$@\"; do echo \"ii  $p\"; done");
    machine.command("cmake", "echo cmake \"$@\"");
    machine.command("ninja", "echo ninja \"${@:3}\"");
    machine.command("ctest", "echo \"ctest ${*:3}, long ${GST_TEST_LONG:-no}, seed $GST_TEST_SEED\"\n"
                             "[[ $2 != */build-thread ]]");
    const finished_command c = machine.here.run(
        "export GST_TEST_SEED=7 GST_TEST_LONG=9; PATH='" + machine.commands.path().string() + "' " + bootstrap +
        " test --all 2>&1 </dev/null | sed '/^cmake /d; s/[0-9]*:[0-9]* min/TIME/; s|--test-dir .*/|--test-dir "
        "FOLDER/|'; exit ${PIPESTATUS[0]}");
    CHECK(c.code == 1);
    CHECK(c.out ==
          "bootstrap: TIME: building the preset release\n"
          "ninja all\n"
          "bootstrap: TIME: testing the preset release, GST_TEST_SEED=7, GST_TEST_LONG=1\n"
          "ctest --output-on-failure --no-tests=error -j 2, long 1, seed 7\n"
          "bootstrap: TIME: building the preset sanitize\n"
          "ninja all\n"
          "bootstrap: TIME: testing the preset sanitize, GST_TEST_SEED=7\n"
          "ctest --output-on-failure --no-tests=error -j 2 -E ^(format|rules|program_install)$, long no, seed 7\n"
          "bootstrap: TIME: building the preset thread\n"
          "ninja test_base test_stencil test_store test_tune\n"
          "bootstrap: TIME: testing the preset thread, GST_TEST_SEED=7\n"
          "ctest --output-on-failure --no-tests=error -j 2 -R ^(base|stencil|store|tune)$, long no, seed 7\n"
          "bootstrap: TIME: done\n"
          "bootstrap: tests failed; to repeat those of the preset thread: GST_TEST_SEED=7 ctest --test-dir "
          "FOLDER/build-thread --rerun-failed --output-on-failure\n");
}
