#include "core/api/backend.hpp"

#include "core/base/error.hpp"

namespace gst {

// Key function: the type information of the exception lives in the core alone.
compile_error::~compile_error() = default;

device_info backend::architecture(const std::string& name) {
    throw user_error("this backend compiles for devices that are here, not for an architecture such as '" + name + "'",
                     "leave --arch out, or choose the backend cuda");
}

} // namespace gst
