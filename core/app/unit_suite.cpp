#include "core/app/at_place.hpp"
#include "core/app/known_results.hpp"
#include "core/app/table_reader.hpp"
#include "core/app/train_units.hpp"
#include "core/base/error.hpp"
#include "core/host/check_options.hpp"
#include "core/host/find_plugin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

namespace gst {

using toml_document::entry;
using toml_document::item;
using toml_document::mistake;

namespace {

constexpr std::int64_t most_kernels = 1'000'000;
constexpr std::int64_t most_launches = 10'000;

int read_count(table_reader& t, const std::string& key, int otherwise, std::int64_t most) {
    setting<std::int64_t> n{otherwise, {}};
    t.read(key, n, std::int64_t{1}, most);
    return static_cast<int>(n.value);
}

void read_units(table_reader& t, unit_suite& to) {
    setting<std::int64_t> seed{1, {}};
    t.read("seed", seed, std::int64_t{0}, std::numeric_limits<std::int64_t>::max() - 1);
    to.sample.seed = static_cast<std::uint64_t>(seed.value);
    to.sample.kernels = read_count(t, "kernels", to.sample.kernels, most_kernels);
    to.sample.launches = read_count(t, "launches", to.sample.launches, most_launches);
    setting<std::int64_t> reads{to.sample.most_reads, {}};
    t.read("most_reads", reads, std::int64_t{1} << 18, std::int64_t{1} << 40);
    to.sample.most_reads = reads.value;
    setting<bool> real{to.sample.real, {}};
    t.read("real", real);
    to.sample.real = real.value;
    t.read("training", to.training, 0.001, 0.999);
    t.read("again", to.again, 0.0, 1.0);
    t.read_plugin("predictor", to.predictor.name);
    t.read_options("options", to.predictor.options);
    to.table.value = to.settings.folder / "units.json.gz";
    t.read("table", to.table, to.settings.folder);
    to.models.value = to.settings.folder / "models";
    t.read("models", to.models, to.settings.folder);
}

/// What has a meaning for unit kernels of an app.toml's tables.
void check_tables(const item& document, std::vector<diagnostic>& mistakes) {
    static const std::vector<std::string> known{"units", "backend", "measure", "store"};
    for (const entry& e : std::get<item::table>(document.what)) {
        if (std::find(known.begin(), known.end(), e.key) == known.end()) {
            mistakes.push_back(mistake(e.written, fmt::format("unknown key '{}'{}", e.key, did_you_mean(e.key, known)),
                                       "beside [units] there are " + enumerate({"backend", "measure", "store"})));
        }
    }
}

/// The key of a launch in the results database.
result_key key_of(const unit_suite& s, const target& t, const unit_kernel& k, const program& p) {
    result_key key;
    key.stencil = k.name;
    key.problem = "unit kernel";
    key.grid = fmt::format("{}x{}", k.units_x, k.units_y);
    key.program = program_text(p);
    key.backend = t.device.backend;
    key.device = t.device.name;
    key.driver = t.device.driver;
    key.method = method_text(s.settings.measure, 1);
    return key;
}

/// Takes over the times that `before` has of launches of `to`. A larger sample begins like a smaller one, so that the
/// launches of a kernel are looked for where the same kernel stands.
std::size_t take_times(const measured_units& before, measured_units& to) {
    std::map<int, std::vector<const measured_units::instance*>> known;
    for (const measured_units::instance& i : before.instances) {
        const auto k = static_cast<std::size_t>(i.kernel);
        if (i.kernel < 0 || (k < to.kernels.size() && before.kernels[k] == to.kernels[k])) {
            known[i.kernel].push_back(&i);
        }
    }
    std::size_t taken = 0;
    for (measured_units::instance& i : to.instances) {
        const auto& of_kernel = known[i.kernel];
        const auto at = std::ranges::find(of_kernel, i.how, [](const auto* one) { return one->how; });
        if (at != of_kernel.end()) {
            i = **at;
            ++taken;
        }
    }
    if (taken > 0) {
        const std::string all = fmt::format("; {}; ", before.driver); // several may have measured
        const bool has_it = all.find(fmt::format("; {}; ", to.driver)) != std::string::npos;
        to.driver = has_it ? before.driver : before.driver + "; " + to.driver;
    }
    return taken;
}

void take_learning(const unit_suite& s, measured_units& to) {
    to.predictor = s.predictor.name.value;
    to.predictor_options.clear();
    for (const auto& [name, option] : s.predictor.options) {
        to.predictor_options[name] = option.value;
    }
    check_options(find_plugin("predictor", to.predictor, s.settings.folder), to.predictor_options);
    to.training = s.training.value;
}

/// The instances to be measured, with the times that the suite's table has of them on this device.
measured_units begun(const unit_suite& s, const target& t) {
    measured_units m = drawn_units(s.sample, t.device);
    m.device = t.device.name;
    m.backend = t.device.backend;
    m.driver = t.device.driver;
    m.method = method_text(s.settings.measure, 1);
    take_learning(s, m);
    if (!std::filesystem::exists(s.table.value)) {
        return m;
    }
    const measured_units before =
        own_table(s.table, [&] { return read_measured_units(s.table.value, shown_path(s.table.value)); });
    if (before.device != m.device || before.backend != m.backend || before.method != m.method) {
        throw user_error(fmt::format("'{}' was measured on {} ({}; {}), not on {} ({}; {})", s.table.value.string(),
                                     before.device, before.backend, before.method, m.device, m.backend, m.method),
                         "name another table: [units] table = \"…\"");
    }
    const std::size_t taken = take_times(before, m);
    if (taken < before.instances.size()) {
        throw user_error(
            fmt::format("'{}' has the times of {} launches, of which this suite has {}: the others would be "
                        "lost",
                        s.table.value.string(), before.instances.size(), taken),
            "name another table: [units] table = \"…\"");
    }
    return m;
}

} // namespace

unit_suite read_unit_suite(item document, const std::filesystem::path& file) {
    std::vector<diagnostic> mistakes;
    check_tables(document, mistakes);
    if (!mistakes.empty()) {
        throw user_error(std::move(mistakes));
    }
    unit_suite s;
    const item units = *document.find("units");
    std::erase_if(std::get<item::table>(document.what), [](const entry& e) { return e.key == "units"; });
    s.settings = read_config(document, file, false);
    if (!std::holds_alternative<item::table>(units.what)) {
        throw user_error({mistake(units.written, "units is no table", "write [units]")});
    }
    table_reader t(units, "units", mistakes);
    read_units(t, s);
    t.finish();
    if (!mistakes.empty()) {
        throw user_error(std::move(mistakes));
    }
    return s;
}

std::string unit_suite_toml(const unit_sample& sample) {
    return fmt::format(
        R"(# Synthetic kernels that are no stencils (Han and Abdelrahman): each is measured with and without local memory,
# launched in several ways, so that a predictor learns where it pays. gst train suite.toml

[units]
seed = {}
kernels = {}
launches = {}               # of each kernel; every launch is measured twice
most_reads = {}      # of a kernel; those that read more are left out
real = {}                 # test with kernels as programs have them, too: transpose, matrix product, convolution …
training = 0.1              # share of the launches that is learned from; the rest tests
again = 0.02                # share that is measured once more: how often noise changes what is faster
predictor = "random_forest"
options = {{ trees = 20, attributes = 4 }}
table = "units.json.gz"     # what was measured
models = "models"           # folder for what was learned

[backend]
name = "auto"
device = "auto"

[measure]
repetition_ms = 1
max_repetitions = 9
)",
        sample.seed, sample.kernels, sample.launches, sample.most_reads, sample.real);
}

std::optional<measured_units> measure_suite(const unit_suite& s, const std::string& typed,
                                            const unit_suite_hooks& hooks) {
    const target t = find_target(s.settings);
    measured_units m = begun(s, t);
    result_store store(s.settings.store.path.value);
    const session_id session =
        store.begin_session({s.settings.file.string(), typed, "unit sample", s.sample.seed,
                             fmt::format("{} kernels, {} launches", s.sample.kernels, s.sample.launches), GST_VERSION});
    using steady = std::chrono::steady_clock;
    steady::time_point begin = steady::now();
    steady::time_point told = begin;
    unit_hooks inner;
    inner.ended = hooks.ended;
    inner.lookup = [&](const unit_kernel& k, const program& p) { return store.lookup(key_of(s, t, k, p)); };
    inner.insert = [&](const unit_kernel& k, const program& p, const named_values& parameters,
                       const measurement& what) {
        if (what.outcome != status::not_run) {
            store.insert(key_of(s, t, k, p), parameters, what, session);
        }
    };
    bool repeated = false;
    inner.progress = [&](std::size_t done, std::size_t all, bool again) {
        const steady::time_point now = steady::now();
        begin = again && !repeated ? now : begin; // another pace
        repeated = again;
        if (hooks.note && (now - told > std::chrono::seconds(5) || done == all)) {
            told = now;
            const double seconds = std::chrono::duration<double>(now - begin).count();
            const double left = seconds * static_cast<double>(all - done) / static_cast<double>(done);
            hooks.note(fmt::format("{} of {} launches{}, {:.0f} s left", done, all, again ? ", some of them again" : "",
                                   left));
        }
    };
    const bool all = measure_units(m, t.backend, t.device, s.settings.measure, s.again.value, inner);
    write_measured_units(s.table.value, m);
    return all ? std::optional(std::move(m)) : std::nullopt;
}

} // namespace gst
