#include "core/api/plugin.hpp"
#include "core/base/error.hpp"
#include "plugins/search/ranks.hpp"
#include "plugins/search/technique.hpp"

#include <sstream>

namespace {

using namespace gst;

/// Artemis' hierarchical tuning as GeST's comparison describes it (GeST §2, §4.1): the parameters with most impact
/// first, all others at their start values; then the others, from the best few of the first.
///
/// Ours: impact goes by the parameters' roles, each of the searches is a random sample without replacement, and the
/// start is the valid configuration nearest to neutral.
class artemis_search : public search {
  public:
    explicit artemis_search(const plugin_options& o)
        : samples_(static_cast<std::size_t>(o.integer("samples"))), keep_(static_cast<std::size_t>(o.integer("keep"))),
          rest_(static_cast<std::size_t>(o.integer("rest"))) {
        std::vector<std::string> known;
        for (const role r : {role::thread_block, role::block_merge, role::cyclic_merge, role::unroll,
                             role::vector_width, role::load, role::streaming, role::temporal, role::other}) {
            known.emplace_back(name_of(r));
        }
        std::istringstream words(o.text("first"));
        for (std::string name; words >> name;) {
            if (std::find(known.begin(), known.end(), name) == known.end()) {
                throw user_error("there is no role '" + name + "'" + did_you_mean(name, known),
                                 "roles: " + enumerate(known));
            }
            first_.push_back(name);
        }
    }

    void run(problem& p) override {
        if (p.space().count() == 0) {
            return;
        }
        std::vector<candidate> best = tuned(p, p.space().nearest(p.space().neutral()), true, samples_);
        std::stable_sort(best.begin(), best.end());
        best.resize(std::min(best.size(), keep_));
        for (const candidate& c : best) {
            tuned(p, c.which, false, rest_);
        }
        const std::vector<parameter>& all = p.space().parameters();
        if (std::none_of(all.begin(), all.end(), [&](const parameter& k) { return has_impact(k); })) {
            p.trace(
                "no parameter of the space has one of the roles of the option first (recordings of other tuners tell "
                "none): all of them counted as the others");
        }
    }

  private:
    bool has_impact(const parameter& k) const {
        return std::find(first_.begin(), first_.end(), name_of(k.purpose)) != first_.end();
    }

    /// Measures `most` random configurations that differ from c only in the parameters with impact, or only in the
    /// others.
    std::vector<candidate> tuned(problem& p, const configuration& c, bool impact, std::size_t most) const {
        std::vector<bool> free;
        for (const parameter& k : p.space().parameters()) {
            free.push_back(has_impact(k) == impact);
        }
        const space part = p.space().around(c, free);
        p.trace(std::string(impact ? "with impact: " : "the others: ") + std::to_string(part.count()) +
                " configurations around " + p.space().to_string(c));
        ranks unseen_ranks(part.count());
        std::vector<configuration> wanted;
        while (wanted.size() < most && unseen_ranks.left() > 0) {
            wanted.push_back(part.at(unseen_ranks.draw(p.rng())));
        }
        return measured(p, wanted);
    }

    std::vector<std::string> first_;
    std::size_t samples_;
    std::size_t keep_;
    std::size_t rest_;
};

} // namespace

GST_PLUGIN_OPTIONS = {
    {"first", "text", "thread_block load streaming temporal", nullptr, nullptr, "roles of the parameters with impact"},
    {"samples", "integer", "100", "1", "10000000", "configurations of the parameters with impact"},
    {"keep", "integer", "5", "1", "65536", "of them from which the others are tuned"},
    {"rest", "integer", "40", "1", "10000000", "configurations of the others, for each of these"}};
GST_SEARCH_PLUGIN(artemis_search, "artemis", "1.0", "the parameters with most impact first (Artemis in GeST)");
