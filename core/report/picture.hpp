#pragma once

#include <cstddef>
#include <string>
#include <vector>

/// Pieces of SVG pictures. Coordinates are in pixels, y downwards.
namespace gst::picture {

/// How the lines and the bars of one of several series look: Paul Tol's "bright" colours, told apart with impaired
/// colour vision too; after seven they come again, dashed or lighter.
std::string colour(std::size_t series);
std::string stroke(std::size_t series);
std::string fill(std::size_t series);

/// `anchor`: start, middle or end; turned by so many degrees about (x, y).
std::string text(double x, double y, const std::string& anchor, const std::string& what, double degrees = 0);
std::string line(double x1, double y1, double x2, double y2, const std::string& colour);

/// The whole picture.
std::string document(double width, double height, const std::string& pieces);

/// Bars side by side: one of each series in every group.
struct bars {
    std::string title;
    std::vector<std::string> groups;
    std::vector<std::string> series;          ///< names, shown where there are several
    std::vector<std::vector<double>> heights; ///< by group, each by series; not finite: no bar
    double level = 0;                         ///< a line at this height, e.g. of what the bars are relative to; 0: none
    bool whole = false;                       ///< heights are numbers of things
};

constexpr double bars_height = 300;
/// As wide as its bars and its labels need.
double width_of(const bars& b);
/// `height` includes title, labels and legend.
std::string draw(const bars& b, double x, double y, double height = bars_height);

} // namespace gst::picture
