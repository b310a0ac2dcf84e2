#pragma once

#include "core/api/predictor.hpp"

#include <span>
#include <vector>

namespace gst {

/// What is predicted of each row by a model that has learned from the rows of all other groups, `group` naming that of
/// each row: leave-one-out where every row is a group of its own (Garvey §8.2). Where the others are all of one class
/// or value, this is it. The predictor is left with the last of the models. At least two groups.
GST_API std::vector<prediction> cross_validate(predictor& p, const training_table& table,
                                               std::span<const std::size_t> group);

} // namespace gst
