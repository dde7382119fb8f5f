// SPDX-License-Identifier: Apache-2.0
#pragma once

// An identity: the thread-locals of an OS thread that is parked (the donor), lent to a
// user-level thread. While a worker wears one, the CPU's thread pointer is the donor's: errno,
// malloc's caches, the C++ exception state, `thread_local` and threadprivate variables are those of
// the identity, and stay its own when it goes on on another worker.
//
// The kernel's idea of the thread is not lent (gettid, signals sent to one thread, CPU time,
// affinity). The C library keeps the kernel's number of a thread beside its thread-locals, so that
// of an identity is the donor's: right as the owner of a recursive or error-checking mutex, which
// goes along to other OS threads; wrong where the kernel is asked. There it is changed for the time
// of the call (number_for_kernel).
//
// The restartable sequences of glibc are registered per kernel thread at an address that
// the C library computes from the thread pointer; a thread that wears identities is therefore
// taken off them (forgo_rseq), as all programs must expect (sched_getcpu then asks the kernel).

#include <cstdint>
#include <vector>

namespace kasuri::context {

struct donor;

struct identity {
  std::uintptr_t pointer = 0;    // the donor's thread pointer
  void* exceptions = nullptr;    // of the C++ runtime, __cxa_get_globals of the donor
  int* error = nullptr;          // the donor's errno
  void* current_face = nullptr;  // address of the donor's kasuri_current_face (sched fills it in)
  identity* next = nullptr;      // in a free list
  // Mutexes of which the kernel takes the OS thread for the owner that ran at that time: the task
  // that wears the identity keeps that OS thread while there are any.
  std::vector<const void*> kernel_locks;
  donor* from = nullptr;  // null: of an OS thread that is not parked
};

/// The calling thread's pointer to its thread-locals.
inline std::uintptr_t thread_pointer() noexcept {
  std::uintptr_t p;
#if defined(__x86_64__)
  asm volatile("movq %%fs:0, %0" : "=r"(p));
#else
  asm volatile("mrs %0, tpidr_el0" : "=r"(p));
#endif
  return p;
}

/// Makes `pointer` the calling thread's. Nothing that the compiler may have derived from the old
/// one may be used afterwards.
void set_thread_pointer(std::uintptr_t pointer) noexcept;

/// A free identity, or one of a new donor. Null when the system gives no thread for one: whatever
/// was to wear it must not start then, for on an OS thread's own thread-locals it would share them.
/// Thread-safe. `face_of_this_thread` runs on a new donor and returns the address for
/// `current_face`.
[[nodiscard]] identity* try_take_identity(void* (*face_of_this_thread)()) noexcept;

/// One of a new donor, whose thread-locals nobody has used; null as above. For end_identity.
[[nodiscard]] identity* try_make_identity(void* (*face_of_this_thread)()) noexcept;

/// Gives it back; its thread-locals keep their values for the next user. Thread-safe.
void give_identity(identity* i) noexcept;

/// Ends its donor instead, and returns when the destructors of its thread-locals have run there.
/// Nobody wears it. `last`: what the donor calls before, with its thread-locals; not in the child
/// of a fork, where it is not.
void end_identity(identity* i, void (*last)(void* arg) = nullptr, void* arg = nullptr) noexcept;

/// The same for all that were given back, so that the next task that takes one has initial values.
/// Thread-safe.
void end_free_identities() noexcept;

/// Donors that sleep in this process; in the child of a fork there are none any more.
int donors() noexcept;
void forget_donors() noexcept;

/// Free identities at hand, of one worker. Members start on one worker and end on another, often in
/// the same direction: what is too many for one goes to those who have none, so that no donors are
/// added.
class identity_stock {
 public:
  /// Null as try_take_identity.
  [[nodiscard]] identity* try_take(void* (*face_of_this_thread)()) noexcept {
    if (first_ == nullptr && !refill()) [[unlikely]]
      return try_take_identity(face_of_this_thread);
    identity* const i = first_;
    first_ = i->next;
    --count_;
    return i;
  }

  /// Gets so many, if the system gives them; how many there are now, at most n. The next calls of
  /// try_take take these.
  [[nodiscard]] unsigned provide(unsigned n, void* (*face_of_this_thread)()) noexcept;

  void put(identity& i) noexcept {
    i.next = first_;
    first_ = &i;
    if (++count_ > most) [[unlikely]]
      spill();
  }

  /// Gives all of them back.
  void clear() noexcept { spill_to(0); }

 private:
  static constexpr unsigned batch = 16;
  static constexpr unsigned most = 2 * batch;

  bool refill() noexcept;
  void spill() noexcept { spill_to(batch); }
  void spill_to(unsigned rest) noexcept;

  identity* first_ = nullptr;
  unsigned count_ = 0;
};

/// Where the C library keeps the kernel's number of the thread whose thread-locals the caller has;
/// null when that was not found out, as before the first identity was made.
std::int32_t* kernel_number() noexcept;

/// While it lives, the C library takes the caller for the OS thread that it runs on, and not for
/// the donor. The caller does not go on on another one meanwhile.
class number_for_kernel {
 public:
  explicit number_for_kernel(std::int32_t os_thread) noexcept
      : at_(kernel_number()), before_(at_ != nullptr ? *at_ : 0) {
    if (at_ != nullptr && before_ != os_thread) *at_ = os_thread;
  }
  ~number_for_kernel() {
    if (at_ != nullptr && *at_ != before_) *at_ = before_;
  }
  number_for_kernel(const number_for_kernel&) = delete;
  number_for_kernel& operator=(const number_for_kernel&) = delete;

 private:
  std::int32_t* at_;
  std::int32_t before_;
};

/// The calling OS thread gives up glibc's restartable sequences. Idempotent.
void forgo_rseq() noexcept;

/// The child of a fork: the donors are gone, and with them all identities.
void forget_identities() noexcept;
/// Around fork().
void lock_identities() noexcept;
void unlock_identities() noexcept;

}  // namespace kasuri::context
