#pragma once

#include <boost/container/flat_map.hpp>

#include <functional>
#include <string>

namespace gst {

/// Used as a std::map, but in one piece: what is told of each configuration is made, copied and forgotten often.
using named_numbers = boost::container::flat_map<std::string, double, std::less<>>;

} // namespace gst
