#include "core/report/picture.hpp"

#include "core/base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace gst::picture {

namespace {

constexpr std::array<const char*, 7> colours{"#4477aa", "#ee6677", "#228833", "#ccbb44",
                                             "#66ccee", "#aa3377", "#bbbbbb"};
constexpr std::array<const char*, 3> dashes{"", " stroke-dasharray=\"7 3\"", " stroke-dasharray=\"2 2\""};
constexpr std::array<const char*, 3> shades{"1", "0.5", "0.15"};

constexpr double letter = 6.8; ///< width of one, on average
constexpr double left = 48;    ///< room for numbers
constexpr double right = 12;
constexpr double top = 34; ///< room for the title
constexpr double legend_row = 16;
constexpr double least_width = 300;
constexpr double widest_bar = 40;
constexpr double tilt = 35; ///< degrees, of labels that have no room

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
    }
    return out;
}

double longest(const std::vector<std::string>& names) {
    double most = 0;
    for (const std::string& n : names) {
        most = std::max(most, static_cast<double>(characters(n)));
    }
    return most * letter;
}

double group_width(const bars& b) {
    constexpr double bar = 10;
    constexpr double short_label = 6; // letters: longer ones are tilted
    return std::max(static_cast<double>(b.series.size()) * bar + 14,
                    std::min(longest(b.groups), short_label * letter) + 8);
}

bool is_tilted(const bars& b) {
    const double room = (width_of(b) - left - right) / static_cast<double>(b.groups.size());
    return longest(b.groups) + 6 > room;
}

double labels_height(const bars& b) {
    return is_tilted(b) ? 14 + longest(b.groups) * std::sin(tilt * std::numbers::pi / 180) : 22;
}

struct legend {
    double column = 0; ///< width
    std::size_t columns = 1;
    double height = 0;
};

legend legend_of(const bars& b) {
    if (b.series.size() < 2) {
        return {};
    }
    const double column = longest(b.series) + 34;
    const auto columns = static_cast<std::size_t>(std::max(1.0, (width_of(b) - left - right) / column));
    return {column, columns, legend_row * static_cast<double>((b.series.size() + columns - 1) / columns) + 8};
}

/// 1, 2 or 5 times a power of ten: about five of them up to `most`.
double step_of(double most) {
    const double rough = most / 5;
    const double ten = std::pow(10, std::floor(std::log10(rough)));
    return rough <= ten ? ten : rough <= 2 * ten ? 2 * ten : rough <= 5 * ten ? 5 * ten : 10 * ten;
}

double highest(const bars& b) {
    double most = b.level;
    for (const std::vector<double>& group : b.heights) {
        for (const double h : group) {
            most = std::isfinite(h) ? std::max(most, h) : most;
        }
    }
    return most > 0 ? most : 1;
}

} // namespace

std::string colour(std::size_t series) {
    return colours[series % colours.size()];
}

std::string stroke(std::size_t series) {
    return fmt::format("stroke=\"{}\"{}", colour(series), dashes[series / colours.size() % dashes.size()]);
}

std::string fill(std::size_t series) {
    return fmt::format("fill=\"{0}\" fill-opacity=\"{1}\" stroke=\"{0}\"", colour(series),
                       shades[series / colours.size() % shades.size()]);
}

std::string text(double x, double y, const std::string& anchor, const std::string& what, double degrees) {
    const std::string turn =
        degrees == 0 ? "" : fmt::format(" transform=\"rotate({:g} {:.1f} {:.1f})\"", degrees, x, y);
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, turn,
                       escaped(what));
}

std::string line(double x1, double y1, double x2, double y2, const std::string& colour) {
    return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x1, y1, x2,
                       y2, colour);
}

std::string document(double width, double height, const std::string& pieces) {
    return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
                       "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\" font-size=\"12\">\n"
                       "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
                       width, height) +
           pieces + "</svg>\n";
}

double width_of(const bars& b) {
    const double title = static_cast<double>(characters(b.title)) * letter;
    return left + right + std::max({least_width, title, static_cast<double>(b.groups.size()) * group_width(b)});
}

std::string draw(const bars& b, double x, double y, double height) {
    const double width = width_of(b);
    const legend names = legend_of(b);
    const double bottom = y + height - labels_height(b) - names.height;
    const double step = b.whole ? std::max(1.0, step_of(highest(b))) : step_of(highest(b));
    const double most = std::ceil(highest(b) / step - 1e-9) * step;
    const auto at = [&](double value) { return bottom - value / most * (bottom - y - top); };
    const double begin = x + left;
    const double end = x + width - right;
    std::string out = text((begin + end) / 2, y + 20, "middle", b.title);
    for (int i = 0; i * step <= most * (1 + 1e-9); ++i) {
        out += line(begin, at(i * step), end, at(i * step), "#e4e4e4") +
               text(begin - 6, at(i * step) + 4, "end", fmt::format("{:g}", i * step));
    }
    const double room = (end - begin) / static_cast<double>(b.groups.size());
    const double bar = std::min(widest_bar, (room - 14) / static_cast<double>(b.series.size()));
    const double margin = (room - bar * static_cast<double>(b.series.size())) / 2;
    for (std::size_t g = 0; g < b.groups.size(); ++g) {
        const double from = begin + room * static_cast<double>(g);
        for (std::size_t s = 0; s < b.series.size(); ++s) {
            const double h = b.heights[g][s];
            if (std::isfinite(h)) {
                out +=
                    fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" {}/>\n",
                                from + margin + bar * static_cast<double>(s), at(h), bar - 2, bottom - at(h), fill(s));
            }
        }
        out += is_tilted(b) ? text(from + room / 2 + 4, bottom + 13, "end", b.groups[g], -tilt)
                            : text(from + room / 2, bottom + 16, "middle", b.groups[g]);
    }
    if (b.level > 0) {
        out += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#333333\" "
                           "stroke-dasharray=\"4 3\"/>\n",
                           begin, at(b.level), end, at(b.level));
    }
    out += line(begin, bottom, end, bottom, "#888888");
    for (std::size_t s = 0; s < b.series.size() && b.series.size() > 1; ++s) {
        const double to_x = begin + names.column * static_cast<double>(s % names.columns);
        const double to_y = y + height - names.height + 14 + legend_row * static_cast<double>(s / names.columns);
        out +=
            fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"12\" height=\"12\" {}/>\n", to_x, to_y - 10, fill(s)) +
            text(to_x + 18, to_y, "start", b.series[s]);
    }
    return out;
}

} // namespace gst::picture
