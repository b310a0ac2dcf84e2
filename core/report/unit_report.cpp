#include "core/report/unit_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace gst {

namespace {

/// Performance with local memory over that without it.
double speedup(const training_table& t, std::size_t row) {
    return t.performance[2 * row + 1] / t.performance[2 * row];
}

double share_of_class(const training_table& t, std::size_t which) {
    std::size_t n = 0;
    for (std::size_t i = 0; i < t.size(); ++i) {
        n += t.class_of(i) == which ? 1 : 0;
    }
    return t.size() == 0 ? 0 : static_cast<double>(n) / static_cast<double>(t.size());
}

std::string percent(double share) {
    return fmt::format("{:.1f} %", 100 * share);
}

/// Shares of the instances by how much faster local memory makes them, in powers of two.
std::string histogram(const training_table& t) {
    constexpr int least = -5; // 1/32
    constexpr int most = 5;
    std::array<std::size_t, most - least + 2> bins{};
    for (std::size_t i = 0; i < t.size(); ++i) {
        const int bin = static_cast<int>(std::floor(std::log2(speedup(t, i)))) - least + 1;
        ++bins[static_cast<std::size_t>(std::clamp(bin, 0, most - least + 1))];
    }
    std::string out;
    for (std::size_t b = 0; b < bins.size(); ++b) {
        const double low = std::exp2(static_cast<int>(b) - 1 + least);
        const std::string range = b == 0                 ? fmt::format("below {:.3g}", 2 * low)
                                  : b + 1 == bins.size() ? fmt::format("{:.3g} and more", low)
                                                         : fmt::format("{:.3g} to {:.3g}", low, 2 * low);
        const double share = static_cast<double>(bins[b]) / static_cast<double>(t.size());
        const std::string bar(static_cast<std::size_t>(std::lround(50 * share)), '#');
        out += fmt::format("  {:<16} {:>7}{}{}\n", range, percent(share), bar.empty() ? "" : "  ", bar);
    }
    return out;
}

std::string score_text(const accuracy& s) {
    return fmt::format("{:>11} {:>16} {:>7}", percent(s.absolute), percent(s.penalty_weighted), percent(s.least));
}

std::string importances(const unit_report& r) {
    std::vector<std::size_t> order(r.about.importances.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return r.about.importances[a] > r.about.importances[b]; });
    std::string out;
    for (const std::size_t f : order) {
        out += fmt::format("  {:<22} {:>7}\n", r.trained.features[f].name, percent(r.about.importances[f]));
    }
    return out;
}

} // namespace

std::string to_text(const unit_report& r) {
    const std::size_t instances = r.trained.size() + r.tested.size();
    std::string out = fmt::format(
        "Local memory or not, {} ({}, {})\n"
        "{} instances of {} synthetic kernels, {} that failed left out{}; {} learned from, {} left to test\n"
        "{}\n",
        r.device, r.backend, r.driver, instances, r.kernels, r.failed,
        r.broken == 0 ? "" : fmt::format(", {} whose times are no numbers from 0 on, too", r.broken), r.trained.size(),
        r.tested.size(),
        r.tested.size() == 0
            ? "no instance of a synthetic kernel is left to test with: measure more, or learn from a smaller share\n"
            : fmt::format(
                  "local memory is faster in {} of those tested\n\nspeedup by local memory, synthetic kernels\n{}",
                  percent(share_of_class(r.tested, 1)), histogram(r.tested)));
    if (!r.not_learned.empty()) {
        out += r.not_learned + "\n\n";
    }
    if (r.tested.size() > 0) {
        out += fmt::format("{:<24} {:>11} {:>16} {:>7}\n", "synthetic kernels", "count-based", "penalty-weighted",
                           "least");
        for (const unit_report::method& m : r.methods) {
            out += fmt::format("{:<24} {}\n", m.name, score_text(m.score));
        }
    }
    if (!r.real.empty()) {
        out += fmt::format("\n{:<24} {:>9} {:>9} {:>11} {:>16} {:>7}\n", "real kernels", "instances", "local",
                           "count-based", "penalty-weighted", "least");
        std::size_t all = 0;
        double local = 0;
        for (const unit_report::real_kernel& k : r.real) {
            const double share = share_of_class(k.instances, 1);
            out +=
                fmt::format("{:<24} {:>9} {:>9} {}\n", k.name, k.instances.size(), percent(share), score_text(k.score));
            all += k.instances.size();
            local += share * static_cast<double>(k.instances.size());
        }
        for (const unit_report::method& m : r.real_methods) {
            out += fmt::format("{:<24} {:>9} {:>9} {}\n", "all, " + m.name, all,
                               percent(local / static_cast<double>(all)), score_text(m.score));
        }
        if (!r.real_methods.empty()) {
            out += fmt::format("  single kernels: as {} chooses\n", r.real_methods.front().name);
        }
    }
    if (r.again > 0) {
        out += fmt::format("\n{:<24} {:>11} {:>16} {:>7}\n{:<24} {}\n", "labels, measured again", "count-based",
                           "penalty-weighted", "least", fmt::format("of {} instances", r.again),
                           score_text(r.again_score));
    }
    if (r.about.out_of_bag_error) {
        out += fmt::format("\nout-of-bag error {}\n", percent(*r.about.out_of_bag_error));
    }
    if (!r.about.importances.empty()) {
        out += "\nimportances\n" + importances(r);
    }
    return out;
}

} // namespace gst
