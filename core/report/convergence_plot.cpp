#include "core/report/convergence_plot.hpp"

#include "core/report/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gst {

namespace {

using namespace picture;

constexpr double panel_width = 460;
constexpr double panel_height = 300;
constexpr double left = 48; ///< of a panel: room for numbers
constexpr double top = 34;
constexpr double below = 40;
constexpr double legend_row = 16;

/// One panel: what budgets and fractions are in its coordinates.
struct frame {
    double x0 = 0;
    double y0 = 0;
    double limit = 1;
    double least = 0; ///< fraction at the bottom

    double x(double budget) const { return x0 + left + budget / limit * (panel_width - left - 16); }
    double y(double fraction) const {
        const double height = panel_height - top - below;
        return y0 + top + (1 - (std::clamp(fraction, least, 1.0) - least) / (1 - least)) * height;
    }
};

std::string points_text(const frame& f, const std::vector<double>& budgets, const std::vector<double>& fractions) {
    std::string out;
    for (std::size_t i = 0; i < budgets.size(); ++i) {
        out += fmt::format("{:.1f},{:.1f} ", f.x(budgets[i]), f.y(fractions[i]));
    }
    return out;
}

std::string grid(const frame& f, const comparison& c, const std::string& title) {
    std::string out = text(f.x(f.limit / 2), f.y0 + 20, "middle", title);
    for (int tenth = 0; tenth <= 10; ++tenth) {
        const double fraction = tenth / 10.0;
        if (fraction >= f.least - 1e-9) {
            out += line(f.x(0), f.y(fraction), f.x(f.limit), f.y(fraction), "#e4e4e4") +
                   text(f.x(0) - 6, f.y(fraction) + 4, "end", fmt::format("{:.1f}", fraction));
        }
    }
    for (int quarter = 0; quarter <= 4; ++quarter) {
        const double budget = f.limit * quarter / 4;
        out += line(f.x(budget), f.y(f.least), f.x(budget), f.y(f.least) + 4, "#888888") +
               text(f.x(budget), f.y(f.least) + 17, "middle", fmt::format("{:.4g}", budget));
    }
    return out + text(f.x(f.limit / 2), f.y(f.least) + 33, "middle", c.axis.time ? "seconds" : "evaluations");
}

std::string curve(const frame& f, const std::vector<double>& budgets, const std::vector<mean_interval>& means,
                  std::size_t series) {
    std::vector<double> around = budgets;
    std::vector<double> bounds;
    std::vector<double> middle;
    for (const mean_interval& m : means) {
        bounds.push_back(m.mean + m.half_width);
        middle.push_back(m.mean);
    }
    for (std::size_t i = budgets.size(); i-- > 0;) {
        around.push_back(budgets[i]);
        bounds.push_back(means[i].mean - means[i].half_width);
    }
    return fmt::format("<polygon points=\"{}\" fill=\"{}\" fill-opacity=\"0.13\"/>\n", points_text(f, around, bounds),
                       colour(series)) +
           fmt::format("<polyline points=\"{}\" fill=\"none\" {} stroke-width=\"1.6\"/>\n",
                       points_text(f, budgets, middle), stroke(series));
}

/// The bottom of all panels: a tenth below the least that any curve has after a tenth of the budget.
double least_fraction(const std::vector<std::vector<mean_interval>>& curves) {
    double least = 1;
    for (const auto& c : curves) {
        least = c.empty() ? least : std::min(least, c[c.size() / 10].mean);
    }
    return std::max(0.0, std::floor(least * 10) / 10 - 0.1);
}

std::string legend(const comparison& c, double y) {
    std::string out;
    const auto entry = [&](std::size_t i, const std::string& name, const std::string& looks) {
        const double x = left + static_cast<double>(i % 4) * 230;
        const double at = y + static_cast<double>(i / 4) * legend_row;
        out += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke-width=\"2\" {}/>\n", x,
                           at - 4, x + 22, at - 4, looks) +
               text(x + 28, at, "start", name);
    };
    for (std::size_t i = 0; i < c.strategies.size(); ++i) {
        entry(i, c.strategies[i], stroke(i));
    }
    entry(c.strategies.size(), "random, calculated", "stroke=\"#333333\" stroke-dasharray=\"4 3\"");
    return out;
}

} // namespace

std::string convergence_plot(const comparison& c) {
    const std::size_t columns = std::min<std::size_t>(2, c.spaces.size());
    const std::size_t rows = (c.spaces.size() + 1) / 2;
    const double legend_height = legend_row * static_cast<double>((c.strategies.size() + 4) / 4) + 12;
    const double width = std::max(2.0, static_cast<double>(columns)) * panel_width;
    const double height = panel_height * static_cast<double>(rows) + legend_height;
    std::string out;
    const std::vector<double> budgets = c.axis.points();
    for (std::size_t i = 0; i < c.spaces.size(); ++i) {
        const compared_space& s = c.spaces[i];
        std::vector<std::vector<mean_interval>> curves;
        for (const std::string& strategy : c.strategies) {
            curves.push_back(mean_curve(c, s, strategy)); // empty: no run is finished
        }
        const frame f{panel_width * static_cast<double>(i % 2), panel_height * static_cast<double>(i / 2), c.axis.limit,
                      least_fraction(curves)};
        out += grid(f, c, s.name);
        out += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"#333333\" stroke-dasharray=\"4 3\"/>\n",
                           points_text(f, budgets, baseline_curve(c, s)));
        for (std::size_t k = 0; k < curves.size(); ++k) {
            out += curves[k].empty() ? "" : curve(f, budgets, curves[k], k);
        }
    }
    return document(width, height, out + legend(c, height - legend_height + 14));
}

std::string speedup_plot(const comparison& c) {
    bars b{fmt::format("speedup over random search after {:g} {}", c.axis.limit, c.axis.time ? "s" : "evaluations"),
           {},
           c.strategies,
           {},
           1,
           false};
    const auto add = [&](const std::string& name, const std::string& space) {
        b.groups.push_back(name);
        b.heights.emplace_back();
        for (const std::string& strategy : c.strategies) {
            b.heights.back().push_back(score_of(c, strategy, space).speedup);
        }
    };
    for (const compared_space& s : c.spaces) {
        add(s.name, s.name);
    }
    if (c.spaces.size() > 1) {
        add("geometric mean", "");
    }
    const double height = bars_height + static_cast<double>(c.strategies.size()) * 4;
    return document(width_of(b), height, draw(b, 0, 0, height));
}

} // namespace gst
