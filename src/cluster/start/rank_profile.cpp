// SPDX-License-Identifier: Apache-2.0
#include "cluster/start/rank_profile.hpp"

#include <array>
#include <cstdint>
#include <ctime>
#include <mutex>
#include <new>

#include "cluster/memory/memory.hpp"
#include "cluster/sched/scheduler.hpp"
#include "cluster/transport/transport.hpp"
#include "profile/base/active.hpp"
#include "profile/base/section.hpp"

namespace kasuri::cluster {
namespace {

constexpr std::size_t meetings = 8;

/// Nanoseconds since 1970, as the system's clock says.
std::int64_t wall_ns() noexcept {
  std::timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

struct meeting {
  std::int64_t came = 0;
  std::int64_t went_on = 0;
};

double seconds(std::uint64_t ns) { return 1e-9 * static_cast<double>(ns); }

/// The watcher's thread writes it; the one that starts and ends the rank changes it.
class rank_section final : public profile::section {
 public:
  constexpr rank_section() noexcept : section("rank") {}

  void met(std::size_t i, const meeting& m) {
    const std::lock_guard lock(lock_);
    meetings_[i] = m;
  }

  void begin(const transport& net, const scheduler& s, const memory& m) {
    const std::lock_guard lock(lock_);
    rank_ = net.rank();
    ranks_ = net.size();
    host_ = net.host_of(rank_);
    scheduler_ = &s;
    memory_ = &m;
  }

  void end() {
    const std::lock_guard lock(lock_);
    count();
    scheduler_ = nullptr;
    memory_ = nullptr;
  }

  void write(profile::json& to) override {
    const std::lock_guard lock(lock_);
    count();
    to.begin_object().pair("rank", rank_).pair("ranks", ranks_).pair("host", host_);
    to.pair("steals", sched_.steals).pair("steals_near", sched_.steals_near);
    to.pair("ran", sched_.ran).pair("joined", sched_.joined).pair("naps", sched_.naps);
    to.pair("join_wait_s", seconds(sched_.waiting_ns));
    to.pair("steal_s", seconds(sched_.stealing_ns));
    to.pair("fetched_bytes", mem_.fetched_bytes).pair("refetched_bytes", mem_.refetched_bytes);
    to.pair("written_back_bytes", mem_.written_back_bytes);
    to.pair("data_wait_s", seconds(mem_.waited_ns));
    to.key("meetings").begin_array();
    for (const meeting& m : meetings_)
      if (m.came != 0) to.begin_array().value(m.came).value(m.went_on).end_array();
    to.end_array().end_object();
  }
  // A child of a fork is no rank, and has nothing of one; another thread may have had the lock.
  void begin_anew() noexcept override {
    ::new (static_cast<void*>(&lock_)) std::mutex;
    rank_ = -1;
    ranks_ = 0;
    scheduler_ = nullptr;
    memory_ = nullptr;
  }

 private:
  void count() {
    if (scheduler_ != nullptr) sched_ = scheduler_->counted().read(rank_);
    if (memory_ != nullptr) mem_ = memory_->counts();
  }

  std::mutex lock_;
  const scheduler* scheduler_ = nullptr;  // null: the counts are as they were last
  const memory* memory_ = nullptr;
  int rank_ = -1;
  int ranks_ = 0;
  int host_ = -1;
  global::rank_counters sched_{};
  memory_counts mem_{};
  std::array<meeting, meetings> meetings_{};
};

constinit rank_section this_rank;

}  // namespace

void meet_for_clocks(transport& net) {
  for (std::size_t i = 0; i != meetings; ++i) {
    meeting m;
    m.came = wall_ns();
    net.barrier();
    m.went_on = wall_ns();
    this_rank.met(i, m);
  }
}

void enter_profile(const transport& net, const scheduler& s, const memory& m) {
  if (!profile::active()) return;
  this_rank.begin(net, s, m);
  profile::enter(this_rank);
}

void leave_profile() noexcept { this_rank.end(); }

}  // namespace kasuri::cluster
