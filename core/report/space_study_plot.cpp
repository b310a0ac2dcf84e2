#include "core/report/picture.hpp"
#include "core/report/space_study.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gst {

namespace {

constexpr double gap = 24;         ///< between panels
constexpr double row_width = 1640; ///< beyond it the next panel begins a new row

picture::bars histogram(const std::string& title, const std::vector<double>& speedups) {
    picture::bars b{title, {"fails", "<0.1"}, {"share"}, {}, 0, false};
    for (int tenth = 1; tenth < 10; ++tenth) {
        b.groups.push_back(fmt::format("≥{:g}", tenth / 10.0));
    }
    for (const double share : speedup_shares(speedups)) {
        b.heights.push_back({100 * share});
    }
    return b;
}

/// Every space counts alike for the first, every number for the others.
std::vector<picture::bars> histograms(const space_study& s) {
    std::vector<double> share(speedup_bins);
    std::vector<double> combined;
    std::vector<double> elsewhere;
    for (std::size_t i = 0; i < s.spaces.size(); ++i) {
        const std::vector<double> all = speedup_shares(speedups_of_all(s.spaces[i]));
        for (std::size_t bin = 0; bin < speedup_bins; ++bin) {
            share[bin] += 100 * all[bin] / static_cast<double>(s.spaces.size());
        }
        const std::vector<double> c = speedups_of_combined(s.spaces[i]);
        combined.insert(combined.end(), c.begin(), c.end());
        const std::vector<double> e = speedups_elsewhere(s, i);
        elsewhere.insert(elsewhere.end(), e.begin(), e.end());
    }
    std::vector<picture::bars> out{histogram("% of all configurations, by best time / time", {})};
    for (std::size_t bin = 0; bin < speedup_bins; ++bin) {
        out.front().heights[bin] = {share[bin]};
    }
    if (!combined.empty()) {
        out.push_back(histogram("% of starts, by speedup: tuned one by one, combined", combined));
    }
    if (!elsewhere.empty()) {
        out.push_back(histogram("% of pairs, by speedup: best of one on another", elsewhere));
    }
    return out;
}

std::vector<picture::bars> counts(const space_study& s) {
    std::vector<picture::bars> out;
    for (const value_counts& v : best_values(s)) {
        picture::bars b{fmt::format("best configurations by {}", v.parameter), {}, {"spaces"}, {}, 0, true};
        for (const auto& [value, times] : v.counts) {
            b.groups.push_back(to_string(value));
            b.heights.push_back({static_cast<double>(times)});
        }
        out.push_back(std::move(b));
    }
    return out;
}

} // namespace

std::string study_plot(const space_study& s) {
    std::vector<picture::bars> panels = histograms(s);
    for (picture::bars& b : counts(s)) {
        panels.push_back(std::move(b));
    }
    std::string out;
    double x = 0;
    double y = 0;
    double width = 0;
    for (const picture::bars& b : panels) {
        if (x > 0 && x + picture::width_of(b) > row_width) {
            x = 0;
            y += picture::bars_height + gap;
        }
        out += picture::draw(b, x, y);
        x += picture::width_of(b) + gap;
        width = std::max(width, x);
    }
    return picture::document(width, y + picture::bars_height + gap, out);
}

} // namespace gst
