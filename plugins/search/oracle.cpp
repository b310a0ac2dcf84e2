#include "core/api/plugin.hpp"
#include "core/api/search.hpp"
#include "core/base/error.hpp"

#include <charconv>
#include <sstream>

namespace {

using namespace gst;

/// 16, 0.5, true or a text, as it is written.
value written(const std::string& text) {
    if (text == "true" || text == "false") {
        return text == "true";
    }
    const char* end = text.data() + text.size();
    std::int64_t whole = 0;
    if (std::from_chars(text.data(), end, whole).ptr == end) {
        return whole;
    }
    double real = 0;
    if (std::from_chars(text.data(), end, real).ptr == end) {
        return real;
    }
    return text;
}

/// A strategy once for each value of a parameter, the others free: with the heuristics and the data loading technique,
/// what the best predictor could at most reach (Garvey §8.1). Each value has the same share of the budget (ours).
class oracle_search : public search {
  public:
    explicit oracle_search(const plugin_options& o) : parameter_(o.text("parameter")), strategy_(o.text("strategy")) {
        std::istringstream words(o.text("options"));
        for (std::string word; words >> word;) {
            const std::size_t equals = word.find('=');
            if (equals == std::string::npos || equals == 0) {
                throw user_error("the oracle's options are pairs name=value, not '" + word + "'",
                                 "for example options = \"specification=hybrid request=16\"");
            }
            options_[word.substr(0, equals)] = written(word.substr(equals + 1));
        }
    }

    void run(problem& p) override {
        if (p.space().count() == 0) {
            return;
        }
        const parameter& along = p.space().parameters()[along_which(p.space())];
        for (std::size_t i = 0; i < along.domain.size() && !p.exhausted(); ++i) {
            const space part = p.space().restricted({{along.name, {along.domain[i]}}});
            p.trace(along.name + " = " + to_string(along.domain[i]) + ": " + std::to_string(part.count()) +
                    " configurations");
            if (part.count() > 0) {
                const std::uint64_t values = along.domain.size() - i;
                p.child(part, strategy_, options_, (p.remaining() + values - 1) / values,
                        p.seconds_left() / static_cast<double>(values));
            }
        }
    }

  private:
    std::size_t along_which(const space& s) const {
        try {
            return s.index_of(parameter_);
        } catch (const user_error& e) {
            const diagnostic& d = e.diagnostics().front();
            throw user_error("the strategy 'oracle' goes through the values of a parameter: " + d.message,
                             "name it by the option parameter; " + d.hint);
        }
    }

    std::string parameter_;
    std::string strategy_;
    std::map<std::string, value> options_;
};

} // namespace

GST_PLUGIN_OPTIONS = {{"parameter", "text", "load", nullptr, nullptr, "the parameter whose values are gone through"},
                      {"strategy", "path", "grouped", nullptr, nullptr, "the strategy that runs for each of them"},
                      {"options", "text", "", nullptr, nullptr, "its options: name=value, separated by spaces"}};
GST_SEARCH_PLUGIN(oracle_search, "oracle", "1.0", "a strategy once for each value of a parameter (Garvey)");
