#include "core/app/commands.hpp"
#include "core/base/error.hpp"
#include "core/report/throughput.hpp"
#include "core/store/recording/interchange.hpp"
#include "core/store/recording/results_recording.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace gst::commands {

namespace {

struct arguments {
    std::vector<std::string> files;
    std::string definition;
    std::string kernel;
    std::string device;
    std::string store;
};

recording read(const arguments& a, const std::string& file) {
    recording r = read_defined(file, a.definition);
    r.kernel = a.kernel.empty() ? r.kernel : a.kernel;
    r.device = a.device.empty() ? r.device : a.device;
    if (r.entries.empty()) {
        throw user_error(fmt::format("'{}' has no configurations", file),
                         "name a file with results; a T1 file goes with one: --definition");
    }
    if (r.kernel.empty() || r.device.empty()) {
        throw user_error(
            fmt::format("'{}' does not say which {} was measured", file, r.kernel.empty() ? "kernel" : "device"),
            "say it: --kernel NAME --device NAME");
    }
    return r;
}

void run(const arguments& a) {
    // All of them are read before anything is stored.
    std::vector<recording> all;
    for (const std::string& file : a.files) {
        all.push_back(read(a, file));
    }
    const std::filesystem::path path = a.store.empty() ? default_store_path() : std::filesystem::path(a.store);
    result_store store(path);
    if (!store.notice().empty()) {
        print_note(store.notice());
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        const recording& r = all[i];
        const auto correct = std::count_if(r.entries.begin(), r.entries.end(),
                                           [](const recorded& e) { return e.outcome == status::correct; });
        store_recording(store, r, a.files[i], "gst import " + a.files[i], GST_VERSION);
        const std::string problem = problem_text(r);
        fmt::print("{}: {} configurations of {}{}, {}; {} correct\n", a.files[i], with_separators(r.entries.size()),
                   r.kernel, problem.empty() ? "" : " on " + problem, r.device,
                   with_separators(static_cast<unsigned long long>(correct)));
    }
}

} // namespace

void add_import(CLI::App& program) {
    CLI::App* command = add_command(program, "import", "Take recorded measurements into the results database",
                                    "  gst import examples/replay/convolution_A100.csv.gz\n"
                                    "  gst import --store other.db examples/replay/convolution_A100.csv.gz");
    const auto a = std::make_shared<arguments>();
    command->add_option("FILE", a->files, "Kernel Tuner caches, T4 or CSV files, plain or gzip")
        ->required()
        ->type_name("");
    command->add_option("--definition", a->definition, "a T1 file that says what parameters and values there are")
        ->type_name("FILE");
    command->add_option("--kernel", a->kernel, "what was measured, instead of what the file says")->type_name("NAME");
    command->add_option("--device", a->device, "on what, instead of what the file says")->type_name("NAME");
    command
        ->add_option("--store", a->store,
                     "the database; default: $XDG_DATA_HOME/gst/results.db, else ~/.local/share/gst/results.db")
        ->type_name("FILE");
    command->callback([a] { run(*a); });
}

} // namespace gst::commands
