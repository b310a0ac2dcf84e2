#pragma once

#include "core/space/value.hpp"

#include <map>
#include <string>
#include <vector>

/// Values as JSON texts that decode to the same values; times may be infinite or NaN and are then the texts "inf",
/// "-inf", "nan".
namespace gst::encode {

std::string numbers(const std::vector<double>& values);
std::string named_numbers(const std::map<std::string, double>& values);
std::string named_values(const std::map<std::string, value>& values);

std::vector<double> numbers_of(const std::string& json);
std::map<std::string, double> named_numbers_of(const std::string& json);
std::map<std::string, value> named_values_of(const std::string& json);

} // namespace gst::encode
