#pragma once

#include "core/api/backend.hpp"
#include "core/measure/frame.hpp"

#include <memory>

namespace gst::worker {

/// An answer to the parent.
struct answer {
    nlohmann::json body = nlohmann::json::object();
    std::vector<std::byte> payload;
};

/// What one worker process does for its parent.
class role {
  public:
    virtual ~role() = default;
    /// What it throws becomes a refusal; the process goes on.
    virtual answer handle(const frame& request) = 0;
};

std::unique_ptr<role> make_describe_role();
std::unique_ptr<role> make_compile_role();
std::unique_ptr<role> make_measure_role();

/// Opens the backend plugin that a request names by "file" and "options". Throws machine_error or user_error.
std::unique_ptr<backend> open_backend(const nlohmann::json& request);

} // namespace gst::worker
