// SPDX-License-Identifier: Apache-2.0
#include "profile/watch/watcher.hpp"

#include <pthread.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <map>
#include <mutex>

#include "kasuri/detail/atomics.hpp"
#include "platform/base/clock.hpp"
#include "platform/base/fatal.hpp"
#include "platform/base/processor_time.hpp"
#include "platform/process/executable.hpp"
#include "platform/process/output_file.hpp"
#include "platform/thread/os_thread.hpp"
#include "platform/thread/park.hpp"
#include "profile/thread/modules.hpp"
#include "profile/watch/os_threads.hpp"
#include "profile/watch/pages.hpp"
#include "profile/thread/sampler.hpp"
#include "profile/watch/python_lines.hpp"
#include "profile/watch/series.hpp"
#include "profile/watch/snapshot.hpp"
#include "profile/watch/system_waits.hpp"
#include "profile/watch/timeline.hpp"
#include "profile/thread/sleepers.hpp"
#include "profile/thread/thread.hpp"

namespace kasuri::profile {

constinit std::atomic<int (*)() noexcept> ready_tasks{nullptr};

namespace {

using record::time_state;

constexpr double shortest_round_s = 2e-3;
constexpr double between_looks_s = 8e-3;   // at threads that may sleep, at least
constexpr double between_counts_s = 0.25;  // of what the kernel says
constexpr double first_snapshot_s = 0.05;  // each later one after twice the time
constexpr double longest_between_snapshots_s = 60;

/// What a worker does, as the timeline has it; `states`: it is no worker now.
timeline::state in_timeline(const thread& t) noexcept {
  switch (t.state()) {
    case time_state::work:
      return t.rests ? timeline::blocked : timeline::work;
    case time_state::overhead:
      return t.rests ? timeline::blocked : timeline::runtime;
    case time_state::idle:
      return timeline::no_work;
    case time_state::blocked:
      return timeline::blocked;
    case time_state::waiting:
      break;
    case time_state::detached:
      return timeline::states;
  }
  switch (t.waits_for()) {
    case record::wait_reason::openmp_lock:
      return timeline::lock;
    case record::wait_reason::openmp_barrier:
      return timeline::barrier;
    case record::wait_reason::openmp_dock:
      return timeline::no_work;
    default:
      return timeline::waiting;
  }
}

class watcher {
 public:
  bool start(const std::string& path) {
    using enum platform::output_file::open_result;
    path_ = path;
    auto result = file_.open(path_);
    if (result == in_use) {
      path_ += "." + std::to_string(platform::process_id());
      result = file_.open(path_);
    }
    if (result != opened) {
      platform::warn(
          "KASURI_PROFILE=%s: cannot write there (%s), so nothing is recorded; accepted: the path "
          "of a file that can be written",
          path_.c_str(), result == in_use ? "another process does" : std::strerror(errno));
      return false;
    }
    started_ = looked_ = platform::ticks();
    std::timespec wall{};
    clock_gettime(CLOCK_REALTIME, &wall);
    started_unix_ns_ = std::int64_t{wall.tv_sec} * 1'000'000'000 + wall.tv_nsec;
    ends_.store(0, std::memory_order_relaxed);
    note_modules();
    write(false);
    // Of a process with several threads the kernel would take some 20 ms for what the pool's start
    // asks it for.
    detail::prepare_fence_heavy();
    if (platform::start_os_thread(thread_, main, this, "kasuri-profile")) return true;
    platform::warn(
        "KASURI_PROFILE=%s: no thread for it, so nothing is recorded; accepted: a limit "
        "of processes (ulimit -u) above those that run",
        path_.c_str());
    return false;
  }

  void stop() noexcept {
    leave_python();
    ends_.store(1, std::memory_order_relaxed);
    platform::unpark(ends_, 1);
    pthread_join(thread_, nullptr);
    round();
    threads_.look();
    write(true);
    file_.close();
  }

 private:
  static void* main(void* self) {
    static_cast<watcher*>(self)->run();
    return nullptr;
  }

  void run() {
    while (ends_.load(std::memory_order_relaxed) == 0) {
      const double pause = std::clamp(over_time_.bin() / 2, shortest_round_s, 0.05);
      platform::park_for(ends_, 0, static_cast<std::uint64_t>(pause * 1e9));
      round();
      const double now = since_start(platform::ticks());
      if (now >= next_counts_) {
        threads_.look();
        note_modules();
        look_for_python();
        next_counts_ = now + between_counts_s;
      }
      if (now >= next_snapshot_) {
        write(false);
        next_snapshot_ = now + std::min(now, longest_between_snapshots_s);
      }
    }
  }

  double since_start(std::uint64_t ticks) const {
    return static_cast<double>(ticks - started_) / platform::ticks_per_second();
  }

  /// Seconds since the last look at the thread, if it did not run in all of them; 0 at the first.
  static double partly_rested(thread& t, std::uint64_t now) {
    const std::uint64_t processor =
        platform::processor_nanoseconds_of(t.number(), t.processor_at_look);
    const double ran = 1e-9 * static_cast<double>(processor - t.processor_at_look);
    const double seconds =
        t.looked_at == 0 ? 0
                         : static_cast<double>(now - t.looked_at) / platform::ticks_per_second();
    t.processor_at_look = processor;
    t.looked_at = now;
    constexpr double between_two_clocks = 0.1;
    return ran < (1 - between_two_clocks) * seconds ? seconds : 0;
  }

  void look_at(thread& t, std::uint64_t now, bool at_sleepers, crowd_state& seen) {
    const time_state s = t.state();
    if (s == time_state::waiting) seen.waiting += 1;
    const bool works = s == time_state::work || s == time_state::overhead;
    // A task in blocking(f) sleeps too, but not at the cost of the pool.
    const bool may_sleep = works || s == time_state::detached;
    if (works) seen.running += 1;
    if (s == time_state::blocked) seen.blocked += 1;
    if (!at_sleepers || !may_sleep) return;
    // All of the time is booked to where it sleeps now: a look that finds it running books none,
    // though it slept before. So of many short sleeps the sum is right.
    const double since = partly_rested(t, now);
    t.rests = since > 0 && waits_.look(t.number(), s != time_state::detached, t.site(), since);
  }

  /// Whether a thread that is no worker runs just now. Threads that leave the pool for a moment do
  /// so too often for what was seen of them at the last look to hold. Where there are many such
  /// threads, it holds for most.
  static bool somebody_runs_outside() {
    constexpr int most_asked = 4;
    int asked = 0;
    bool found = false;
    each_thread([&](thread& t) {
      if (found || t.ended() || t.state() != time_state::detached) return;
      found = asked++ < most_asked ? !system_waits::sleeps(t.number()) : !t.rests;
    });
    return found;
  }

  /// A look at all threads.
  void round() {
    const std::uint64_t now = platform::ticks();
    const double held = static_cast<double>(now - looked_) / platform::ticks_per_second();
    looked_ = now;
    since_sleepers_ += held;
    const bool at_sleepers = since_sleepers_ >= between_looks_s;
    if (at_sleepers) since_sleepers_ = 0;
    crowd_state seen;
    bool outside = false;
    each_thread([&](thread& t) {
      if (t.ended()) return;
      look_at(t, now, at_sleepers, seen);
      if (const timeline::state s = in_timeline(t); s != timeline::states && t.worker() >= 0)
        by_worker_.saw(static_cast<std::size_t>(t.worker()), s);
      if (!t.rests) {
        outside |= t.state() == time_state::detached;
      } else if (t.state() == time_state::work || t.state() == time_state::overhead) {
        seen.running -= 1;
        seen.blocked += 1;
      }
    });
    const int workers = workers_of_pool.load(std::memory_order_relaxed);
    if (const auto count = ready_tasks.load(std::memory_order_relaxed))
      seen.ready = std::clamp<double>(count(), 0, std::max(0.0, workers - seen.running));
    const bool outside_runs = seen.running == 0 && outside && somebody_runs_outside();
    seen.serial = outside_runs ? 1 : 0;
    seen.asleep = seen.running + seen.waiting + seen.blocked == 0 && !outside_runs ? 1 : 0;
    over_time_.add(since_start(now), held, seen);
    by_worker_.end_round(since_start(now), held,
                         {.lock = 1.0 * asleep_for_lock.load(std::memory_order_relaxed),
                          .barrier = 1.0 * asleep_in_barrier.load(std::memory_order_relaxed),
                          .late = seen.ready});
  }

  void write(bool last) {
    memory_.look();
    const double cost = 1e-9 * static_cast<double>(platform::processor_nanoseconds());
    std::string line = snapshot(
        {threads_, over_time_, by_worker_, waits_, memory_, system_at_start_, started_unix_ns_},
        started_, last, last ? cost_ : cost);
    cost_ = cost;
    const iovec piece{line.data(), line.size()};
    if (!file_.is_open() || file_.append({&piece, 1})) return;
    platform::warn(
        "KASURI_PROFILE=%s: writing failed after %llu bytes (%s); the profile ends there",
        path_.c_str(), static_cast<unsigned long long>(file_.size()), std::strerror(errno));
    file_.close();
  }

  std::string path_;
  platform::output_file file_;
  pthread_t thread_{};
  std::atomic<std::uint32_t> ends_{0};
  std::uint64_t started_ = 0;  // ticks
  std::int64_t started_unix_ns_ = 0;
  std::uint64_t looked_ = 0;  // ticks of the last round
  double since_sleepers_ = 0;
  double next_counts_ = 0;
  double next_snapshot_ = first_snapshot_s;
  double cost_ = 0;
  series over_time_{shortest_round_s};
  timeline by_worker_{shortest_round_s};
  system_waits waits_;
  os_threads threads_;
  pages memory_;
  const system_time system_at_start_ = system_time_now();
};

// Never deleted: its thread may run until the process ends.
watcher* the_watcher = nullptr;

}  // namespace

bool start_watcher(const std::string& path) {
  the_watcher = new watcher;
  if (the_watcher->start(path)) return true;
  the_watcher = nullptr;
  return false;
}

void stop_watcher() noexcept {
  if (watcher* const w = the_watcher) {
    the_watcher = nullptr;
    w->stop();
  }
}

}  // namespace kasuri::profile
