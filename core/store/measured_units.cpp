#include "core/store/measured_units.hpp"

#include "core/store/table_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>

namespace gst {

namespace {

using type = ordered_json::value_t;

constexpr const char* format_name = "gst measured units";
constexpr std::uint64_t version = 1;
constexpr std::int64_t most_members = 1 << 20; ///< what an integer in a list may be
constexpr const char* remedy = "give the path of a table that gst train wrote";

[[noreturn]] void damaged(const std::string& what) {
    throw user_error(what, "the file is damaged: get it again");
}

std::int64_t integer(const ordered_json& j, const char* name) {
    const auto found = j.find(name);
    if (found == j.end() || !found->is_number_integer()) {
        damaged(fmt::format("'{}' is missing, or no integer", name));
    }
    return found->get<std::int64_t>();
}

/// So many integers from `least` on.
std::vector<std::int64_t> integers(const ordered_json& j, const char* name, std::size_t count, std::int64_t least) {
    std::vector<std::int64_t> out;
    for (const ordered_json& one : member(j, name, type::array, "an array of integers")) {
        if (!one.is_number_integer() || one.get<std::int64_t>() < least || one.get<std::int64_t>() > most_members) {
            damaged(fmt::format("'{}' has a member that is no integer from {} to {}", name, least, most_members));
        }
        out.push_back(one.get<std::int64_t>());
    }
    if (out.size() != count) {
        damaged(fmt::format("'{}' has {} members, not {}", name, out.size(), count));
    }
    return out;
}

/// A finite number from 0 on.
double positive_member(const ordered_json& j, const char* name) {
    const auto found = j.find(name);
    if (found == j.end() || !found->is_number() || !std::isfinite(found->get<double>()) || found->get<double>() < 0) {
        damaged(fmt::format("'{}' is missing, or no number from 0 on", name));
    }
    return found->get<double>();
}

unit_context context_of(const ordered_json& j, const char* name) {
    const std::vector<std::int64_t> n = integers(j, name, 3, 0);
    return {static_cast<int>(n[0]), static_cast<int>(n[1]), static_cast<int>(n[2])};
}

ordered_json json_of(const unit_context& c) {
    return {c.multiply_adds, c.coalesced, c.uncoalesced};
}

synthetic_knobs knobs_of(const ordered_json& j) {
    const std::vector<std::int64_t> trips = integers(j, "trips", 2, 1);
    const std::vector<std::int64_t> units = integers(j, "units", 2, 1);
    synthetic_knobs knobs;
    knobs.home = to_text(j.value("home", ordered_json()), "home");
    knobs.neighbours = to_text(j.value("neighbours", ordered_json()), "neighbours");
    const std::int64_t radius = integer(j, "radius");
    if (radius < 0 || radius > 1000) {
        damaged(fmt::format("'radius' is {}", radius));
    }
    knobs.radius = static_cast<int>(radius);
    knobs.outer = static_cast<int>(trips[0]);
    knobs.inner = static_cast<int>(trips[1]);
    knobs.loop = context_of(j, "loop");
    knobs.epilogue = context_of(j, "epilogue");
    knobs.units_x = units[0];
    knobs.units_y = units[1];
    synthetic_kernel(knobs); // throws for what no kernel can have
    return knobs;
}

ordered_json json_of(const synthetic_knobs& k) {
    return {{"home", k.home},
            {"neighbours", k.neighbours},
            {"radius", k.radius},
            {"trips", {k.outer, k.inner}},
            {"loop", json_of(k.loop)},
            {"epilogue", json_of(k.epilogue)},
            {"units", {k.units_x, k.units_y}}};
}

/// A number: a synthetic kernel; a name: a real one.
int kernel_number(const ordered_json& j, const std::vector<std::string>& real) {
    if (j.is_number_unsigned()) {
        return static_cast<int>(std::min<std::uint64_t>(j.get<std::uint64_t>(), 1 << 30));
    }
    const std::string name = to_text(j, "kernel");
    const auto found = std::ranges::find(real, name);
    if (found == real.end()) {
        throw user_error(fmt::format("this gst has no real kernel '{}'", name), "use the gst that wrote the table");
    }
    return -1 - static_cast<int>(found - real.begin());
}

measured_units::instance instance_of(const ordered_json& j, const std::vector<std::string>& real) {
    const std::vector<std::int64_t> group = integers(j, "group", 2, 1);
    const std::vector<std::int64_t> per_item = integers(j, "per_item", 2, 1);
    measured_units::instance out;
    out.kernel = kernel_number(j.value("kernel", ordered_json()), real);
    out.how.group_x = static_cast<std::uint64_t>(group[0]);
    out.how.group_y = static_cast<std::uint64_t>(group[1]);
    out.how.per_item_x = static_cast<std::uint64_t>(per_item[0]);
    out.how.per_item_y = static_cast<std::uint64_t>(per_item[1]);
    out.without = number_member(j, "without_ms");
    out.with = number_member(j, "with_ms");
    if (j.contains("again_without_ms")) {
        out.again_without = number_member(j, "again_without_ms");
        out.again_with = number_member(j, "again_with_ms");
        if (!is_time(out.again_without) || !is_time(out.again_with)) {
            out.again_without = out.again_with = 0;
        }
    }
    return out;
}

ordered_json json_of(const measured_units::instance& i, const std::vector<std::string>& real) {
    ordered_json kernel = i.kernel;
    if (i.kernel < 0) {
        kernel = real.at(static_cast<std::size_t>(-1 - i.kernel));
    }
    ordered_json out{{"kernel", kernel},
                     {"group", {i.how.group_x, i.how.group_y}},
                     {"per_item", {i.how.per_item_x, i.how.per_item_y}},
                     {"without_ms", i.without},
                     {"with_ms", i.with}};
    if (i.again_without > 0 || i.again_with > 0) {
        out["again_without_ms"] = i.again_without;
        out["again_with_ms"] = i.again_with;
    }
    return out;
}

std::vector<std::string> real_names() {
    std::vector<std::string> out;
    for (const unit_kernel& k : real_unit_kernels()) {
        out.push_back(k.name);
    }
    return out;
}

void check_launch(const measured_units::instance& i, const measured_units& of) {
    static const std::vector<unit_kernel> real = real_unit_kernels();
    const auto units = [&](const auto& k) { return std::array{k.units_x, k.units_y}; };
    const auto [x, y] = i.kernel >= 0 ? units(of.kernels[static_cast<std::size_t>(i.kernel)])
                                      : units(real[static_cast<std::size_t>(-1 - i.kernel)]);
    if (static_cast<std::uint64_t>(x) % (i.how.group_x * i.how.per_item_x) != 0 ||
        static_cast<std::uint64_t>(y) % (i.how.group_y * i.how.per_item_y) != 0) {
        damaged(fmt::format("a launch of {}x{} work-items with {}x{} units each does not divide {}x{} units",
                            i.how.group_x, i.how.group_y, i.how.per_item_x, i.how.per_item_y, x, y));
    }
}

void read_head(const ordered_json& j, measured_units& to) {
    if (text_of(j, "format") != format_name) {
        throw user_error("this is no table of measured units", "give one that gst train wrote, e.g. units.json");
    }
    if (const std::int64_t written = integer(j, "version"); written != static_cast<std::int64_t>(version)) {
        throw user_error(fmt::format("the table is of version {}, and this gst reads version {}", written, version),
                         "use the gst that wrote it, or measure again");
    }
    to.device = text_of(j, "device");
    to.backend = text_of(j, "backend");
    to.driver = text_of(j, "driver");
    to.method = text_of(j, "method");
    to.seed = static_cast<std::uint64_t>(integer(j, "seed"));
    to.predictor = text_of(j, "predictor");
    for (const auto& [name, one] : member(j, "predictor_options", type::object, "an object of options").items()) {
        to.predictor_options[name] = to_value(one, name);
    }
    to.training = positive_member(j, "training");
    if (to.training >= 1) {
        damaged(fmt::format("'training' is {}, and must be a share below 1", to.training));
    }
    for (const ordered_json& one : member(j, "kernels", type::array, "an array of knobs")) {
        to.kernels.push_back(knobs_of(one));
    }
    for (const measured_units::instance& i : to.instances) {
        if (i.kernel >= static_cast<int>(to.kernels.size())) {
            damaged(fmt::format("an instance is of kernel {}, and there are {}", i.kernel, to.kernels.size()));
        }
        check_launch(i, to);
    }
}

} // namespace

unit_kernel measured_units::kernel_of(const instance& i) const {
    return i.kernel >= 0 ? synthetic_kernel(kernels.at(static_cast<std::size_t>(i.kernel)))
                         : real_unit_kernels().at(static_cast<std::size_t>(-1 - i.kernel));
}

bool measured_units::is_repeated(std::size_t i, double share) const {
    return random_source(seed).fork(fmt::format("again {}", i)).uniform() < share;
}

bool holds_measured_units(const std::filesystem::path& file, const std::string& shown) {
    const auto text = read_plain_or_gzip(file, shown, remedy);
    constexpr std::string_view key = "\"format\"";
    std::size_t at = text->text.find(key); // no instance and no kernel has one, however the members are laid out
    if (at == std::string::npos) {
        return false;
    }
    at = text->text.find_first_not_of(" \t\r\n:", at + key.size());
    return at != std::string::npos &&
           std::string_view(text->text).substr(at).starts_with(fmt::format("\"{}\"", format_name));
}

measured_units read_measured_units(const std::filesystem::path& file, const std::string& shown) {
    const auto text = read_plain_or_gzip(file, shown, remedy);
    const std::vector<std::string> real = real_names();
    measured_units m;
    std::set<std::array<std::uint64_t, 5>> launches;
    const ordered_json head = read_json(without_nan(text), "instances", [&](const ordered_json& entry) {
        const measured_units::instance i = instance_of(entry, real);
        if (!launches
                 .insert({static_cast<std::uint64_t>(i.kernel), i.how.group_x, i.how.group_y, i.how.per_item_x,
                          i.how.per_item_y})
                 .second) {
            damaged("there are two instances of the same launch");
        }
        if (is_time(i.without) && is_time(i.with)) {
            m.instances.push_back(i);
        } else {
            ++m.broken;
        }
    });
    naming(shown, [&] { read_head(head, m); });
    return m;
}

void write_measured_units(const std::filesystem::path& file, const measured_units& m) {
    const std::vector<std::string> real = real_names();
    ordered_json options = ordered_json::object();
    for (const auto& [name, v] : m.predictor_options) {
        options[name] = from_value(v);
    }
    const ordered_json head{{"format", format_name}, {"version", version},       {"device", m.device},
                            {"backend", m.backend},  {"driver", m.driver},       {"method", m.method},
                            {"seed", m.seed},        {"predictor", m.predictor}, {"predictor_options", options},
                            {"training", m.training}};
    write_table(file, head,
                {lines_of("kernels", m.kernels, [](const synthetic_knobs& k) { return json_of(k); }),
                 lines_of("instances", m.instances, [&](const auto& i) { return json_of(i, real); })});
}

} // namespace gst
