// SPDX-License-Identifier: Apache-2.0
#include "omp/wait/parking.hpp"

#include <pthread.h>

#include "kasuri/detail/atomics.hpp"
#include "omp/base/spin_lock.hpp"
#include "omp/wait/shared_cores.hpp"
#include "platform/base/clock.hpp"
#include "platform/base/expect.hpp"
#include "sched/run/suspend.hpp"

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

using bucket = sched::parking_bucket<detail::real_atomics, spin_lock, parked>;

constexpr int bits_of_bucket = 8;
constexpr std::size_t buckets = std::size_t{1} << bits_of_bucket;
constinit bucket table[buckets];

bucket& bucket_of(const void* key) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(key);
  return table[(address >> 3) * 0x9e3779b97f4a7c15u >> (64 - bits_of_bucket)];
}

/// On another stack: the thread is in the lot, unless it need not wait.
bool enter_lot(void* arg, sched::suspended* s) noexcept {
  auto& p = *static_cast<parked*>(arg);
  KASURI_EXPECT(cheap, p.thread == nullptr && p.noticed == 0,
                "key %p: thread %p is in the lot already", p.key, static_cast<void*>(p.thread));
  p.thread = s;
  s->on = p.key;
  return bucket_of(p.key).enter(p, [&p] { return p.ready(p.arg); });
}

/// Takes up to `most` out, or only `who`, as a chain of threads in their order.
sched::suspended* take_out(bucket& b, const void* key, unsigned most,
                           const member* who = nullptr) noexcept {
  sched::suspended* chain = nullptr;
  sched::suspended** end = &chain;
  b.take_out(
      most, [&](const parked& p) { return p.key == key && (who == nullptr || p.who == who); },
      [&](parked& p) {
        KASURI_EXPECT(cheap, p.thread != nullptr && p.thread->on == key && p.noticed == 0,
                      "key %p: thread %p was taken out before", key, static_cast<void*>(p.thread));
        p.noticed = platform::ticks();
        *end = p.thread;
        end = &p.thread->next;
        *end = nullptr;
      });
  return chain;
}

void lock_lot() {
  for (bucket& b : table) b.lock();
}

void unlock_lot() {
  for (bucket& b : table) b.unlock();
}

/// In the child of a fork. The records of those who stood on the stack of an OS thread lie on it,
/// and the C library gives it to the next thread; those threads are gone.
void forget_lost_threads() {
  unlock_lot();
  for (bucket& b : table)
    b.take_out(
        ~0u, [](const parked& p) { return p.thread->foreign || p.thread->home != nullptr; },
        [](parked&) {});
}

[[gnu::constructor]] void register_for_fork() {
  pthread_atfork(lock_lot, unlock_lot, forget_lost_threads);
}

bool wake_one(sched::suspended* s) noexcept {
  if (s == nullptr) return false;
  sched::make_ready(s);
  return true;
}

}  // namespace

void park(const void* key, condition ready, const void* arg, record::wait_reason why,
          const member* who) noexcept {
  KASURI_EXPECT(cheap, key != nullptr && ready != nullptr, "a thread parks under %p", key);
  parked p{key, nullptr, nullptr, ready, arg, who};
  sched::suspend(why, enter_lot, &p);
  if (p.noticed != 0) cores_are_shared.lost(p.noticed, platform::ticks());
}

void unpark_all(const void* key) noexcept {
  bucket& b = bucket_of(key);
  if (b.occupied()) sched::make_all_ready(take_out(b, key, ~0u));
}

void unpark_all(const void* key, sched::ordered changed) noexcept {
  bucket& b = bucket_of(key);
  if (b.occupied(changed)) sched::make_all_ready(take_out(b, key, ~0u));
}

bool unpark_one(const void* key) noexcept {
  bucket& b = bucket_of(key);
  return b.occupied() && wake_one(take_out(b, key, 1));
}

bool unpark_one(const void* key, sched::ordered changed) noexcept {
  bucket& b = bucket_of(key);
  return b.occupied(changed) && wake_one(take_out(b, key, 1));
}

bool unpark(const void* key, const member& who) noexcept {
  bucket& b = bucket_of(key);
  return b.occupied() && wake_one(take_out(b, key, 1, &who));
}

}  // namespace kasuri::omp
