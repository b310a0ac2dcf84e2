#pragma once

#include "core/store/sqlite.hpp"

namespace gst {

/// Brings a new or older database to this version's tables. Must run inside an exclusive transaction. Throws user_error
/// for a database of a newer gst and for one that is not gst's.
void migrate(sqlite::connection& db);

/// For a database that is only read. Throws user_error also for an older one, which migrating would make readable.
void check_schema(sqlite::connection& db);

} // namespace gst
