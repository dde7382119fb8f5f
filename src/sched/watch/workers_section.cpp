// SPDX-License-Identifier: Apache-2.0
#include "sched/watch/workers_section.hpp"

#include <algorithm>

#include "platform/base/clock.hpp"
#include "profile/base/section.hpp"
#include "profile/watch/watcher.hpp"
#include "sched/measure/forks_section.hpp"
#include "sched/pool/pool.hpp"

namespace kasuri::sched {
namespace {

/// The accounts and counts of the workers.
class workers_section final : public profile::section {
 public:
  constexpr workers_section() noexcept : section("workers_accounts") {}

  void of(pool& p) noexcept { pool_.store(&p, std::memory_order_relaxed); }

  void write(profile::json& to) override {
    to.begin_array();
    if (const pool* const p = pool_.load(std::memory_order_relaxed))
      for (int i = 0; i != p->workers(); ++i) write_worker(to, *p->at(i));
    to.end_array();
  }
  void begin_anew() noexcept override {}

  /// Tasks in the deques of all workers. A snapshot.
  int ready() const noexcept {
    const pool* const p = pool_.load(std::memory_order_relaxed);
    if (p == nullptr) return 0;
    std::size_t all = 0;
    for (int i = 0; i != p->workers(); ++i) all += p->at(i)->queue.about_size();
    return static_cast<int>(std::min<std::size_t>(all, 1u << 20));
  }

 private:
  static void write_worker(profile::json& to, const worker& w) {
    const record::time_split t = w.stats.time.read();
    const auto seconds = [](std::uint64_t ticks) {
      return static_cast<double>(ticks) / platform::ticks_per_second();
    };
    to.begin_object().pair("worker", w.index).pair("role", record::name(w.stats.role));
    to.pair("tid", w.tid.load(std::memory_order_relaxed)).pair("node", w.node);
    to.pair("work_s", seconds(t.work)).pair("overhead_s", seconds(t.overhead));
    to.pair("idle_ready_s", seconds(t.idle_ready)).pair("idle_empty_s", seconds(t.idle_empty));
    to.pair("blocked_s", seconds(t.blocked)).pair("waiting_s", seconds(t.waiting));
    to.pair("off_core_s", seconds(t.off_core)).pair("processor_s", seconds(t.processor));
    to.pair("late_s", seconds(w.waking.late.get()));
    to.pair("calling_s", seconds(w.waking.calling.get()));
    for (const record::stats_column& c : record::stats_columns())
      to.pair(c.name, (w.stats.*c.value).get());
    to.end_object();
  }

  std::atomic<const pool*> pool_{nullptr};
};

constinit workers_section accounts;

int count_ready() noexcept { return accounts.ready(); }

}  // namespace

void enter_profile(pool& p) {
  accounts.of(p);
  profile::enter(accounts);
  enter_forks();
  profile::ready_tasks.store(count_ready, std::memory_order_relaxed);
}

}  // namespace kasuri::sched
