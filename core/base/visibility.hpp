#pragma once

/// Marks the classes that cross the boundary between the core and a plugin.
#define GST_API __attribute__((visibility("default")))
