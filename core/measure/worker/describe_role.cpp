#include "core/base/error.hpp"
#include "core/host/check_options.hpp"
#include "core/host/make_plugin.hpp"
#include "core/measure/wire.hpp"
#include "core/measure/worker/role.hpp"

namespace gst::worker {

std::unique_ptr<backend> open_backend(const nlohmann::json& request) {
    const auto opened = open_plugin(request.at("file").get<std::string>());
    if (const auto* refusal = std::get_if<std::string>(&opened)) {
        throw machine_error(*refusal);
    }
    const plugin& p = *std::get<const plugin*>(opened);
    return make_backend(p, check_options(p, options_from_json(request.at("options"))));
}

namespace {

class describe_role : public role {
  public:
    answer handle(const frame& request) override {
        const std::unique_ptr<backend> opened = open_backend(request.body);
        if (request.body.at("ask") == "devices") {
            return {nlohmann::json{{"devices", opened->devices()}}, {}};
        }
        try {
            return {nlohmann::json{{"device", opened->architecture(request.body.at("name").get<std::string>())}}, {}};
        } catch (const user_error& e) {
            const diagnostic& d = e.diagnostics().front();
            return {nlohmann::json{{"mistake", d.message}, {"hint", d.hint}}, {}};
        }
    }
};

} // namespace

std::unique_ptr<role> make_describe_role() {
    return std::make_unique<describe_role>();
}

} // namespace gst::worker
