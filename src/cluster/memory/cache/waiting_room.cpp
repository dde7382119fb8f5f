// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/cache/waiting_room.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "kasuri/detail/atomics.hpp"
#include "kasuri/global/error.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"

namespace kasuri::cluster {
namespace {

// After so long it is said once what is waited for, and the checkout goes on to wait.
constexpr std::uint64_t silence_ns = 10'000'000'000;

}  // namespace

/// One that waits, from its making on until it ends.
class waiting_room::waiter {
 public:
  explicit waiter(waiting_room& in) : in_(in), stack_(in.at_.users.stack_of_caller()) {
    const std::scoped_lock hold(in_.waiting_);
    in_.waiters_.push_back(this);
  }
  ~waiter() {
    const std::scoped_lock hold(in_.waiting_);
    leave();
  }
  waiter(const waiter&) = delete;
  waiter& operator=(const waiter&) = delete;

  [[nodiscard]] const stack_range& stack() const noexcept { return stack_; }

  /// The caller has waiting_. From here on the stack may check in what it holds.
  void leave() {
    const auto gone = std::erase(in_.waiters_, this);
    KASURI_EXPECT(cheap, gone <= 1, "a checkout waits %zu times; %zu wait", gone,
                  in_.waiters_.size());
    in_.left_ += gone;
  }

 private:
  waiting_room& in_;
  const stack_range stack_;
};

/// Whether the checkout keeps some of the cache.
bool waiting_room::is_copy(const pinned_range& p) const {
  const region* where = at_.places.find({p.begin, p.end});
  if (where == nullptr || where->kind == region::kind_t::file) return false;
  for (std::uint64_t at = p.begin; at < p.end;) {
    const home_place home = where->home_of(at);
    if (home.rank != at_.network.rank()) return true;
    at += home.run;
  }
  return false;
}

/// The caller has waiting_.
bool waiting_room::all_wait(const waiter& me) const {
  return std::ranges::all_of(at_.users.collect(), [&](const pinned_range& p) {
    const auto holds = [&p](const waiter* each) { return each->stack().has(p.frame); };
    return holds(&me) || std::ranges::any_of(waiters_, holds) || !is_copy(p);
  });
}

/// Sets `left` for leave_if_still().
bool waiting_room::only_waiters_hold(const waiter& me, leavings& left) const {
  const std::scoped_lock hold(waiting_);
  left = left_;
  return all_wait(me);
}

/// True: nobody can make room but who waits for it, nobody has stopped to wait since
/// only_waiters_hold() set `left`, and the caller no longer waits. One at a time, so that of two
/// that hold what the other wants one goes on.
bool waiting_room::leave_if_still(waiter& me, leavings left) {
  const std::scoped_lock hold(waiting_);
  KASURI_EXPECT(cheap, left <= left_, "%llu had left the waiters, and %llu have by now",
                static_cast<unsigned long long>(left), static_cast<unsigned long long>(left_));
  if (left != left_ || !all_wait(me)) return false;
  me.leave();
  return true;
}

/// Twice, and a look at the cache between: as long as nobody leaves the waiters nobody checks in,
/// and who had left them before the first has checked in before the look, or does not count as
/// waiting.
bool waiting_room::gives_up(waiter& me, std::uint64_t bytes) {
  leavings left = 0;
  return only_waiters_hold(me, left) && evicts_.make_room(bytes) == eviction::all_pinned &&
         leave_if_still(me, left);
}

void waiting_room::refuse(const checkout_request& first, const std::string& why) const {
  throw global::error(at_.places.describe(first) + ": " + why);
}

void waiting_room::take(std::uint64_t bytes, const checkout_request& first) {
  KASURI_EXPECT(cheap, at_.range.within(bytes) == 0,
                "room for %llu bytes is wanted, blocks have %llu",
                static_cast<unsigned long long>(bytes),
                static_cast<unsigned long long>(at_.range.block_bytes()));
  if (bytes == 0 || room_.take(bytes)) return;
  if (bytes > room_.limit()) {
    refuse(first, std::to_string(bytes) +
                      " bytes of it are at other ranks, more than the cache holds, " +
                      std::to_string(room_.limit()) +
                      " of KASURI_CACHE_SIZE=" + std::to_string(at_.options.cache_bytes) +
                      "; accepted: a larger KASURI_CACHE_SIZE, or check out less at once");
  }
  wait(bytes, first);
}

void waiting_room::wait(std::uint64_t bytes, const checkout_request& first) {
  const std::uint64_t since = at_.network.now_ns();
  bool told = false;
  std::optional<waiter> waiting;
  for (unsigned n = 0; !room_.take(bytes); ++n) {
    const eviction what = evicts_.make_room(bytes);
    if (what == eviction::some) continue;
    if (under_way_.blocks() != 0) {  // perhaps to nobody who waits
      under_way_.land_all();
      continue;
    }
    if (!waiting) waiting.emplace(*this);
    if (what == eviction::all_pinned && gives_up(*waiting, bytes)) {
      refuse(first,
             "the cache is exhausted, all of it is checked out by tasks that wait for room "
             "themselves; KASURI_CACHE_SIZE=" +
                 std::to_string(at_.options.cache_bytes) +
                 " is too small; accepted: what is checked out at once, or check out less");
    }
    if (!told && at_.network.now_ns() - since > silence_ns) {
      told = true;
      platform::warn(
          "%s waits for room: all of KASURI_CACHE_SIZE=%zu bytes is checked out, also by "
          "tasks that do something else",
          at_.places.describe(first).c_str(), at_.options.cache_bytes);
    }
    at_.users.let_others_run();
    detail::real_atomics::backoff(n);
    at_.network.progress();
  }
}

}  // namespace kasuri::cluster
