// SPDX-License-Identifier: Apache-2.0
#include "cluster/meter.hpp"

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include <kasuri/global/vector.hpp>

#include "cluster/ranks.hpp"
#include "common/progress.hpp"

namespace apps {
namespace {

namespace global = kasuri::global;

/// A thread that draws the bar while the rounds go on.
class drawer {
 public:
  drawer(global::ptr<std::uint64_t> done, std::uint64_t all)
      : done_(done), all_(all), thread_([this] { draw(); }) {}
  ~drawer() {
    {
      const std::scoped_lock hold(lock_);
      over_ = true;
    }
    ended_.notify_one();
    thread_.join();
  }
  drawer(const drawer&) = delete;
  drawer& operator=(const drawer&) = delete;

 private:
  void draw() {
    progress bar(100, " %");
    std::unique_lock hold(lock_);
    while (!ended_.wait_for(hold, std::chrono::milliseconds(200), [this] { return over_; }))
      bar.at(static_cast<long>(100 * (global::fetch_add(done_, 0) >> 10) / (all_ >> 10)));
  }

  const global::ptr<std::uint64_t> done_;
  const std::uint64_t all_;
  std::mutex lock_;
  std::condition_variable ended_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace

std::vector<double> metered_rounds(int rounds, const std::function<void()>& prepare,
                                   const std::function<void(part)>& work) {
  const global::vector<std::uint64_t> done(1);
  const global::ptr<std::uint64_t> word = done.view().begin();
  const bool shows = speaks() && ::isatty(STDERR_FILENO) == 1;
  std::optional<drawer> bar;
  if (shows) bar.emplace(word, part::whole * static_cast<std::uint64_t>(rounds));
  std::uint64_t at_begin = 0;
  return seconds_of(rounds, prepare, [&] {
    work(shows ? part::all_of_round(word) : part());
    // What was too little to be reported is done, too.
    at_begin += part::whole;
    if (shows) global::fetch_add(word, at_begin - global::fetch_add(word, 0));
  });
}

}  // namespace apps
