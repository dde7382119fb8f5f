// SPDX-License-Identifier: Apache-2.0
#pragma once

// The task that a coroutine is made by async: a future's record that holds the coroutine. Its run
// begins the coroutine; the coroutine's end, on whichever worker, brings the result.

#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "kasuri/detail/coroutine/promise.hpp"
#include "kasuri/detail/exceptions.hpp"
#include "kasuri/detail/scope.hpp"
#include "kasuri/future.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

template <class T>
struct coro_task final : future_state<T>, coro_root {
  static coro_task* make(coro<T>&& c) {
    static_assert(alignof(coro_task) <= 64,
                  "the results of coroutines may be aligned to 64 bytes at most");
    return new (allocate_record(detail::self(), sizeof(coro_task))) coro_task(std::move(c));
  }

 private:
  explicit coro_task(coro<T>&& c) noexcept
      : future_state<T>(kind, &destroy_task), coro_root{&end_task}, body(std::move(c)) {}

  static suspended* run(frame* f) {
    auto* const self = static_cast<coro_task*>(f);
    scope* const around = current_scope();
    current_scope(nullptr);
    const auto coroutine = self->body.frame_;
    coroutine.promise().root = self;
    coroutine.resume();  // the task may have ended, or go on elsewhere
    current_scope(around);
    return nullptr;
  }

  /// The result of the coroutine becomes the task's. The code.
  std::uintptr_t take_result() noexcept {
    auto& from = body.frame_.promise();
    if (from.threw()) return fail(std::move(from.error()));
    KASURI_TRY {
      new (&this->value) kept<T>(std::move(from.value()));
      return join_done;
    }
    KASURI_CATCH_ALL { return fail(exception_of_task()); }
  }
  std::uintptr_t fail(std::exception_ptr what) noexcept {
    new (&this->error) std::exception_ptr(std::move(what));
    return join_threw;
  }

  static void end_task(coro_root& root) noexcept {
    auto& self = static_cast<coro_task&>(root);
    const std::uintptr_t code = self.take_result();
    self.body = coro<T>();
    let_go(end_result(&self, code));
    self.drop();
  }

  static void destroy_task(future_state<T>* state) noexcept {
    auto* const self = static_cast<coro_task*>(state);
    self->~coro_task();
    release_record(detail::self(), self, sizeof(coro_task));
  }

  coro<T> body;

  static constexpr frame_type kind{&run, false, "coroutine"};
};

}  // namespace detail
}  // namespace kasuri
