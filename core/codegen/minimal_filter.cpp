#include "core/codegen/minimal_filter.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace gst {

namespace {

/// The coefficients of Π (x - p²) over all pairs but one, lowest first.
std::vector<double> product_of_squares(const std::vector<double>& pairs, std::size_t but) {
    std::vector<double> out{1};
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (i == but) {
            continue;
        }
        out.insert(out.begin(), 0);
        for (std::size_t k = 0; k + 1 < out.size(); ++k) {
            out[k] -= pairs[i] * pairs[i] * out[k + 1];
        }
    }
    return out;
}

double polynomial(const std::vector<double>& coefficients, double x) {
    double sum = 0;
    for (auto c = coefficients.rbegin(); c != coefficients.rend(); ++c) {
        sum = sum * x + *c;
    }
    return sum;
}

double norm(const std::vector<double>& row) {
    double sum = 0;
    for (const double n : row) {
        sum += std::abs(n);
    }
    return sum;
}

} // namespace

bool minimal_filter::exists(int outputs, int taps) {
    const int products = outputs + taps - 1;
    return outputs > 1 && taps > 1 && products <= most_products;
}

minimal_filter::minimal_filter(int outputs, int taps) : outputs_(outputs), taps_(taps) {
    if (!exists(outputs, taps)) {
        throw std::invalid_argument("no such minimal filter");
    }
    pairs_ = {1, 2, 0.5};
    pairs_.resize(static_cast<std::size_t>((products() - 1) / 2));
    at_ends_ = product_of_squares(pairs_, pairs_.size());
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
        at_pair_.push_back(product_of_squares(pairs_, i));
    }
}

std::vector<double> minimal_filter::transformed(const std::vector<double>& weights) const {
    std::vector<double> out{weights.front() / at_ends_.front()};
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
        const double p = pairs_[i];
        for (const double at : {p, -p}) {
            out.push_back(polynomial(weights, at) / (2 * p * p * polynomial(at_pair_[i], p * p)));
        }
    }
    if (has_infinity()) {
        out.push_back(weights.back());
    }
    return out;
}

double minimal_filter::amplification(const std::vector<double>& transformed) const {
    double greatest = 0;
    for (int i = 0; i < outputs_; ++i) {
        double sum = (i == 0 ? std::abs(transformed.front()) * norm(at_ends_) : 0) +
                     (i == outputs_ - 1 && has_infinity() ? std::abs(transformed.back()) * norm(at_ends_) : 0);
        for (std::size_t k = 0; k < pairs_.size(); ++k) {
            const double weight = std::abs(transformed[1 + 2 * k]) + std::abs(transformed[2 + 2 * k]);
            sum += std::pow(pairs_[k], i) * weight * (1 + pairs_[k]) * norm(at_pair_[k]);
        }
        greatest = std::max(greatest, sum);
    }
    return greatest;
}

decomposed_filter::decomposed_filter(int outputs, int taps) : outputs_(outputs) {
    if (!exists(outputs, taps)) {
        throw std::invalid_argument("no such minimal filter");
    }
    const int most = minimal_filter::most_products + 1 - outputs;
    const int parts = (taps + most - 1) / most;
    const int apart = (taps / 2 + outputs - 1) / outputs * outputs;
    const int longer = std::max(apart, taps - apart);
    // A zero behind the taps of a part costs no product where it is that of infinity; one that costs a product pays.
    shares_inputs_ = parts == 2 && longer <= most && 2 * longer <= taps + 1;
    for (int i = 0, first = 0; i < parts; ++i) {
        const int left = taps - first;
        const int here = shares_inputs_ && i == 0 ? apart : (left + parts - i - 1) / (parts - i);
        parts_.push_back({first, here, minimal_filter(outputs, shares_inputs_ ? longer : here)});
        first += here;
    }
}

int decomposed_filter::beyond() const {
    return std::max(taps() / 2, shares_inputs_ ? parts_.back().first : 0);
}

bool decomposed_filter::has_infinity() const {
    return std::any_of(parts_.begin(), parts_.end(), [](const part& p) { return p.filter.has_infinity(); });
}

std::vector<double> decomposed_filter::part::transformed(const std::vector<double>& weights) const {
    std::vector<double> own(weights.begin() + first, weights.begin() + first + taps);
    if (std::all_of(own.begin(), own.end(), [](double w) { return w == 0; })) {
        return {};
    }
    own.resize(static_cast<std::size_t>(filter.taps()));
    return filter.transformed(own);
}

} // namespace gst
