#include "core/app/commands.hpp"
#include "core/app/garvey_suite.hpp"
#include "core/app/train_units.hpp"
#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <memory>

namespace gst::commands {

namespace {

struct arguments {
    std::string folder;
    std::int64_t seed = 1;
    bool intensities = false;
};

void write(const std::filesystem::path& file, const std::string& text) {
    atomic_file out(file);
    out.write(text);
    out.commit();
}

void need_no_suite(const std::string& folder) {
    if (std::filesystem::exists(std::filesystem::path(folder) / "suite.toml")) {
        throw user_error(fmt::format("'{}' has a suite already", folder), "choose another folder");
    }
}

void run_garvey(const arguments& a) {
    const std::filesystem::path folder = a.folder;
    need_no_suite(a.folder);
    const std::vector<synthetic_stencil> stencils = garvey_suite(static_cast<std::uint64_t>(a.seed), a.intensities);
    for (const synthetic_stencil& s : stencils) {
        write(folder / (s.name + ".gst"), s.text);
    }
    write(folder / "suite.toml", garvey_suite_toml(stencils, a.intensities));
    fmt::print("{} stencils and {}. Next:\n  gst train {}\n", stencils.size(), (folder / "suite.toml").string(),
               (folder / "suite.toml").string());
}

void add_garvey(CLI::App& synth) {
    CLI::App* command = add_command(
        synth, "garvey", "The 104 stencils of Garvey and Abdelrahman (2018): shapes, orientations, radii 0 to 5",
        "  gst synth garvey garvey104\n  gst synth garvey --intensities --seed 7 garvey416");
    const auto a = std::make_shared<arguments>();
    command->add_option("folder", a->folder, "where they are written, with a suite.toml for gst train")->required();
    command->add_flag("--intensities", a->intensities,
                      "each with 1 and 2 additions and multiplications per element: 416 stencils");
    command->add_option("--seed", a->seed, "of the weights; default: 1")
        ->check(CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max() - 1).description(""))
        ->type_name("N");
    command->callback([a] { run_garvey(*a); });
}

void run_han(const std::string& given, const unit_sample& sample) {
    const std::filesystem::path file = std::filesystem::path(given) / "suite.toml";
    need_no_suite(given);
    write(file, unit_suite_toml(sample));
    fmt::print("{}. Next:\n  gst train {}\n", file.string(), file.string());
}

void add_han(CLI::App& synth) {
    CLI::App* command = add_command(
        synth, "han", "Kernels with and without local memory, after Han and Abdelrahman (2014): a sample of a template",
        "  gst synth han units\n  gst synth han --kernels 5000 --launches 40 units");
    const auto folder = std::make_shared<std::string>();
    const auto sample = std::make_shared<unit_sample>();
    command->add_option("folder", *folder, "where a suite.toml for gst train is written")->required();
    command->add_option("--kernels", sample->kernels, "synthetic kernels; default: 1000")
        ->check(CLI::Range(1, 1'000'000).description(""))
        ->type_name("N");
    command->add_option("--launches", sample->launches, "ways in which each is launched; default: 20")
        ->check(CLI::Range(1, 10'000).description(""))
        ->type_name("N");
    command->add_option("--seed", sample->seed, "of the sample; default: 1")
        ->check(CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max() - 1).description(""))
        ->type_name("N");
    command->callback([folder, sample] { run_han(*folder, *sample); });
}

} // namespace

void add_synth(CLI::App& program) {
    CLI::App* command = add_command(program, "synth", "Write a suite of synthetic kernels to train predictors on",
                                    "  gst synth garvey garvey104\n"
                                    "  gst synth garvey --help");
    command->require_subcommand(1);
    add_garvey(*command);
    add_han(*command);
}

} // namespace gst::commands
