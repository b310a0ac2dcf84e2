#include "core/app/interrupt.hpp"

#include <csignal>
#include <cstdlib>

namespace gst {

namespace {

// A signal handler can reach nothing but a global.
volatile std::sig_atomic_t signalled = 0;

void note(int signal) {
    signalled = signal;
}

void handle_signals(void (*handler)(int), int flags) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

} // namespace

interrupt_flag::interrupt_flag() {
    signalled = 0;
    handle_signals(note, static_cast<int>(SA_RESETHAND) | SA_RESTART);
}

interrupt_flag::~interrupt_flag() {
    handle_signals(SIG_DFL, 0);
}

bool interrupt_flag::raised() const {
    return signalled != 0;
}

void end_by_signal() {
    const int signal = signalled != 0 ? static_cast<int>(signalled) : SIGINT;
    handle_signals(SIG_DFL, 0);
    std::raise(signal);
    std::_Exit(128 + signal); // where the signal is blocked
}

} // namespace gst
