#include "core/measure/worker_link.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace gst {

worker_fault::~worker_fault() = default;
refused::~refused() = default;

namespace {

using clock = std::chrono::steady_clock;

constexpr int poll_ms = 20;

std::string mebibytes(std::uint64_t bytes) {
    return fmt::format("{} MiB", bytes >> 20);
}

} // namespace

worker_link::worker_link(const std::string& role, std::string name)
    : name_(std::move(name)), child_(worker_program(), {role, std::to_string(::getpid())}) {}

void worker_link::fail(worker_fault::kind why, const std::string& text) {
    alive_ = false;
    child_.end(0);
    std::string said = child_.printed();
    while (!said.empty() && (said.back() == '\n' || said.back() == ' ')) {
        said.pop_back();
    }
    throw worker_fault(why, said.empty() ? text : fmt::format("{}; it printed:\n{}", text, said));
}

void worker_link::fail_closed() {
    const std::string how = child_.end(1);
    fail(worker_fault::kind::crashed,
         fmt::format("{} {}", name_, how.empty() ? "closed the connection and was ended" : how));
}

void worker_link::fail_nonsense(const std::exception& error) {
    fail(worker_fault::kind::garbage, fmt::format("{} answered nonsense: {}", name_, error.what()));
}

frame worker_link::ask(const nlohmann::json& request, std::span<const std::byte> payload, const allowance& allowed) {
    if (!alive_) {
        throw std::logic_error("a dead worker is asked something");
    }
    const auto hung = [&] {
        fail(worker_fault::kind::hung, fmt::format("{} did not answer within {:.{}f} s and was ended", name_,
                                                   allowed.seconds, allowed.seconds < 1 ? 1 : 0));
    };
    const auto begin = clock::now();
    ++sequence_;
    if (!send_frame(child_.socket(), sequence_, request, payload,
                    begin +
                        std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(allowed.seconds)))) {
        if (clock::now() - begin >= std::chrono::duration<double>(allowed.seconds)) {
            hung();
        }
        fail_closed();
    }
    double used = 0;
    auto seen = begin;
    int output = child_.output();
    try {
        for (;;) {
            std::array<pollfd, 2> waiting{pollfd{child_.socket(), POLLIN, 0}, pollfd{output, POLLIN, 0}};
            ::poll(waiting.data(), waiting.size(), poll_ms);
            if ((waiting[1].revents & POLLIN) != 0) {
                child_.read_output();
            } else if (waiting[1].revents != 0) {
                output = -1; // closed: polling it would never wait
            }
            const bool running = child_.running();
            const auto now = clock::now();
            if (!frozen_) {
                used += std::chrono::duration<double>(now - seen).count();
            }
            seen = now;
            for (;;) {
                const std::span<std::byte> room = reader_.room();
                const ssize_t got = ::recv(child_.socket(), room.data(), room.size(), MSG_DONTWAIT);
                if (got == 0 || (got < 0 && errno == ECONNRESET)) {
                    fail_closed();
                }
                if (got < 0) {
                    if (!running) { // a process that it left behind may hold the socket open
                        fail_closed();
                    }
                    break;
                }
                if (auto answer = reader_.filled(static_cast<std::size_t>(got))) {
                    if (answer->sequence != sequence_ || !answer->body.is_object()) {
                        throw malformed_frame("an answer to something that was not asked");
                    }
                    if (const auto error = answer->body.find("error"); error != answer->body.end()) {
                        throw refused(error->at("type").get<std::string>(), error->at("text").get<std::string>());
                    }
                    return std::move(*answer);
                }
            }
            if (used > allowed.seconds) {
                hung();
            }
            if (allowed.memory_bytes > 0 && child_.resident_bytes() > allowed.memory_bytes) {
                fail(worker_fault::kind::memory, fmt::format("{} took more than {} of memory and was ended", name_,
                                                             mebibytes(allowed.memory_bytes)));
            }
        }
    } catch (const malformed_frame& error) {
        fail_nonsense(error);
    } catch (const nlohmann::json::exception& error) {
        fail_nonsense(error);
    }
}

void worker_link::freeze() {
    frozen_ = true;
    child_.freeze();
}

void worker_link::thaw() {
    child_.thaw();
    frozen_ = false;
}

} // namespace gst
