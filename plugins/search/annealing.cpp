#include "plugins/search/annealing.hpp"

namespace {

using namespace gst;

class annealing_search : public search {
  public:
    explicit annealing_search(const plugin_options& o) : how_(o), patience_(o.integer("patience")) {}

    void run(problem& p) override {
        unseen fresh(p);
        annealing walk(p, fresh, how_);
        run_alone(p, walk, 1, patience_);
    }

  private:
    annealing_settings how_;
    std::uint64_t patience_;
};

} // namespace

GST_PLUGIN_OPTIONS = {
    {"temperature", "real", "0.5", "1e-6", "1000", "first: the relative slow-down that is accepted one time in e"},
    {"cooling", "real", "0.97", "0.01", "0.999999", "temperature of a step by that of the one before"},
    {"coldest", "real", "0.005", "1e-9", "1000", "temperature at which the next walk begins"},
    {"patience", "integer", "20", "1", "1000000", "steps without a new configuration until the next walk begins"}};
GST_SEARCH_PLUGIN(annealing_search, "annealing", "1.0", "simulated annealing over changes of one parameter");
