// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <sched.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "channel/problem.hpp"
#include "common/arguments.hpp"

namespace {

/// The baseline: an OS thread for each end, and a queue behind the standard library's mutex, on as
/// many CPUs as there are workers.
class pthread_system {
 public:
  static constexpr const char* name = "pthread";
  static std::string version() { return ""; }

  class channel {
   public:
    explicit channel(std::size_t capacity) : capacity_(capacity) {}
    void send(long n) {
      std::unique_lock hold(mutex_);
      has_room_.wait(hold, [this] { return messages_.size() < capacity_; });
      messages_.push_back(n);
      hold.unlock();
      has_message_.notify_one();
    }
    bool receive(long& n) {
      std::unique_lock hold(mutex_);
      has_message_.wait(hold, [this] { return !messages_.empty() || closed_; });
      if (messages_.empty()) return false;
      n = messages_.front();
      messages_.pop_front();
      hold.unlock();
      has_room_.notify_one();
      return true;
    }
    void close() {
      {
        const std::lock_guard hold(mutex_);
        closed_ = true;
      }
      has_message_.notify_all();
    }

   private:
    std::mutex mutex_;
    std::condition_variable has_room_, has_message_;
    std::deque<long> messages_;
    const std::size_t capacity_;
    bool closed_ = false;
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

  template <class F>
  static void tasks(long count, const F& f) {
    std::vector<std::thread> all;
    for (long i = 0; i != count; ++i) all.emplace_back([&f, i] { f(i); });
    for (std::thread& t : all) t.join();
  }
};

}  // namespace

int main(int argc, char** argv) {
  using namespace bench::channel;
  return bench::run<pthread_system, problem>(argc, argv, solver<pthread_system>::variants());
}
