// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tasks that had better run on a NUMA node (task_where.hpp): for each node of the machine a list of
// those that members on other nodes have sent there. A task whose where is its creator's own node,
// or the node of the member that releases it, goes to that member's deque as ever: newest first,
// its data in the caches.
//
// Order in which a member looks: its deque, its node's list, deques of members on its node; and
// when it has found nothing there for the time of two tasks (20 us to 5 ms) the lists of other
// nodes. Deques of members on other nodes come last, and until then only tasks without a where are
// taken there. But where tasks come so slowly that many members are idle, most of them elsewhere,
// they would take all: a list that is no longer than its members can begin at once is theirs until
// it has lain untouched as long; in a deque, or before the thief is suspended, until it has been
// idle for twice as long. So nobody is idle for long, and a task goes astray only while its own
// node has more to do than another. Only time in which a member does look counts as idle
// (idle_time.hpp): where threads stand still for milliseconds, the first to go on must not take
// what is the others'.
//
// Nothing is lost. A member that sends a task could run it itself as far as the task scheduling
// constraint goes, since it is a child of its current task or of one that has ended on it; so could
// the owner of one that a thief must not run and gives back. And no member is suspended before it
// has looked into all lists without patience. So each task is found even if nobody were woken. What
// wakes others:
//   a member about to be suspended or to go   `wanted` of its node's list, a fence, a last look; in
//                                             the parking lot it asks again whether something came
//                                             (sent_so_far)
//   a member that sends                       puts, a fence, `wanted`: wakes one of that node. If
//                                             all of them are awake and have more to do than they
//                                             are, one of another node.
// A node without members gets nothing: such tasks are as those without a where. Counts of members
// are hints, which roaming members change at any time.

#include <atomic>
#include <cstdint>
#include <memory>

#include "omp/task/task_list.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp {

struct alignas(64) node_tasks : task_list {
  std::atomic<int> members{0};      // that run on the node, or were last seen there
  std::atomic<bool> wanted{false};  // one of them sleeps, or is about to
  std::atomic<std::uint64_t> touched{
      0};  // when a task was taken, or came into the empty list; ticks

  /// Whether there are more tasks than the members can begin soon.
  bool has_backlog() const noexcept {
    const int here = members.load(std::memory_order_relaxed);
    KASURI_EXPECT(cheap, here >= 0, "%d members", here);
    return size() > 2 * static_cast<std::uint32_t>(here);
  }
};

class task_mail {
 public:
  explicit task_mail(int nodes)
      : nodes_(nodes), lists_(new node_tasks[static_cast<std::size_t>(nodes)]) {}

  node_tasks& at(int node) noexcept {
    KASURI_EXPECT(cheap, node >= 0 && node < nodes_, "node %d of %d", node, nodes_);
    return lists_[static_cast<std::size_t>(node)];
  }

  int nodes() const noexcept { return nodes_; }

  /// Puts a task into the list of that node. A full fence and a look whether to wake somebody must
  /// follow (run/task_send.cpp).
  void put(int node, explicit_task& t) noexcept;

  /// A task from there that may run within `of`.
  explicit_task* take(int node, const task* of) noexcept;
  /// ... from another node; only if its members are late, that is have a backlog or have let the
  /// list lie for so many ticks.
  explicit_task* take_elsewhere(int node, const task* of, std::uint64_t late) noexcept;

  /// Whether any list has a task.
  bool empty() const noexcept;

  /// How many tasks were ever sent; never goes down.
  std::uint64_t sent_so_far() const noexcept;

  /// A member of that node is about to be suspended, or to go. A full fence must follow.
  void want_notice(int node) noexcept {
    // relaxed: before the fences in run_last_task(), ask_for_notice() of omp/run/task_steal.cpp
    at(node).wanted.store(true, std::memory_order_relaxed);
  }

  /// Members on any node may sleep.
  void want_notice_everywhere() noexcept {
    for (int n = 0; n != nodes_; ++n) want_notice(n);
  }

 private:
  const int nodes_;
  const std::unique_ptr<node_tasks[]> lists_;
};

}  // namespace kasuri::omp
