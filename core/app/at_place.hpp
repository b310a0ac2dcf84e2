#pragma once

#include "core/base/error.hpp"
#include "core/base/toml_document.hpp"

#include <utility>
#include <vector>

namespace gst {

/// Runs `f`; what it says about the user's input without a place of its own gets the one where that was written.
template<class F>
auto at(const toml_document::place& written, F&& f) {
    try {
        return f();
    } catch (const user_error& e) {
        std::vector<diagnostic> placed = e.diagnostics();
        for (diagnostic& d : placed) {
            if (!d.where || d.where->name == "expression") {
                d.where = written.where;
                d.at = written.at;
            }
        }
        throw user_error(std::move(placed));
    }
}

} // namespace gst
