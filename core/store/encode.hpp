#pragma once

#include "core/base/named_numbers.hpp"
#include "core/space/value.hpp"

#include <string>
#include <vector>

/// Values as JSON texts that decode to the same values; times may be infinite or NaN and are then the texts "inf",
/// "-inf", "nan". The order of a configuration is kept.
namespace gst::encode {

std::string numbers(const std::vector<double>& values);
std::string named_numbers(const gst::named_numbers& values);
std::string configuration(const named_values& values);

std::vector<double> numbers_of(const std::string& json);
gst::named_numbers named_numbers_of(const std::string& json);
named_values configuration_of(const std::string& json);

} // namespace gst::encode
