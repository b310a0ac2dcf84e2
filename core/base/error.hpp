#pragma once

#include "core/base/diagnostic.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace gst {

/// The user's mistake: exit code 2. Carries one or more diagnostics.
class GST_API user_error : public std::runtime_error {
  public:
    explicit user_error(diagnostic d);
    explicit user_error(std::vector<diagnostic> all);
    /// A mistake without a place.
    explicit user_error(const std::string& message, const std::string& hint = "");
    ~user_error() override;
    const std::vector<diagnostic>& diagnostics() const { return diagnostics_; }

  private:
    std::vector<diagnostic> diagnostics_;
};

/// The machine's fault (no device, disk full, a library is missing): exit code 3. The text says what to do.
class GST_API machine_error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
    ~machine_error() override;
};

/// Nothing valid was found: exit code 1.
class GST_API nothing_found : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
    ~nothing_found() override;
};

} // namespace gst
