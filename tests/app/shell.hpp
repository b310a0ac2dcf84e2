#pragma once

#include "tests/temporary_folder.hpp"
#include "tests/text_of.hpp"

#include <cctype>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace gst {

/// What a shell command left.
struct finished_command {
    int code = 0; ///< exit code; 128 + signal when a signal ended it
    std::string out;
    std::string err;
};

inline std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

/// Waits for the condition. False when it did not come true within so many seconds.
inline bool eventually(const std::function<bool()>& condition, double seconds = 120) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end) {
            return false;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return true;
}

/// A shell command that runs in a folder of its own files; it is killed when the object goes.
class running_command {
  public:
    running_command(const std::filesystem::path& folder, const std::string& line)
        : out_(numbered(folder, "stdout")), err_(numbered(folder, "stderr")),
          mark_("GST_TEST_COMMAND=" + out_.string()) {
        const std::filesystem::path script = numbered(folder, "command");
        std::ofstream(script) << "exec >'" << out_.string() << "' 2>'" << err_.string() << "'\nexport '" << mark_
                              << "'\n"
                              << line << "\n";
        std::string shell = "bash";
        std::string file = script.string();
        char* const arguments[] = {shell.data(), file.data(), nullptr};
        if (posix_spawnp(&id_, "bash", nullptr, nullptr, arguments, environ) != 0) {
            throw std::runtime_error("bash cannot be started");
        }
    }
    ~running_command() {
        if (id_ > 0) {
            signal(SIGKILL);
            finish();
        }
    }
    running_command(const running_command&) = delete;
    running_command& operator=(const running_command&) = delete;

    pid_t id() const { return id_; }
    std::string err() const { return text_of(err_); } ///< so far
    void signal(int number) const { ::kill(id_, number); }
    /// How many processes live that descend from the command, orphans included: by a mark in their environment.
    int processes() const {
        int count = 0;
        std::error_code ignored; // processes come and go
        for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
            const std::string name = entry.path().filename();
            const bool process = std::isdigit(static_cast<unsigned char>(name[0])) != 0;
            count += process && text_of(entry.path() / "environ").find(mark_) != std::string::npos ? 1 : 0;
        }
        return count;
    }
    finished_command finish() {
        int status = 0;
        while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
        }
        id_ = -1;
        return {WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), text_of(out_), text_of(err_)};
    }

  private:
    static std::filesystem::path numbered(const std::filesystem::path& folder, const std::string& name) {
        for (int number = 1;; ++number) {
            std::filesystem::path file = folder / (name + "." + std::to_string(number));
            if (!std::filesystem::exists(file)) {
                std::ofstream{file};
                return file;
            }
        }
    }
    std::filesystem::path out_;
    std::filesystem::path err_;
    std::string mark_;
    pid_t id_ = -1;
};

/// A folder in which the commands of README.md work: examples/, build/ and a store of its own.
class playground {
  public:
    playground() {
        namespace fs = std::filesystem;
        fs::copy(fs::path(GST_SOURCE_DIR) / "examples", folder_.path() / "examples", fs::copy_options::recursive);
        fs::create_directory_symlink(GST_BINARY_DIR, folder_.path() / "build");
    }

    const temporary_folder& folder() const { return folder_; }

    /// Starts the command there; a single one, `exec …`, is the process that signals reach.
    running_command start(const std::string& line) const {
        return {logs_.path(), "cd '" + folder_.path().string() + "' && export XDG_DATA_HOME=\"$PWD/data\" && " + line};
    }
    running_command start_gst(const std::string& arguments) const { return start("exec build/bin/gst " + arguments); }

    /// Runs the command there.
    finished_command run(const std::string& line) const { return start(line).finish(); }
    finished_command gst(const std::string& arguments) const { return run("build/bin/gst " + arguments); }

  private:
    temporary_folder folder_;
    temporary_folder logs_;
};

} // namespace gst
