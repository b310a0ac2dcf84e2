#include "core/base/error.hpp"
#include "core/measure/choose_device.hpp"
#include "tests/catch.hpp"

using namespace gst;

namespace {

device_info made(const std::string& id, const std::string& name, const std::string& type, std::uint64_t units,
                 std::uint64_t memory = 1000) {
    device_info d;
    d.id = id;
    d.name = name;
    d.type = type;
    d.platform = "Platform " + id.substr(0, 1);
    d.compute_units = units;
    d.memory_bytes = memory;
    return d;
}

const std::vector<device_info> machine = {made("0.0", "pthread-AMD EPYC", "cpu", 256),
                                          made("1.0", "FPGA card", "accelerator", 500),
                                          made("2.0", "Tesla T4", "gpu", 40), made("2.1", "Tesla V100", "gpu", 80),
                                          made("2.2", "Tesla V100-32", "gpu", 80, 2000)};

const std::string listed =
    "the devices are 0: pthread-AMD EPYC (cpu, Platform 0, id 0.0), 1: FPGA card (accelerator, Platform 1, id 1.0), "
    "2: Tesla T4 (gpu, Platform 2, id 2.0), 3: Tesla V100 (gpu, Platform 2, id 2.1), 4: Tesla V100-32 (gpu, Platform "
    "2, id "
    "2.2); choose one by \"auto\", type, number, id or a part of its name";

void refuses(const std::string& wanted, const std::string& message) {
    try {
        choose_device(machine, wanted);
        FAIL("'" << wanted << "' was accepted");
    } catch (const user_error& e) {
        REQUIRE(e.diagnostics().size() == 1);
        CHECK(e.diagnostics()[0].message == message);
        CHECK(e.diagnostics()[0].hint == listed);
    }
}

} // namespace

TEST_CASE("auto takes the GPU with the most compute units, then memory") {
    CHECK(choose_device(machine, "auto").id == "2.2");
}

TEST_CASE("auto takes an accelerator before a processor, however many units that has") {
    CHECK(choose_device({made("0.0", "a", "cpu", 900), made("0.1", "b", "accelerator", 1)}, "auto").id == "0.1");
}

TEST_CASE("auto takes the first of equals") {
    CHECK(choose_device({made("0.0", "a", "gpu", 8), made("0.1", "b", "gpu", 8)}, "auto").id == "0.0");
}

TEST_CASE("a device is found by type, number, id and part of the name in any case") {
    CHECK(choose_device(machine, "cpu").id == "0.0");
    CHECK(choose_device(machine, "Accelerator").id == "1.0");
    CHECK(choose_device(machine, "2").id == "2.0");
    CHECK(choose_device(machine, "2.1").id == "2.1");
    CHECK(choose_device(machine, "epyc").id == "0.0");
    CHECK(choose_device(machine, "v100-32").id == "2.2");
    CHECK(choose_device(machine, "tesla v100").id == "2.1"); // the whole name of one, a part of another's
}

TEST_CASE("a device that two backends have is the first one's") {
    std::vector<device_info> twice = {made("GPU-1", "H200", "gpu", 132, 1000), made("0.0", "H200", "gpu", 132, 1001),
                                      made("1.0", "EPYC", "cpu", 2)};
    twice[0].backend = "cuda";
    twice[1].backend = twice[2].backend = "opencl";
    CHECK(choose_device(twice, "auto").backend == "cuda");
    CHECK(choose_device(twice, "gpu").backend == "cuda");
    CHECK(choose_device(twice, "h200").backend == "cuda");
    CHECK(choose_device(twice, "1").backend == "opencl");
    CHECK(choose_device(twice, "0.0").backend == "opencl");
    CHECK(choose_device(twice, "cpu").id == "1.0");
}

TEST_CASE("a type or a name that several devices have is refused with the list") {
    refuses("gpu", "3 devices fit 'gpu'");
    refuses("tesla v", "2 devices fit 'tesla v'");
}

TEST_CASE("what fits no device is refused with the list") {
    refuses("radeon", "no device fits 'radeon'");
    refuses("5", "no device fits '5'");
    refuses("4294967296", "no device fits '4294967296'");
    refuses("2.9", "no device fits '2.9'");
    refuses("", "no device fits ''");
}

TEST_CASE("a machine without devices is told what to install") {
    CHECK_THROWS_WITH(
        choose_device({}, "auto"),
        "there is no device: install its vendor's driver, or pocl-opencl-icd to compute on the processor");
    CHECK_THROWS_AS(choose_device({}, "auto"), machine_error);
}
