#include "core/api/plugin.hpp"
#include "core/api/search.hpp"
#include "plugins/search/ranks.hpp"
#include "plugins/search/requests.hpp"

namespace {

using namespace gst;

/// Uniform sampling without replacement: every valid configuration is as likely as any other to come next.
class random_search : public search {
  public:
    explicit random_search(const plugin_options& options) : request_(options.integer("request")) {}

    void run(problem& p) override {
        ranks unseen(p.space().count());
        measure_in_requests(p, request_, [&]() -> std::optional<configuration> {
            if (unseen.left() == 0) {
                return std::nullopt;
            }
            return p.space().at(unseen.draw(p.rng()));
        });
    }

  private:
    std::uint64_t request_;
};

} // namespace

GST_PLUGIN_OPTIONS = {
    {"request", "integer", "16", "1", "65536", "configurations per request; the next request is compiled ahead"}};
GST_SEARCH_PLUGIN(random_search, "random", "1.0", "uniform sampling without replacement");
