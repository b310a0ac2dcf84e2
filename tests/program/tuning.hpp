#pragma once

#include "core/store/results.hpp"
#include "tests/app/shell.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace gst::test {

/// A quick tuning of heat3d: every configuration is measured in a few ms.
inline std::string small(const std::string& strategy, int evaluations) {
    return "examples/heat3d/app.toml --set grid.size=[32,32,32] --set budget.seconds=0 --set run.steps=0 "
           "--set measure.max_repetitions=5 --set measure.repetition_ms=0 --set search.strategy=" +
           strategy + " --set budget.evaluations=" + std::to_string(evaluations) + " --seed 3";
}

inline std::filesystem::path database_of(const playground& here) {
    return here.folder() / "data/gst/results.db";
}

inline std::vector<result_row> rows_of(const playground& here) {
    const std::filesystem::path path = database_of(here);
    return std::filesystem::exists(path) ? result_store(path).query() : std::vector<result_row>();
}

inline std::set<named_values> configurations_of(const std::vector<result_row>& rows) {
    std::set<named_values> out;
    for (const result_row& row : rows) {
        out.insert(row.configuration);
    }
    return out;
}

inline std::set<std::string> keys_of(const std::vector<result_row>& rows) {
    std::set<std::string> out;
    for (const result_row& row : rows) {
        out.insert(row.key);
    }
    return out;
}

} // namespace gst::test
