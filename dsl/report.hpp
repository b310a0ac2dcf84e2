#pragma once

#include "core/base/error.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gst::dsl {

/// Collects diagnostics about one text.
class report {
  public:
    explicit report(std::shared_ptr<const source> text) : text_(std::move(text)) {}

    /// Throws user_error with all of them once there are limits::diagnostics.
    void error(span at, std::string message, std::string hint = "");
    void add(const user_error& e);
    bool empty() const { return found_.empty(); }
    /// Throws user_error with all of them, in the order of the text, when there are any.
    void throw_if_any();
    const std::shared_ptr<const source>& text() const { return text_; }

  private:
    std::shared_ptr<const source> text_;
    std::vector<diagnostic> found_;
};

} // namespace gst::dsl
