#pragma once

#include "core/base/toml_document.hpp"
#include "core/space/space.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/// Heuristic specification files (Garvey §7.3; the paper's syntax is lost, this one is ours and is TOML).
///
///     passes = 3                                 # over the steps; fewer when one measures nothing new
///     where = ["TBx >= 16"]                      # conditions on all configurations
///     start = { "@y" = "least" }                 # values at the beginning, else neutral ones
///
///     [[step]]                                   # tuned exhaustively, all else as in the best so far
///     name = "the work-group"
///     when = "later"                             # passes: "always", "first" or "later"
///     tune = { "@thread_block" = "all", CMx = "best_TBx * best_CMx / TBx" }
///     where = ["TBx * TBy == best_TBx * best_TBy"]
///
/// `tune` names parameters, or several at once: "@all", "@x" (of that dimension), "@thread_block" (of that role),
/// "@thread_block.x". They take "all" their values, those of a list, those of { range = [16, "Nx / 4"] } or, with
/// samples = 3, so many random ones of them, or the value of an expression. Expressions may use the parameters, their
/// values in the best configuration so far (best_TBx) and the constants of the space (the grid's size Nx, Ny, Nz).
namespace gst::grouped {

/// Which values of a range; bounds may use best_… and constants.
struct range {
    expression low;
    expression high;
    std::optional<std::size_t> samples;
};
struct all_values {};
using choice = std::variant<all_values, std::vector<value>, range, expression>;

struct step {
    std::string name;
    toml_document::place written;
    bool first = true; ///< done in the first pass
    bool later = true; ///< done in the others
    std::map<std::size_t, choice> tune;
    std::vector<expression> where;
};

struct specification {
    std::size_t passes = 1;
    std::vector<expression> where;
    std::map<std::size_t, std::uint16_t> start; ///< parameter and position
    std::vector<step> steps;
};

/// Reads a specification file. Throws user_error: it cannot be read, or is not TOML (with the place).
toml_document::item read_file(const std::filesystem::path& file);

/// What a specification says of a space. Throws user_error, with the place: unknown key, parameter, role or name in an
/// expression, a value that a parameter does not have, no parameter tuned at all.
specification specification_for(const space& s, const toml_document::item& file);

} // namespace gst::grouped
