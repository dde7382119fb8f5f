// SPDX-License-Identifier: Apache-2.0
#include <kasuri/coroutine.hpp>
#include <kasuri/promise.hpp>
#include <kasuri/when.hpp>

#include <chrono>
#include <coroutine>
#include <cstdio>
#include <functional>
#include <future>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace std::chrono_literals;

// Coroutine:
kasuri::coro<int> size_of(int page) {
  std::string text = co_await kasuri::async([page] { return std::string(page, '.'); });
  co_return static_cast<int>(text.size());
}

kasuri::coro<int> sum_of_sizes(int pages) {
  std::vector<kasuri::future<int>> sizes;
  for (int page = 0; page < pages; ++page) sizes.push_back(kasuri::async(size_of(page)));
  int sum = co_await size_of(pages);  // on this worker, meanwhile
  for (auto& size : sizes) sum += co_await size;
  co_return sum;
}
// end

int begun() {
  // Begin:
  const int now = kasuri::sync_wait(sum_of_sizes(10));          // from anywhere; waits for it
  kasuri::future<int> later = kasuri::async(sum_of_sizes(10));  // as a task of its own
  const kasuri::coro<int> never = sum_of_sizes(10);             // does not run: nobody awaits it
  // end
  return now + later.get() + (never.valid() ? 1 : 0);
}

// Server:
struct account {
  kasuri::mutex guard;
  long balance = 0;
};

kasuri::coro<long> clerk(kasuri::channel<int>& orders, account& of) {
  long served = 0;
  while (std::optional<int> order = co_await kasuri::receive_async(orders)) {
    co_await kasuri::sleep_for_async(100us);  // no stack and no worker is held
    const auto lock = co_await kasuri::lock_async(of.guard);
    of.balance += *order;
    ++served;
  }
  co_return served;  // the channel is closed, and all is received
}
// end

long served() {
  account of;
  kasuri::channel<int> orders(16);
  // Customers:
  std::vector<kasuri::future<long>> clerks;
  for (int i = 0; i < 100; ++i) clerks.push_back(kasuri::async(clerk(orders, of)));
  for (int i = 1; i <= 1000; ++i)
    if (!orders.send(i)) break;  // code that is no coroutine sends as ever
  orders.close();
  long sum = 0;
  for (auto& c : clerks) sum += c.get();
  // end
  return sum == 1000 ? of.balance : -1;
}

// Timed:
kasuri::coro<bool> borrow(kasuri::semaphore& copies, kasuri::future<std::string>& title) {
  if (!co_await kasuri::try_acquire_for_async(copies, 1h)) co_return false;
  while (co_await kasuri::wait_for_async(title, 10ms) == std::future_status::timeout)
    std::puts("still looking");  // the future is as it was
  const bool has_title = !(co_await title).empty();
  copies.release();
  co_return has_title;
}
// end

// Condition:
kasuri::coro<int> next_of(kasuri::mutex& guard, kasuri::condition_variable& changed,
                          std::vector<int>& shelf) {
  auto lock = co_await kasuri::lock_async(guard);
  while (shelf.empty()) co_await kasuri::wait_async(changed, lock);
  const int book = shelf.back();
  shelf.pop_back();
  co_return book;
}
// end

bool borrowed() {
  kasuri::semaphore copies(1);
  kasuri::future<std::string> title = kasuri::async([] { return std::string("Threads"); });
  kasuri::mutex guard;
  kasuri::condition_variable changed;
  std::vector<int> shelf;
  kasuri::future<int> book = kasuri::async(next_of(guard, changed, shelf));
  {
    const std::lock_guard lock(guard);
    shelf.push_back(7);
  }
  changed.notify_one();
  return kasuri::sync_wait(borrow(copies, title)) && book.get() == 7;
}

/// A library that reads, and calls back on a thread of its own.
class library {
 public:
  ~library() {
    const std::lock_guard lock(guard_);
    for (std::thread& t : threads_) t.join();
  }
  void read(std::function<void(int)> done) {
    const std::lock_guard lock(guard_);
    threads_.emplace_back([f = std::move(done)] { f(5); });
  }

 private:
  std::mutex guard_;
  std::vector<std::thread> threads_;
};

// Elsewhere:
struct reading {
  library& from;
  int result = 0;

  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> c) {
    from.read([this, c](int n) {
      result = n;
      c.resume();
    });
  }
  int await_resume() const noexcept { return result; }
};

kasuri::coro<bool> reads(library& from) {
  const int n = co_await reading{from};  // goes on on the library's thread
  co_await kasuri::resume_on_pool();     // and from here on a worker again
  co_return n == 5 && kasuri::this_task::worker() >= 0;
}
// end

bool read() {
  library from;
  return kasuri::sync_wait(reads(from));
}

}  // namespace

int main() {
  const int sizes = begun();
  const long balance = served();
  std::printf("%d %ld\n", sizes, balance);
  return sizes == 111 && balance == 500'500 && borrowed() && read() ? 0 : 1;
}
