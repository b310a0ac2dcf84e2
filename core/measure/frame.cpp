#include "core/measure/frame.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <utility>

namespace gst {

malformed_frame::~malformed_frame() = default;

namespace {

constexpr std::uint32_t magic = 0x31545347; // "GST1"

struct header {
    std::uint32_t magic = 0;
    std::uint32_t body = 0;
    std::uint64_t payload = 0;
    std::uint64_t sequence = 0;
    std::uint64_t check = 0; ///< XXH3 of the body: garbage with a header's beginning is still noticed
};
static_assert(sizeof(header) == 32);

/// Waits until the socket takes bytes. False when `until` has passed.
bool wait_for_room(int socket, std::chrono::steady_clock::time_point until) {
    const auto left = until - std::chrono::steady_clock::now();
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(left).count();
    if (ms <= 0) {
        return false;
    }
    pollfd p{socket, POLLOUT, 0};
    ::poll(&p, 1, static_cast<int>(std::min<std::int64_t>(ms, 1000)));
    return true;
}

bool send_all(int socket, std::span<const std::byte> bytes, std::chrono::steady_clock::time_point until) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent >= 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(sent));
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            if (!wait_for_room(socket, until)) {
                return false;
            }
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

} // namespace

bool send_frame(int socket, std::uint64_t sequence, const nlohmann::json& body, std::span<const std::byte> payload,
                std::chrono::steady_clock::time_point until) {
    std::vector<std::uint8_t> bytes(sizeof(header));
    nlohmann::json::to_cbor(body, bytes);
    const std::size_t size = bytes.size() - sizeof(header);
    if (size > largest_body || payload.size() > largest_payload) {
        throw std::logic_error(fmt::format("a frame of {} + {} bytes is over the limit", size, payload.size()));
    }
    const header h{magic, static_cast<std::uint32_t>(size), payload.size(), sequence,
                   XXH3_64bits(bytes.data() + sizeof(header), size)};
    std::memcpy(bytes.data(), &h, sizeof h);
    return send_all(socket, std::as_bytes(std::span(bytes)), until) && send_all(socket, payload, until);
}

std::span<std::byte> frame_reader::room() {
    switch (part_) {
    case part::header:
        return std::span(header_).subspan(have_);
    case part::body:
        return std::span(body_).subspan(have_);
    case part::payload:
        break;
    }
    return std::span(frame_.payload).subspan(have_);
}

std::optional<frame> frame_reader::filled(std::size_t count) {
    have_ += count;
    if (!room().empty()) {
        return std::nullopt;
    }
    have_ = 0;
    if (part_ == part::header) {
        header h;
        std::memcpy(&h, header_.data(), sizeof h);
        if (h.magic != magic || h.body == 0 || h.body > largest_body || h.payload > largest_payload) {
            throw malformed_frame("the bytes are no frame");
        }
        body_.resize(h.body);
        check_ = h.check;
        payload_bytes_ = static_cast<std::size_t>(h.payload);
        frame_.sequence = h.sequence;
        part_ = part::body;
        return std::nullopt;
    }
    if (part_ == part::body) {
        if (XXH3_64bits(body_.data(), body_.size()) != check_) {
            throw malformed_frame("a frame's body is damaged");
        }
        try {
            const auto* first = reinterpret_cast<const std::uint8_t*>(body_.data());
            frame_.body = nlohmann::json::from_cbor(first, first + body_.size());
        } catch (const nlohmann::json::exception& error) {
            throw malformed_frame(fmt::format("a frame's body is no CBOR: {}", error.what()));
        }
        if (payload_bytes_ > 0) {
            frame_.payload.resize(payload_bytes_);
            part_ = part::payload;
            return std::nullopt;
        }
    }
    part_ = part::header;
    return std::exchange(frame_, {});
}

std::optional<frame> receive_frame(int socket) {
    frame_reader reader;
    for (;;) {
        const std::span<std::byte> room = reader.room();
        const ssize_t got = ::recv(socket, room.data(), room.size(), 0);
        if (got > 0) {
            if (auto complete = reader.filled(static_cast<std::size_t>(got))) {
                return complete;
            }
        } else if (got == 0 || errno != EINTR) {
            return std::nullopt;
        }
    }
}

} // namespace gst
