#include "core/base/random.hpp"
#include "core/measure/frame.hpp"
#include "tests/catch.hpp"

#include <array>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace gst;

namespace {

struct connection {
    std::array<int, 2> ends{};
    connection() { REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0); }
    ~connection() {
        ::close(ends[0]);
        ::close(ends[1]);
    }
};

constexpr auto for_ever = std::chrono::steady_clock::time_point::max();

/// The bytes of a frame as they go over the wire.
std::vector<std::byte> bytes_of(const nlohmann::json& body, const std::vector<std::byte>& payload) {
    connection c;
    REQUIRE(send_frame(c.ends[0], 9, body, payload, for_ever));
    std::vector<std::byte> bytes(100000);
    bytes.resize(static_cast<std::size_t>(::recv(c.ends[1], bytes.data(), bytes.size(), MSG_DONTWAIT)));
    return bytes;
}

/// Feeds the bytes in pieces of random size.
std::vector<frame> read_in_pieces(std::span<const std::byte> bytes, random_source& rng) {
    std::vector<frame> frames;
    frame_reader reader;
    while (!bytes.empty()) {
        const auto room = reader.room();
        REQUIRE(!room.empty());
        const std::size_t n = std::min({room.size(), bytes.size(), static_cast<std::size_t>(1 + rng.below(20))});
        std::copy_n(bytes.begin(), n, room.begin());
        bytes = bytes.subspan(n);
        if (auto f = reader.filled(n)) {
            frames.push_back(std::move(*f));
        }
    }
    return frames;
}

} // namespace

TEST_CASE("frames arrive whole, whatever pieces they come in") {
    random_source rng(5);
    const nlohmann::json body{{"ask", "compile"}, {"text", "\xff\xfe not UTF-8"}, {"ms", 0.1}};
    const std::vector<std::byte> payload(777, std::byte{42});
    std::vector<std::byte> bytes = bytes_of(body, payload);
    const std::vector<std::byte> second = bytes_of({{"empty", nullptr}}, {});
    bytes.insert(bytes.end(), second.begin(), second.end());
    for (int i = 0; i < 50; ++i) {
        const auto frames = read_in_pieces(bytes, rng);
        REQUIRE(frames.size() == 2);
        CHECK(frames[0].sequence == 9);
        CHECK(frames[0].body == body);
        CHECK(frames[0].payload == payload);
        CHECK(frames[1].body.at("empty").is_null());
        CHECK(frames[1].payload.empty());
    }
}

TEST_CASE("a damaged frame is refused or incomplete, never believed") {
    const std::uint64_t seed = 11;
    INFO("seed " << seed);
    random_source rng(seed);
    const nlohmann::json body{{"wrong", 0}, {"seconds", 1.5}};
    const std::vector<std::byte> good = bytes_of(body, {});
    for (int i = 0; i < 2000; ++i) {
        std::vector<std::byte> bad = good;
        bad[rng.below(bad.size())] ^= std::byte{static_cast<unsigned char>(1 + rng.below(255))};
        try {
            for (const frame& f : read_in_pieces(bad, rng)) {
                CHECK(f.body == body);  // only the number of the request may differ:
                CHECK(f.sequence != 9); // the asker notices that
            }
        } catch (const malformed_frame&) {
        }
    }
}

TEST_CASE("large frames pass both ways and a closed connection ends the waiting") {
    connection c;
    std::vector<std::byte> payload(5 << 20);
    for (std::size_t i = 0; i < payload.size(); ++i) {
        payload[i] = static_cast<std::byte>(i * 31);
    }
    std::thread sender([&] {
        send_frame(c.ends[0], 1, nlohmann::json::object(), payload, for_ever);
        ::shutdown(c.ends[0], SHUT_RDWR);
    });
    const auto got = receive_frame(c.ends[1]);
    CHECK((got && got->payload == payload));
    CHECK_FALSE(receive_frame(c.ends[1]));
    sender.join();
    CHECK_FALSE(send_frame(c.ends[0], 2, nlohmann::json::object(), {}, for_ever));
}

TEST_CASE("sending to one who does not read ends at the deadline") {
    connection c;
    const std::vector<std::byte> payload(5 << 20);
    CHECK_FALSE(send_frame(c.ends[0], 1, nlohmann::json::object(), payload,
                           std::chrono::steady_clock::now() + std::chrono::milliseconds(50)));
}
