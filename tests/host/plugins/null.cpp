#include "core/api/plugin.hpp"

extern "C" __attribute__((visibility("default"))) const gst_plugin_descriptor gst_plugin;
extern "C" const gst_plugin_descriptor gst_plugin = {GST_PLUGIN_API,
                                                     sizeof(gst_plugin_descriptor),
                                                     GST_PLUGIN_ABI,
                                                     "search",
                                                     "null",
                                                     "1.0",
                                                     "no object",
                                                     nullptr,
                                                     0,
                                                     [](const void*) -> void* { return nullptr; },
                                                     [](void*) {}};
