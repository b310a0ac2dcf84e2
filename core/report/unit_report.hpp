#pragma once

#include "core/api/predictor.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gst {

/// How well choices between two or more classes were predicted (Han §3.3).
struct choice_score {
    double count_based = 0;      ///< share of the instances for which the better one was chosen
    double penalty_weighted = 0; ///< mean of the chosen one's performance over the better one's
    double least = 0;            ///< the least of these ratios
};
/// Of a choice per row, by position of the class; the table has performances and one row at least.
GST_API choice_score score_of(const training_table& table, const std::vector<std::size_t>& choices);

/// What training and testing a predictor of local memory gave.
struct GST_API unit_report {
    std::string device, backend, driver, predictor;
    std::size_t kernels = 0; ///< synthetic ones
    std::size_t failed = 0;  ///< instances that ran neither way, or only one way
    training_table trained;  ///< the rows that were learned from
    training_table tested;   ///< the rest of the synthetic ones
    struct method {
        std::string name;
        choice_score score; ///< on `tested`
    };
    std::vector<method> methods; ///< the predictor first
    /// Instances of kernels as programs have them, grouped by what is computed.
    struct real_kernel {
        std::string name;
        training_table instances;
        choice_score score;
    };
    std::vector<real_kernel> real;
    choice_score real_score; ///< over all instances of all of them
    learned about;
};

/// The tables of Han §3: instances, histogram of speedups, accuracies on synthetic and real kernels, importances. The
/// same bytes for the same report.
GST_API std::string to_text(const unit_report& r);

} // namespace gst
