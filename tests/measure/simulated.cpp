#include "tests/measure/simulated.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace simulated {

using namespace gst;

namespace {

gst::stencil add_one() {
    gst::stencil s;
    s.name = "add_one";
    s.dimensions = 1;
    s.fields.push_back({"u", scalar::f32, scalar::f32, false, {}, 0, {}});
    return s;
}

gst::program program_of(const std::vector<std::string>& kernels, const std::string& text) {
    gst::program p;
    p.modules = {{text, ""}};
    p.layout = make_layout({1000, 1, 1}, {0, 0, 0}, raw_rows);
    for (std::uint32_t f = 0; f < kernels.size(); ++f) {
        p.types.push_back(scalar::f32);
        p.kept.push_back(1);
        p.coefficient.push_back(0);
        p.images.emplace_back();
        p.call.emplace_back(launch{kernels[f],
                                   {1000, 1, 1},
                                   {1, 1, 1},
                                   {0, 0, 0},
                                   {field_argument{f, 0, false}, field_argument{f, 1, false}}});
    }
    return p;
}

} // namespace

backend_choice backend(const std::string& open, const std::string& list) {
    return {GST_BINARY_DIR "/tests/plugins/backend_fault.so", {{"open", open}, {"list", list}}};
}

device_info device() {
    device_info d;
    d.backend = "fault";
    d.name = "simulated";
    d.type = "cpu";
    return d;
}

measuring method() {
    measuring m;
    m.limits.compile_seconds = 1;
    m.limits.configuration_seconds = 1;
    m.limits.setup_seconds = 10;
    m.limits.memory_bytes = std::uint64_t{256} << 20;
    m.compilers = 2;
    m.timing.repetition_ms = 1;
    return m;
}

gst::program program(const std::string& text) {
    return program_of({"advance"}, text);
}

gst::workload workload(const std::vector<std::string>& texts) {
    std::vector<value> domain;
    for (const std::string& t : texts) {
        domain.emplace_back(t);
    }
    parameter which;
    which.name = "text";
    which.domain = domain;
    which.neutral = domain.front();
    gst::workload w{add_one(), {1000, 1, 1}, {}, space({which}, {}), {}, {}, {}, 1};
    w.generate = [texts](const gst::configuration& c) { return program(texts.at(c.at(0))); };
    w.reference.reference = program_of({"advance", "bound"}, "reference");
    w.reference.error_field = {1};
    w.reference.comparison = {"comparison", ""};
    return w;
}

gst::configuration configuration(std::size_t i) {
    return {static_cast<std::uint16_t>(i)};
}

std::vector<int> workers_of(int parent, const std::string& role) {
    std::vector<int> found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        const std::string id = entry.path().filename();
        if (!std::all_of(id.begin(), id.end(), [](char c) { return c >= '0' && c <= '9'; })) {
            continue;
        }
        std::ifstream file(entry.path() / "cmdline");
        std::string line((std::istreambuf_iterator<char>(file)), {});
        std::replace(line.begin(), line.end(), '\0', ' ');
        if (line.find("gst-worker " + role) != std::string::npos &&
            line.ends_with(" " + std::to_string(parent) + " ")) {
            found.push_back(std::stoi(id));
        }
    }
    return found;
}

} // namespace simulated
