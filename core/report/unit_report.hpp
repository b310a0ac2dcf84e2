#pragma once

#include "core/report/training_report.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gst {

/// What training and testing a predictor of local memory gave.
struct GST_API unit_report {
    std::string device, backend, driver, predictor;
    std::size_t kernels = 0; ///< synthetic ones
    std::size_t failed = 0;  ///< instances that ran neither way, or only one way
    std::size_t broken = 0;  ///< instances whose times in the table are none
    training_table trained;  ///< the rows that were learned from
    training_table tested;   ///< the rest of the synthetic ones
    struct method {
        std::string name;
        accuracy score; ///< on `tested`
    };
    std::vector<method> methods; ///< the predictor first, where it could learn
    std::string not_learned;     ///< why there is no model; "" where there is one
    /// Instances of kernels as programs have them, grouped by what is computed.
    struct real_kernel {
        std::string name;
        training_table instances;
        accuracy score; ///< of the first method
    };
    std::vector<real_kernel> real;
    std::vector<method> real_methods; ///< over all instances of all of them
    /// Instances that were measured once more: what the labels were then, scored on the times of before. What noise
    /// leaves of the accuracies.
    std::size_t again = 0;
    accuracy again_score;
    learned about;
};

/// The tables of Han §3: instances, histogram of speedups, accuracies on synthetic and real kernels, importances. The
/// same bytes for the same report.
GST_API std::string to_text(const unit_report& r);

} // namespace gst
