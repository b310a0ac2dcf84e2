#include "core/api/plugin.hpp"
#include "core/api/search.hpp"

extern "C" int gst_test_gone();

namespace {

class needing : public gst::search {
  public:
    explicit needing(const gst::plugin_options&) { gst_test_gone(); }
    void run(gst::problem&) override {}
};

} // namespace

GST_SEARCH_PLUGIN_WITHOUT_OPTIONS(needing, "needs_library", "1.0", "links to libgone.so");
