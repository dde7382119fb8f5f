// SPDX-License-Identifier: Apache-2.0
#pragma once

// The scheduler of one rank: what it offers to others, what it takes from them, and the joins
// between.
//
// A steal takes three trips: a read of the victim's outbox word, a compare-and-swap that takes the
// oldest slot (and thereby validates), a read of the slot. That the slot has been read is posted.
// The report of the end is put into the record of the join, and a word behind it says so; then the
// waiting rank is rung.
//
// An owner never waits for a thief nor a thief for an owner: the closure, and a token of memory,
// were put into the slot when it was offered.
//
// Quiet. A rank that finds nothing probes at random for a while, near ranks first, then leaves its
// bit in the words of those at distances of powers of two (lifelines: Saraswat et al.,
// "Lifeline-based Global Load Balancing", PPoPP 2011) and naps. Whoever puts something into its
// outbox rings one who sleeps. The bit lies in the word that says whether there is anything, so no
// offer can slip through between.

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "cluster/base/coherence.hpp"
#include "cluster/sched/counters.hpp"
#include "cluster/sched/host/pool_side.hpp"
#include "cluster/sched/host/task_points.hpp"
#include "cluster/sched/wire/join_table.hpp"
#include "cluster/sched/wire/layout.hpp"
#include "cluster/sched/wire/outbox_word.hpp"
#include "cluster/transport/transport.hpp"
#include "kasuri/detail/frame.hpp"
#include "kasuri/global/detail/fork.hpp"
#include "platform/thread/mutex.hpp"

namespace kasuri::cluster {

class scheduler;

/// A closure of another rank that is to run here. Being a frame, it can go where the pool's tasks
/// go.
struct travelled : kasuri::detail::frame {
  layout::parcel head;
  alignas(64) std::array<std::byte, outbox_word::largest> slot;
  scheduler* here = nullptr;
  std::uint64_t since = 0;  // when the look for it began
  travelled* next = nullptr;

  void* closure() noexcept { return slot.data() + layout::closure_at; }
};

struct scheduler_options {
  bool adws = false;   // forks are divided between the ranks
  bool memory = true;  // whether tokens need to travel around a run
  std::uint64_t seed = 1;
  unsigned eager_probes = 12;  // in a row before a nap
  std::uint64_t shortest_nap_ns = 50'000;
  std::uint64_t longest_nap_ns = 5'000'000;
  std::uint64_t patience_ns = 100'000;  // under adws: so long at least it waits for what is its own
  bool checked = false;  // every fork is shown to memory, which asks for the calling task
  bool probes = true;    // tests switch it off
};

/// One who looks for work on behalf of a process; one at a time does.
struct searcher {
  unsigned fruitless = 0;
  std::uint64_t busy_since = 0;  // when it last found something
  std::uint64_t busy_ns = 0;     // so long it was busy with that
  bool asked_lifelines = false;
  std::uint64_t nap_ns = 0;
  std::uint64_t idle_since = 0;  // 0: it is not
  std::uint64_t run = 0;         // which

  /// It goes on with a task.
  void is_busy(std::uint64_t now) noexcept { *this = {.busy_since = now, .run = run}; }
};

class scheduler {
 public:
  /// Collective.
  scheduler(transport& net, coherence& memory, pool_side& pool, const scheduler_options& options);
  ~scheduler();
  scheduler(const scheduler&) = delete;
  scheduler& operator=(const scheduler&) = delete;

  global::detail::spread_face& face() noexcept { return face_; }
  transport& network() noexcept { return net_; }
  pool_side& pool() noexcept { return pool_; }
  const scheduler_options& options() const noexcept { return options_; }
  const sched_counters& counted() const noexcept { return counted_; }

  // ---- what inlined code calls

  void spread(global::detail::fork_chain& chain, double first_work, double second_work);
  bool second_first(global::detail::fork_chain& chain, double first_work, double second_work) const;
  void show_fork(global::detail::fork_chain& chain, bool first_is_offered);
  bool take_or_wait(global::detail::offer& o, void* result);
  void abandon(global::detail::offer& o) noexcept;

  // ---- what those call who look for work

  /// Wakes tasks whose joins have come; true if there were any.
  bool collect();
  /// A closure to run here, after at most a few trips; null: none was found.
  travelled* look(searcher& s);
  /// Whether another rank has called, or has sent something, since the last look.
  bool is_called();
  /// Nothing was found: how long to nap before the next look; 0: look again at once.
  std::uint64_t rest(searcher& s);
  /// Runs it, and reports.
  void run(travelled* t) noexcept;
  /// Whether a run goes on, so that looking makes sense.
  bool serves() const noexcept { return serves_.load(std::memory_order_relaxed); }

  /// Collective: rank 0 runs kind's code on `closure`, all serve it; all get the result, or throw.
  void run_root(const global::detail::closure_kind& kind, void* closure, void* result);

  /// Collective.
  std::vector<global::rank_counters> gather_counters();

 private:
  struct root_call;
  using offer = global::detail::offer;
  using fork_chain = global::detail::fork_chain;

  std::uint64_t own(std::size_t offset) { return net_.load(rank_, window_, offset); }
  std::byte* at(std::size_t offset) { return window_.local + offset; }

  // outbox.cpp
  void expect_no_address(const offer& o) const;
  void post(fork_chain& chain);
  bool post_one(offer& o, const token& t);
  bool slot_is_free(int slot);
  bool take_back(offer& o, global::detail::offer_state as);
  [[nodiscard]] std::uint64_t task_of(const offer& o) const noexcept {
    return options_.checked ? o.offered_task() : 0;
  }
  void ring_sleeper(int which);
  void note_demand(outbox_word now);

  // ranges.cpp
  void divide(fork_chain& chain, double first_work, double second_work);
  bool send(offer& o, int to);
  travelled* take_from_inbox();

  // joins.cpp
  void wait_for_report(offer& o);
  bool is_done(int record);
  void close(offer& o, void* result);
  void report_value(const travelled& t, const void* result);
  void report_exception(const travelled& t);
  void put_report(const travelled& t, layout::report& head, std::span<std::byte> record);

  // thief.cpp
  travelled* probe(int victim, std::uint64_t since);
  travelled* take(int victim, int slot, std::size_t bytes, std::uint64_t trips,
                  std::uint64_t since);
  travelled* answer_call(searcher& s);
  travelled* ask_lifelines(searcher& s);
  travelled* ask_lifeline(int i, std::uint64_t since);
  int random_victim();
  std::uint64_t patience(const searcher& s) const noexcept;
  travelled* found(searcher& s, travelled* t);
  travelled* fresh_travelled();
  void forget(travelled* t) noexcept;

  // run.cpp
  void serve();
  void begin_together(const global::detail::closure_kind& kind);
  void tell_end();
  void share_outcome(const global::detail::closure_kind& kind, void* result);

  transport& net_;
  coherence& memory_;
  pool_side& pool_;
  const scheduler_options options_;
  const int rank_;
  const int size_;
  window window_;
  global::detail::spread_face face_;
  sched_counters counted_;
  task_points tasks_;
  std::vector<int> near_;  // other ranks of the host
  int lifelines_ = 0;

  platform::mutex lock_;  // all below
  struct slot_use {
    offer* holder = nullptr;  // the last that was put there, while it has not been joined
    std::uint64_t copy = 0;   // of what was put there last
    bool stolen = false;      // it was, and we know
  };
  std::array<slot_use, outbox_word::slots> slots_;
  std::array<const global::detail::closure_kind*, 64> known_kinds_{};
  std::array<std::uint64_t, 64> known_addresses_{};
  std::uint64_t copies_ = 0;
  join_table joins_;
  int in_outbox_ = 0;      // as far as we know
  unsigned unwanted_ = 0;  // in a row taken back
  std::atomic<bool> anybody_waits_{false};
  travelled* free_travelled_ = nullptr;
  std::vector<std::unique_ptr<travelled>> all_travelled_;
  std::mt19937_64 random_;

  std::uint64_t portable(const global::detail::closure_kind* kind);

  /// So many offers are wanted from now on.
  void want(std::uint32_t offers) noexcept {
    wanted_ = offers;
    // Under checks all forks take the slow way.
    face_.target.store(options_.checked ? outbox_word::slots + 1 : offers,
                       std::memory_order_relaxed);
  }
  std::uint32_t wanted_ = 0;  // under lock_

  // The run that goes on.
  std::atomic<std::uint64_t> runs_{0};
  std::atomic<bool> serves_{false};
  std::atomic<int> running_{0};         // closures of others, here
  std::atomic<void*> server_{nullptr};  // the task that waits for the end of the run
  root_call* root_ = nullptr;
};

/// How far the outbox is filled: so many at first and when nobody wants any; then more with each
/// that is taken.
inline constexpr std::uint32_t fewest_offers = 2;

}  // namespace kasuri::cluster
