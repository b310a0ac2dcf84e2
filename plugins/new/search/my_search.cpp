#include "core/api/plugin.hpp"
#include "core/api/search.hpp"

namespace {

/// Random configurations, and now and then a neighbour of the fastest one so far.
class my_search : public gst::search {
  public:
    explicit my_search(const gst::plugin_options& options) : local_(options.integer("local")) {}

    void run(gst::problem& p) override {
        for (int fruitless = 0; fruitless < 1000 && !p.exhausted();) {
            const std::uint64_t before = p.evaluations();
            gst::configuration next = p.space().sample(p.rng());
            if (p.best() && p.rng().below(100) < static_cast<std::uint64_t>(local_)) {
                const auto around = p.space().neighbours(p.best()->which);
                next = around.empty() ? next : around[p.rng().below(around.size())];
            }
            p.measure(next); // a configuration that is known costs nothing
            fruitless = p.evaluations() == before ? fruitless + 1 : 0;
        }
    }

  private:
    std::int64_t local_;
};

} // namespace

GST_PLUGIN_OPTIONS = {
    {"local", "integer", "50", "0", "100", "per cent of the configurations that are neighbours of the fastest"}};
GST_SEARCH_PLUGIN(my_search, "my_search", "0.1", "random configurations and neighbours of the fastest");
