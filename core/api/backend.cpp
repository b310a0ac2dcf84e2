#include "core/api/backend.hpp"

namespace gst {

// Key function: the type information of the exception lives in the core alone.
compile_error::~compile_error() = default;

} // namespace gst
