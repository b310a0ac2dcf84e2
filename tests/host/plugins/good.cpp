#include "core/api/plugin.hpp"
#include "core/api/search.hpp"

namespace {

/// Measures the first configuration and shows its options in the trace.
class good : public gst::search {
  public:
    explicit good(const gst::plugin_options& options) : options_(options) {}
    void run(gst::problem& p) override {
        p.measure(p.space().at(0));
        for (const auto& [name, v] : options_.all()) {
            p.trace(name + " = " + gst::to_string(v));
        }
    }

  private:
    gst::plugin_options options_;
};

} // namespace

GST_PLUGIN_OPTIONS = {{"request", "integer", "16", "1", "4096", "configurations per request"},
                      {"seeds", "integer", "3", "0", nullptr, "points to begin with"},
                      {"share", "real", "0.5", "0", "1", "share of the budget"},
                      {"cooling", "real", "2.5", nullptr, nullptr, "rate of cooling"},
                      {"restart", "boolean", "true", nullptr, nullptr, "begin again"},
                      {"start", "text", "minimum", nullptr, "minimum|random|neutral", "where to begin"},
                      {"note", "text", "", nullptr, nullptr, "free text"}};
GST_SEARCH_PLUGIN(good, "good", "2.1", "a plugin without fault");
