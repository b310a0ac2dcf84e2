#pragma once

#include "core/base/visibility.hpp"
#include "core/space/value.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

/// The one exported object of a plugin: a plain-C descriptor, checked field by field before anything is called.
///
///     struct random_search : gst::search { … };
///     GST_PLUGIN_OPTIONS = {{"batch", "integer", "16", "1", "4096", "configurations per request"}};
///     GST_SEARCH_PLUGIN(random_search, "random", "1.0", "uniform sampling without replacement");

extern "C" {

/// One option of a plugin. Its values are written as text: 16, 0.5, true, minimum.
struct gst_option {
    const char* name;
    /// "integer", "real", "boolean", "text", or "path": a name, or a file relative to the one that it is written in
    const char* type;
    const char* standard; ///< default
    const char* low;      ///< least value, or null
    const char* high;     ///< greatest value, or null; for text: the allowed words separated by '|', or null
    const char* meaning;  ///< one line
};

struct gst_plugin_descriptor {
    std::uint32_t api;  ///< GST_PLUGIN_API at the plugin's build
    std::uint32_t size; ///< sizeof(gst_plugin_descriptor)
    const char* abi;    ///< GST_PLUGIN_ABI: what the compiler and its C++ library make of a class
    const char* kind;   ///< "search", "predictor", "backend"
    const char* name;
    const char* version;
    const char* summary;
    const gst_option* options;
    std::uint32_t option_count;
    /// A new object (gst::search*, gst::predictor*, gst::backend*) from checked options (const gst::plugin_options*).
    /// May throw.
    void* (*create)(const void* options);
    void (*destroy)(void* object);
};
}

/// Raised when a plugin built against an older core can no longer be called: whenever a class, a struct or the order of
/// virtual functions in core/api or in what it includes changes (tests/host/layout_test.cpp notices most of it).
#define GST_PLUGIN_API 9u
#define GST_STRINGIZE_(x) #x
#define GST_STRINGIZE(x) GST_STRINGIZE_(x)

/// The ABI tag names what gives the same source another layout or calling convention. g++ and clang agree on all of it.
#if defined(__GXX_ABI_VERSION)
#define GST_PLUGIN_COMPILER "itanium"
#else
#define GST_PLUGIN_COMPILER "unknown"
#endif
#if defined(_LIBCPP_ABI_VERSION)
#define GST_PLUGIN_LIBRARY "libc++-" GST_STRINGIZE(_LIBCPP_ABI_VERSION)
#elif defined(_GLIBCXX_USE_CXX11_ABI) && defined(_GLIBCXX_DEBUG) // containers that remember their iterators
#define GST_PLUGIN_LIBRARY "libstdc++-cxx11-" GST_STRINGIZE(_GLIBCXX_USE_CXX11_ABI) "-debug"
#elif defined(_GLIBCXX_USE_CXX11_ABI)
#define GST_PLUGIN_LIBRARY "libstdc++-cxx11-" GST_STRINGIZE(_GLIBCXX_USE_CXX11_ABI)
#else
#define GST_PLUGIN_LIBRARY "unknown"
#endif
#define GST_PLUGIN_ABI                                                                                                 \
    GST_PLUGIN_COMPILER "-" GST_PLUGIN_LIBRARY                                                                         \
                        "-pointer" GST_STRINGIZE(__SIZEOF_POINTER__) "-long" GST_STRINGIZE(__SIZEOF_LONG__)
#define GST_PLUGIN_SYMBOL gst_plugin

namespace gst {

/// The option values of a plugin, defaults filled in and checked against its schema before create is called.
class plugin_options {
  public:
    explicit plugin_options(std::map<std::string, value> values) : values_(std::move(values)) {}
    std::int64_t integer(const std::string& name) const { return std::get<std::int64_t>(at(name)); }
    double real(const std::string& name) const { return std::get<double>(at(name)); }
    bool boolean(const std::string& name) const { return std::get<bool>(at(name)); }
    const std::string& text(const std::string& name) const { return std::get<std::string>(at(name)); }
    const std::map<std::string, value>& all() const { return values_; }

  private:
    const value& at(const std::string& name) const {
        const auto found = values_.find(name);
        if (found == values_.end()) {
            throw std::logic_error("the plugin reads the option '" + name + "', which its schema does not declare");
        }
        return found->second;
    }
    std::map<std::string, value> values_;
};

} // namespace gst

/// Defines the descriptor. `interface` is gst::search, gst::predictor or gst::backend; `type` derives from it and is
/// made from a const gst::plugin_options&. GST_PLUGIN_OPTIONS must come before.
#define GST_PLUGIN_OPTIONS static const gst_option gst_plugin_option_table[]
#define GST_DEFINE_PLUGIN(interface, kind_name, type, plugin_name, plugin_version, plugin_summary, table, count)       \
    extern "C" __attribute__((visibility("default"))) const gst_plugin_descriptor gst_plugin;                          \
    extern "C" const gst_plugin_descriptor gst_plugin = {                                                              \
        GST_PLUGIN_API,                                                                                                \
        sizeof(gst_plugin_descriptor),                                                                                 \
        GST_PLUGIN_ABI,                                                                                                \
        kind_name,                                                                                                     \
        plugin_name,                                                                                                   \
        plugin_version,                                                                                                \
        plugin_summary,                                                                                                \
        table,                                                                                                         \
        static_cast<std::uint32_t>(count),                                                                             \
        [](const void* options) -> void* {                                                                             \
            return static_cast<interface*>(new type(*static_cast<const gst::plugin_options*>(options)));               \
        },                                                                                                             \
        [](void* object) { delete static_cast<interface*>(object); }}
#define GST_SEARCH_PLUGIN(type, name, version, summary)                                                                \
    GST_DEFINE_PLUGIN(gst::search, "search", type, name, version, summary, gst_plugin_option_table,                    \
                      sizeof(gst_plugin_option_table) / sizeof(gst_option))
#define GST_SEARCH_PLUGIN_WITHOUT_OPTIONS(type, name, version, summary)                                                \
    GST_DEFINE_PLUGIN(gst::search, "search", type, name, version, summary, nullptr, 0)
#define GST_PREDICTOR_PLUGIN(type, name, version, summary)                                                             \
    GST_DEFINE_PLUGIN(gst::predictor, "predictor", type, name, version, summary, gst_plugin_option_table,              \
                      sizeof(gst_plugin_option_table) / sizeof(gst_option))
#define GST_PREDICTOR_PLUGIN_WITHOUT_OPTIONS(type, name, version, summary)                                             \
    GST_DEFINE_PLUGIN(gst::predictor, "predictor", type, name, version, summary, nullptr, 0)
#define GST_BACKEND_PLUGIN(type, name, version, summary)                                                               \
    GST_DEFINE_PLUGIN(gst::backend, "backend", type, name, version, summary, gst_plugin_option_table,                  \
                      sizeof(gst_plugin_option_table) / sizeof(gst_option))
#define GST_BACKEND_PLUGIN_WITHOUT_OPTIONS(type, name, version, summary)                                               \
    GST_DEFINE_PLUGIN(gst::backend, "backend", type, name, version, summary, nullptr, 0)
