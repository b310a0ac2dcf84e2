#include "core/app/interrupt.hpp"

#include <csignal>

namespace gst {

namespace {

// A signal handler can reach nothing but a global.
volatile std::sig_atomic_t signalled = 0;

void note(int) {
    signalled = 1;
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

} // namespace gst
