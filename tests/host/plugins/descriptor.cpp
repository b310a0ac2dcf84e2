#include "core/api/plugin.hpp"

#include <cstdlib>

// One field of the descriptor is wrong: the build says which. Nothing here may ever be called.
#ifndef API
#define API GST_PLUGIN_API
#endif
#ifndef SIZE
#define SIZE sizeof(gst_plugin_descriptor)
#endif
#ifndef ABI
#define ABI GST_PLUGIN_ABI
#endif
#ifndef SUMMARY
#define SUMMARY "never called"
#endif

#ifdef FUNCTION
namespace gst {
void FUNCTION();
}
#define FAIL() gst::FUNCTION()
#else
#define FAIL() std::abort()
#endif

extern "C" __attribute__((visibility("default"))) const gst_plugin_descriptor gst_plugin;
extern "C" const gst_plugin_descriptor gst_plugin = {API,
                                                     SIZE,
                                                     ABI,
                                                     "search",
                                                     "faulty",
                                                     "1.0",
                                                     SUMMARY,
                                                     nullptr,
                                                     0,
                                                     [](const void*) -> void* {
                                                         FAIL();
                                                         return nullptr;
                                                     },
                                                     [](void*) { FAIL(); }};
