#include "backends/opencl/cpu_state.hpp"
#include "tests/catch.hpp"
#include "tests/opencl/support.hpp"
#include "tests/temporary_folder.hpp"

using namespace gst;
using namespace gst::test;

TEST_CASE("the processor's clock is the mean of cores all over it, its temperature that of its hottest sensor") {
    const temporary_folder sys;
    for (int core = 0; core < 64; ++core) {
        const std::string folder = "devices/system/cpu/cpu" + std::to_string(core) + "/cpufreq/";
        sys.write(folder + "scaling_cur_freq", std::to_string(core < 32 ? 2000000 : 3000000) + "\n");
    }
    sys.write("devices/system/cpu/cpufreq/policy0/scaling_cur_freq", "1\n");
    sys.write("devices/system/cpu/cpuidle/current_driver", "none\n");
    int zone = 0;
    for (const auto& [type, temperature] : {std::pair{"x86_pkg_temp", "61500"},
                                            {"cpu-thermal", "60000"},
                                            {"iwlwifi_1", "99000"},
                                            {"cpu_broken", "what"}}) {
        const std::string folder = "class/thermal/thermal_zone" + std::to_string(zone++) + "/";
        sys.write(folder + "type", std::string(type) + "\n");
        sys.write(folder + "temp", std::string(temperature) + "\n");
    }
    CHECK(opencl::cpu_state(sys.path()) == named_numbers{{"clock_mhz", 2500}, {"temperature_c", 61.5}});
}

TEST_CASE("where the system tells nothing of the processor, nothing is told") {
    const temporary_folder sys;
    CHECK(opencl::cpu_state(sys.path()).empty());
    CHECK(opencl::cpu_state(sys / "nowhere").empty());
    sys.write("devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "<unknown>\n");
    CHECK(opencl::cpu_state(sys.path()).empty());
    CHECK(opened().state().size() == opencl::cpu_state().size());
}
