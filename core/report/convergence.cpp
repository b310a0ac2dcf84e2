#include "core/report/convergence.hpp"

namespace gst {

namespace {

double best_at(const std::vector<convergence::step>& steps, double budget, double convergence::step::*axis) {
    double best = convergence::nothing;
    for (const convergence::step& s : steps) {
        if (s.*axis > budget) {
            break;
        }
        best = s.best;
    }
    return best;
}

} // namespace

double convergence::best_after_evaluations(double n) const {
    return best_at(steps, n, &step::evaluations);
}

double convergence::best_after_seconds(double s) const {
    return best_at(steps, s, &step::seconds);
}

std::vector<double> budget_axis::points() const {
    constexpr double time_steps = 200;
    const double count = time ? time_steps : limit;
    std::vector<double> out;
    for (double i = 1; i <= count; ++i) {
        out.push_back(time ? limit * i / time_steps : i);
    }
    return out;
}

} // namespace gst
