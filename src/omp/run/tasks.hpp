// SPDX-License-Identifier: Apache-2.0
#pragma once

// Explicit tasks: how they are created, run and ended, and what waiting members ask of the tasks of
// their team.
//
// A task is a call where it may be: with if(0), in a final task, in a team of one, and when its
// creator has a crowd of tasks queued. Else its record is queued on the creator (task_queue.hpp).
//
// When all tasks of a team have ended. Each member counts the tasks that it queued in tasks_created
// and those that ended on it in tasks_executed, with plain stores: nobody else writes them. A
// task's creation is stored before the end of the task that created it, and the end is stored with
// release. So who reads all tasks_executed first, with acquire, and all tasks_created then, and
// finds the sums equal, knows that none was left at the moment between (tasks_left).

#include "omp/run/new_task.hpp"
#include "omp/run/own_queue.hpp"
#include "omp/run/task_send.hpp"
#include "omp/run/taskgroup.hpp"
#include "omp/run/wait.hpp"
#include "omp/team/team.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/race_detector.hpp"

namespace kasuri::omp {

// ---- for those who wait -------------------------------------------------------------------------

/// Runs deferred tasks of the member's team that it may run: its own newest, else some of another
/// member. True: it ran at least one (to its end, on this stack). May return on another OS thread,
/// with the same member.
bool run_one_task(member& m, may_run what) noexcept;

/// The outcome of a member's last look at the tasks of NUMA nodes before it is suspended in a wait
/// (task_mail.hpp).
enum class last_look {
  ran,        // one of them
  too_early,  // other nodes are left time for theirs: the member is not to be suspended yet
  nothing,    // there was none, and who sends one from now on wakes the member
};
last_look run_last_task(member& m, may_run what) noexcept;

/// Before a member is suspended in a wait in which it may run any task, or goes: a member that
/// queues one from now on calls notify_tasks. True: somebody has tasks already, and may never look
/// at the question; the caller is to try on, letting others go first.
bool ask_for_tasks(member& m) noexcept;

/// The first half of it, also for waits in which the member may run some tasks only: a look for
/// those must follow. False: nobody has queued a task in the region yet.
bool ask_for_notice(member& m) noexcept;

/// Runs those of the member's own tasks that its current task must wait for or may run meanwhile,
/// until ready() or none is left.
template <class Ready>
void run_own_tasks(member& m, const Ready& ready) noexcept;

// ---- for those who create -----------------------------------------------------------------------

/// Whether a task that m creates now must be a call.
inline bool must_be_call(const member& m) noexcept { return m.current->final || m.in->size == 1; }

/// Whether m may queue a task now: it has room, and there are no too many. False: run it at once.
[[gnu::always_inline]] inline bool may_queue(member& m) noexcept {
  return m.tasks.has_room() || (!m.tasks.just_looked() && make_room(m));
}

/// The same for a task that may go to another member's NUMA node.
inline bool may_queue(member& m, explicit_task& t) noexcept {
  return (m.in->mail != nullptr && would_send(m, t)) || may_queue(m);
}

/// The priority that counts of one that a program gives.
int task_priority(int asked) noexcept;

/// Counts a task as left: by its parent, its group, its team. Before anybody else can see it.
[[gnu::always_inline]] inline void count_created(member& m, explicit_task& t) noexcept {
  KASURI_EXPECT(cheap, !t.counted && t.parent == m.current && m.current->executor == &m,
                "member %d at depth %u counts a task at depth %u, counted %d", m.number,
                m.current->depth, t.depth, t.counted);
  t.counted = true;
  t.parent->children.start_here();
  if (t.group != nullptr) [[unlikely]]
    count_created_in(*t.group, m);
  m.tasks_created.store(m.tasks_created.load(std::memory_order_relaxed) + 1,
                        std::memory_order_relaxed);
}

/// The same for a task that is not queued at once: nobody takes the region for one without tasks.
void count_created_apart(member& m, explicit_task& t) noexcept;

/// The first task of a region is to be queued: from now on a member that queues one tells the
/// members that slept before.
void expect_tasks(team& t) noexcept;

/// The rest of queue_task where the task was not pushed, or is the region's first.
void queue_task_slow(member& m, explicit_task& t, bool pushed) noexcept;

/// Queues a counted task whose dependences are met: on m, on its NUMA node, or in the team's list.
[[gnu::always_inline]] inline void queue_task(member& m, explicit_task& t) noexcept {
  KASURI_EXPECT(cheap, t.counted && !t.ended, "a task at depth %u is queued: counted %d, ended %d",
                t.depth, t.counted, t.ended);
  platform::happens_before(&t);
  if (m.in->mail != nullptr && send(m, t)) [[unlikely]]
    return;
  const bool pushed = t.priority == 0 && push_task(m, &t);
  if (pushed && m.in->has_tasks.load(std::memory_order_relaxed)) [[likely]]
    return;
  queue_task_slow(m, t, pushed);
}

/// Queues a counted task on behalf of no member: an event has released it. Any thread.
void release_task(explicit_task& t) noexcept;

/// Runs a task on top of the current one, and ends it.
void run_task(member& m, explicit_task& t) noexcept;

/// For `calls`: a record, and the end of a task that has left something behind.
explicit_task& new_call_record(member& m) noexcept;
void end_call_slow(member& m, explicit_task& t) noexcept;

/// Tasks that are calls, one after the other, from open() to close(): they share a record, which
/// the member keeps for later ones, with some more for calls within calls. A task that leaves
/// something behind keeps the record instead.
class calls {
 public:
  calls(member& m, bool final) noexcept : m_(m), final_(final) {}
  calls(const calls&) = delete;
  calls& operator=(const calls&) = delete;

  template <class Code>
  [[gnu::always_inline]] void run(const Code& code) noexcept {
    if (record_ == nullptr) open();
    if (m_.in->cancelled.load(std::memory_order_relaxed) != 0 || is_cancelled(record_->group))
        [[unlikely]]
      return;
    code();
    KASURI_EXPECT(cheap, m_.current == record_, "member %d comes back from a call as task %p",
                  m_.number, static_cast<void*>(m_.current));
    if (!untouched()) [[unlikely]]
      close();
  }

  void close() noexcept {
    if (record_ == nullptr) return;
    KASURI_EXPECT(cheap, m_.current == record_ && record_->executor == &m_,
                  "member %d ends a call as task %p", m_.number, static_cast<void*>(m_.current));
    m_.current = outer_;
    m_.tasks.leave(mark_);
    if (untouched() && m_.tasks.spares != task_queue::most_spares) [[likely]] {
      record_->set_next(static_cast<explicit_task*>(m_.tasks.spare));
      m_.tasks.spare = record_;
      ++m_.tasks.spares;
      KASURI_EXPECT(cheap, m_.tasks.spares <= task_queue::most_spares, "%d spare records",
                    m_.tasks.spares);
    } else {
      end_call_slow(m_, *record_);
    }
    record_ = nullptr;
  }

 private:
  [[gnu::always_inline]] void open() noexcept {
    outer_ = m_.current;
    record_ = static_cast<explicit_task*>(m_.tasks.spare);
    KASURI_EXPECT(cheap, (record_ != nullptr) == (m_.tasks.spares != 0),
                  "%d spare records, the first %p", m_.tasks.spares, static_cast<void*>(record_));
    if (record_ == nullptr || outer_->own_values != nullptr) [[unlikely]] {
      record_ = &new_call_record(m_);
    } else {
      KASURI_EXPECT(cheap, untouched() && !record_->ended && !record_->counted,
                    "a spare record of member %d has %ld children, ended %d, counted %d", m_.number,
                    record_->children.here(), record_->ended, record_->counted);
      m_.tasks.spare = record_->next();
      --m_.tasks.spares;
      record_->parent = outer_;
      record_->group = outer_->group;
      record_->depth = outer_->depth + 1;
      record_->values = outer_->values;
    }
    record_->final = final_ || outer_->final;
    mark_ = m_.tasks.enter();
    m_.current = record_;
  }

  /// Whether the record is as a new one. Calls in the task may have left children, which hold it.
  bool untouched() const noexcept {
    // acquire: pairs with the release of a hold in free_with_ancestors
    return record_->children.here() == 0 && record_->holds.load(std::memory_order_acquire) == 1 &&
           record_->dependences == nullptr && record_->own_values == nullptr;
  }

  member& m_;
  const bool final_;
  explicit_task* record_ = nullptr;
  task* outer_ = nullptr;
  task_queue::slot* mark_ = nullptr;
};

/// The two halves of run_task around code that the compiled program calls itself.
struct interrupted {
  task* outer;
  task_queue::slot* mark;
};
interrupted begin_task(member& m, explicit_task& t) noexcept;
/// Between the two, behind the code of an untied task: the parts that are left.
void run_next_parts(const member& m, explicit_task& t) noexcept;
void end_task(member& m, explicit_task& t, const interrupted& outer) noexcept;

/// omp_fulfill_event: on any thread, in any team or none.
void fulfill_event(explicit_task& t) noexcept;

/// Waits for the children of m's current task.
void wait_for_children(member& m) noexcept;

/// Lets other tasks run.
void yield_task(member& m) noexcept;

/// The code of m's implicit task has run.
void end_implicit_task(member& m) noexcept;

/// Pays the member's debts (task_queue.hpp), all that its current task does not need to keep.
void settle_slow(member& m) noexcept;
inline void settle(member& m) noexcept {
  if (m.tasks.ended.of != nullptr || m.tasks.group != nullptr) settle_slow(m);
}

template <class Ready>
void run_own_tasks(member& m, const Ready& ready) noexcept {
  m.tasks.publishes_from = 0;
  while (!ready()) {
    detail::frame* const f = pop_task(m, true);
    if (f == nullptr) break;
    run_task(m, static_cast<explicit_task&>(*f));
  }
  settle(m);
}

}  // namespace kasuri::omp
