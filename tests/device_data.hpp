#pragma once

#include "core/api/backend.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gst::test {

/// The device that a backend's tests are about, opened once for all; each backend's tests define it.
device& opened();

/// The bytes of a scalar argument.
template<class T>
std::string bytes_of(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

/// A buffer with these elements, a multiple of 16 bytes long at least.
template<class T>
std::unique_ptr<memory> buffer_of(const std::vector<T>& values) {
    auto m = opened().allocate(values.size() * sizeof(T), nullptr, nullptr);
    opened().write(*m, 0, std::as_bytes(std::span(values)));
    return m;
}

template<class T>
std::vector<T> contents(memory& m, std::size_t count) {
    std::vector<T> values(count);
    opened().read(m, 0, std::as_writable_bytes(std::span(values)));
    return values;
}

/// The text of what `act` throws; "" when it throws nothing.
template<class Act>
std::string message_of(Act act) {
    try {
        act();
    } catch (const std::exception& e) {
        return e.what();
    }
    return "";
}

} // namespace gst::test
