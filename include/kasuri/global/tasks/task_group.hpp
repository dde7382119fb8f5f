// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Tasks, as many as a run finds, that run on any rank; one call waits for all of them.

#include "kasuri/detail/needs_cxx20.hpp"

#include <exception>
#include <utility>

#include "kasuri/detail/exceptions.hpp"
#include "kasuri/global/detail/fork.hpp"
#include "kasuri/global/error.hpp"
#include "kasuri/task.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace global {

namespace detail {

/// A task of a group: a fork that the stack of the group made, which ends when the group is waited
/// for. For the workers of the process it is a task of the group's own, or, in a simulated process,
/// a frame.
struct group_member : local_frame {
  spread_face& face;
  group_member* older_member;
  std::exception_ptr error;  // in a simulated process

  group_member(spread_face& f, group_member* before) noexcept : face(f), older_member(before) {}
  group_member(const group_member&) = delete;
  group_member& operator=(const group_member&) = delete;
  virtual ~group_member() = default;

  /// Runs the closure, or waits for the rank that has it.
  virtual void finish() = 0;
};

template <class F>
struct group_member_of final : group_member {
  offer_of<F> o;

  group_member_of(F&& f, spread_face& where, fork_chain* chain, group_member* before)
      : group_member(where, before), o(std::move(f), chain) {
    run = [](local_frame* self) {
      auto& member = *static_cast<group_member_of*>(self);
      KASURI_TRY { member.finish(); }
      KASURI_CATCH_ALL { member.error = std::current_exception(); }
    };
  }
  ~group_member_of() override { make_newest(o); }

  void finish() override {
    fork_chain* const here = chain_here(face);
    if (face.checked && here == o.chain) {
      const runs_given its(*here, o.offered_task());
      o.finish(face);
    } else {
      o.finish(face);
    }
  }
};

}  // namespace detail

/// A set of tasks that may run on any rank and are waited for together: for as many forks as only
/// the run itself knows. parallel_invoke and parallel_for cost less where they fit.
///
/// The task that makes a group adds its tasks and waits for them: inside global::run, on its own
/// stack, so that closures cannot hold the group. Elsewhere the tasks stay in this process. A task
/// of the group may make groups of its own.
///
/// Each task takes some hundred bytes beside its closure until the group is waited for. Tasks
/// travel as the second closure of parallel_invoke does; under KASURI_SCHED=adws none is sent on.
class task_group {
 public:
  task_group() = default;
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;
  /// Waits for tasks not waited for; their exceptions are dropped.
  ~task_group() {
    KASURI_TRY { wait(); }
    KASURI_CATCH_ALL {}
  }

  /// Runs `f` as a task of the group, on this rank or another.
  /// @param f  as for parallel_invoke; its result is dropped
  /// @throw    std::bad_alloc when there is no memory for the task
  /// @par Thread-safety: the task that made the group.
  template <class F>
  void run(F f) {
    detail::check_closure<F>();
    detail::spread_face* face = detail::kasuri_spread_face;
    if (face != nullptr && face->of_this_rank != nullptr) face = face->of_this_rank();
    detail::fork_chain* const chain = face == nullptr ? nullptr : detail::chain_here(*face);
    if (chain == nullptr) {
      here_.run(std::move(f));
      return;
    }
    auto* const member = new detail::group_member_of<F>(std::move(f), *face, chain, newest_);
    newest_ = member;
    const detail::owns_for_now nothing(*chain, 0, 0);
    if (face->wants()) detail::spread(*face, *chain, 1, 1);
    if (face->of_this_rank != nullptr)
      detail::local_push(member);
    else
      here_.run([member] { member->finish(); });
  }

  /// Returns when all tasks of the group have ended. Behind it what they wrote to global memory is
  /// seen. The group is as new then.
  /// @throw  what one of the tasks threw, the first that was heard of: remote_exception where it
  ///         ran in another process. Tasks that had not begun by then do not run.
  /// @par Thread-safety: the task that made the group.
  void wait() {
    std::exception_ptr error;
    if (newest_ != nullptr && newest_->face.of_this_rank != nullptr) {
      error = wait_simulated();
    } else {
      KASURI_TRY { here_.wait(); }
      KASURI_CATCH_ALL { error = std::current_exception(); }
    }
    // What has not begun is taken back, or waited for where a rank has it.
    while (detail::group_member* const member = newest_) {
      newest_ = member->older_member;
      delete member;
    }
    canceled_ = false;
    if (error) std::rethrow_exception(error);
  }

  /// Tasks that have not begun do not run. Those that other ranks have taken run to their end, and
  /// are waited for.
  /// @par Thread-safety: the task that made the group.
  void cancel() noexcept {
    canceled_ = true;
    here_.cancel();
  }

  /// Whether the group was cancelled since the last wait().
  /// @par Thread-safety: the task that made the group.
  [[nodiscard]] bool canceled() const noexcept { return canceled_ || here_.canceled(); }

 private:
  std::exception_ptr wait_simulated() noexcept {
    std::exception_ptr first;
    for (detail::group_member* m = newest_; m != nullptr; m = m->older_member) {
      if (!detail::local_pop_or_wait(m)) {
        if (!first) first = m->error;
      } else if (!first && !canceled_) {
        KASURI_TRY { m->finish(); }
        KASURI_CATCH_ALL { first = std::current_exception(); }
      }
    }
    return first;
  }

  kasuri::task_group here_;  // the tasks, as the workers of this process see them
  detail::group_member* newest_ = nullptr;
  bool canceled_ = false;
};

}  // namespace global
}  // namespace kasuri
