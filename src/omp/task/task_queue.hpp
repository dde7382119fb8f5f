// SPDX-License-Identifier: Apache-2.0
#pragma once

// A member's deferred tasks: the scheduler's split deque, made at the first push, and what the
// member owes to the counters of others. run/own_queue.hpp has what the owner does with it where
// thieves are told.
//
// Order. The owner pushes the tasks that its current task creates, or that a task ending on it
// releases, and takes the newest. `mark` is where the deque's top stood when the current task
// began. All above it descend from the current task, whatever ran on top of it meanwhile, because
// only its descendants may (task scheduling constraint); so a constrained wait takes what lies
// above the mark, without looking at it. Tasks that fit nowhere in this order (priorities, released
// by an event) go to the team's list instead (team_tasks.hpp).
//
// Asking. A thief that finds nothing public asks; the owner's next push sees it (it compares top
// with limit anyway) and publishes half of what is private. A single task is not worth that: the
// owner is likely to be back for it before a thief could have begun it. The request then stays
// open, and a thief rescues the task when the owner makes no progress for some microseconds.
//
// Crowds. A member that has queued a crowd of tasks runs new ones at once. When thieves have taken
// all, it queues again, unless its tasks are so small that to move one to another core costs more
// than to run it: it judges by the time that the last few calls took.
//
// Late publishing. A creator that is far ahead with tasks that depend on each other runs some of
// them (run/depend.cpp). If each costs less than its move to another core, the creator answers no
// thief while it goes on creating: requests stay open until `publishes_from`. It answers earlier
// when it waits, or has run a longer task.
//
// Debts. A member that ends a task of another member's parent, or within another member's group,
// would have to change a shared counter for each. It gathers them: `ended` tasks of one parent, and
// `credits` at `group` (taskgroup.hpp). Nobody may wait for the gathered ones: the member reports
// them before it begins a task of another parent or group, and whenever it has no task.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "kasuri/detail/atomics.hpp"
#include "kasuri/detail/group_count.hpp"
#include "omp/base/idle_time.hpp"
#include "platform/base/expect.hpp"
#include "sched/kernel/deque.hpp"

namespace kasuri::omp {

struct member;
struct task;
struct taskgroup;

/// Queued tasks beyond which a member runs new ones at once.
inline constexpr std::size_t crowd = 1024;

class task_queue {
 public:
  using deque = sched::deque<detail::real_atomics>;
  using slot = deque::slot;

  task_queue() noexcept = default;
  task_queue(const task_queue&) = delete;
  task_queue& operator=(const task_queue&) = delete;
  ~task_queue();

  // ---- owner ----------------------------------------------------------------------------------

  /// Whether a push can be expected to succeed, without a look at thieves and limits.
  [[gnu::always_inline]] bool has_room() const noexcept {
    return face_.top.load(std::memory_order_relaxed) < face_.limit.load(std::memory_order_relaxed);
  }

  /// Whether the owner is crowded and has looked a moment ago what thieves have left: a look costs
  /// a cache miss while they are at work.
  [[gnu::always_inline]] bool just_looked() noexcept {
    if (calls_left_ == 0 || face_.top.load(std::memory_order_relaxed) < crowded_from_) return false;
    --calls_left_;
    return true;
  }

  /// Its deque, null before the first push.
  deque* own() const noexcept { return deque_.load(std::memory_order_relaxed); }

  /// Makes the deque. False: there is no memory.
  bool make() noexcept;

  /// Queues a task in the usual case. False: the push goes on with `at`, where it stands; null:
  /// there is no deque.
  [[gnu::always_inline]] bool push(detail::frame* t, slot*& at) noexcept {
    KASURI_EXPECT(cheap, t != nullptr && t->type != nullptr, "frame %p has no type",
                  static_cast<void*>(t));
    // Not every push comes after make_room.
    if (face_.top.load(std::memory_order_relaxed) == nullptr && !make()) [[unlikely]] {
      at = nullptr;
      return false;
    }
    return !face_.push(t, at);
  }

  bool is_crowded(const deque& d) const noexcept {
    return d.crowded(face_.top.load(std::memory_order_relaxed));
  }

  /// Whether no task lies above the mark.
  bool none_above_mark() const noexcept {
    return face_.top.load(std::memory_order_relaxed) <= mark_;
  }

  /// The deque is empty: begins at its start again.
  void rewind(deque& d) noexcept {
    KASURI_EXPECT(cheap, &d == own(), "deque %p, not the owner's %p", static_cast<void*>(&d),
                  static_cast<void*>(own()));
    KASURI_EXPECT(cheap, d.size() == 0, "a deque of %zu tasks begins at its start", d.size());
    d.rewind();
    mark_ = nullptr;
  }

  /// The crowd has gone: rewinds, and counts no call as made.
  void begin_again(deque& d) noexcept {
    calls_left_ = 0;
    rewind(d);
  }

  /// Whether the calls since the last look were long, which two looks in a row must say. Begins
  /// the next row of calls.
  bool calls_have_become_long() noexcept;

  /// After a refusal, of this or of room: the calls that are to be made before the next question,
  /// at least one. They count as made.
  std::uint64_t calls_due() noexcept {
    KASURI_EXPECT(cheap, calls_left_ < calls_in_a_row_, "%u calls left of %u", calls_left_,
                  calls_in_a_row_);
    return std::uint64_t{1} + std::exchange(calls_left_, 0);
  }

  /// A task begins and ends: keeps the mark.
  slot* enter() noexcept {
    slot* const outer = mark_;
    mark_ = face_.top.load(std::memory_order_relaxed);
    return outer;
  }
  void leave(slot* outer) noexcept {
    if (outer < mark_) mark_ = outer;
  }

  // ---- others ---------------------------------------------------------------------------------

  /// The deque, null before its owner's first push.
  deque* shared() const noexcept {
    // acquire: pairs with the release in make
    return deque_.load(std::memory_order_acquire);
  }

  /// A member is about to be suspended: the owner is to call notify_tasks also for a single task.
  void want_notice() noexcept {
    // relaxed: before the fence in ask_for_notice() of omp/run/task_steal.cpp
    wanted_.store(true, std::memory_order_relaxed);
    if (deque* d = shared()) d->ask();
  }

  /// The owner: whether somebody wants that, and that it does so now.
  bool notice_wanted() const noexcept { return wanted_.load(std::memory_order_relaxed); }
  void give_notice() noexcept { wanted_.store(false, std::memory_order_relaxed); }

  // ---- the owner's debts (see above) ----------------------------------------------------------
  detail::group_tally<task, std::int64_t> ended;
  taskgroup* group = nullptr;
  std::int64_t credits = 0;

  // Records of calls that have ended, for the next ones (calls, tasks.hpp): one for each level of a
  // recursion.
  detail::frame* spare = nullptr;
  int spares = 0;
  static constexpr int most_spares = 64;

  // The owner as a thief: whose progress it watches, since when, and how far that one was.
  const member* watched = nullptr;
  std::uint64_t watched_since = 0;
  std::uint64_t watched_progress = 0;
  idle_time idle;                    // for how long it has found nothing near (task_mail.hpp)
  std::uint64_t usual_ticks = 0;     // that its last tasks took, the latest counting most
  std::uint64_t publishes_from = 0;  // ticks; see above
  bool stays_on_node = false;        // its OS thread is bound within `node`

 private:
  // Up to here and below: the owner's alone, which it writes for every call, on lines of their own.
  slot* mark_ = nullptr;
  slot* crowded_from_ = nullptr;      // as the deque's limit
  std::uint64_t last_look_ = 0;       // ticks
  std::uint32_t calls_left_ = 0;      // before the next look, of
  std::uint32_t calls_in_a_row_ = 1;  // so many
  bool seemed_long_ = false;
  detail::deque_face<detail::real_atomics> face_;
  // From here on what others look at all the time while they have no task, and the owner hardly
  // writes.
  std::atomic<bool> wanted_{false};
  std::atomic<deque*> deque_{nullptr};
  void* words_ = nullptr;
  alignas(deque) std::byte room_for_deque_[sizeof(deque)];

 public:
  // The key under which the member waited last, in a wait in which it may run tasks; others look.
  std::atomic<const void*> waits_on{nullptr};
  // The node that it runs on, as task_mail numbers them; -1: it is not known yet.
  std::atomic<int> node{-1};
};

}  // namespace kasuri::omp
