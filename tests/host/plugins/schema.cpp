#include "core/api/plugin.hpp"
#include "core/api/search.hpp"

// The declaration of the options contradicts itself: the build says how.
#define BAD_DEFAULT                                                                                                    \
    {                                                                                                                  \
        { "request", "integer", "0", "1", "8", "configurations per request" }                                          \
    }
#define BAD_TYPE                                                                                                       \
    {                                                                                                                  \
        { "request", "number", "1", nullptr, nullptr, "configurations per request" }                                   \
    }
#define TWICE                                                                                                          \
    {                                                                                                                  \
        {"request", "integer", "1", nullptr, nullptr, ""}, {                                                           \
            "request", "real", "1", nullptr, nullptr, ""                                                               \
        }                                                                                                              \
    }

namespace {

class idle : public gst::search {
  public:
    explicit idle(const gst::plugin_options&) {}
    void run(gst::problem&) override {}
};

} // namespace

GST_PLUGIN_OPTIONS = TABLE;
GST_SEARCH_PLUGIN(idle, "idle", "1.0", "does nothing");
