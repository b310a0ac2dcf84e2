#include "core/app/commands.hpp"
#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/store/recording/file.hpp"
#include "core/store/recording/interchange.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <sstream>

namespace gst::commands {

namespace {

struct arguments {
    std::string file;
    std::string definition;
    std::string format;
    std::string output;
    result_filter filter;
};

void run(const arguments& a) {
    const std::string file = a.file.empty() ? default_store_path().string() : a.file;
    if (a.file.empty() && !std::filesystem::exists(file)) {
        throw nothing_found(fmt::format("there are no results yet in {}", file));
    }
    const recording r = read_defined(file, a.definition, a.filter);
    const auto* const chosen = std::find(recording_formats.begin(), recording_formats.end(), a.format);
    std::ostringstream text;
    write_recording(r, static_cast<recording_format>(chosen - recording_formats.begin()), text);
    if (a.output.empty()) {
        fmt::print("{}", text.str());
        return;
    }
    atomic_file out(a.output);
    out.write(a.output.ends_with(".gz") ? gzip(text.str()) : text.str());
    out.commit();
}

} // namespace

void add_export(CLI::App& program) {
    CLI::App* command = add_command(program, "export", "Write measurements in an exchange format",
                                    "  gst export --format t4 --stencil heat3d\n"
                                    "  gst export --format kernel_tuner examples/replay/convolution_A100.csv.gz\n"
                                    "  gst export --format t1 examples/replay/convolution_A100.csv.gz");
    const auto a = std::make_shared<arguments>();
    command
        ->add_option("FILE", a->file,
                     "a recording in any format, or a results database; default: $XDG_DATA_HOME/gst/results.db, else "
                     "~/.local/share/gst/results.db")
        ->type_name("");
    command->add_option("--format", a->format, "what to write: kernel_tuner, t4, t1 (the space alone) or csv")
        ->required()
        ->check(
            CLI::IsMember(std::vector<std::string>(recording_formats.begin(), recording_formats.end())).description(""))
        ->type_name("FORMAT");
    command->add_option("--output", a->output, "write to this file instead of stdout; compressed when it ends in .gz")
        ->type_name("FILE");
    command->add_option("--definition", a->definition, "a T1 file that says what parameters and values there are")
        ->type_name("FILE");
    result_filter& f = a->filter;
    command->add_option("--stencil", f.stencil, "of a database: results of this stencil or kernel")->type_name("NAME");
    command->add_option("--grid", f.grid, "of a database: results on this grid, e.g. 512x512x256")->type_name("SIZE");
    command->add_option("--device", f.device, "of a database: results of devices with this text in their name")
        ->type_name("TEXT");
    command->add_option("--backend", f.backend, "of a database: results of this backend")->type_name("NAME");
    command->add_option("--problem", f.problem_digest, "of a database: results of the problem with this digest")
        ->type_name("DIGEST");
    command->callback([a] { run(*a); });
}

} // namespace gst::commands
