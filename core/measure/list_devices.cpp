#include "core/measure/list_devices.hpp"

#include "core/base/error.hpp"
#include "core/measure/wire.hpp"
#include "core/measure/worker_link.hpp"

namespace gst {

std::vector<device_info> list_devices(const backend_choice& from, double seconds) {
    worker_link worker("describe", "the process that lists the devices");
    return worker.ask({{"ask", "devices"}, {"file", from.file}, {"options", to_json(from.options)}}, {}, {seconds, 0},
                      [](const frame& answer) { return answer.body.at("devices").get<std::vector<device_info>>(); });
}

device_info describe_architecture(const backend_choice& from, const std::string& name, double seconds) {
    worker_link worker("describe", "the process that describes an architecture");
    return worker.ask(
        {{"ask", "architecture"}, {"name", name}, {"file", from.file}, {"options", to_json(from.options)}}, {},
        {seconds, 0}, [](const frame& answer) {
            if (answer.body.contains("mistake")) {
                throw user_error(answer.body.at("mistake").get<std::string>(),
                                 answer.body.at("hint").get<std::string>());
            }
            return answer.body.at("device").get<device_info>();
        });
}

} // namespace gst
