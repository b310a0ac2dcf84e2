#include "core/base/processors.hpp"
#include "tests/catch.hpp"

#include <future>

using namespace gst;

TEST_CASE("as many processors as the caller may use") {
    CHECK(processors() >= 1);
    // The affinity of a thread is its own.
    const unsigned seen = std::async(std::launch::async, [] {
                              cpu_set_t allowed;
                              sched_getaffinity(0, sizeof allowed, &allowed);
                              for (int cpu = 0, kept = 0; cpu < CPU_SETSIZE; ++cpu) {
                                  if (CPU_ISSET(cpu, &allowed) && kept++ > 0) {
                                      CPU_CLR(cpu, &allowed);
                                  }
                              }
                              sched_setaffinity(0, sizeof allowed, &allowed);
                              return processors();
                          }).get();
    CHECK(seen == 1);
}
