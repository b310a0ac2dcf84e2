#pragma once

#include "core/tune/session.hpp"

#include <utility>

namespace gst {

/// Counts failed configurations by outcome and message, numbers aside.
class failure_counter {
  public:
    void add(const configuration& c, const measurement& m);
    std::vector<failure_group> groups() const; ///< most frequent first

  private:
    std::map<std::pair<status, std::string>, failure_group> groups_;
};

} // namespace gst
