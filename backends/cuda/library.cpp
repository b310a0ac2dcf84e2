#include "backends/cuda/library.hpp"

#include <dlfcn.h>
#include <link.h>

namespace gst::cuda {

library::library(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        handle_ = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (handle_ != nullptr) {
            name_ = name;
            return;
        }
        failure_ = ::dlerror();
    }
}

std::string library::path() const {
    struct link_map* map = nullptr;
    return ::dlinfo(handle_, RTLD_DI_LINKMAP, &map) == 0 ? map->l_name : name_;
}

void* library::address(const char* symbol) const {
    return ::dlsym(handle_, symbol);
}

} // namespace gst::cuda
