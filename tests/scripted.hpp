#pragma once

#include "core/api/search.hpp"

#include <functional>
#include <utility>

namespace gst::test {

/// A strategy that is a function.
class scripted : public search {
  public:
    explicit scripted(std::function<void(problem&)> script) : script_(std::move(script)) {}
    void run(problem& p) override { script_(p); }

  private:
    std::function<void(problem&)> script_;
};

} // namespace gst::test
