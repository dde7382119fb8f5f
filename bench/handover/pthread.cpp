// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <sched.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "common/arguments.hpp"
#include "handover/problem.hpp"

namespace {

/// The baseline: two OS threads and the C library's objects, on as many CPUs as there are workers.
class pthread_system {
 public:
  static constexpr const char* name = "pthread";
  static std::string version() { return ""; }
  using mutex = std::mutex;
  using condition_variable = std::condition_variable;
  using unique_lock = std::unique_lock<std::mutex>;

  class barrier {
   public:
    explicit barrier(unsigned parties) { pthread_barrier_init(&barrier_, nullptr, parties); }
    ~barrier() { pthread_barrier_destroy(&barrier_); }
    barrier(const barrier&) = delete;
    barrier& operator=(const barrier&) = delete;
    void arrive_and_wait() { pthread_barrier_wait(&barrier_); }

   private:
    pthread_barrier_t barrier_;
  };

  explicit pthread_system(int workers) {
    cpu_set_t usable;
    sched_getaffinity(0, sizeof usable, &usable);
    for (int cpu = 0, kept = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &usable) && ++kept > workers) CPU_CLR(cpu, &usable);
    }
    sched_setaffinity(0, sizeof usable, &usable);
  }

  template <class F>
  void run(F&& f) {
    f();
  }

  template <class F, class G>
  static void both(const F& f, const G& g) {
    std::thread other([&g] { g(); });
    f();
    other.join();
  }
};

}  // namespace

int main(int argc, char** argv) {
  using namespace bench::handover;
  return bench::run<pthread_system, problem>(argc, argv, solver<pthread_system>::variants());
}
