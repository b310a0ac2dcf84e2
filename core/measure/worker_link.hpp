#pragma once

#include "core/base/error.hpp"
#include "core/measure/child_process.hpp"
#include "core/measure/frame.hpp"

#include <atomic>
#include <string>

namespace gst {

/// A worker crashed, hung, took too much memory or answered nonsense, and has been ended. Uncaught, it is the machine's
/// fault.
class GST_API worker_fault : public machine_error {
  public:
    enum class kind : std::uint8_t { crashed, hung, memory, garbage };
    worker_fault(kind what, const std::string& text) : machine_error(text), what_(what) {}
    ~worker_fault() override;
    kind why() const { return what_; }

  private:
    kind what_;
};

/// The worker is well, but could not do what it was asked to.
class GST_API refused : public machine_error {
  public:
    /// What was thrown in the worker: "compile_error", "machine_error", "error".
    refused(std::string type, const std::string& text) : machine_error(text), type_(std::move(type)) {}
    ~refused() override;
    const std::string& type() const { return type_; }

  private:
    std::string type_;
};

/// One worker process and the conversation with it.
class GST_API worker_link {
  public:
    /// Starts gst-worker in a role; `name` is what messages call it ("the compiler"). Throws machine_error.
    worker_link(const std::string& role, std::string name);

    struct allowance {
        double seconds = 60;            ///< while not frozen
        std::uint64_t memory_bytes = 0; ///< resident; 0: any
    };
    /// The answer to one request. Throws worker_fault, after which the link is dead, or refused.
    frame ask(const nlohmann::json& request, std::span<const std::byte> payload, const allowance& allowed);
    /// The same; `read` takes the answer apart, and an answer that it cannot read is a worker_fault as well.
    template<class Read>
    auto ask(const nlohmann::json& request, std::span<const std::byte> payload, const allowance& allowed, Read&& read) {
        const frame answer = ask(request, payload, allowed);
        try {
            return read(answer);
        } catch (const nlohmann::json::exception& error) {
            fail_nonsense(error);
        }
    }

    bool alive() const { return alive_; }
    std::uint64_t resident_bytes() const { return child_.resident_bytes(); }
    pid_t id() const { return child_.id(); }
    void freeze(); ///< stops the process; its time stands still. From any thread.
    void thaw();
    void kill() { child_.kill(); } ///< ends the process; what is being asked fails. From any thread.

  private:
    [[noreturn]] void fail(worker_fault::kind why, const std::string& text);
    [[noreturn]] void fail_closed();
    [[noreturn]] void fail_nonsense(const std::exception& error);

    std::string name_;
    child_process child_;
    frame_reader reader_;
    std::uint64_t sequence_ = 0;
    bool alive_ = true;
    std::atomic<bool> frozen_ = false;
};

} // namespace gst
