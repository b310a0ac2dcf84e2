#pragma once

#include "core/api/search.hpp"

#include <nlohmann/json.hpp>

#include <stdexcept>
#include <string>
#include <vector>

/// What gst and an external program say to each other: docs/plugins.md has the protocol.
namespace gst::external {

/// What the program said is no message.
struct misunderstanding : std::runtime_error {
    misunderstanding(const std::string& message, std::string remedy)
        : std::runtime_error(message), hint(std::move(remedy)) {}
    std::string hint;
};

/// The first line: protocol, seed, budget and space.
nlohmann::json greeting(const problem& p, std::uint64_t seed);

/// In one line; what is no UTF-8 is replaced.
std::string text_of(const nlohmann::json& j);

/// [{"block": 64, "unroll": 2}], written without objects of JSON, which would cost more than all else of a request.
std::string text_of(const space& s, const std::vector<configuration>& all);

/// A value for every parameter, from its domain; the configuration need not be valid. Throws misunderstanding.
configuration to_configuration(const space& s, const nlohmann::json& j);
/// A list of them. Throws misunderstanding.
std::vector<configuration> to_configurations(const space& s, const nlohmann::json& j);

/// [{"status": "correct", "time": 1.25}], in ms; else {"status": "compile", "message": "…"}
std::string text_of(const std::vector<measurement>& all);

} // namespace gst::external
