#include "core/base/ridge.hpp"
#include "plugins/search/genetic.hpp"
#include "plugins/search/levels.hpp"

namespace {

using namespace gst;

/// A configuration as a zero-padded vector: the level of each parameter and its square.
std::vector<double> features(const space& s, const configuration& c) {
    std::vector<double> row;
    for (std::size_t k = 0; k < c.size(); ++k) {
        const double l = level(s.parameters()[k], c[k]);
        row.push_back(l);
        row.push_back(l * l);
    }
    return row;
}

/// GSTuner as GeST's comparison describes it (GeST §4.1): a regression model on zero-padded vectors picks a tenth of
/// the sampled settings, which are measured and are the first generation of a genetic algorithm.
///
/// Ours: the model, a ridge regression of the logarithm of the time, learns from the first measurements of the run,
/// which count as any other, instead of from a data set collected before – or it is the workload's own, such as one
/// that was trained on other stencils.
class gstuner_search : public search {
  public:
    explicit gstuner_search(const plugin_options& o)
        : training_(static_cast<std::size_t>(o.integer("training"))),
          sampled_(static_cast<std::size_t>(o.integer("sampled"))), share_(o.real("share")),
          penalty_(o.real("penalty")), by_estimate_(o.text("ranking") == "estimate"), how_(o),
          patience_(static_cast<std::uint64_t>(o.integer("patience"))) {}

    void run(problem& p) override {
        unseen random(p);
        std::vector<candidate> known = by_estimate_ ? std::vector<candidate>() : measured(p, random.next(training_));
        const std::vector<candidate> chosen = measured(p, promising(p, known, random.next(sampled_)));
        known.insert(known.end(), chosen.begin(), chosen.end());
        std::stable_sort(known.begin(), known.end());
        unseen fresh(p); // what was sampled and not chosen may still come
        genetic g(p, fresh, how_);
        g.begin_with(known);
        run_alone(p, g, how_.size, patience_);
    }

  private:
    /// The share of the sampled configurations that the model expects to be fastest; where nothing ran that it could
    /// learn from, the first ones.
    std::vector<configuration> promising(problem& p, const std::vector<candidate>& known,
                                         std::vector<configuration> sampled) const {
        if (by_estimate_) {
            return first_of(std::move(sampled), [&](const configuration& c) { return p.estimate(c); });
        }
        std::vector<std::vector<double>> rows;
        std::vector<double> targets;
        for (const candidate& c : known) {
            if (std::isfinite(c.cost)) {
                rows.push_back(features(p.space(), c.which));
                targets.push_back(std::log(c.cost));
            }
        }
        if (rows.empty()) {
            return first_of(std::move(sampled), [](const configuration&) { return 0; });
        }
        const ridge model(rows, targets, penalty_);
        return first_of(std::move(sampled),
                        [&](const configuration& c) { return model.predict(features(p.space(), c)); });
    }

    /// The share of the configurations of which the least is expected.
    template<class Expected>
    std::vector<configuration> first_of(std::vector<configuration> sampled, Expected&& expected) const {
        std::vector<std::pair<double, std::size_t>> ranked;
        for (std::size_t i = 0; i < sampled.size(); ++i) {
            ranked.emplace_back(expected(sampled[i]), i);
        }
        std::sort(ranked.begin(), ranked.end());
        ranked.resize(static_cast<std::size_t>(std::ceil(share_ * static_cast<double>(sampled.size()))));
        std::vector<configuration> out;
        for (const auto& [cost, i] : ranked) {
            out.push_back(std::move(sampled[i]));
        }
        return out;
    }

    std::size_t training_;
    std::size_t sampled_;
    double share_;
    double penalty_;
    bool by_estimate_;
    genetic_settings how_;
    std::uint64_t patience_;
};

} // namespace

GST_PLUGIN_OPTIONS = {
    {"training", "integer", "32", "1", "65536", "random configurations that the model learns from"},
    {"sampled", "integer", "320", "1", "10000000", "random configurations that the model ranks"},
    {"share", "real", "0.1", "0", "1", "of them that are measured"},
    {"ranking", "text", "measurements", nullptr, "measurements|estimate",
     "what the model is: learned from these, or the workload's, that of [predictor] or gst's own"},
    {"penalty", "real", "1", "1e-9", "1e9", "of the regression's weights"},
    {"populations", "integer", "2", "1", "1024", "sub-populations of the genetic algorithm"},
    {"size", "integer", "16", "2", "65536", "individuals of a sub-population"},
    {"crossover", "real", "0.8", "0", "1", "probability that an individual has two parents"},
    {"mutation", "real", "0.005", "0", "1", "probability that a parameter takes a random value"},
    {"tournament", "integer", "2", "1", "65536", "individuals of which the fastest becomes a parent"},
    {"migration", "integer", "5", "1", "1000000", "generations until the best of each population goes to the next one"},
    {"patience", "integer", "4", "1", "1000000", "generations without a new configuration until it begins anew"}};
GST_SEARCH_PLUGIN(gstuner_search, "gstuner", "1.0", "a regression model picks the first generation (GSTuner in GeST)");
