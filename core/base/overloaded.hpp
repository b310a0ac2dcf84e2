#pragma once

namespace gst {

/// One function of several, each for its types: what std::visit calls.
template<class... F>
struct overloaded : F... {
    using F::operator()...;
};
template<class... F>
overloaded(F...) -> overloaded<F...>;

} // namespace gst
