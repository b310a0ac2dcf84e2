#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "core/store/measured_units.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

using namespace gst;

namespace {

measured_units some_units() {
    measured_units m;
    m.device = "a \"device\"";
    m.backend = "opencl";
    m.driver = "1.2";
    m.method = "median";
    m.seed = 7;
    m.predictor = "random_forest";
    m.predictor_options = {{"trees", std::int64_t{20}}, {"seed", std::int64_t{3}}};
    m.training = 0.1;
    random_source rng(3);
    for (int i = 0; i < 5; ++i) {
        m.kernels.push_back(random_knobs(rng));
        m.instances.push_back({i, {32, 2, 1, 4, false}, 1.0 / 3 + i, i == 2 ? 0 : 0.1 * i, 0, 0});
    }
    m.instances.push_back({-1, {8, 8, 2, 1, false}, 1e-7, 12345.678901234567, 0, 0});
    m.instances.push_back({-3, {16, 4, 1, 1, false}, 1, 2, 1.5, 1.0 / 7});
    return m;
}

std::string refusal(const std::filesystem::path& file) {
    try {
        read_measured_units(file, "units.json");
    } catch (const user_error& e) {
        return e.what();
    }
    return "";
}

} // namespace

TEST_CASE("measured units are read back to the last bit") {
    const temporary_folder folder;
    const measured_units m = some_units();
    for (const char* name : {"units.json", "units.json.gz"}) {
        write_measured_units(folder / name, m);
        const measured_units read = read_measured_units(folder / name, name);
        CHECK(read.device == m.device);
        CHECK(read.backend == m.backend);
        CHECK(read.driver == m.driver);
        CHECK(read.method == m.method);
        CHECK(read.seed == m.seed);
        CHECK(read.predictor == m.predictor);
        CHECK(read.predictor_options == m.predictor_options);
        CHECK(read.training == m.training);
        CHECK(read.kernels == m.kernels);
        CHECK(read.instances == m.instances);
        CHECK(read.kernel_of(read.instances[5]) == real_unit_kernels()[0]);
        CHECK(read.kernel_of(read.instances[1]) == synthetic_kernel(m.kernels[1]));
    }
    CHECK(std::filesystem::file_size(folder / "units.json.gz") < std::filesystem::file_size(folder / "units.json"));
}

TEST_CASE("instances with times that are none are left out and counted, and the others stay") {
    const temporary_folder folder;
    for (const std::string wrong : {"NaN", "null", "-1.0", "Infinity"}) {
        INFO(wrong);
        write_measured_units(folder / "units.json", some_units());
        std::ifstream in(folder / "units.json");
        std::string text{std::istreambuf_iterator<char>(in), {}};
        text.replace(text.find("12345.67890123456"), std::string("12345.67890123456").size(), wrong + ",\"was\": 1");
        folder.write("units.json", text);
        const measured_units m = read_measured_units(folder / "units.json", "units.json");
        CHECK(m.broken == 1);
        CHECK(m.instances.size() == some_units().instances.size() - 1);
    }
}

TEST_CASE("a table of measured units is known by its format, however it is laid out") {
    const temporary_folder folder;
    write_measured_units(folder / "units.json", some_units());
    CHECK(holds_measured_units(folder / "units.json", "units.json"));
    std::ifstream in(folder / "units.json");
    std::string text{std::istreambuf_iterator<char>(in), {}};
    std::erase(text, '\n');
    text.replace(text.find("\"format\": "), 10, "\"format\" :  ");
    folder.write("line.json", text);
    CHECK(holds_measured_units(folder / "line.json", "line.json"));
    CHECK(read_measured_units(folder / "line.json", "line.json").instances == some_units().instances);
    CHECK_FALSE(holds_measured_units(folder.write("other.json", "{\"format\": \"gst tuned suite\"}"), "other.json"));
    CHECK_FALSE(holds_measured_units(folder.write("none.json", "{\"format\""), "none.json"));
}

TEST_CASE("tables of measured units that do not fit are refused") {
    const temporary_folder folder;
    const auto written = [&](const std::string& from, const std::string& to) {
        const std::filesystem::path file = folder / "units.json";
        write_measured_units(file, some_units());
        std::ifstream in(file);
        std::string text{std::istreambuf_iterator<char>(in), {}};
        const std::size_t at = text.find(from);
        REQUIRE(at != std::string::npos);
        text.replace(at, from.size(), to);
        std::ofstream(file) << text;
        return refusal(file);
    };
    CHECK(written("gst measured units", "something else").find("this is no table of measured units") !=
          std::string::npos);
    CHECK(written("\"version\": 1", "\"version\": 2").find("the table is of version 2, and this gst reads version 1") !=
          std::string::npos);
    for (const std::string wrong : {"1", "1.5", "5", "1e300"}) {
        CHECK(written("\"training\": 0.1", "\"training\": " + wrong).find("and must be a share below 1") !=
              std::string::npos);
    }
    CHECK(written("\"without_ms\"", "\"without\"").find("'without_ms' is missing, or no number") != std::string::npos);
    CHECK(written("\"again_with_ms\"", "\"again\"").find("'again_with_ms' is missing") != std::string::npos);
    CHECK(written("\"kernel\":4", "\"kernel\":5").find("an instance is of kernel 5, and there are 5") !=
          std::string::npos);
    CHECK(written("transpose_512", "transpose_511").find("this gst has no real kernel 'transpose_511'") !=
          std::string::npos);
    CHECK(written("\"group\":[32,2]", "\"group\":[32]").find("'group' has 1 members, not 2") != std::string::npos);
    CHECK(written("\"group\":[32,2]", "\"group\":[1000000,2]").find("a launch of 1000000x2 work-items") !=
          std::string::npos);
    CHECK(written("\"kernel\":4", "\"kernel\":3").find("there are two instances of the same launch") !=
          std::string::npos);
    CHECK(written("\"radius\":", "\"radius\":1000000, \"was\":").find("'radius' is 1000000\n") != std::string::npos);
    CHECK(refusal(folder / "none.json").find("cannot read 'units.json'") != std::string::npos);
}
