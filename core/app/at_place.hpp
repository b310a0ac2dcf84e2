#pragma once

#include "core/app/config.hpp"
#include "core/base/error.hpp"
#include "core/base/toml_document.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string>
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

/// Reads the table that a suite goes on from. One that is damaged need not be got again, as other tables are: what was
/// measured is in the database.
template<class F>
auto own_table(const setting<std::filesystem::path>& table, F&& read) {
    try {
        return read();
    } catch (const user_error& e) {
        const std::string what = render(e.diagnostics().front());
        throw user_error(toml_document::mistake(
            table.written, fmt::format("the table cannot be gone on from: {}", what.substr(0, what.find('\n'))),
            "move it away: what is in the database is not measured again"));
    }
}

} // namespace gst
