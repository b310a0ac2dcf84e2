#include "dsl/report.hpp"

#include "dsl/limits.hpp"

#include <algorithm>

namespace gst::dsl {

void report::error(span at, std::string message, std::string hint) {
    found_.push_back({std::move(message), text_, at, std::move(hint)});
    if (found_.size() >= limits::diagnostics) {
        throw_if_any();
    }
}

void report::add(const user_error& e) {
    for (const diagnostic& d : e.diagnostics()) {
        error(d.at, d.message, d.hint);
    }
}

void report::throw_if_any() {
    if (!found_.empty()) {
        std::stable_sort(found_.begin(), found_.end(),
                         [](const diagnostic& a, const diagnostic& b) { return a.at.begin < b.at.begin; });
        throw user_error(found_);
    }
}

} // namespace gst::dsl
