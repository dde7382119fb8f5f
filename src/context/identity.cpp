// SPDX-License-Identifier: Apache-2.0
#include "context/identity.hpp"

#include <pthread.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>

#include "platform/base/system_call.hpp"
#include "platform/thread/mutex.hpp"
#include "platform/thread/os_thread.hpp"
#include "platform/thread/park.hpp"

#if defined(__x86_64__)
#include <asm/prctl.h>
#endif

extern "C" {
void* __cxa_get_globals() noexcept;
// glibc 2.35 and later say where they registered; elsewhere there is nothing to give up.
[[gnu::weak]] extern const std::ptrdiff_t __rseq_offset;
[[gnu::weak]] extern const unsigned int __rseq_size;
}

namespace kasuri::context {

/// The OS thread that is parked.
struct donor {
  pthread_t thread{};
  unsigned process = 0;  // in which it was started
  // The donor calls this function before it ends, or null: none. The thread that ends the donor
  // writes both before `over`.
  void (*last)(void*) = nullptr;
  void* last_arg = nullptr;
  std::atomic<std::uint32_t> over{0};  // 1: nobody has its thread-locals any more, and it is to end
};

namespace {

// Donors run the constructors of thread-locals that donate() touches, a last call, and destructors.
// The thread-locals themselves come on top (start_os_thread).
constexpr std::size_t donor_stack = std::size_t{128} << 10;

constinit platform::mutex free_lock;
constinit std::atomic<int> donor_count{0};
constinit unsigned process =
    0;  // how many forks lie behind this one; changed where there is one thread
identity* free_identities = nullptr;  // under free_lock

// From a pthread_t, which in both CPUs' C libraries is the address of what it keeps of a thread; 0:
// unknown.
constinit std::atomic<std::size_t> offset_of_number{0};

/// Looks for the number of the calling thread, which has its own thread-locals. Twice would be once
/// too often.
void find_number() noexcept {
  constexpr std::size_t looked_at = 1024;  // less than the structure has in any version
  if (offset_of_number.load(std::memory_order_relaxed) != 0) return;
  const std::int32_t own = platform::thread_id();
  const auto* const start = reinterpret_cast<const std::byte*>(pthread_self());
  std::size_t found = 0;
  for (std::size_t at = 0; at != looked_at; at += sizeof own) {
    std::int32_t value;
    std::memcpy(&value, start + at, sizeof value);
    if (value != own) continue;
    if (found != 0) return;
    found = at;
  }
  offset_of_number.store(found, std::memory_order_relaxed);
}

struct donation {
  identity* to;
  void* (*face)();
  std::atomic<std::uint32_t> made{0};
};

/// The donor: tells where its thread-locals are and sleeps until it is to end. From the store on
/// they are another thread's: what it calls behind it leaves errno alone, and signals are blocked
/// (start_os_thread).
void* donate(void* arg) noexcept {
  auto& d = *static_cast<donation*>(arg);
  forgo_rseq();
  find_number();
  d.to->pointer = thread_pointer();
  d.to->exceptions = __cxa_get_globals();
  d.to->error = &errno;
  void* const face = d.to->current_face = d.face();
  donor& self = *d.to->from;
  // release: pairs with the acquire in try_make_identity
  d.made.store(1, std::memory_order_release);
  platform::unpark(d.made, 1);
  // acquire: pairs with the release in end_identity; from here on the thread-locals are its own
  // again
  while (self.over.load(std::memory_order_acquire) == 0) platform::park(self.over, 0);
  // What runs now, and the destructors, find no worker in the thread-locals.
  if (face != nullptr) std::memset(face, 0, sizeof(void*));
  if (self.last != nullptr) self.last(self.last_arg);
  return nullptr;
}

#if defined(__x86_64__)
bool kernel_allows_wrfsbase() noexcept { return (getauxval(AT_HWCAP2) & 2) != 0; }
const bool by_instruction = kernel_allows_wrfsbase();
#endif

}  // namespace

int donors() noexcept { return donor_count.load(std::memory_order_relaxed); }
void forget_donors() noexcept {
  ++process;
  donor_count.store(0, std::memory_order_relaxed);
}

void set_thread_pointer(std::uintptr_t pointer) noexcept {
#if defined(__x86_64__)
  if (by_instruction) [[likely]] {
    asm volatile("wrfsbase %0" : : "r"(pointer) : "memory");
  } else {
    platform::system_call(SYS_arch_prctl, ARCH_SET_FS, static_cast<long>(pointer));
  }
#else
  asm volatile("msr tpidr_el0, %0" : : "r"(pointer) : "memory");
#endif
}

identity* try_make_identity(void* (*face)()) noexcept {
  auto* const made = new (std::nothrow) identity;
  if (made == nullptr) return nullptr;
  made->from = new (std::nothrow) donor;
  if (made->from != nullptr) made->from->process = process;
  donation d{made, face};
  if (made->from == nullptr ||
      !platform::start_os_thread(made->from->thread, donate, &d, "kasuri-tls", donor_stack)) {
    delete made->from;
    delete made;
    return nullptr;
  }
  donor_count.fetch_add(1, std::memory_order_relaxed);
  // acquire: pairs with the release in donate
  while (d.made.load(std::memory_order_acquire) == 0) platform::park(d.made, 0);
  return made;
}

identity* try_take_identity(void* (*face)()) noexcept {
  {
    const std::lock_guard hold(free_lock);
    if (identity* const i = free_identities) {
      free_identities = i->next;
      return i;
    }
  }
  return try_make_identity(face);
}

void give_identity(identity* i) noexcept {
  const std::lock_guard hold(free_lock);
  i->next = free_identities;
  free_identities = i;
}

void end_identity(identity* i, void (*last)(void*), void* arg) noexcept {
  donor& d = *i->from;
  if (d.process == process) {
    d.last = last;
    d.last_arg = arg;
    // release: pairs with the acquire in donate
    d.over.store(1, std::memory_order_release);
    platform::unpark(d.over, 1);
    pthread_join(d.thread, nullptr);
    donor_count.fetch_sub(1, std::memory_order_relaxed);
  }
  delete &d;
  delete i;
}

void end_free_identities() noexcept {
  identity* all;
  {
    const std::lock_guard hold(free_lock);
    all = std::exchange(free_identities, nullptr);
  }
  while (all != nullptr) end_identity(std::exchange(all, all->next));
}

bool identity_stock::refill() noexcept {
  const std::lock_guard hold(free_lock);
  for (; count_ != batch && free_identities != nullptr; ++count_) {
    identity* const i = free_identities;
    free_identities = i->next;
    i->next = first_;
    first_ = i;
  }
  return first_ != nullptr;
}

unsigned identity_stock::provide(unsigned n, void* (*face)()) noexcept {
  while (count_ < n) {
    identity* const i = try_take_identity(face);
    if (i == nullptr) return count_;
    i->next = first_;
    first_ = i;
    ++count_;
  }
  return n;
}

void identity_stock::spill_to(unsigned rest) noexcept {
  const std::lock_guard hold(free_lock);
  for (; count_ > rest; --count_) {
    identity* const i = first_;
    first_ = i->next;
    i->next = free_identities;
    free_identities = i;
  }
}

std::int32_t* kernel_number() noexcept {
  const std::size_t offset = offset_of_number.load(std::memory_order_relaxed);
  if (offset == 0) return nullptr;
  return reinterpret_cast<std::int32_t*>(reinterpret_cast<std::byte*>(pthread_self()) + offset);
}

void forgo_rseq() noexcept {
#if defined(__x86_64__) || defined(__aarch64__)
  if (&__rseq_size == nullptr || __rseq_size == 0) return;
  struct area {  // the beginning of the kernel's struct rseq
    std::uint32_t cpu_id_start;
    std::uint32_t cpu_id;
  };
  constexpr std::uint32_t registration_failed = static_cast<std::uint32_t>(-2);
  auto* const mine = reinterpret_cast<volatile area*>(thread_pointer() +
                                                      static_cast<std::uintptr_t>(__rseq_offset));
  if (mine->cpu_id == registration_failed) return;
#if defined(__x86_64__)
  constexpr std::uint32_t signature = 0x53053053;
#else
  constexpr std::uint32_t signature = 0xd428bc00;
#endif
  constexpr int unregister = 1;
  constexpr unsigned int bytes_registered = 32;
  platform::system_call(SYS_rseq, reinterpret_cast<long>(mine), bytes_registered, unregister,
                        signature);
  mine->cpu_id_start = 0;
  mine->cpu_id = registration_failed;
#endif
}

void forget_identities() noexcept { free_identities = nullptr; }
void lock_identities() noexcept { free_lock.lock(); }
void unlock_identities() noexcept { free_lock.unlock(); }

}  // namespace kasuri::context
