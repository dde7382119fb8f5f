// SPDX-License-Identifier: Apache-2.0
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "channel/problem.hpp"
#include "common/arguments.hpp"
#include "common/os_threads.hpp"

namespace {

/// The baseline: an OS thread for each end, and a queue behind the standard library's mutex.
class pthread_system : public bench::os_threads {
 public:
  using os_threads::os_threads;

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
