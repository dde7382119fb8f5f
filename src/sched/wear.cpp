// SPDX-License-Identifier: Apache-2.0
// Identities on workers: see context/identity.hpp.

#include <cerrno>

#include "sched/pool.hpp"

extern "C" kasuri::sched::exception_state* __cxa_get_globals() noexcept;

namespace kasuri::sched {

void put_on(worker& w, context::identity& i) noexcept {
  if (w.wears == nullptr) {
    if (!w.forwent_rseq) [[unlikely]] {
      context::forgo_rseq();
      w.forwent_rseq = true;
    }
    w.own_pointer = context::thread_pointer();
  }
  w.wears = &i;
  w.exceptions = static_cast<exception_state*>(i.exceptions);
  w.error = i.error;
  *static_cast<detail::worker_face**>(i.current_face) = &w.face;
  context::set_thread_pointer(i.pointer);
}

void take_off(worker& w) noexcept {
  w.wears = nullptr;
  context::set_thread_pointer(w.own_pointer);
  w.exceptions = w.own_exceptions;
  w.error = w.own_error;
}

void* face_of_this_thread() noexcept { return &detail::kasuri_current_face; }

}  // namespace kasuri::sched
