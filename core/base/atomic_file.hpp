#pragma once

#include "core/base/visibility.hpp"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gst {

/// A file that appears under its name when it is whole: written beside, then renamed. Makes the folder; a link stays
/// and what it names is replaced; devices and pipes are written to. Every function throws machine_error with the name
/// and the reason; without `commit` nothing is left.
class GST_API atomic_file {
  public:
    explicit atomic_file(std::filesystem::path path);
    ~atomic_file();
    atomic_file(const atomic_file&) = delete;
    atomic_file& operator=(const atomic_file&) = delete;

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
    /// On return the file survives a power cut.
    void commit();

  private:
    void flush();
    [[noreturn]] void fail() const;

    std::filesystem::path path_;
    std::string temporary_; ///< empty: written in place
    int file_ = -1;
    std::vector<std::byte> buffer_;
};

} // namespace gst
