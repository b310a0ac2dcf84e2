#pragma once

#include "core/api/backend.hpp"
#include "core/base/error.hpp"
#include "core/host/plugin_file.hpp"

#include <fmt/format.h>

#include <cxxabi.h>
#include <memory>
#include <stdexcept>

/// Calls into plugins: what comes out of them belongs to the core.
namespace gst {

/// That the plugin failed to do something.
inline machine_error plugin_failed(const plugin& from, const char* doing, const std::string& why) {
    return machine_error(fmt::format("the {} plugin '{}' failed to {}: {}", from.kind, from.name, doing, why));
}

/// Calls into a plugin. What it throws is thrown again as an object of the core, while the plugin's library is open.
template<class Call>
auto guarded(const plugin& from, const char* doing, Call&& call) {
    try {
        return call();
    } catch (const user_error& error) {
        throw user_error(error.diagnostics());
    } catch (const machine_error& error) {
        throw machine_error(error.what());
    } catch (const nothing_found& error) {
        throw nothing_found(error.what());
    } catch (const compile_error& error) {
        throw compile_error(error.what());
    } catch (const std::exception& error) {
        throw plugin_failed(from, doing, error.what());
    } catch (const abi::__forced_unwind&) {
        throw; // the thread is being cancelled
    } catch (...) {
        throw plugin_failed(from, doing, "it threw something that is no std::exception");
    }
}

/// An object of a plugin, destroyed by the plugin.
template<class Interface>
using owned = std::unique_ptr<Interface, void (*)(void*)>;

template<class Interface>
owned<Interface> create(const plugin& from, const plugin_options& options) {
    void* object = guarded(from, "start", [&] { return from.descriptor->create(&options); });
    if (object == nullptr) {
        throw plugin_failed(from, "start", "its create returned nothing");
    }
    return {static_cast<Interface*>(object), from.descriptor->destroy};
}

} // namespace gst
