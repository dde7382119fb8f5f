// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/front/strands.hpp"

#include <utility>

#include "cluster/base/process.hpp"
#include "cluster/sched/front/faces.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {

using global::detail::local_frame;

void strands::enter(void (*call)(void*), void* arg) {
  KASURI_EXPECT(cheap, current_ == nullptr, "a run begins inside of a task, on the stack %p",
                static_cast<void*>(current_));
  task_stack base;
  base.context = time_.current();
  base.home = this;
  current_ = &base;
  search_.is_busy(net_.now_ns());
  call(arg);
  KASURI_EXPECT(cheap, current_ == &base && newest_ == nullptr && ready_.empty(),
                "a run ends on another stack, or with %zu tasks that are ready", ready_.size());
  current_ = nullptr;
}

void strands::block(publish p, void* arg) {
  task_stack* const me = current_;
  KASURI_EXPECT(cheap, me != nullptr && me->home == this,
                "a task of another rank blocks here, at %p", static_cast<void*>(me));
  if (!p(arg, me)) return;
  if (task_stack* const ready = next_ready()) {
    if (ready == me) return;
    current_ = ready;
    time_.switch_to(ready->context);
  } else {
    task_stack* t = free_;
    if (t != nullptr) {
      free_ = t->next;
      t->chain = {};
    } else {
      t = &stacks_.emplace_back();
      t->home = this;
    }
    current_ = t;
    t->context = time_.create(&strands::loop, this);
    time_.switch_to(t->context);
  }
}

strands::task_stack* strands::next_ready() {
  if (ready_.empty()) return nullptr;
  task_stack* const t = ready_.front();
  ready_.pop_front();
  return t;
}

/// The first function of a stack. It ends when a task on another one may go on.
void strands::loop(void* self) {
  auto& s = *static_cast<strands*>(self);
  for (;;) {
    s.scheduler_->collect();
    if (!s.ready_.empty()) break;
    if (local_frame* f = s.take_frame()) {
      s.run_frame(f);
      s.search_.is_busy(s.net_.now_ns());
    } else if (travelled* t = s.scheduler_->look(s.search_)) {
      s.scheduler_->run(t);
    } else if (const std::uint64_t ns = s.scheduler_->rest(s.search_)) {
      s.net_.nap(ns);
    }
  }
  s.search_.is_busy(s.net_.now_ns());
  task_stack* const to = s.next_ready();
  s.current_->next = std::exchange(s.free_, s.current_);
  s.current_ = to;
  s.time_.finish_into(to->context);
}

void strands::push(local_frame* f) noexcept {
  f->older = newest_;
  f->newer = nullptr;
  if (newest_ != nullptr) newest_->newer = f;
  newest_ = f;
}

void strands::unlink(local_frame* f) noexcept {
  KASURI_EXPECT(cheap, f->at == local_frame::state::queued && (f->newer != nullptr || f == newest_),
                "a frame in state %u leaves the deque", static_cast<unsigned>(f->at));
  if (f->older != nullptr) f->older->newer = f->newer;
  (f->newer != nullptr ? f->newer->older : newest_) = f->older;
}

bool strands::pop_or_wait(local_frame* f) noexcept {
  if (f->at == local_frame::state::queued) {
    unlink(f);
    return true;
  }
  if (f->at != local_frame::state::done)
    block(
        [](void* frame, void* task) noexcept {
          static_cast<local_frame*>(frame)->waiter = task;
          return true;
        },
        f);
  return false;
}

local_frame* strands::take_frame() noexcept {
  local_frame* const f = newest_;
  if (f == nullptr) return nullptr;
  unlink(f);
  f->at = local_frame::state::running;
  return f;
}

void strands::run_frame(local_frame* f) {
  f->run(f);
  KASURI_EXPECT(cheap, f->at == local_frame::state::running, "a frame has run in state %u",
                static_cast<unsigned>(f->at));
  f->at = local_frame::state::done;
  if (f->waiter != nullptr) make_ready(f->waiter);
}

simulated_rank::simulated_rank(simulation& all, int rank, coherence& memory,
                               const scheduler_options& options)
    : all_(all),
      rank_(rank),
      tasks_(all.time(), all.network(rank)),
      scheduler_(all.network(rank), memory, tasks_, options) {
  tasks_.serve(scheduler_);
  all.process_of(rank).scheduler = &scheduler_;
  begin_simulated_rank(scheduler_);
}

simulated_rank::~simulated_rank() {
  end_simulated_rank();
  all_.process_of(rank_).scheduler = nullptr;
}

}  // namespace kasuri::cluster
