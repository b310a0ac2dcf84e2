#include "core/base/error.hpp"
#include "plugins/search/annealing.hpp"
#include "plugins/search/bandit.hpp"
#include "plugins/search/differential_evolution.hpp"
#include "plugins/search/genetic.hpp"
#include "plugins/search/greedy_mutation.hpp"

#include <algorithm>
#include <memory>
#include <sstream>

namespace {

using namespace gst;

/// Uniform sampling without replacement.
class random_sampling : public technique {
  public:
    explicit random_sampling(unseen& fresh) : fresh_(fresh) {}
    std::vector<configuration> ask(std::size_t most) override { return fresh_.next(most); }
    void tell(const candidate&) override {}
    void restart() override {}

  private:
    unseen& fresh_;
};

constexpr const char* names[] = {
    "differential_evolution", "uniform_mutation", "normal_mutation", "genetic", "annealing", "random"};

/// OpenTuner's way: techniques take turns of one configuration, a bandit gives more of them to those that lately found
/// new bests. A technique that finds nothing new for a while begins anew. On a device several turns are given out at
/// once, as if those before had found nothing (OpenTuner's parallelism, 4 there): as many as compilers work, or more,
/// since the first of them finds cold caches.
class ensemble_search : public search {
  public:
    explicit ensemble_search(const plugin_options& o)
        : window_(static_cast<std::size_t>(o.integer("window"))), exploration_(o.real("exploration")),
          patience_(static_cast<std::uint64_t>(o.integer("patience"))),
          at_once_(static_cast<std::uint64_t>(o.integer("at_once"))),
          differential_evolution_(o, "differential_evolution_"), uniform_mutation_{false, o.real("mutation_rate"),
                                                                                   o.real("mutation_spread")},
          normal_mutation_{true, uniform_mutation_.rate, uniform_mutation_.spread}, genetic_(o, "genetic_"),
          annealing_(o, "annealing_") {
        const std::vector<std::string> known(std::begin(names), std::end(names));
        std::istringstream words(o.text("techniques"));
        for (std::string name; words >> name;) {
            if (std::find(known.begin(), known.end(), name) == known.end()) {
                throw user_error("the ensemble has no technique '" + name + "'" + did_you_mean(name, known),
                                 "its techniques: " + enumerate(known));
            }
            techniques_.push_back(name);
        }
        if (techniques_.empty()) {
            throw user_error("the ensemble needs a technique at least", "its techniques: " + enumerate(known));
        }
    }

    void run(problem& p) override {
        unseen fresh(p);
        std::vector<std::unique_ptr<technique>> arms;
        for (const std::string& name : techniques_) {
            arms.push_back(make(name, p, fresh));
        }
        std::vector<std::uint64_t> fruitless(arms.size());
        bandit choice(arms.size(), window_, exploration_);
        while (!p.exhausted()) {
            // The fewer are left, the more each of them is to learn from those before.
            const std::uint64_t most = p.parallel() > 0 ? std::max(p.parallel(), at_once_) : 1;
            const std::uint64_t count = std::max<std::uint64_t>(std::min(most, p.remaining() / 8), 1);
            std::vector<std::size_t> turns(arms.size());
            for (const std::size_t arm : choice.choose(count)) {
                ++turns[arm];
            }
            std::vector<std::size_t> whose; // arms, one for each configuration
            std::vector<configuration> asked;
            for (std::size_t arm = 0; arm < arms.size(); ++arm) {
                if (turns[arm] > 0) {
                    const std::vector<configuration> own = arms[arm]->ask(turns[arm]);
                    asked.insert(asked.end(), own.begin(), own.end());
                    whose.insert(whose.end(), own.size(), arm);
                }
            }
            std::vector<bool> is_new;
            for (auto c = asked.begin(); c != asked.end(); ++c) {
                is_new.push_back(!p.known(*c) && std::find(asked.begin(), c, *c) == c);
            }
            double best = p.best() ? p.best()->what.time : std::numeric_limits<double>::infinity();
            const std::vector<measurement> found = p.measure(asked);
            for (std::size_t i = 0; i < asked.size(); ++i) {
                if (found[i].outcome == status::not_run) {
                    return;
                }
                const std::size_t arm = whose[i];
                const candidate told{asked[i], cost_of(found[i])};
                arms[arm]->tell(told);
                const bool improved = !found[i].censored && told.cost < best;
                best = improved ? told.cost : best;
                choice.used(arm, improved);
                if (improved) {
                    p.trace(techniques_[arm] + ": a new best");
                }
                fruitless[arm] = is_new[i] ? 0 : fruitless[arm] + 1;
            }
            if (asked.empty()) {
                return;
            }
            for (std::size_t arm = 0; arm < arms.size(); ++arm) {
                if (fruitless[arm] >= patience_) {
                    arms[arm]->restart();
                    fruitless[arm] = 0;
                }
            }
        }
    }

  private:
    std::unique_ptr<technique> make(const std::string& name, problem& p, unseen& fresh) const {
        if (name == "differential_evolution") {
            return std::make_unique<differential_evolution>(p, fresh, differential_evolution_);
        }
        if (name == "uniform_mutation" || name == "normal_mutation") {
            return std::make_unique<greedy_mutation>(p, fresh,
                                                     name == "normal_mutation" ? normal_mutation_ : uniform_mutation_);
        }
        if (name == "genetic") {
            return std::make_unique<genetic>(p, fresh, genetic_);
        }
        if (name == "annealing") {
            return std::make_unique<annealing>(p, fresh, annealing_);
        }
        return std::make_unique<random_sampling>(fresh);
    }

    std::size_t window_;
    double exploration_;
    std::uint64_t patience_;
    std::uint64_t at_once_;
    differential_evolution_settings differential_evolution_;
    greedy_mutation::settings uniform_mutation_;
    greedy_mutation::settings normal_mutation_;
    genetic_settings genetic_;
    annealing_settings annealing_;
    std::vector<std::string> techniques_;
};

} // namespace

GST_PLUGIN_OPTIONS = {
    {"techniques", "text", "differential_evolution uniform_mutation normal_mutation genetic", nullptr, nullptr,
     "separated by spaces; annealing and random are others"},
    {"window", "integer", "500", "1", "1000000", "turns that the bandit remembers"},
    {"exploration", "real", "0.05", "0", "1000", "C: weight of trying techniques that were used little"},
    {"patience", "integer", "10", "1", "1000000",
     "turns of a technique without a new configuration until it begins anew"},
    {"at_once", "integer", "16", "1", "1024",
     "turns that are given out together on a device, or as many as there are compilers; fewer towards the end"},
    {"differential_evolution_size", "integer", "16", "4", "65536", "individuals"},
    {"differential_evolution_factor", "real", "0.7", "0", "2", "weight of the difference of two individuals"},
    {"differential_evolution_crossover", "real", "0.7", "0", "1", "probability that a parameter comes from the mutant"},
    {"mutation_rate", "real", "0.1", "0", "1", "probability that a mutation changes a parameter; at least one does"},
    {"mutation_spread", "real", "0.1", "0", "1", "standard deviation of normal mutations, of the length of the domain"},
    {"genetic_populations", "integer", "2", "1", "1024", "sub-populations"},
    {"genetic_size", "integer", "16", "2", "65536", "individuals of a sub-population"},
    {"genetic_crossover", "real", "0.8", "0", "1", "probability that an individual has two parents"},
    {"genetic_mutation", "real", "0.005", "0", "1", "probability that a parameter takes a random value"},
    {"genetic_tournament", "integer", "2", "1", "65536", "individuals of which the fastest becomes a parent"},
    {"genetic_migration", "integer", "5", "1", "1000000", "generations until the best goes to the next population"},
    {"annealing_temperature", "real", "0.5", "1e-6", "1000",
     "first: the relative slow-down that is accepted one time in e"},
    {"annealing_cooling", "real", "0.97", "0.01", "0.999999", "temperature of a step by that of the one before"},
    {"annealing_coldest", "real", "0.005", "1e-9", "1000", "temperature at which the next walk begins"}};
GST_SEARCH_PLUGIN(ensemble_search, "ensemble", "1.0", "techniques under a multi-armed bandit (OpenTuner)");
