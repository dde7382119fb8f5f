// SPDX-License-Identifier: Apache-2.0
#include "omp/parking.hpp"

#include <atomic>
#include <mutex>

#include "omp/shared_cores.hpp"
#include "omp/spin_lock.hpp"
#include "platform/clock.hpp"
#include "sched/suspended.hpp"

namespace kasuri::omp {
namespace {

struct parked {
  const void* key;
  sched::suspended* thread;
  parked* next;
  condition ready;
  const void* arg;
  const member* who;
  std::uint64_t noticed = 0;  // when it was taken out; 0: it never was in
};

struct alignas(64) bucket {
  spin_lock lock;
  // Those parked, or about to look a last time; raised before that look.
  std::atomic<std::uint32_t> count{0};
  parked* first = nullptr;  // oldest first, under the lock
  parked* last = nullptr;
};

constexpr std::size_t buckets = 256;
constinit bucket table[buckets];

bucket& bucket_of(const void* key) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(key);
  return table[(address >> 3) * 0x9e3779b97f4a7c15u >> 56];
}

/// On another stack: the thread is in the lot, unless it need not wait.
bool enter_lot(void* arg, sched::suspended* s) noexcept {
  auto& p = *static_cast<parked*>(arg);
  bucket& b = bucket_of(p.key);
  const std::lock_guard hold(b.lock);
  // seq_cst: pairs with the full fence of the notifier: it sees the count, or we see its condition
  b.count.fetch_add(1, std::memory_order_seq_cst);
  if (p.ready(p.arg)) {
    b.count.fetch_sub(1, std::memory_order_relaxed);
    return false;
  }
  p.thread = s;
  p.next = nullptr;
  (b.first == nullptr ? b.first : b.last->next) = &p;
  b.last = &p;
  return true;
}

/// Takes up to `most` out, or only `who`, as a chain of threads in their order.
sched::suspended* take_out(const void* key, unsigned most, const member* who = nullptr) noexcept {
  bucket& b = bucket_of(key);
  // Behind the caller's fence: pairs with the increment in enter_lot.
  if (b.count.load(std::memory_order_relaxed) == 0) return nullptr;
  sched::suspended* chain = nullptr;
  sched::suspended** end = &chain;
  const std::lock_guard hold(b.lock);
  parked* before = nullptr;
  for (parked* p = b.first; p != nullptr && most != 0;) {
    parked* const next = p->next;
    if (p->key == key && (who == nullptr || p->who == who)) {
      (before == nullptr ? b.first : before->next) = next;
      if (b.last == p) b.last = before;
      p->noticed = platform::ticks();
      *end = p->thread;
      end = &p->thread->next;
      *end = nullptr;
      b.count.fetch_sub(1, std::memory_order_relaxed);
      --most;
    } else {
      before = p;
    }
    p = next;
  }
  return chain;
}

}  // namespace

void park(const void* key, condition ready, const void* arg, record::wait_reason why,
          const member* who) noexcept {
  parked p{key, nullptr, nullptr, ready, arg, who};
  sched::suspend(why, enter_lot, &p);
  if (p.noticed != 0) cores_are_shared.lost(p.noticed, platform::ticks());
}

void unpark_all(const void* key) noexcept { sched::make_all_ready(take_out(key, ~0u)); }

namespace {

bool wake_one(sched::suspended* s) noexcept {
  if (s == nullptr) return false;
  sched::make_ready(s);
  return true;
}

}  // namespace

bool unpark_one(const void* key) noexcept { return wake_one(take_out(key, 1)); }

bool unpark(const void* key, const member& who) noexcept { return wake_one(take_out(key, 1, &who)); }

}  // namespace kasuri::omp
