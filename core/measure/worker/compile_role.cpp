#include "core/measure/wire.hpp"
#include "core/measure/worker/role.hpp"

namespace gst::worker {

namespace {

class compile_role : public role {
  public:
    answer handle(const frame& request) override {
        if (request.body.at("ask") == "open") {
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
