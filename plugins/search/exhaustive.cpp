#include "core/api/plugin.hpp"
#include "core/api/search.hpp"
#include "plugins/search/requests.hpp"

namespace {

using namespace gst;

/// Every valid configuration, in the order of the space.
class exhaustive_search : public search {
  public:
    explicit exhaustive_search(const plugin_options& options) : request_(options.integer("request")) {}

    void run(problem& p) override {
        measure_in_requests(p, request_, [&, rank = std::uint64_t{0}]() mutable -> std::optional<configuration> {
            if (rank == p.space().count()) {
                return std::nullopt;
            }
            return p.space().at(rank++);
        });
    }

  private:
    std::uint64_t request_;
};

} // namespace

GST_PLUGIN_OPTIONS = {
    {"request", "integer", "16", "1", "65536", "configurations per request; the next request is compiled ahead"}};
GST_SEARCH_PLUGIN(exhaustive_search, "exhaustive", "1.0", "every valid configuration, in the order of the space");
