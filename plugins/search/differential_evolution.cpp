#include "plugins/search/differential_evolution.hpp"

namespace {

using namespace gst;

class differential_evolution_search : public search {
  public:
    explicit differential_evolution_search(const plugin_options& o) : how_(o), patience_(o.integer("patience")) {}

    void run(problem& p) override {
        unseen fresh(p);
        differential_evolution population(p, fresh, how_);
        run_alone(p, population, how_.size, patience_);
    }

  private:
    differential_evolution_settings how_;
    std::uint64_t patience_;
};

} // namespace

GST_PLUGIN_OPTIONS = {
    {"size", "integer", "16", "4", "65536", "individuals"},
    {"factor", "real", "0.7", "0", "2", "weight of the difference of two individuals"},
    {"crossover", "real", "0.7", "0", "1", "probability that a parameter comes from the mutant"},
    {"patience", "integer", "4", "1", "1000000", "generations without a new configuration until it begins anew"}};
GST_SEARCH_PLUGIN(differential_evolution_search, "differential_evolution", "1.0",
                  "differential evolution on the positions of the values (Storn and Price)");
