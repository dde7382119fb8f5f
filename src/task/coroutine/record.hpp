// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a coroutine stands in the lists of threads that wait: by the record of a suspended thread
// whose frame has code. A waker treats it as any other: make_ready() puts the frame into a ring,
// and a worker runs it, on the stack of its loop, as it runs a task.
//
// The coroutine is suspended before its record is made, so nothing has to be published on another
// stack: it stands in the list at once, under the list's lock. No stack is kept while it waits, so
// a wait takes no memory and cannot be refused.
//
// The record lies in the coroutine's frame. It belongs to the coroutine's thread until it stands in
// the list, to the waker from there to make_ready(), and to the worker that runs it behind that,
// which resumes the coroutine as the last it does with it.

#include <coroutine>
#include <cstdint>
#include <new>
#include <utility>

#include "kasuri/detail/coroutine/waiter.hpp"
#include "record/wait_reason.hpp"
#include "sched/kernel/suspended.hpp"

namespace kasuri::task {

struct coroutine_record : detail::suspended {
  std::coroutine_handle<> coroutine;
  /// Of a wait that may end by its time: false, that was first.
  bool came;
};

/// Goes on with the coroutine of a record.
inline constexpr detail::frame_type ready_coroutine{
    [](detail::frame* f) -> detail::suspended* {
      static_cast<coroutine_record*>(f)->coroutine.resume();
      return nullptr;
    },
    false, "coroutine"};

/// Makes the record of a coroutine that waits, of what `made_of` says beside that.
template <class Record = coroutine_record, class Memory, class... MadeOf>
Record& make_record(Memory& w, std::coroutine_handle<> c, record::wait_reason why,
                    const detail::frame_type& kind = ready_coroutine,
                    MadeOf&&... made_of) noexcept {
  static_assert(sizeof(Record) <= Memory::bytes && alignof(Record) <= alignof(std::uint64_t));
  auto* const r = new (w.memory()) Record(std::forward<MadeOf>(made_of)...);
  r->type = &kind;
  r->in = nullptr;
  r->stack = nullptr;
  r->home = nullptr;
  r->place = -1;
  r->arena = nullptr;
  r->next = nullptr;
  r->reason = why;
  r->on = nullptr;
  r->held_by = nullptr;
  r->timed = nullptr;
  r->foreign = false;
  r->some_timed = false;
  r->coroutine = c;
  r->came = true;
  return *r;
}

}  // namespace kasuri::task
