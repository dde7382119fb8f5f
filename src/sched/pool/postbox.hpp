// SPDX-License-Identifier: Apache-2.0
#pragma once

// Frames that are sent instead of pushed: the inbox, which all workers serve and which has a box
// for each priority, and the mailboxes of workers and of NUMA nodes. The sender makes a frame
// visible, passes a full fence and wakes who is to take it; anybody may take it in the end.

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>

#include "platform/base/expect.hpp"
#include "sched/arena/arena_state.hpp"
#include "sched/kernel/mailbox.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::sched {

class pool;

class postbox {
 public:
  explicit postbox(pool& of) noexcept : of_(of) {}
  postbox(const postbox&) = delete;
  postbox& operator=(const postbox&) = delete;

  /// A frame that belongs to no worker's deque: from a foreign thread, or because a ring is full.
  void send(detail::frame* f) noexcept;
  /// ... whose time has come: before all others that wait.
  void send_due(detail::frame* f) noexcept;
  /// A frame with a place where it had better run: a worker, or the workers of a node (by the index
  /// in nodes()).
  void post_to_worker(int to, const letter& l) noexcept;
  void post_to_node(int node, const letter& l) noexcept;
  /// The letters of `w`, which leaves, go to the inbox.
  void forward_mail_of(worker& w) noexcept;

  /// The oldest frame of the inbox that belongs to the priority, or null.
  detail::frame* take_from_inbox(priority p) noexcept;
  /// ... of the highest priority that has one, where priorities are in use.
  detail::frame* take_from_inboxes() noexcept;
  /// The oldest frame whose time has come, or null.
  detail::frame* take_due() noexcept;
  bool has_due() const noexcept { return !due_.empty(); }
  /// The frame of a letter that was sent to `w`, or to its node; or null.
  detail::frame* take_letter(worker& w) noexcept;
  /// ... to others that have let it lie.
  detail::frame* take_far_letter(worker& w) noexcept;
  /// ... to anybody, whatever the policy says.
  detail::frame* take_any_letter(worker& w) noexcept;
  /// Takes back a frame that was sent and that nobody has taken; false: somebody has. Looks
  /// everywhere.
  bool take_back(const detail::frame* f) noexcept;
  /// The frame of a letter that `w` has taken and runs next.
  detail::frame* open(worker& w, const letter& l) noexcept;

  // Snapshots: whether something lies in the inbox; in the mailboxes of `who` and its node; in
  // those of others where `who` may open it, or in any where it is null.
  bool has_inbox() const noexcept {
    return has_due() ||
           std::ranges::any_of(inboxes_, [](const mailbox& box) { return !box.empty(); });
  }
  bool has_letter(const worker& who) const noexcept;
  bool has_far_letter(const worker* who) const noexcept;

  /// A mailbox for each of so many nodes.
  void have_boxes_of_nodes(std::size_t nodes);

  /// In the trees that run invariants: what the boxes that belong to no worker say of themselves.
  void check_boxes() const noexcept {
    if constexpr (platform::expectations < platform::expect_level::all) return;
    due_.check();
    for (const mailbox& box : inboxes_) box.check();
    for (const mailbox& box : node_boxes_) box.check();
  }

  /// In the child of a fork: the inbox is empty, since the parent runs its frames, and the locks
  /// are free.
  void leave_mail_in_child() noexcept;

 private:
  void forward(worker& w, const letter& l) noexcept;
  mailbox* box_of_node(const worker& w) noexcept;
  bool has_letter_for(const worker& owner, const worker& who) const noexcept;

  pool& of_;
  mailbox& inbox_of(priority p) noexcept { return inboxes_[static_cast<std::size_t>(p)]; }

  std::array<mailbox, priorities> inboxes_;  // by priority
  mailbox due_;
  std::deque<mailbox> node_boxes_;  // by index in roster::nodes(); only grows
};

}  // namespace kasuri::sched
