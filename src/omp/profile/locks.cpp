// SPDX-License-Identifier: Apache-2.0
// critical, atomic, ordered, the lock routines. A lock that nobody had to wait for so far is
// measured at one of 16 acquires: it is taken and given back in the time of two looks at the clock.

#include "omp/profile/locks.hpp"

#include <utility>

#include "omp/profile/consumer.hpp"
#include "omp/profile/own_code.hpp"
#include "profile/base/row_table.hpp"
#include "platform/base/clock.hpp"
#include "profile/thread/thread.hpp"

namespace kasuri::omp::sums {
namespace {

using tool::mutex_kind;

// A program may have a lock for each of its objects; the later ones have no rows.
constexpr std::size_t most_locks = 512;
constexpr std::uint64_t acquires_a_timing = 16;
// The turn of an ordered construct always waits a little, for the look at it.
constexpr double worth_a_wait_us = 1;

constinit profile::row_table<lock_row, 256> locks;

std::uint64_t key_of(const void* mutex) noexcept { return reinterpret_cast<std::uintptr_t>(mutex); }

/// A test, that fails if another has the lock, is of the same lock.
mutex_kind plain(mutex_kind kind) noexcept {
  switch (kind) {
    case mutex_kind::test_lock:
      return mutex_kind::lock;
    case mutex_kind::test_nest_lock:
      return mutex_kind::nest_lock;
    default:
      return kind;
  }
}

const char* name(mutex_kind kind) noexcept {
  switch (kind) {
    case mutex_kind::critical:
      return "critical";
    case mutex_kind::atomic:
      return "atomic";
    case mutex_kind::ordered:
      return "ordered";
    case mutex_kind::nest_lock:
      return "nest_lock";
    default:
      return "lock";
  }
}

profile::site_id site_of(mutex_kind kind, const void* address) noexcept {
  if (address == nullptr) return 0;
  const bool routine = kind == mutex_kind::lock || kind == mutex_kind::nest_lock;
  return profile::site_of(routine ? profile::site_kind::lock : profile::site_kind::critical,
                          address);
}

lock_row* row_of(member_sums& s, const void* mutex) noexcept {
  lock_row* const last = s.acquires;
  if (last != nullptr && last->key == key_of(mutex)) return last;
  return s.acquires = locks.find_or_make(key_of(mutex), most_locks);
}

/// The member has waited: books it to the lock, whose holder it is now.
void book_wait(member& m, member_sums& s, lock_row& r, const void* site) noexcept {
  const std::uint64_t waited = std::exchange(s.waited, 0);
  r.contended.add();
  r.wait.add(waited);
  r.waits.add(site, waited);
  m.current->tool->time.strand.so_far().meet(r.path);
}

}  // namespace

void wait_for_mutex(member& m, mutex_kind kind, const void* mutex) noexcept {
  member_sums* const s = sums_of(m);
  if (s == nullptr) return;
  s->waited = 0;
  row_of(*s, mutex);
  s->is_acquiring = plain(kind) == kind;
  if (kind == mutex_kind::ordered) begin_lock_wait(m);
}

void begin_lock_wait(member& m) noexcept {
  member_sums* const s = sums_of(m);
  if (s == nullptr) return;
  s->waits_since = platform::ticks();
  pause(m, *m.current, s->waits_since);
  // Some locks of the runtime itself have no row.
  if (!s->is_acquiring) s->acquires = nullptr;
  if (s->acquires != nullptr) s->acquires->waiters.fetch_add(1, std::memory_order_relaxed);
}

void end_lock_wait(member& m) noexcept {
  member_sums* const s = sums_of(m);
  if (s == nullptr || s->waits_since == 0) return;
  const std::uint64_t now = platform::ticks();
  if (s->acquires != nullptr) s->acquires->waiters.fetch_sub(1, std::memory_order_relaxed);
  s->waited = now > s->waits_since ? now - s->waits_since : 1;
  s->waits_since = 0;
  s->locks += s->waited;
  go_on(*m.current, now);
}

void got_mutex(member& m, mutex_kind kind, const void* mutex, const void* site) noexcept {
  member_sums* const s = sums_of(m);
  if (s == nullptr) return;
  const bool by_turns = kind == mutex_kind::ordered;
  s->is_acquiring = false;
  if (by_turns) end_lock_wait(m);
  lock_row* const r = row_of(*s, mutex);
  if (r == nullptr) return;
  const bool waited =
      s->waited != 0 && (!by_turns || s->waited >= platform::ticks_of_us(worth_a_wait_us));
  if (waited)
    book_wait(m, *s, *r, in_program(m, site));
  else if (by_turns && m.current->tool != nullptr)
    m.current->tool->time.strand.so_far().meet(r->path);
  r->kind.store(plain(kind), std::memory_order_relaxed);
  r->site = in_program(m, site);
  r->depth = 1;
  r->is_quiet = r->contended.get() == 0;
  const std::uint64_t n = r->count.get();
  r->count.add();
  if (r->is_quiet) r->quiet_count.add();
  const bool timed = !r->is_quiet || n < acquires_a_timing || n % acquires_a_timing == 0;
  r->since = timed ? platform::ticks() : 0;
}

void take_again(member& m, const void* mutex) noexcept {
  member_sums* const s = sums_of(m);
  if (s == nullptr) return;
  if (lock_row* const r = row_of(*s, mutex)) ++r->depth;
}

void give_mutex(member& m, mutex_kind kind, const void* mutex) noexcept {
  member_sums* const s = sums_of(m);
  lock_row* const r = s != nullptr ? row_of(*s, mutex) : nullptr;
  if (r == nullptr || (r->depth != 0 && --r->depth != 0)) return;
  const bool awaited =
      kind == mutex_kind::ordered || r->waiters.load(std::memory_order_relaxed) != 0;
  if (r->since == 0 && !awaited) return;
  const std::uint64_t now = platform::ticks();
  const std::uint64_t held = r->since != 0 && now > r->since ? now - r->since : 0;
  if (r->is_quiet && r->since != 0) {
    r->quiet_timed.add();
    r->quiet_held.add(held);
  } else {
    r->held.add(held);
  }
  if (!awaited) return;
  r->holders.add(r->site, held);
  if (m.current->tool == nullptr) return;
  const bool ran = runs(*m.current);
  pause(m, *m.current, now);
  r->path.meet(m.current->tool->time.strand.so_far());
  if (ran) go_on(*m.current, now);
}

double lock_row::held_seconds() const noexcept {
  const auto timed = static_cast<double>(quiet_timed.get());
  const double all = timed == 0 ? 0 : static_cast<double>(quiet_count.get()) / timed;
  return profile::seconds(held.get()) + all * profile::seconds(quiet_held.get());
}

void write_locks(profile::json& to) {
  to.begin_array();
  locks.each([&to](const lock_row& r) {
    const mutex_kind kind = r.kind.load(std::memory_order_relaxed);
    to.begin_object().key("address").address(reinterpret_cast<const void*>(r.key));
    to.pair("kind", name(kind)).pair("site", static_cast<int>(site_of(kind, r.waits.most())));
    to.pair("holder", static_cast<int>(site_of(kind, r.holders.most())));
    to.pair("count", r.count.get()).pair("contended", r.contended.get());
    to.pair("wait_s", profile::seconds(r.wait.get())).pair("held_s", r.held_seconds());
    to.end_object();
  });
  to.end_array();
}

void begin_locks_anew() noexcept { locks.forget(); }

}  // namespace kasuri::omp::sums
