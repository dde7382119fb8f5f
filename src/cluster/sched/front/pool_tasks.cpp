// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/front/pool_tasks.hpp"

#include "cluster/transport/transport.hpp"
#include "kasuri/runtime.hpp"
#include "platform/base/race_detector.hpp"
#include "sched/pool/pool.hpp"
#include "sched/run/suspend.hpp"

namespace kasuri::cluster {
namespace {

/// A closure of another rank, as a task of the pool that nobody waits for in this process.
kasuri::detail::suspended* run_travelled(kasuri::detail::frame* f) {
  auto* const t = static_cast<travelled*>(f);
  t->here->run(t);
  return nullptr;
}

constexpr kasuri::detail::frame_type travelled_kind{run_travelled, false, "travelled closure"};

}  // namespace

void pool_tasks::serve(scheduler& s) {
  scheduler_ = &s;
  sched::pool::get().outside_work().open(*this);
}

void pool_tasks::stop() {
  if (scheduler_ != nullptr) sched::pool::get().outside_work().end();
}

void pool_tasks::block(publish p, void* arg) {
  struct both {
    publish call;
    void* arg;
  } b{p, arg};
  sched::suspend(
      record::wait_reason::remote_join,
      [](void* given, kasuri::detail::suspended* s) noexcept {
        const auto& [call, its] = *static_cast<both*>(given);
        return call(its, s);
      },
      &b);
}

void pool_tasks::make_ready(void* task) {
  sched::make_ready(static_cast<kasuri::detail::suspended*>(task));
}

global::detail::fork_chain& pool_tasks::chain() {
  auto* const chain = sched::current()->face.stack->forks;
  return chain != nullptr ? *chain : *global::detail::make_chain();
}

bool pool_tasks::inside() const { return kasuri::detail::self() != nullptr; }

void pool_tasks::enter(void (*call)(void*), void* arg) {
  kasuri::run([&] { call(arg); });
}

void pool_tasks::let_others_run() {
  if (scheduler_ != nullptr && scheduler_->serves()) scheduler_->collect();
  if (inside()) sched::yield();
}

stack_range pool_tasks::stack_of_caller() const {
  if (inside()) {
    const auto* const stack = sched::current()->face.stack;
    if (stack->low != nullptr)
      return {reinterpret_cast<std::uintptr_t>(stack->low),
              reinterpret_cast<std::uintptr_t>(stack->high)};
  }
  const platform::stack_bounds own = platform::own_stack();
  return {reinterpret_cast<std::uintptr_t>(own.low), reinterpret_cast<std::uintptr_t>(own.high)};
}

bool pool_tasks::active() const noexcept { return scheduler_->serves(); }

kasuri::detail::frame* pool_tasks::look() noexcept {
  if (scheduler_->collect()) return nullptr;  // tasks that have become ready go first
  travelled* const t = scheduler_->look(search_);
  if (t == nullptr) return nullptr;
  t->type = &travelled_kind;
  t->in = nullptr;
  return t;
}

bool pool_tasks::glance() noexcept {
  scheduler_->collect();
  return scheduler_->is_called();
}

void pool_tasks::leave() noexcept { search_.is_busy(scheduler_->network().now_ns()); }

std::uint64_t pool_tasks::rest() noexcept { return scheduler_->rest(search_); }

void pool_tasks::nap(std::uint64_t ns) noexcept { scheduler_->network().nap(ns); }

void pool_tasks::interrupt() noexcept {
  transport& net = scheduler_->network();
  net.ring(net.rank());
}

}  // namespace kasuri::cluster
