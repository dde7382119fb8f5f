// SPDX-License-Identifier: Apache-2.0
#include "kasuri/detail/end_of_task.hpp"
#include "kasuri/detail/join.hpp"
#include "kasuri/detail/records.hpp"
#include "task/thread.hpp"

#include <cstdint>
#include <cstring>
#include <new>

#include "platform/base/expect.hpp"
#include "profile/base/active.hpp"
#include "sched/measure/measured.hpp"
#include "sched/pool/pool.hpp"
#include "sched/pool/steal.hpp"
#include "sched/run/child_first.hpp"
#include "sched/run/suspend.hpp"
#include "task/local_values.hpp"

namespace kasuri::task {
namespace {

constexpr int thread_block = sched::block_class(sizeof(thread));
constexpr std::uintptr_t join_detached = detail::join_threw;  // threads end, they do not throw
constexpr std::uintptr_t join_claimed = detail::join_held;    // a joiner runs it

/// A thread with a hint, which follows it in memory.
struct hinted_thread : thread {
  std::size_t hint_bytes;
};

detail::hint_view hint_of(const detail::frame* f) noexcept {
  const auto* t = static_cast<const hinted_thread*>(static_cast<const thread*>(f));
  return {t + 1, t->hint_bytes};
}

extern const detail::frame_type thread_kind;
extern const detail::frame_type measured_kind;  // of one that is made while a profile is recorded
extern const detail::frame_type hinted_kind;

/// One with a hint, or one that is measured.
[[gnu::noinline]] void free_other_thread(thread* t) noexcept {
  if (profile::active()) sched::forget_key(static_cast<detail::scope*>(t));
  if (t->type != &hinted_kind) {
    t->~thread();
    return sched::free_block_of(t, thread_block);
  }
  const std::size_t bytes = sizeof(hinted_thread) + hint_of(t).bytes;
  t->~thread();
  detail::release_record(detail::self(), t, bytes);
}

[[gnu::always_inline]] inline void free_thread(thread* t) noexcept {
  if (t->arena != nullptr) [[unlikely]]
    detail::end_task_in(t->arena);
  KASURI_EXPECT(cheap, t->as_thread == t && t->type->name == thread_kind.name,
                "thread %p of the type %s calls itself %p", static_cast<void*>(t), t->type->name,
                static_cast<void*>(t->as_thread));
  if (t->type != &thread_kind) [[unlikely]]
    return free_other_thread(t);
  t->~thread();
  sched::free_block_of(t, thread_block);
}

// By name: the handler makes GCC leave the call out of line, at an eighth of the time of a thread.
template <bool Measured>
[[gnu::always_inline]] inline void thread_body(detail::frame* f) {
  auto* t = static_cast<thread*>(f);
  detail::scope* const around = detail::current_scope();
  detail::current_scope(t);
  if (Measured && profile::active()) sched::names_code(t, reinterpret_cast<const void*>(t->entry));
  try {
    t->value = t->entry(t->value);
  } catch (...) {
    static_cast<void>(detail::exception_of_task());
    throw;  // nobody catches it: std::terminate
  }
  if (t->locals != nullptr) [[unlikely]]
    end_locals(t->locals);
  detail::current_scope(around);
}

detail::suspended* thread_end(detail::frame* f, bool alone) {
  auto* t = static_cast<thread*>(f);
  if (alone && !t->known) {
    t->join_word().store(detail::join_done, std::memory_order_relaxed);
    return nullptr;
  }
  // acq_rel: pairs with the acquire in is_done and the exchanges of joiner and detacher
  const std::uintptr_t before =
      t->join_word().exchange(detail::join_done, std::memory_order_acq_rel);
  KASURI_EXPECT(cheap, before != detail::join_done && before != join_claimed,
                "thread %p ends, its word is %zu", static_cast<void*>(t),
                static_cast<std::size_t>(before));
  if (before == join_detached) free_thread(t);
  return before > detail::join_last_code ? reinterpret_cast<detail::suspended*>(before) : nullptr;
}

template <bool Measured>
detail::suspended* run_thread(detail::frame* f) {
  thread_body<Measured>(f);
  return thread_end(f, false);
}

constexpr const char* kind_name = "thread";
constexpr detail::frame_type thread_kind{run_thread<false>, false, kind_name, thread_body<false>,
                                         thread_end};
constexpr detail::frame_type measured_kind{run_thread<true>, false, kind_name, thread_body<true>,
                                           thread_end};
constexpr detail::frame_type hinted_kind{run_thread<true>,  false,      kind_name,
                                         thread_body<true>, thread_end, hint_of};

bool is_done(thread* t) noexcept {
  // acquire: pairs with the exchange in run_thread
  return t->join_word().load(std::memory_order_acquire) == detail::join_done;
}

struct waiting_join {
  thread* t;
  bool refused = false;  // somebody else waits already
};

bool publish_joiner(void* arg, detail::suspended* s) noexcept {
  auto* j = static_cast<waiting_join*>(arg);
  s->on = j->t;
  std::uintptr_t seen = detail::join_empty;
  // acq_rel: pairs with the exchange in run_thread
  if (j->t->join_word().compare_exchange_strong(seen, reinterpret_cast<std::uintptr_t>(s),
                                                std::memory_order_acq_rel,
                                                std::memory_order_acquire))
    return true;
  j->refused = seen != detail::join_done;
  return false;
}

/// A thread that was just created and not taken yet runs right here: the caller would wait anyway.
[[gnu::always_inline]] inline bool run_here(thread* t) noexcept {
  sched::worker* w = sched::current();
  if (w == nullptr || t->arena != w->face.arena) return false;
  detail::frame* f = w->queue.pop_private();
  if (f == nullptr) return false;
  // Another joiner may have come before; those that come later must see that there is one.
  std::uintptr_t empty = detail::join_empty;
  // relaxed: the loser only reads the word
  if (f != t ||
      !t->join_word().compare_exchange_strong(empty, join_claimed, std::memory_order_relaxed)) {
    w->queue.unpop();
    return false;
  }
  // Its end tells nobody: the caller frees it.
  if (t->type == &thread_kind) [[likely]]
    thread_body<false>(t);
  else
    t->type->body(t);
  return true;
}

thread* plain_thread() noexcept {
  void* const memory = sched::allocate_block(thread_block);
  if (memory == nullptr) return nullptr;
  auto* t = new (memory) thread;
  t->type = &thread_kind;
  if (profile::active()) [[unlikely]]
    t->type = &measured_kind;
  return t;
}

thread* thread_with(detail::hint_view hint) noexcept {
  if (hint.bytes > PTRDIFF_MAX - sizeof(hinted_thread)) return nullptr;
  void* memory;
  try {
    memory = detail::allocate_record(detail::self(), sizeof(hinted_thread) + hint.bytes);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  auto* t = new (memory) hinted_thread;
  t->type = &hinted_kind;
  t->hint_bytes = hint.bytes;
  std::memcpy(static_cast<void*>(t + 1), hint.at, hint.bytes);
  return t;
}

[[gnu::always_inline]] inline void prepare(thread* t, void* (*entry)(void*),
                                           void* argument) noexcept {
  t->in = t;
  t->join_word().store(detail::join_empty, std::memory_order_relaxed);
  t->as_thread = t;
  if (const detail::scope* const around = detail::begin_lasting_task()) [[unlikely]]
    t->arena = around->arena;
  t->entry = entry;
  t->value = argument;
}

[[gnu::always_inline]] inline void start(thread* t, spawn policy) noexcept {
  // GCC takes what leads to a call of a cold function for cold, unless it is told.
  if (policy == spawn::parent_first || detail::self() == nullptr || !sched::run_child_first(t))
      [[likely]]
    detail::spawn_detached(detail::self(), t);
}

}  // namespace

thread* create_thread(void* (*entry)(void*), void* argument, spawn policy) noexcept {
  thread* const t = plain_thread();
  if (t == nullptr) return nullptr;
  prepare(t, entry, argument);
  start(t, policy);
  return t;
}

thread* create_thread(void* (*entry)(void*), void* argument, const thread_start& how) noexcept {
  thread* const t = how.hint.bytes == 0 ? plain_thread() : thread_with(how.hint);
  if (t == nullptr) return nullptr;
  prepare(t, entry, argument);
  if (how.place == where{} || !detail::send_to(how.place, t)) start(t, how.policy);
  return t;
}

namespace {

/// Somebody else runs it, or will.
[[gnu::noinline]] join_result wait_for_thread(thread* t) noexcept {
  if (t == current_thread()) return join_result::itself;
  if (sched::worker* w = sched::current()) sched::learn_from_join(*w, nullptr, false);
  const bool measured = profile::active();
  if (measured) sched::wait_begins();
  waiting_join j{t};
  const bool waited = sched::try_suspend(record::wait_reason::thread_join, publish_joiner, &j);
  if (waited && !j.refused) {
    KASURI_EXPECT(cheap, is_done(t), "thread %p is joined, its word is %zu", static_cast<void*>(t),
                  static_cast<std::size_t>(t->join_word().load(std::memory_order_relaxed)));
    return join_result::joined;
  }
  if (measured) sched::wait_ended(nullptr);
  return waited ? join_result::joined_by_another : join_result::no_memory;
}

}  // namespace

join_result join_thread(thread* t, void** result) noexcept {
  bool waited = false;
  if (!is_done(t) && !run_here(t)) {
    const join_result how = wait_for_thread(t);
    if (how != join_result::joined) return how;
    waited = true;
  }
  if (result != nullptr) *result = t->value;
  if (t->type != &thread_kind && profile::active()) [[unlikely]] {
    if (!waited) sched::wait_begins();
    sched::wait_ended(static_cast<detail::scope*>(t));
  }
  free_thread(t);
  return join_result::joined;
}

bool detach_thread(thread* t) noexcept {
  std::uintptr_t seen = detail::join_empty;
  // acq_rel: pairs with the exchange in run_thread
  if (t->join_word().compare_exchange_strong(seen, join_detached, std::memory_order_acq_rel,
                                             std::memory_order_acquire))
    return true;
  if (seen != detail::join_done) return false;
  free_thread(t);
  return true;
}

thread* known_current_thread() noexcept {
  thread* t = current_thread();
  if (t != nullptr) t->known = true;
  return t;
}

thread* current_thread() noexcept {
  for (const detail::scope* s = detail::current_scope(); s != nullptr; s = s->parent)
    if (s->as_thread != nullptr) return s->as_thread;
  return nullptr;
}

}  // namespace kasuri::task
