#include "core/measure/list_devices.hpp"

#include "core/measure/wire.hpp"
#include "core/measure/worker_link.hpp"

namespace gst {

std::vector<device_info> list_devices(const backend_choice& from, double seconds) {
    worker_link worker("describe", "the process that lists the devices");
    return worker.ask({{"ask", "devices"}, {"file", from.file}, {"options", to_json(from.options)}}, {}, {seconds, 0},
                      [](const frame& answer) { return answer.body.at("devices").get<std::vector<device_info>>(); });
}

} // namespace gst
