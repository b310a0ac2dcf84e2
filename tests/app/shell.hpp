#pragma once

#include "tests/temporary_folder.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/wait.h>

namespace gst {

/// What a shell command left.
struct finished_command {
    int code = 0; ///< exit code; 128 + signal when a signal ended it
    std::string out;
    std::string err;
};

inline std::string text_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

/// A folder in which the commands of README.md work: examples/, build/ and a store of its own.
class playground {
  public:
    playground() {
        namespace fs = std::filesystem;
        fs::copy(fs::path(GST_SOURCE_DIR) / "examples", folder_.path() / "examples", fs::copy_options::recursive);
        fs::create_directory_symlink(GST_BINARY_DIR, folder_.path() / "build");
    }

    const temporary_folder& folder() const { return folder_; }

    /// Runs the command there.
    finished_command run(const std::string& line) const {
        const std::string inside =
            "cd '" + folder_.path().string() + "' && export XDG_DATA_HOME=\"$PWD/data\" && " + line;
        const std::string out = (folder_.path() / "stdout").string();
        const std::string err = (folder_.path() / "stderr").string();
        folder_.write("command.sh", inside + "\n");
        const int status = std::system(
            ("bash '" + (folder_.path() / "command.sh").string() + "' >'" + out + "' 2>'" + err + "'").c_str());
        return {WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), text_of(out), text_of(err)};
    }
    finished_command gst(const std::string& arguments) const { return run("build/bin/gst " + arguments); }

  private:
    temporary_folder folder_;
};

} // namespace gst
