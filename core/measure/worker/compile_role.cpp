#include "core/measure/wire.hpp"
#include "core/measure/worker/role.hpp"

#include <malloc.h>
#include <sys/resource.h>

namespace gst::worker {

namespace {

/// What one compilation has freed the next one takes again, without asking the system for fresh pages every time.
void keep_freed_memory() {
    ::mallopt(M_MMAP_THRESHOLD, 32 << 20); // bytes: glibc's maximum
    ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
    ::mallopt(M_TOP_PAD, 16 << 20);
}

/// As many compilers as processors run at once: gst and its device worker, for which the device waits, come first.
void give_way() {
    constexpr int less = 5; // a third of the processor beside another process
    ::setpriority(PRIO_PROCESS, 0, ::getpriority(PRIO_PROCESS, 0) + less);
}

class compile_role : public role {
  public:
    answer handle(const frame& request) override {
        if (request.body.at("ask") == "open") {
            keep_freed_memory();
            give_way();
            backend_ = open_backend(request.body);
            request.body.at("device").get_to(target_);
            return {};
        }
        const binary b = backend_->compile(target_, request.body.at("source").get<module_source>());
        const auto bytes = std::as_bytes(std::span(b.bytes));
        return {nlohmann::json{{"log", b.log}, {"metrics", b.metrics}}, {bytes.begin(), bytes.end()}};
    }

  private:
    std::unique_ptr<backend> backend_;
    device_info target_;
};

} // namespace

std::unique_ptr<role> make_compile_role() {
    return std::make_unique<compile_role>();
}

} // namespace gst::worker
