#pragma once

#include "backends/opencl/error.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace gst::opencl {

// Each `ask` is clGet…Info with the objects bound: (size, value, size needed) → code.

/// A value of fixed size.
template<class T, class Ask>
T value_of(Ask ask, const std::string& what) {
    T value{};
    check(ask(sizeof(T), &value, nullptr), "tell " + what);
    return value;
}

/// A list, as long as the driver says.
template<class T, class Ask>
std::vector<T> list_of(Ask ask, const std::string& what) {
    std::size_t bytes = 0;
    check(ask(0, nullptr, &bytes), "tell " + what);
    std::vector<T> values(bytes / sizeof(T));
    if (!values.empty()) {
        check(ask(bytes, values.data(), nullptr), "tell " + what);
    }
    return values;
}

/// A text without its terminating zero and surrounding blanks.
template<class Ask>
std::string text_of(Ask ask, const std::string& what) {
    const std::vector<char> letters = list_of<char>(ask, what);
    std::string text(letters.begin(), letters.end());
    text.resize(text.find_last_not_of(std::string("\0 \t\n", 4)) + 1);
    return text.substr(std::min(text.find_first_not_of(" \t\n"), text.size()));
}

template<class T>
T device_value(cl_device_id device, cl_device_info which) {
    const auto ask = [&](std::size_t size, void* value, std::size_t* needed) {
        return clGetDeviceInfo(device, which, size, value, needed);
    };
    return value_of<T>(ask, "a property of the device");
}

inline std::string device_text(cl_device_id device, cl_device_info which) {
    const auto ask = [&](std::size_t size, void* value, std::size_t* needed) {
        return clGetDeviceInfo(device, which, size, value, needed);
    };
    return text_of(ask, "a property of the device");
}

} // namespace gst::opencl
