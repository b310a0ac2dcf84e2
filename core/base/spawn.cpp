#include "core/base/spawn.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

extern char** environ;

namespace gst {

namespace {

/// What posix_spawn takes; freed at the end. The first error stays.
class plan {
  public:
    plan() {
        note(::posix_spawn_file_actions_init(&actions_));
        note(::posix_spawnattr_init(&attributes_));
    }
    ~plan() {
        ::posix_spawn_file_actions_destroy(&actions_);
        ::posix_spawnattr_destroy(&attributes_);
        for (const int copy : copies_) {
            ::close(copy);
        }
    }
    plan(const plan&) = delete;
    plan& operator=(const plan&) = delete;

    void join(pid_t group) {
        sigset_t none;
        sigset_t all;
        ::sigemptyset(&none);
        ::sigfillset(&all);
        note(::posix_spawnattr_setflags(&attributes_,
                                        POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
        note(::posix_spawnattr_setpgroup(&attributes_, group));
        note(::posix_spawnattr_setsigmask(&attributes_, &none));
        note(::posix_spawnattr_setsigdefault(&attributes_, &all));
    }

    void pass(const std::vector<passed_descriptor>& descriptors) {
        int last = -1;
        for (const auto [ours, theirs] : descriptors) {
            last = std::max(last, theirs);
            if (ours < 0) {
                note(::posix_spawn_file_actions_addopen(&actions_, theirs, "/dev/null", O_RDONLY, 0));
                continue;
            }
            // Above all of theirs, so that none is overwritten before it is placed, and placing always makes a copy.
            copies_.push_back(::fcntl(ours, F_DUPFD_CLOEXEC, lowest_copy));
            note(copies_.back() < 0 ? errno : 0);
            note(::posix_spawn_file_actions_adddup2(&actions_, copies_.back(), theirs));
        }
        note(::posix_spawn_file_actions_addclosefrom_np(&actions_, last + 1));
    }

    int start(pid_t& id, const char* program, char* const* arguments) const {
        return error_ != 0 ? error_ : ::posix_spawnp(&id, program, &actions_, &attributes_, arguments, environ);
    }

  private:
    static constexpr int lowest_copy = 10;

    void note(int error) { error_ = error_ != 0 ? error_ : error; }

    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
    std::vector<int> copies_;
    int error_ = 0;
};

} // namespace

int spawn(pid_t& id, const std::string& program, const std::vector<std::string>& arguments,
          const std::vector<passed_descriptor>& descriptors, pid_t group) {
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const std::string& a : arguments) {
        argv.push_back(const_cast<char*>(a.c_str()));
    }
    argv.push_back(nullptr);
    plan p;
    p.join(group);
    p.pass(descriptors);
    return p.start(id, program.c_str(), argv.data());
}

} // namespace gst
