#pragma once

#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/store/recording/file.hpp"
#include "core/store/recording/json_stream.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

/// What the tables that gst train writes have in common: JSON with a line per entry, plain or gzip by name.
namespace gst {

/// A member of the file: an array with each of the items, as `convert` makes it, on a line.
template<class Items, class Convert>
std::string lines_of(const std::string& name, const Items& items, Convert&& convert) {
    std::string out;
    for (const auto& one : items) {
        out += fmt::format("{}\n  {}", out.empty() ? "" : ",", dumped(convert(one)));
    }
    return fmt::format("\"{}\": [{}\n]", name, out);
}

/// Writes the members of `head`, then those that lines_of made. Throws machine_error when the file cannot be written.
inline void write_table(const std::filesystem::path& file, const ordered_json& head,
                        const std::vector<std::string>& arrays) {
    std::string text = "{\n";
    for (const auto& [name, j] : head.items()) {
        text += fmt::format("\"{}\": {},\n", name, dumped(j));
    }
    text += fmt::format("{}\n}}\n", fmt::join(arrays, ",\n"));
    atomic_file out(file);
    out.write(file.extension() == ".gz" ? gzip(text) : text);
    out.commit();
}

/// A number; null, as which NaN arrives, is one that is not finite.
inline double number_member(const ordered_json& j, const char* name) {
    const auto found = j.find(name);
    if (found == j.end() || !(found->is_number() || found->is_null())) {
        throw user_error(fmt::format("'{}' is missing, or no number", name), "the file is damaged: get it again");
    }
    return found->is_null() ? std::nan("") : found->get<double>();
}

/// Whether a number is a measured time in ms: 0 where there is none, else more than a picosecond, than which nothing is
/// faster.
inline bool is_time(double ms) {
    constexpr double least = 1e-9;
    return ms == 0 || (std::isfinite(ms) && ms > least);
}

/// Calls read(); its user_errors begin with the name of the file.
template<class Read>
void naming(const std::string& shown, Read&& read) {
    try {
        read();
    } catch (const user_error& e) {
        std::vector<diagnostic> placed = e.diagnostics();
        for (diagnostic& d : placed) {
            d.message = fmt::format("'{}': {}", shown, d.message);
        }
        throw user_error(std::move(placed));
    }
}

} // namespace gst
