#pragma once

#include "core/base/visibility.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

/// What a worker and its parent say to each other: frames of a header, a body in CBOR and raw bytes beside it.
namespace gst {

/// `sequence` numbers the requests; an answer bears the number of its request.
struct GST_API frame {
    std::uint64_t sequence = 0;
    nlohmann::json body;
    std::vector<std::byte> payload;
};

/// The other side sent what is no frame.
class GST_API malformed_frame : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
    ~malformed_frame() override;
};

constexpr std::size_t largest_body = std::size_t{64} << 20;
constexpr std::size_t largest_payload = std::size_t{256} << 20;
/// Arrays travel in pieces of this many bytes.
constexpr std::size_t piece_bytes = std::size_t{16} << 20;

/// Sends one frame. False when the other side has closed the connection or `until` has passed.
/// Throws std::logic_error when it is over the limits.
GST_API bool send_frame(int socket, std::uint64_t sequence, const nlohmann::json& body,
                        std::span<const std::byte> payload, std::chrono::steady_clock::time_point until);

/// Puts frames together from the bytes that come in, whatever they are.
class GST_API frame_reader {
  public:
    frame_reader() = default;
    /// Where the next bytes belong; never empty.
    std::span<std::byte> room();
    /// `count` bytes have been put into room(). The frame when it is complete. Throws malformed_frame.
    std::optional<frame> filled(std::size_t count);

  private:
    enum class part : std::uint8_t { header, body, payload };
    part part_ = part::header;
    std::size_t have_ = 0; ///< bytes of the current part
    std::array<std::byte, 32> header_{};
    std::vector<std::byte> body_;
    std::uint64_t check_ = 0;
    std::size_t payload_bytes_ = 0;
    frame frame_;
};

/// Waits for the next frame on a blocking socket; nothing when the other side has closed it. Throws malformed_frame.
GST_API std::optional<frame> receive_frame(int socket);

} // namespace gst
