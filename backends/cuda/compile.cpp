#include "backends/cuda/compile.hpp"

#include "backends/cuda/driver.hpp"
#include "backends/nvidia/ptxas_log.hpp"
#include "core/base/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <sstream>

namespace gst::cuda {

namespace {

/// A program of NVRTC's.
class program_object {
  public:
    program_object(const nvrtc& compiler, const std::string& text) : compiler_(compiler) {
        compiler.check(compiler.nvrtcCreateProgram(&program_, text.c_str(), "program.cu", 0, nullptr, nullptr),
                       "take a program's source");
    }
    ~program_object() { compiler_.nvrtcDestroyProgram(&program_); }
    program_object(const program_object&) = delete;
    program_object& operator=(const program_object&) = delete;
    nvrtc::program get() const { return program_; }

    std::string log() const {
        std::size_t bytes = 0;
        compiler_.check(compiler_.nvrtcGetProgramLogSize(program_, &bytes), "tell its log");
        std::string text(bytes, '\0');
        compiler_.check(compiler_.nvrtcGetProgramLog(program_, text.data()), "tell its log");
        return text;
    }

    std::string cubin() const {
        std::size_t bytes = 0;
        compiler_.check(compiler_.nvrtcGetCUBINSize(program_, &bytes), "give a binary");
        std::string binary(bytes, '\0');
        compiler_.check(compiler_.nvrtcGetCUBIN(program_, binary.data()), "give a binary");
        return binary;
    }

  private:
    const nvrtc& compiler_;
    nvrtc::program program_ = nullptr;
};

std::vector<std::string> options_for(const nvrtc& compiler, const device_info& target, const std::string& given) {
    std::vector<std::string> options{"--gpu-architecture=" + target.architecture};
    if (compiler.version >= 12000) {
        options.emplace_back("--ptxas-options=--verbose");
    }
    if (const std::string headers = compiler.include_folder(); !headers.empty()) {
        options.push_back("--include-path=" + headers);
    }
    std::istringstream words(given);
    for (std::string word; words >> word;) {
        options.push_back(word);
    }
    return options;
}

} // namespace

void check_architecture(const nvrtc& compiler, const std::string& architecture, bool asked_by_user) {
    const std::vector<std::string> known = compiler.architectures();
    // Its variants sm_90a and sm_100f are of the same number.
    const std::string number = architecture.substr(0, architecture.find_last_of("0123456789") + 1);
    if (std::find(known.begin(), known.end(), number) != known.end()) {
        return;
    }
    const std::string text =
        fmt::format("NVRTC {} does not compile for '{}'", version_text(compiler.version), architecture);
    if (asked_by_user) {
        throw user_error(text, "it knows " + enumerate(known));
    }
    throw machine_error(fmt::format("{}; it knows {}: install a CUDA toolkit for your GPU and set CUDA_HOME to it",
                                    text, enumerate(known)));
}

binary compile(const nvrtc& compiler, const device_info& target, const module_source& source) {
    check_architecture(compiler, target.architecture, false);
    const program_object program(compiler, source.text);
    const std::vector<std::string> options = options_for(compiler, target, source.options);
    std::vector<const char*> words;
    for (const std::string& option : options) {
        words.push_back(option.c_str());
    }
    const nvrtc::result code =
        compiler.nvrtcCompileProgram(program.get(), static_cast<int>(words.size()), words.data());
    const std::string log = program.log();
    if (code != nvrtc::success) {
        const std::string reason = warnings_of_log(log);
        throw compile_error(
            reason.empty() ? fmt::format("NVRTC cannot compile the program: {}", compiler.nvrtcGetErrorString(code))
                           : reason);
    }
    const std::map<std::string, double> assembled = metrics_of_log(log);
    return {program.cubin(), warnings_of_log(log), {assembled.begin(), assembled.end()}};
}

} // namespace gst::cuda
