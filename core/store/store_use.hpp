#pragma once

namespace gst {

/// What a results database is opened for.
enum class store_use {
    write,
    read, ///< works, too, where nothing can be written
};

} // namespace gst
