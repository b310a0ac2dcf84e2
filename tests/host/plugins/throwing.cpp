#include "core/api/plugin.hpp"
#include "core/api/search.hpp"
#include "core/base/error.hpp"

namespace {

/// Known to this library alone, its type information included.
struct own_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct own_machine_error : gst::machine_error {
    using gst::machine_error::machine_error;
};

void fail(const std::string& what) {
    if (what == "own") {
        throw own_error("out of ideas");
    }
    if (what == "own_machine") {
        throw own_machine_error("the device is lost");
    }
    if (what == "user") {
        throw gst::user_error("low lies above high", "swap them");
    }
    if (what == "integer") {
        throw 42;
    }
}

class throwing : public gst::search {
  public:
    explicit throwing(const gst::plugin_options& options) : run_(options.text("run")) { fail(options.text("create")); }
    void run(gst::problem&) override { fail(run_); }

  private:
    std::string run_;
};

} // namespace

GST_PLUGIN_OPTIONS = {{"create", "text", "", nullptr, nullptr, "what create throws"},
                      {"run", "text", "", nullptr, nullptr, "what run throws"}};
GST_SEARCH_PLUGIN(throwing, "throwing", "1.0", "throws what it is told to");
