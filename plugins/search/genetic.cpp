#include "plugins/search/genetic.hpp"

namespace {

using namespace gst;

/// The genetic algorithm alone, a generation of one population per request.
class genetic_search : public search {
  public:
    explicit genetic_search(const plugin_options& o) : how_(o), patience_(o.integer("patience")) {}

    void run(problem& p) override {
        unseen fresh(p);
        genetic g(p, fresh, how_);
        run_alone(p, g, how_.size, patience_);
    }

  private:
    genetic_settings how_;
    std::uint64_t patience_;
};

} // namespace

GST_PLUGIN_OPTIONS = {
    {"populations", "integer", "2", "1", "1024", "sub-populations"},
    {"size", "integer", "16", "2", "65536", "individuals of a sub-population"},
    {"crossover", "real", "0.8", "0", "1", "probability that an individual has two parents"},
    {"mutation", "real", "0.005", "0", "1", "probability that a parameter takes a random value"},
    {"tournament", "integer", "2", "1", "65536", "individuals of which the fastest becomes a parent"},
    {"migration", "integer", "5", "1", "1000000", "generations until the best of each population goes to the next one"},
    {"patience", "integer", "4", "1", "1000000", "generations without a new configuration until it begins anew"}};
GST_SEARCH_PLUGIN(genetic_search, "genetic", "1.0", "genetic algorithm with sub-populations (OpenTuner's in GeST)");
