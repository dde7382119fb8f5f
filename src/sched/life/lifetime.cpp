// SPDX-License-Identifier: Apache-2.0
#include "sched/life/lifetime.hpp"

#include <pthread.h>
#include <unistd.h>

#include <cstdlib>
#include <mutex>
#include <vector>

#include "context/overflow.hpp"
#include "platform/base/fatal.hpp"
#include "platform/cpu/affinity.hpp"
#include "platform/cpu/cpus.hpp"
#include "platform/cpu/topology.hpp"
#include "platform/memory/memory.hpp"
#include "platform/process/executable.hpp"
#include "platform/settings/settings.hpp"
#include "platform/thread/os_thread.hpp"
#include "profile/base/active.hpp"
#include "profile/watch/start.hpp"
#include "record/recorder.hpp"
#include "sched/policy/make_policy.hpp"
#include "sched/watch/at_rest.hpp"
#include "sched/pool/monitor.hpp"
#include "sched/pool/pool.hpp"
#include "sched/watch/workers_section.hpp"
#include "sched/run/blocking_thread.hpp"
#include "sched/run/loop.hpp"
#include "sched/time/timers.hpp"
#include "sched/watch/deadlock.hpp"
#include "sched/watch/dump_signal.hpp"
#include "sched/worker/check.hpp"
#include "sched/worker/os_thread.hpp"
#include "sched/worker/range.hpp"
#include "sched/worker/slot.hpp"

namespace kasuri::sched {

namespace {

// Its address says which program or library this code is linked into.
constinit const char id_of_this_library = 0;

}  // namespace

/// This outlives any one pool. Never destroyed.
class lifetime {
 public:
  static lifetime& get() noexcept {
    static lifetime* const l = new lifetime;
    return *l;
  }

  pool& start() {
    // acquire: pairs with the release below
    if (pool* p = current_.load(std::memory_order_acquire)) return *p;
    const std::lock_guard hold(lock_);
    if (pool* p = current_.load(std::memory_order_relaxed)) return *p;
    if (!registered_) {
      registered_ = true;
      // Threads of the pool, the handlers below and the fault handler run code of the plug-in that
      // this library may be linked into.
      platform::keep_loaded(&id_of_this_library);
      pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
      std::atexit(at_exit);
      context::catch_stack_overflows();
      prepare_for_ends_of_threads();
      detail::prepare_fence_heavy();
      // Made before there are threads: a child forked while one of them makes it would find it half
      // made for ever.
      platform::page_size();
    }
    platform::note_signals_of_program();
    const platform::settings& s = platform::current_settings();
    if (!s.trace.empty())
      record::start_trace({s.trace, s.trace_buffer, static_cast<std::uint32_t>(s.num_workers)});
    profile::pool_starts(s.num_workers);
    if (pool_ == nullptr) pool_ = new pool(thread_main);
    pool_->configure(make_policy(s.sched, s.num_workers > platform::usable_cpus()));
    if (profile::active()) [[unlikely]]
      enter_profile(*pool_);
    // release: pairs with the acquire above
    current_.store(pool_, std::memory_order_release);
    blocking_threads::get().note_cpus();
    dump_signal::get().start();
    timers::get().begin();
    return *pool_;
  }

  bool runs() const noexcept { return current_.load(std::memory_order_relaxed) != nullptr; }

  bool stop(bool tell) noexcept {
    const std::lock_guard hold(lock_);
    pool* p = current_.load(std::memory_order_relaxed);  // relaxed: the lock orders it
    if (p == nullptr) return true;
    if (holders_ != 0) return false;
    for (int i = 0; i != p->workers(); ++i) {
      const worker* w = p->at(i);
      // relaxed: a snapshot; the caller keeps guests from coming meanwhile
      if (w->stats.role == record::worker_role::guest &&
          w->has_thread.load(std::memory_order_relaxed))
        return false;
    }
    timers::get().stop();
    p->begin_stop();
    for (int i = 0; i != p->workers(); ++i) wake_to_end(*p, *p->at(i));
    // Each may start the other until it has ended.
    do {
      p->threads().join_all();
      blocking_threads::get().stop();
      monitor::get().stop();
      // A task that came back from a blocking call while the last worker ended: nobody has seen it.
      if (p->work_visible()) p->work_is_visible();
    } while (p->threads().any() || blocking_threads::get().any());
    blocking_threads::get().stopped();
    dump_signal::get().stop();
    p->end_stop();
    check_at_rest(*p);
    current_.store(nullptr, std::memory_order_relaxed);
    if (tell) report();
    return true;
  }

  void hold() noexcept {
    for (;;) {
      const pool& p = start();
      const std::lock_guard hold(lock_);
      // relaxed: the lock orders it
      if (current_.load(std::memory_order_relaxed) != &p) continue;  // it has ended meanwhile
      ++holders_;
      return;
    }
  }

  void let_go() noexcept {
    const std::lock_guard hold(lock_);
    KASURI_EXPECT(cheap, holders_ > 0, "the pool is let go, %d hold it", holders_);
    --holders_;
  }

 private:
  /// There are tokens enough; but all sleepers may be claimed for a moment.
  static void wake_to_end(pool& p, worker& w) noexcept {
    for (unsigned n = 0; w.asleep.load(std::memory_order_relaxed) == flag::dozing; ++n) {
      if (p.idle_word().claim_for_one()) {
        p.use_claim_on(w);
        return;
      }
      real_atomics::backoff(n);
    }
  }

  /// As if the system had given no thread.
  static void* leave_without_stack(worker& w) noexcept {
    w.home->shares().end(w);
    w.spends_time_on(record::time_state::detached);
    release_thread(w);
    if (platform::first_thread_refused())
      platform::warn("no memory for a stack of worker %d; going on with fewer", w.index);
    w.home->started_in_vain(w);
    return nullptr;
  }

  static void* thread_main(void* arg) noexcept {
    worker& w = *static_cast<worker*>(arg);
    adopt_thread(w);
    platform::take_signals();  // behind adopt_thread, which gives handlers a stack of their own
    bind(w);
    w.just_started = true;
    w.home->shares().begin_if_asked(w);
    if (!run_loop(w)) return leave_without_stack(w);
    w.home->shares().end(w);
    give_slot_back(w);
    check_empty(w);
    w.spends_time_on(record::time_state::detached);
    release_thread(w);
    // It sleeps again, without a thread: as before it was started.
    // release: pairs with the exchange of asleep by the waker, which starts a thread after this one
    w.asleep.store(flag::threadless, std::memory_order_release);
    w.home->idle_word().fall_asleep();
    return nullptr;
  }

  /// To its own CPU where that is asked for; else, on a machine of several nodes, to those of its
  /// node: a worker that the system moves to another node leaves its data behind.
  static void bind(const worker& w) noexcept {
    const platform::topology& machine = platform::machine_topology();
    if (w.cell < 0 || !machine.is_this_machine) return;
    const platform::pu& own = platform::pu_of_worker(machine, w.cell);
    std::vector<int> cpus;
    if (platform::current_settings().bind) {
      platform::bind_to_cpus({&own.os_index, 1});
      return;
    }
    if (w.home->nodes().size() < 2) return;
    for (const platform::pu& other : machine.pus)
      if (other.numa_node == own.numa_node) cpus.push_back(other.os_index);
    platform::bind_to_cpus(cpus);
  }

  static void report() noexcept {
    lifetime& l = get();
    if (l.pool_ == nullptr) return;
    if (platform::current_settings().stats) {
      const auto all = l.pool_->stats();
      record::print_stats(STDERR_FILENO, all);
    }
    record::flush_all();
  }

  static void at_exit() noexcept {
    if (get().current_.load(std::memory_order_relaxed) != nullptr) report();
  }

  static void before_fork() noexcept {
    lifetime& l = get();
    l.lock_.lock();
    if (l.pool_ != nullptr) l.pool_->lock_all();
    monitor::get().lock();
    timers::get().lock();
    blocking_threads::get().lock();
    lock_blocks();
    context::lock_stacks();
  }

  static void unlock() noexcept {
    lifetime& l = get();
    context::unlock_stacks();
    unlock_blocks();
    blocking_threads::get().unlock();
    timers::get().unlock();
    monitor::get().unlock();
    if (l.pool_ != nullptr) l.pool_->unlock_all();
    l.lock_.unlock();
  }

  static void after_fork_in_parent() noexcept { unlock(); }

  /// The child has one thread. A pool of its own starts at the next use. The rest of the old one,
  /// with workers whose threads are gone, serves that thread as long as it stands in a task.
  static void after_fork_in_child() noexcept {
    unlock();
    lifetime& l = get();
    monitor::get().forget_thread();
    timers::get().forget();
    dump_signal::get().forget_thread();
    blocking_threads::get().forget_threads();
    deadlock.forget_threads();
    context::forget_donors();
    forget_id_of_this_thread();
    forget_slots(current());
    if (worker* w = current()) {
      w->home->leave_alone(*w);
      w->home->shares().leave_in_child(*w);
      if (w->range != nullptr) wear_range(*w, nullptr);  // the workers it owned are gone
    }
    l.pool_ = nullptr;
    l.current_.store(nullptr, std::memory_order_relaxed);
  }

  std::atomic<pool*> current_{nullptr};
  pool* pool_ = nullptr;
  bool registered_ = false;
  std::mutex lock_;  // start and stop
  int holders_ = 0;  // who keeps the pool from ending
};

pool& pool::get() { return lifetime::get().start(); }

bool pool_runs() noexcept { return lifetime::get().runs(); }

bool finalize() noexcept { return lifetime::get().stop(true); }

bool end_threads() noexcept { return lifetime::get().stop(false); }

void hold_pool() noexcept { lifetime::get().hold(); }

void let_pool_go() noexcept { lifetime::get().let_go(); }

}  // namespace kasuri::sched
