#include "core/tune/cross_validation.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace gst {

namespace {

/// Of a table with one class, or one value.
prediction certain(const training_table& t) {
    prediction out;
    out.probabilities.assign(t.classes.size(), 0);
    if (t.classes.empty()) {
        out.value = t.targets.front();
    } else {
        out.probabilities[t.class_of(0)] = 1;
    }
    return out;
}

} // namespace

std::vector<prediction> cross_validate(predictor& p, const training_table& table, std::span<const std::size_t> group) {
    const std::set<std::size_t> groups(group.begin(), group.end());
    if (groups.size() < 2) {
        throw std::logic_error("nothing is left to learn from without the only group");
    }
    std::vector<prediction> out(table.size());
    for (const std::size_t left_out : groups) {
        std::vector<std::size_t> others;
        for (std::size_t i = 0; i < table.size(); ++i) {
            if (group[i] != left_out) {
                others.push_back(i);
            }
        }
        const training_table seen = table.rows(others);
        const bool one_class = std::equal(seen.targets.begin() + 1, seen.targets.end(), seen.targets.begin());
        if (!one_class) {
            p.learn(seen);
        }
        for (std::size_t i = 0; i < table.size(); ++i) {
            if (group[i] == left_out) {
                out[i] = one_class ? certain(seen) : p.predict(table.row(i));
            }
        }
    }
    return out;
}

} // namespace gst
