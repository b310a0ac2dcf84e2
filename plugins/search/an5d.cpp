#include "core/api/plugin.hpp"
#include "plugins/search/technique.hpp"

#include <cmath>

namespace {

using namespace gst;

/// AN5D's way (GeST §2, §4.1): a performance model ranks the configurations, the first few are measured.
///
/// Ours: of a space with more configurations than `ranked`, so many random ones are ranked; where none of the first few
/// runs, the next few are measured.
class an5d_search : public search {
  public:
    explicit an5d_search(const plugin_options& o)
        : measured_(static_cast<std::size_t>(o.integer("measured"))),
          ranked_(static_cast<std::size_t>(o.integer("ranked"))) {}

    void run(problem& p) override {
        unseen random(p);
        std::vector<candidate> ranking;
        for (configuration& c : random.next(ranked_)) {
            const double expected = p.estimate(c);
            ranking.push_back({std::move(c), expected});
        }
        std::stable_sort(ranking.begin(), ranking.end());
        bool runs = false;
        for (std::size_t begin = 0; begin < ranking.size() && !runs && !p.exhausted(); begin += measured_) {
            std::vector<configuration> few;
            for (std::size_t i = begin; i < std::min(begin + measured_, ranking.size()); ++i) {
                few.push_back(ranking[i].which);
            }
            for (const candidate& c : measured(p, few)) {
                runs = runs || std::isfinite(c.cost);
            }
        }
    }

  private:
    std::size_t measured_;
    std::size_t ranked_;
};

} // namespace

GST_PLUGIN_OPTIONS = {
    {"measured", "integer", "5", "1", "65536", "configurations that are measured, the first of the ranking"},
    {"ranked", "integer", "10000", "1", "10000000", "configurations that the model ranks, at most"}};
GST_SEARCH_PLUGIN(an5d_search, "an5d", "1.0",
                  "measures the first five of a performance model's ranking (AN5D in GeST)");
