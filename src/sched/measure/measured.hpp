// SPDX-License-Identifier: Apache-2.0
#pragma once

// Work, span and forks of what runs, where a profile is recorded.
//
// What is measured is code on its way: a task, a second side of a fork, what a thread that called
// in runs itself. It has a path (profile/strand.hpp) and a chain of the tree of forks, and travels
// with the task from worker to worker.
//
// The inlined code of a fork leaves no trace where nobody steals. So a worker that records has the
// limit of its deque at the first slot: each push comes to push_slow, which puts a fork_node in the
// slot in place of the second side's frame. The inlined pop does not find the frame then and comes
// to take_back_or_wait: the first side has ended. If the node is still there, the second side runs
// there as a thief would run it; else the thief found the node, and runs the second side as that.
// Either way finish() is called at its end, which puts path and chain into the node.
//
// Depth. A side that is expected to be short is a leaf: the limit is lifted while it runs, and only
// its time is known. Now and then one is measured throughout nevertheless; such samples say what
// span and how many forks a leaf of that size has. What to expect: the side beside it, by the
// share that first sides have at that site; the fork before it in the same code; tasks of a site by
// their mean. Where even so too many are short, what counts as short grows.

#include <atomic>
#include <cstdint>

#include "kasuri/detail/frame.hpp"
#include "kasuri/detail/self.hpp"
#include "profile/base/active.hpp"
#include "profile/base/sites.hpp"
#include "profile/thread/strand.hpp"
#include "sched/measure/fork_tree.hpp"
#include "sched/measure/site_sums.hpp"

namespace kasuri::profile {
class outer_strand;
}

namespace kasuri::sched {

struct fork_node;
struct worker;

/// The one side of a fork, or the code around it.
struct measured_side {
  profile::site_id where = 0;
  profile::site_id last_site = 0;          // of the fork before it in the same code
  std::uint64_t last_work = 0;             // ... and its work
  std::uint64_t expected = unknown_work;   // of it
  const detail::frame* skipped = nullptr;  // the latest fork that was left in the code
  bool descends = false;                   // it is no leaf: a sample is wanted of a side in it
  bool begins_sample = false;
  bool sampled = false;     // it is in a sample
  std::uint64_t least = 0;  // ... and the work below which sides are its leaves
  double fork_ticks = 0;  // a fork takes so long, and short code between forks nothing; 0: as timed
};

/// A side that is taken apart to see what leaves of its size are made of. It then counts as a leaf
/// that took what was expected of it: most of its time is the recorder's.
struct open_sample {
  std::uint64_t began = 0;  // when; 0: there is none
  profile::path before;
};

struct measured {
  struct as_leaf {};
  measured() noexcept = default;
  constexpr explicit measured(as_leaf) noexcept : leaf(true) {}

  measured* around = nullptr;              // the code on top of which it runs, on the same stack
  const detail::frame* task = nullptr;     // what it runs
  const void* key = nullptr;               // who waits for it: see scope_table
  bool knows_creator = false;              // its path goes on from its creator's
  fork_node* result = nullptr;             // where its end is told, if it is a second side
  profile::outer_strand* outer = nullptr;  // which it goes on from, if it called in
  fork_node* open = nullptr;               // the innermost fork that it has not joined
  profile::path path;
  fork_chain chain;
  measured_side side;
  open_sample sample;
  profile::site_id pushed_site = 0;  // of the latest task that it created, as far as was looked
  std::uint64_t since = 0;
  std::uint64_t leaf_ticks = 0;
  bool runs = false;
  bool around_ran = false;
  bool leaf = false;

  void go_on(std::uint64_t now) noexcept;
  void pause(std::uint64_t now) noexcept;

  /// The code around it, if there is any, rests while it runs.
  void interrupt(measured* what, std::uint64_t now) noexcept {
    around = what;
    if (what == nullptr) return;
    around_ran = what->runs;
    what->pause(now);
  }
};

/// Lies in the deque in place of the frame of a second side.
struct fork_node : detail::frame {
  fork_node() noexcept {
  }  // NOLINT(modernize-use-equals-default): a frame's members stay as they are
  detail::frame* second = nullptr;
  fork_node* outer = nullptr;
  profile::site_id site = 0;
  profile::path path;    // up to the fork
  fork_chain before;     // of the code around it
  measured_side around;  // what that was about
  std::uint64_t first_work = 0;
  std::uint64_t expected_second = unknown_work;  // by a thief
  profile::path end;                             // of the second side
  fork_chain second_chain;
  std::atomic<bool> ready{false};

  /// The publisher of a frame prepares the word of its join, and who publishes the node knows that
  /// of the node alone. The owner does it for the second side once the node stands in the slot: a
  /// thief may have run that frame before.
  void open_join() noexcept {
    second->join_word().store(detail::join_empty, std::memory_order_relaxed);
    // release: pairs with the acquire in await_join
    ready.store(true, std::memory_order_release);
  }
  /// Whoever has taken the node. The owner is a few instructions away from it.
  void await_join() const noexcept {
    // acquire: pairs with the release in open_join
    for (unsigned i = 0; !ready.load(std::memory_order_acquire); ++i)
      detail::real_atomics::backoff(i);
  }
};

/// Lies in the deque in place of a task.
struct task_node : detail::frame {
  task_node() noexcept {
  }  // NOLINT(modernize-use-equals-default): a frame's members stay as they are
  detail::frame* task = nullptr;
  profile::path path;  // of its creator
  std::atomic<bool> ready{false};
};

// ---- a worker that records ---------------------------------------------------------------------

class fork_recorder;
/// Null where no profile is recorded.
fork_recorder* new_fork_recorder() noexcept;

/// What `w`, which has a recorder, measures now goes on: its pushes are recorded from here on,
/// unless it is a leaf, and samples are booked to it.
void goes_on(worker& w) noexcept;

// ---- forks; the caller's worker has a recorder -------------------------------------------------

/// The second side `f` was pushed into slot `at`.
void fork_pushed(worker& w, detail::worker_slot* at, detail::frame* f) noexcept;
/// The fork of `f` if it is measured and not joined; else null.
fork_node* open_fork(const worker& w, const detail::frame* f) noexcept;
/// The first side has ended.
void end_first_side(worker& w, fork_node& n) noexcept;
/// Runs the second side, which the caller has taken back.
void run_second_side(worker& w, fork_node& n) noexcept;
/// Both have ended, or the second is dropped. The node is gone.
void close_fork(worker& w, fork_node& n) noexcept;

// ---- tasks -------------------------------------------------------------------------------------

/// Runs the frame as its type's run does.
detail::suspended* run_measured(worker& w, detail::frame* f) noexcept;
/// Runs the first part of it.
void run_body_measured(worker& w, detail::frame* f) noexcept;
/// `f` is about to end: before its parent may go on.
void frame_ends(worker& w, const detail::frame* f) noexcept;
/// The code of the user-level thread `f`, which begins, is at `entry`.
void names_code(const detail::frame* f, const void* entry) noexcept;

// ---- what is waited for by a key: a group, a thread, a frame that was sent ----------------------
// Also outside of workers.

/// A task that whoever has the key waits for is about to be sent, or to begin here.
void task_created(const void* key) noexcept;
/// A task was pushed into slot `at`. It may have been taken, have run and be gone.
void task_pushed(worker& w, detail::worker_slot* at, detail::frame* f) noexcept;
/// The caller is about to wait for it.
void wait_begins() noexcept;
/// All tasks of the key have ended, and the caller goes on.
void wait_ended(const void* key) noexcept;
/// A wait of the caller, where a profile is recorded: it ends with the object's life, also by an
/// exception. The caller goes on then as behind a wait for nothing, unless it has said what ended.
class measured_wait {
 public:
  measured_wait() noexcept : measured_(profile::active()) {
    if (measured_) [[unlikely]]
      wait_begins();
  }
  ~measured_wait() {
    if (measured_) [[unlikely]]
      wait_ended(key_);
  }
  measured_wait(const measured_wait&) = delete;
  measured_wait& operator=(const measured_wait&) = delete;

  /// All tasks of the key have ended.
  void is_over(const void* key) noexcept { key_ = key; }

 private:
  const void* key_ = nullptr;
  const bool measured_;
};

/// Nobody waits.
void forget_key(const void* key) noexcept;

// ---- threads that call in -----------------------------------------------------------------------

/// The caller's own code is not measured any more.
void end_own_code(worker& w) noexcept;

}  // namespace kasuri::sched
