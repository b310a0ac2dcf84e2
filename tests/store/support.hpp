#pragma once

#include "core/base/random.hpp"
#include "core/store/results.hpp"
#include "tests/temporary_folder.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace gst::test {

/// A key that differs from others of another number.
result_key key_of(int number);
measurement correct(double time);

/// A started `store_process`; its standard output and error come through one pipe.
class process {
  public:
    /// `fault` is a fault of faulty_file_system, or "".
    process(const std::vector<std::string>& arguments, const std::string& fault = "", bool bound_by_rights = false);
    ~process();
    process(const process&) = delete;
    process& operator=(const process&) = delete;

    void wait_for_output(); ///< until there is some
    void kill();            ///< SIGKILL
    /// Waits for the end: all that it printed and the exit status (-signal when a signal ended it).
    struct result {
        std::string output;
        int status = 0;
    };
    result finish();

  private:
    int pid_ = -1;
    int output_ = -1;
};

} // namespace gst::test
