/// A backend whose device is this process: its "language" is a line like "fault=segfault ms=2", and every kernel that
/// is not one of verification adds 1 to each f32. The faults happen in the compiler ("compile segfault"), while
/// loading, or in the kernel.
#include "core/api/backend.hpp"
#include "core/api/plugin.hpp"
#include "core/base/error.hpp"
#include "core/codegen/verification.hpp"

#include <bit>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace {

using namespace gst;

constexpr int socket_to_parent = 3;

[[noreturn]] void sleep_forever() {
    for (;;) {
        std::this_thread::sleep_for(std::chrono::seconds(1));
    }
}

[[noreturn]] void take_memory() {
    constexpr std::size_t step = 16 << 20;
    for (int i = 0; i < 512; ++i) { // 8 GiB: the watchdog has failed, do not take the machine down
        auto* taken = static_cast<volatile char*>(std::malloc(step));
        for (std::size_t at = 0; at < step; at += 4096) {
            taken[at] = 1;
        }
    }
    sleep_forever();
}

void answer_garbage() {
    std::string garbage;
    for (int i = 0; i < 4000; ++i) {
        garbage += static_cast<char>(i * 37);
    }
    ::send(socket_to_parent, garbage.data(), garbage.size(), 0);
}

/// Answers like gst-worker, but not what was asked for.
void answer_something_else() {
    const std::uint64_t header[4] = {0x0000000131545347, 0, 7, 0};
    ::send(socket_to_parent, header, sizeof header, 0);
    ::send(socket_to_parent, "\xa0", 1, 0);
}

/// Leaves a process behind that holds on to everything.
void leave_child() {
    if (::fork() == 0) {
        sleep_forever();
    }
}

void commit(const std::string& fault) {
    if (fault == "segfault") {
        ::raise(SIGSEGV);
    } else if (fault == "abort") {
        std::abort();
    } else if (fault == "hang") {
        sleep_forever();
    } else if (fault == "stubborn") {
        for (int s = 1; s < 32; ++s) {
            std::signal(s, SIG_IGN);
        }
        sleep_forever();
    } else if (fault == "memory") {
        take_memory();
    } else if (fault == "exit") {
        std::puts("so long");
        std::fflush(stdout);
        ::_exit(3);
    } else if (fault == "garbage") {
        answer_garbage();
        sleep_forever();
    } else if (fault == "nonsense") {
        answer_something_else();
        sleep_forever();
    } else if (fault == "close") {
        ::close(socket_to_parent);
        sleep_forever();
    } else if (fault == "child") {
        leave_child();
        ::raise(SIGSEGV);
    } else if (fault == "throw") {
        throw std::runtime_error("no such luck");
    } else if (fault == "throw 42") {
        throw 42;
    }
}

/// Memory is short until as many processes have come as the file has bytes: each takes one away.
void end_scarcity(const std::string& file) {
    static bool has_come = false;
    if (const std::uintmax_t left = std::filesystem::file_size(file); left > 0) {
        if (!std::exchange(has_come, true)) {
            std::filesystem::resize_file(file, left - 1);
        }
        throw std::runtime_error("memory is short");
    }
}

struct host_memory : memory {
    std::vector<std::byte> bytes;
    float* f32() { return reinterpret_cast<float*>(bytes.data()); }
};

std::vector<host_memory*>& every_buffer() {
    static std::vector<host_memory*> all;
    return all;
}

struct listed_memory : host_memory {
    listed_memory() { every_buffer().push_back(this); }
    ~listed_memory() override { std::erase(every_buffer(), this); }
};

struct host_executable : executable {
    std::string fault;
    double ms = 1;
    named_numbers metrics() const override { return {{"registers", 7}}; }
};

bool sticky = false; // the device of this process is lost

struct host_device : device {
    std::unique_ptr<memory> allocate(std::uint64_t bytes, const image_shape*, memory*) override {
        auto m = std::make_unique<listed_memory>();
        m->bytes.resize(bytes);
        return m;
    }
    void write(memory& to, std::uint64_t at, std::span<const std::byte> bytes) override {
        fail_if_lost();
        std::memcpy(dynamic_cast<host_memory&>(to).bytes.data() + at, bytes.data(), bytes.size());
    }
    void read(memory& from, std::uint64_t at, std::span<std::byte> bytes) override {
        fail_if_lost();
        std::memcpy(bytes.data(), dynamic_cast<host_memory&>(from).bytes.data() + at, bytes.size());
    }
    std::unique_ptr<executable> load(const binary& b) override {
        auto e = std::make_unique<host_executable>();
        const std::size_t at = b.bytes.find("fault=");
        if (at != std::string::npos) {
            e->fault = b.bytes.substr(at + 6, b.bytes.find(';', at) - at - 6);
        }
        const std::size_t ms = b.bytes.find("ms=");
        if (ms != std::string::npos) {
            e->ms = std::stod(b.bytes.substr(ms + 3));
        }
        if (e->fault.starts_with("load ")) {
            commit(e->fault.substr(5));
        }
        return e;
    }
    double run(std::span<const command> commands) override {
        fail_if_lost();
        double ms = 0;
        for (const command& c : commands) {
            if (const auto* copy = std::get_if<copy_command>(&c)) {
                std::memcpy(dynamic_cast<host_memory&>(*copy->to).bytes.data(),
                            dynamic_cast<host_memory&>(*copy->from).bytes.data(), copy->bytes);
                ms += 0.75;
            } else {
                ms += launch(std::get<launch_command>(c));
            }
        }
        last_ms_ = ms;
        return ms;
    }
    named_numbers state() override {
        if (last_ms_ == 66) {
            throw std::runtime_error("the sensor is broken");
        }
        return {{"clock_mhz", 1000 / last_ms_}};
    }

  private:
    double last_ms_ = 0;
    static void fail_if_lost() {
        if (sticky) {
            throw std::runtime_error("the device is lost");
        }
    }
    static host_memory& buffer(const launch_command& l, std::size_t i) {
        return dynamic_cast<host_memory&>(*std::get<memory*>(l.arguments.at(i)));
    }
    static double launch(const launch_command& l) {
        const auto& e = dynamic_cast<const host_executable&>(*l.from);
        if (l.kernel.starts_with("compare_")) {
            compare(l);
            return 0;
        }
        if (l.kernel == "digest") {
            digest(l);
            return 0;
        }
        if (e.fault == "lose device") {
            sticky = true;
            throw std::runtime_error("an illegal address was accessed");
        }
        commit(e.fault);
        host_memory& in = buffer(l, 0);
        host_memory& out = buffer(l, 1);
        const float more = l.kernel == "bound" ? 1e-6F : e.fault == "wrong" ? 2 : 1;
        for (std::size_t i = 0; i < in.bytes.size() / 4; ++i) {
            out.f32()[i] = in.f32()[i] + more;
        }
        static int launches = 0; // of the fault that comes while a verified program is timed
        if (e.fault == "damage" || (e.fault == "damage later" && ++launches == 5)) {
            for (host_memory* m : every_buffer()) {
                if (m != &in && m != &out && m->bytes.size() == in.bytes.size()) {
                    for (std::size_t i = 0; i < in.bytes.size() / 4; ++i) {
                        m->f32()[i] = std::nanf("");
                    }
                }
            }
        }
        return e.ms;
    }
    static void compare(const launch_command& l) {
        comparison_result r;
        for (std::size_t i = 0; i < buffer(l, 0).bytes.size() / 4; ++i) {
            const float value = buffer(l, 0).f32()[i];
            const float reference = buffer(l, 1).f32()[i];
            const float bound = 2 * buffer(l, 2).f32()[i];
            const bool same = value == reference || (std::isnan(value) && std::isnan(reference));
            if (!same && !(std::fabs(value - reference) <= bound)) {
                r.first_wrong = std::min(r.first_wrong, static_cast<std::uint32_t>(i));
                ++r.wrong;
            }
        }
        std::memcpy(buffer(l, 3).bytes.data(), &r, sizeof r);
    }
    static void digest(const launch_command& l) {
        const std::uint64_t bytes = l.global[0] / l.local[0] * digested_at_once;
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < bytes; ++i) {
            sum = (sum ^ static_cast<std::uint8_t>(buffer(l, 0).bytes.at(i))) * 0x100000001b3U;
        }
        std::memcpy(buffer(l, 1).bytes.data(), &sum, sizeof sum);
    }
};

struct fault_backend : backend {
    explicit fault_backend(const plugin_options& options) : open_(options.text("open")), list_(options.text("list")) {}
    std::vector<device_info> devices() override {
        commit(list_);
        device_info d;
        d.backend = "fault";
        d.name = "simulated";
        d.type = "cpu";
        return {d};
    }
    binary compile(const device_info&, const module_source& source) override {
        const std::size_t at = source.text.find("fault=compile ");
        if (at != std::string::npos) {
            const std::string fault = source.text.substr(at + 14, source.text.find(';', at) - at - 14);
            if (fault == "error") {
                throw compile_error("line 1: error: this is no program");
            }
            if (fault.starts_with("scarce ")) {
                end_scarcity(fault.substr(7));
            }
            commit(fault);
        }
        const auto told = [&](const std::string& name, double otherwise) {
            const std::size_t begin = source.text.find(name);
            return begin == std::string::npos ? otherwise : std::atof(source.text.c_str() + begin + name.size());
        };
        return {source.text, "no warnings", {{"spill_bytes", told("spill=", 3)}, {"local_bytes", told("local=", 0)}}};
    }
    std::unique_ptr<device> open(const device_info&) override {
        commit(open_);
        return std::make_unique<host_device>();
    }

  private:
    std::string open_;
    std::string list_;
};

GST_PLUGIN_OPTIONS = {{"open", "text", "well", nullptr, nullptr, "what happens when the device is opened"},
                      {"list", "text", "well", nullptr, nullptr, "what happens when the devices are listed"}};

} // namespace

GST_BACKEND_PLUGIN(fault_backend, "fault", "1.0", "a simulated device that fails on demand");
