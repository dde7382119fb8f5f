// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "common/arguments.hpp"
#include "common/os_threads.hpp"
#include "handover/problem.hpp"

namespace {

/// The baseline: two OS threads and the C library's objects.
class pthread_system : public bench::os_threads {
 public:
  using os_threads::os_threads;
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
