#pragma once

#include "core/api/search.hpp"
#include "plugins/search/ranks.hpp"

#include <optional>

namespace gst {

/// Random configurations that nobody has measured yet: uniform, each at most once.
class unseen {
  public:
    explicit unseen(problem& p) : problem_(p), ranks_(p.space().count()) {}

    /// Nothing when all are known or were drawn.
    std::optional<configuration> next() {
        while (ranks_.left() > 0) {
            configuration c = problem_.space().at(ranks_.draw(problem_.rng()));
            if (!problem_.known(c)) {
                return c;
            }
        }
        return std::nullopt;
    }

    /// As many of them as there are, `most` at most.
    std::vector<configuration> next(std::size_t most) {
        std::vector<configuration> all;
        while (all.size() < most) {
            std::optional<configuration> c = next();
            if (!c) {
                break;
            }
            all.push_back(std::move(*c));
        }
        return all;
    }

  private:
    problem& problem_;
    ranks ranks_;
};

} // namespace gst
