#include "core/host/check_options.hpp"
#include "core/host/find_plugin.hpp"
#include "core/measure/choose_device.hpp"
#include "core/measure/list_devices.hpp"
#include "core/tune/measure_units.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace gst;

namespace {

device_info small_device() {
    device_info d;
    d.work_group = 256;
    d.local_bytes = 16384;
    return d;
}

} // namespace

TEST_CASE("the same sample of launches every time; a larger one begins with a smaller one") {
    const measured_units some = drawn_units({5, 4, 3}, small_device());
    const measured_units more = drawn_units({5, 9, 3}, small_device());
    CHECK(some.instances == drawn_units({5, 4, 3}, small_device()).instances);
    CHECK(std::equal(some.kernels.begin(), some.kernels.end(), more.kernels.begin()));
    std::map<int, std::set<std::array<std::uint64_t, 4>>> launches;
    for (const measured_units::instance& i : some.instances) {
        const unit_kernel k = some.kernel_of(i);
        launches[i.kernel].insert({i.how.group_x, i.how.group_y, i.how.per_item_x, i.how.per_item_y});
        unit_launch local = i.how;
        local.local = true;
        CHECK(region_of(k, local)[0] * region_of(k, local)[1] * 4 <= 16384);
        CHECK(i.how.group_x * i.how.group_y <= 256);
        CHECK_FALSE(i.how.local);
    }
    for (const auto& [kernel, distinct] : launches) {
        CHECK(distinct.size() <= 3);
    }
    CHECK(launches.count(-1) == 1);
    CHECK(drawn_units({5, 4, 3, 1 << 18, false}, small_device()).instances.back().kernel >= 0);
}

TEST_CASE("a share of the launches is measured again, the same ones every time") {
    const measured_units m = drawn_units({5, 100, 10}, small_device());
    std::size_t some = 0;
    for (std::size_t i = 0; i < m.instances.size(); ++i) {
        CHECK_FALSE(m.is_repeated(i, 0));
        CHECK(m.is_repeated(i, 1));
        CHECK(m.is_repeated(i, 0.2) == drawn_units({5, 1, 1}, small_device()).is_repeated(i, 0.2));
        some += m.is_repeated(i, 0.2) ? 1 : 0;
    }
    CHECK(std::abs(static_cast<double>(some) / static_cast<double>(m.instances.size()) - 0.2) < 0.06);
}

TEST_CASE("what is known of unit kernels is not measured again, and the rest goes on where it ended", "[device]") {
    const plugin& opencl = find_plugin("backend", "opencl", ".");
    const backend_choice from{opencl.file.string(), check_options(opencl, {}).all()};
    const std::vector<device_info> devices = list_devices(from);
    const device_info device = choose_device(devices, "cpu");
    measuring how;
    how.timing.min_repetitions = how.timing.max_repetitions = 1;
    how.timing.repetition_ms = 0;
    measured_units m = drawn_units({1, 3, 2, 1 << 18, false}, device);
    std::map<std::string, measurement> known;
    int inserted = 0;
    int kernels = 0;
    unit_hooks hooks;
    hooks.lookup = [&](const unit_kernel&, const program& p) -> std::optional<measurement> {
        const auto found = known.find(p.modules.front().text);
        return found == known.end() ? std::nullopt : std::optional(found->second);
    };
    hooks.insert = [&](const unit_kernel&, const program& p, const named_values& configuration,
                       const measurement& what) {
        CHECK(std::ranges::any_of(configuration, [](const auto& named) { return named.first == "useShared"; }));
        CHECK(what.outcome == status::correct);
        known[p.modules.front().text] = what;
        ++inserted;
    };
    hooks.ended = [&] { return kernels++ == 1; };
    CHECK_FALSE(measure_units(m, from, device, how, 0, hooks)); // ended after the first kernel
    CHECK(inserted == 4);
    measured_units again = drawn_units({1, 3, 2, 1 << 18, false}, device);
    hooks.ended = {};
    CHECK(measure_units(again, from, device, how, 0, hooks));
    CHECK(inserted == 2 * static_cast<int>(again.instances.size()));
    for (const measured_units::instance& i : again.instances) {
        CHECK(i.without > 0);
        CHECK(i.with > 0);
    }
    CHECK(again.instances[0].without == m.instances[0].without);
    const int before = inserted;
    measured_units third = drawn_units({1, 3, 2, 1 << 18, false}, device);
    CHECK(measure_units(third, from, device, how, 0, hooks)); // all known: nothing is opened
    CHECK(inserted == before);
    CHECK(third.instances == again.instances);

    // Measured again, whatever is known; what was measured first stays.
    third.instances[2].with = 0; // it failed, as far as the table knows, and is looked up
    CHECK(measure_units(third, from, device, how, 1, hooks));
    CHECK(inserted == before);
    for (std::size_t i = 0; i < third.instances.size(); ++i) {
        CHECK(third.instances[i].with == again.instances[i].with);
        CHECK(third.instances[i].without == again.instances[i].without);
        CHECK(third.instances[i].again_with > 0);
        CHECK(third.instances[i].again_without > 0);
    }
    const measured_units fourth = third;
    CHECK(measure_units(third, from, device, how, 1, hooks));
    CHECK(third.instances == fourth.instances);
}
