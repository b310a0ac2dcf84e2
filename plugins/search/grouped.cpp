#include "core/api/plugin.hpp"
#include "core/base/error.hpp"
#include "plugins/search/grouped/specification.hpp"
#include "plugins/search/levels.hpp"
#include "plugins/search/technique.hpp"

#include <dlfcn.h>

namespace {

using namespace gst;
using grouped::choice;
using grouped::range;
using grouped::specification;
using grouped::step;

/// One step, seen from the best configuration so far.
class tuned_group {
  public:
    tuned_group(const space& all, const step& what, const configuration& best, random_source& rng)
        : all_(all), best_(best), free_(best.size()) {
        for (const auto& [p, values] : what.tune) {
            free_[p] = true;
            choose(p, values, rng);
        }
        for (const expression& e : what.where) {
            need(e, e);
        }
    }

    /// The configurations of the step.
    space part() const { return without_conditions().constrained(conditions_, names_); }

    /// Throws user_error at the condition that leaves none of the step's configurations, if there is one.
    void refuse_empty() const {
        if (const auto by = what_empties(without_conditions(), conditions_, names_)) {
            throw user_error(written_[by->which]->error_here(
                std::string("with this condition") + (by->alone ? "" : " and those before it") +
                    " the step selects no configuration of the space, and no other step does",
                "change it, or what the step tunes"));
        }
    }

  private:
    space without_conditions() const {
        const space near = all_.around(best_, free_);
        return allowed_.empty() ? near : near.restricted(allowed_);
    }

    void choose(std::size_t p, const choice& c, random_source& rng) {
        const std::string& name = all_.parameters()[p].name;
        if (const auto* list = std::get_if<std::vector<value>>(&c)) {
            allowed_[name] = *list;
        } else if (const auto* r = std::get_if<range>(&c)) {
            allowed_[name] = values_in(p, *r, rng);
        } else if (const auto* e = std::get_if<expression>(&c)) {
            need(expression::parse(name + " == (" + e->text() + ")"), *e);
        }
    }

    std::vector<value> values_in(std::size_t p, const range& r, random_source& rng) const {
        const auto bound = [&](const expression& e) {
            return number_of(e.evaluate([&](const std::string& name) { return known(name); }));
        };
        std::vector<value> values;
        for (const value& v : all_.parameters()[p].domain) {
            if (number_of(v) >= bound(r.low) && number_of(v) <= bound(r.high)) {
                values.push_back(v);
            }
        }
        if (r.samples && *r.samples < values.size()) {
            rng.shuffle(values);
            values.resize(*r.samples);
        }
        return values;
    }

    /// The condition, with the values of the names that only `written` explains.
    void need(const expression& condition, const expression& written) {
        for (const std::string& name : written.names()) {
            if (name.starts_with(best_prefix_)) {
                names_[name] = known(name);
            }
        }
        conditions_.push_back({condition, "the specification: " + written.text()});
        written_.push_back(&written);
    }

    /// Of a constant of the space, or best_….
    value known(const std::string& name) const {
        const auto constant = all_.constants().find(name);
        return constant != all_.constants().end()
                   ? constant->second
                   : all_.get(best_, all_.index_of(name.starts_with(best_prefix_) ? name.substr(5) : name));
    }

    static constexpr const char* best_prefix_ = "best_";
    const space& all_;
    const configuration& best_;
    std::vector<bool> free_;
    std::map<std::string, std::vector<value>> allowed_;
    std::vector<constraint> conditions_;
    std::vector<const expression*> written_; ///< where each of them stands in the file
    std::map<std::string, value> names_;     ///< best_… and their values
};

/// Garvey's grouped heuristics (§6.2): each step of a specification file (§7.3) tunes a group of parameters
/// exhaustively while all others stay as in the best configuration so far; passes over the steps are repeated while
/// they measure something new.
class grouped_search : public search {
  public:
    explicit grouped_search(const plugin_options& o)
        : name_(o.text("specification")), file_(grouped::read_file(is_shipped() ? beside_plugin(name_) : name_)),
          request_(static_cast<std::uint64_t>(o.integer("request"))) {}

    void run(problem& p) override {
        if (p.space().count() < 2) { // nothing to tune
            if (p.space().count() == 1) {
                p.measure(p.space().at(0));
            }
            return;
        }
        const specification how = specification_for(p.space());
        gst::space within = p.space();
        for (const expression& e : how.where) {
            within = within.constrained({{e, "the specification: " + e.text()}});
            if (within.count() == 0) {
                throw user_error(e.error_here("with this condition no configuration of the space is left",
                                              "change it, or take another specification: gst plugins grouped"));
            }
        }
        candidate best{start(within, how), std::numeric_limits<double>::infinity()};
        std::vector<tuned_step> last(how.steps.size());
        for (std::size_t pass = 0; pass < how.passes && !p.exhausted(); ++pass) {
            const std::uint64_t before = p.evaluations();
            for (std::size_t k = 0; k < how.steps.size(); ++k) {
                const step& s = how.steps[k];
                if (!s.tune.empty() && (pass == 0 ? s.first : s.later)) {
                    tune(p, within, s, best, last[k]);
                }
            }
            if (p.evaluations() == before) {
                break;
            }
        }
        if (p.evaluations() == 0 && !p.exhausted()) {
            for (const step& s : how.steps) {
                tuned_group(within, s, best.which, p.rng()).refuse_empty();
            }
            throw user_error(toml_document::mistake(
                how.steps.front().written, "no step selects a configuration of this space",
                "their values and conditions exclude all, beside the start and the space's own constraints"));
        }
    }

  private:
    bool is_shipped() const { return name_.find_first_of("/.") == std::string::npos; }

    specification specification_for(const gst::space& s) const {
        try {
            return grouped::specification_for(s, file_);
        } catch (const user_error& e) {
            if (!is_shipped()) {
                throw;
            }
            throw user_error("the specification '" + name_ + "' of the strategy 'grouped' is for other parameters: " +
                                 e.diagnostics().front().message,
                             "specification = \"by_dimension\" needs no names, only roles with axes; or write one of "
                             "your own: docs/strategies.md");
        }
    }

    /// The files that come with the plugin lie in a folder beside it.
    static std::string beside_plugin(const std::string& name) {
        Dl_info self{};
        dladdr(reinterpret_cast<const void*>(&beside_plugin), &self);
        return (std::filesystem::path(self.dli_fname).parent_path() / "grouped" / (name + ".toml")).string();
    }

    /// The start values, all others neutral; where that is not valid, the nearest that is ("1" means the least legal
    /// value, papers.md §1).
    static configuration start(const space& within, const specification& how) {
        configuration c = within.neutral();
        for (const auto& [parameter, position] : how.start) {
            c[parameter] = position;
        }
        return within.nearest(c);
    }

    /// What a step was tuned around, and its configurations there.
    struct tuned_step {
        configuration around;
        std::optional<gst::space> part;
    };

    void tune(problem& p, const gst::space& within, const step& s, candidate& best, tuned_step& last) const {
        const bool again = last.around == best.which && !draws(s); // the same configurations, all of them known
        if (!again) {
            last = {best.which, tuned_group(within, s, best.which, p.rng()).part()};
        }
        const gst::space& part = *last.part;
        p.trace(s.name + ": " + std::to_string(part.count()) + " configurations around " +
                p.space().to_string(best.which));
        std::uint64_t rank = again ? part.count() : 0;
        while (rank < part.count() && !p.exhausted()) {
            std::vector<configuration> wanted;
            for (; rank < part.count() && wanted.size() < request_; ++rank) {
                wanted.push_back(part.at(rank));
            }
            for (const candidate& c : measured(p, wanted)) {
                best = std::min(best, c);
            }
        }
    }

    static bool draws(const step& s) {
        return std::any_of(s.tune.begin(), s.tune.end(), [](const auto& one) {
            const auto* r = std::get_if<range>(&one.second);
            return r && r->samples;
        });
    }

    std::string name_;
    toml_document::item file_;
    std::uint64_t request_;
};

} // namespace

GST_PLUGIN_OPTIONS = {{"specification", "path", "hybrid", nullptr, nullptr,
                       "by_dimension, by_optimization, hybrid, restricted, expert, or the path of a TOML file"},
                      {"request", "integer", "64", "1", "65536", "configurations per request"}};
GST_SEARCH_PLUGIN(grouped_search, "grouped", "1.0", "groups of parameters tuned one after another (Garvey)");
