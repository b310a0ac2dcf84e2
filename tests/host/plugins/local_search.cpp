#include "core/api/plugin.hpp"
#include "core/api/search.hpp"

namespace {

/// Moves to the best neighbour until none is faster, then begins anew at a random configuration.
class local_search : public gst::search {
  public:
    explicit local_search(const gst::plugin_options& options) : patience_(options.integer("patience")) {}

    void run(gst::problem& p) override {
        for (std::int64_t fruitless = 0; fruitless < patience_ && !p.exhausted();) {
            const std::uint64_t before = p.evaluations();
            gst::configuration at = p.space().sample(p.rng());
            double time = p.measure(at).time;
            while (!p.exhausted()) {
                const std::vector<gst::configuration> around = p.space().neighbours(at);
                const std::vector<gst::measurement> measured = p.measure(around);
                bool moved = false;
                for (std::size_t i = 0; i < around.size(); ++i) {
                    if (measured[i].outcome == gst::status::correct && (time == 0 || measured[i].time < time)) {
                        at = around[i];
                        time = measured[i].time;
                        moved = true;
                    }
                }
                if (!moved) {
                    break;
                }
            }
            fruitless = p.evaluations() == before ? fruitless + 1 : 0;
        }
    }

  private:
    std::int64_t patience_;
};

} // namespace

GST_PLUGIN_OPTIONS = {{"patience", "integer", "100", "1", nullptr, "walks in a row without a new configuration"}};
GST_SEARCH_PLUGIN(local_search, "local_search", "1.0", "walks to the best neighbour from random starts");
