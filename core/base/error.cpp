#include "core/base/error.hpp"

namespace gst {

namespace {
std::string rendered(const std::vector<diagnostic>& all) {
    std::string out;
    for (const diagnostic& d : all) {
        out += (out.empty() ? "" : "\n") + render(d);
    }
    return out;
}
} // namespace

user_error::user_error(diagnostic d) : user_error(std::vector<diagnostic>{std::move(d)}) {}
user_error::user_error(std::vector<diagnostic> all) : std::runtime_error(rendered(all)), diagnostics_(std::move(all)) {}
user_error::user_error(const std::string& message, const std::string& hint)
    : user_error(diagnostic{message, nullptr, {}, hint}) {}

// Key functions: the type information of each exception lives in the core alone.
user_error::~user_error() = default;
machine_error::~machine_error() = default;
nothing_found::~nothing_found() = default;

} // namespace gst
