// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "context/identity.hpp"
#include "kasuri/detail/frame.hpp"
#include "platform/base/expect.hpp"
#include "sched/rules/extent.hpp"
#include "sched/worker/identity.hpp"
#include "sched/worker/measured_state.hpp"
#include "sched/worker/range.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::sched {

/// The part of the OS thread's state that belongs to the task that runs, and travels with it.
struct state_of_task {
  exception_state exceptions;
  int error;
  detail::scope* scope;
  void* client;
  extent* range;
  context::identity* identity;
  measured_state measures;

  /// Takes it from the worker: an identity is off, and the client gone.
  explicit state_of_task(worker& w) noexcept
      : exceptions(*w.exceptions),
        error(*w.error),
        scope(w.face.current),
        client(std::exchange(w.client, nullptr)),
        range(w.range),
        identity(w.wears) {
    KASURI_EXPECT(cheap, current() == &w, "the task of worker %d is taken by worker %d", w.index,
                  index_of_caller());
    if (range != nullptr) [[unlikely]]
      wear_range(w, nullptr);
    if (identity != nullptr) [[unlikely]]
      take_off(w);
    if (w.measures != nullptr) [[unlikely]]
      measures = leave_measured(w);
  }

  /// A task with no client, no range and no identity: three loads fewer.
  struct bare {};
  state_of_task(worker& w, bare) noexcept
      : exceptions(*w.exceptions),
        error(*w.error),
        scope(w.face.current),
        client(nullptr),
        range(nullptr),
        identity(nullptr) {
    KASURI_EXPECT(
        cheap, current() == &w && w.client == nullptr && w.range == nullptr && w.wears == nullptr,
        "the task of worker %d has client %p, range %p and identity %p", w.index, w.client,
        static_cast<void*>(w.range), static_cast<void*>(w.wears));
    if (w.measures != nullptr) [[unlikely]]
      measures = leave_measured(w);
  }

  void put_back(worker& w) const noexcept {
    KASURI_EXPECT(cheap, w.client == nullptr && w.range == nullptr && w.wears == nullptr,
                  "worker %d still has client %p, range %p and identity %p of another task",
                  w.index, w.client, static_cast<void*>(w.range), static_cast<void*>(w.wears));
    KASURI_EXPECT(cheap, w.measures == nullptr, "worker %d still measures %p", w.index,
                  static_cast<void*>(w.measures));
    if (identity != nullptr) [[unlikely]]
      put_on(w, *identity);
    else if (w.face.stack->home != nullptr)
      put_on_native(w, *w.face.stack->home);
    *w.exceptions = exceptions;
    *w.error = error;
    w.face.current = scope;
    w.client = client;
    if (range != nullptr) [[unlikely]]
      wear_range(w, range);
    put_back_measured(w);
  }

  /// That alone: where all else is as it was.
  void put_back_measured(worker& w) const noexcept {
    if (measures.code != nullptr) [[unlikely]]
      enter_measured(w, measures);
  }
};

}  // namespace kasuri::sched
