#include "core/api/predictor.hpp"

#include "core/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace gst {

namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& hint) {
    throw user_error("nothing can be learned from the table: " + what, hint);
}

std::string row_name(const training_table& t, std::size_t i) {
    return t.names.empty() ? fmt::format("row {}", i + 1) : fmt::format("row {} ({})", i + 1, t.names[i]);
}

void check_lengths(const training_table& t) {
    const auto expect = [](const char* what, std::size_t has, std::size_t needs) {
        if (has != needs) {
            refuse(fmt::format("it has {} {}, not {}", has, what, needs), "give every row the same columns");
        }
    };
    expect("features of rows", t.cells.size(), t.size() * t.features.size());
    if (!t.names.empty()) {
        expect("names of rows", t.names.size(), t.size());
    }
    if (!t.performance.empty()) {
        expect("performances", t.performance.size(), t.size() * t.classes.size());
    }
}

void check_targets(const training_table& t) {
    const auto most = static_cast<double>(t.classes.size());
    for (std::size_t i = 0; i < t.size(); ++i) {
        const double target = t.targets[i];
        if (!std::isfinite(target)) {
            refuse(fmt::format("what is to be predicted of {} is not finite", row_name(t, i)), "leave the row out");
        }
        if (!t.classes.empty() && !(target >= 0 && target < most && target == std::floor(target))) {
            refuse(fmt::format("the class of {} is {}, and there are {}", row_name(t, i), target, t.classes.size()),
                   "classes count from 0");
        }
    }
    const bool one = std::equal(t.targets.begin() + 1, t.targets.end(), t.targets.begin());
    if (one && !t.classes.empty()) {
        refuse(fmt::format("every row is of the class '{}'", t.classes[t.class_of(0)]),
               "there is nothing to decide: always take it");
    }
}

} // namespace

void training_table::add(std::string name, std::span<const double> row, double target, std::span<const double> faster) {
    if (row.size() != features.size() || (!faster.empty() && faster.size() != classes.size())) {
        throw std::logic_error("a row with another number of columns than its table");
    }
    names.push_back(std::move(name));
    cells.insert(cells.end(), row.begin(), row.end());
    targets.push_back(target);
    performance.insert(performance.end(), faster.begin(), faster.end());
}

training_table training_table::rows(std::span<const std::size_t> which) const {
    training_table out{features, classes, {}, {}, {}, {}};
    for (const std::size_t i : which) {
        out.targets.push_back(targets.at(i));
        const auto cell = row(i);
        out.cells.insert(out.cells.end(), cell.begin(), cell.end());
        if (!names.empty()) {
            out.names.push_back(names[i]);
        }
        if (!performance.empty()) {
            const auto faster = std::span(performance).subspan(i * classes.size(), classes.size());
            out.performance.insert(out.performance.end(), faster.begin(), faster.end());
        }
    }
    return out;
}

void check(const training_table& t) {
    if (t.size() == 0 || t.features.empty()) {
        refuse(t.size() == 0 ? "it has no rows" : "it has no features",
               "a table needs at least one row and one feature");
    }
    check_lengths(t);
    for (std::size_t i = 0; i < t.size(); ++i) {
        for (std::size_t k = 0; k < t.features.size(); ++k) {
            if (!std::isfinite(t.row(i)[k])) {
                refuse(fmt::format("the feature '{}' of {} is not finite", t.features[k].name, row_name(t, i)),
                       "leave the row or the feature out");
            }
        }
    }
    check_targets(t);
    for (std::size_t i = 0; i < t.performance.size(); ++i) {
        if (!std::isfinite(t.performance[i]) || t.performance[i] < 0) {
            refuse(fmt::format("the performance of '{}' in {} is {}", t.classes[i % t.classes.size()],
                               row_name(t, i / t.classes.size()), t.performance[i]),
                   "give 0 where it cannot run");
        }
    }
}

std::size_t prediction::choice() const {
    return static_cast<std::size_t>(std::max_element(probabilities.begin(), probabilities.end()) -
                                    probabilities.begin());
}

} // namespace gst
