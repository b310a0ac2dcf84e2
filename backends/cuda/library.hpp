#pragma once

#include "core/base/error.hpp"

#include <string>
#include <vector>

namespace gst::cuda {

/// A shared library, opened until the process ends.
class library {
  public:
    library() = default;
    /// The first of `names` that can be opened; not open when none can.
    explicit library(const std::vector<std::string>& names);

    explicit operator bool() const { return handle_ != nullptr; }
    const std::string& name() const { return name_; }
    /// Why the last of the names could not be opened.
    const std::string& failure() const { return failure_; }
    /// The file of the library.
    std::string path() const;

    /// Throws machine_error when the library has no such function.
    template<class Function>
    void get(Function& to, const char* symbol) const {
        find(to, symbol);
        if (to == nullptr) {
            throw machine_error(name_ + " has no " + symbol + ": it is too old; install a newer one");
        }
    }
    /// Null when the library has no such function.
    template<class Function>
    void find(Function& to, const char* symbol) const {
        to = reinterpret_cast<Function>(address(symbol));
    }

  private:
    void* address(const char* symbol) const;

    void* handle_ = nullptr;
    std::string name_;
    std::string failure_;
};

} // namespace gst::cuda
