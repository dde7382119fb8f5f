// SPDX-License-Identifier: Apache-2.0
// Waiting for room in the cache. A checkout for which there is none, since all of it is checked out, steps
// back so that other tasks run, and tries again: some of them check in. It fails only where nobody can
// check in: where each copy of others' memory that is checked out is held on a stack that itself waits for
// room. No clock decides that. A checkout knows its stack by an address on it (pin.hpp), so a task that
// is suspended elsewhere, for another reason, counts as one that will go on.

#include <algorithm>
#include <optional>
#include <string>

#include "cluster/memory/memory.hpp"
#include "kasuri/global/error.hpp"
#include "platform/fatal.hpp"
#include "platform/race_detector.hpp"

namespace kasuri::cluster {
namespace {

// After so long it is said once what is waited for, and the checkout goes on to wait.
constexpr std::uint64_t silence_ns = 10'000'000'000;

}  // namespace

/// One that waits, from its making on until it ends.
class memory::room_waiter {
 public:
  explicit room_waiter(memory& in) : in_(in), stack_(in.stack_of_caller()) {
    const std::scoped_lock hold(in_.waiting_);
    in_.waiters_.push_back(this);
  }
  ~room_waiter() {
    const std::scoped_lock hold(in_.waiting_);
    leave();
  }
  room_waiter(const room_waiter&) = delete;
  room_waiter& operator=(const room_waiter&) = delete;

  [[nodiscard]] const stack_range& stack() const noexcept { return stack_; }

  /// The caller has waiting_. From here on the stack may check in what it holds.
  void leave() { in_.left_waiting_ += std::erase(in_.waiters_, this); }

 private:
  memory& in_;
  const stack_range stack_;
};

stack_range memory::stack_of_caller() const {
  stack_range found;
  if (host_ != nullptr) {
    found = host_->stack_of_caller();
  } else {
    const platform::stack_bounds own = platform::own_stack();
    found = {reinterpret_cast<std::uintptr_t>(own.low), reinterpret_cast<std::uintptr_t>(own.high)};
  }
  // On a stack that nobody knows, as in a simulation, all tasks of the process wait with the caller.
  return found.has(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0))) ? found
                                                                                 : stack_range{};
}

/// Whether the checkout keeps some of the cache.
bool memory::is_copy(const pinned_range& p) const {
  const region* where = regions_.find(p.begin, p.end);
  if (where == nullptr || where->kind == region::kind_t::file) return false;
  for (std::uint64_t at = p.begin; at < p.end;) {
    const home_place home = where->home_of(at);
    if (home.rank != rank_) return true;
    at += home.run;
  }
  return false;
}

/// The caller has waiting_.
bool memory::all_wait_for_room(const room_waiter& me) const {
  return std::ranges::all_of(pins_.collect(), [&](const pinned_range& p) {
    const auto holds = [&p](const room_waiter* each) { return each->stack().has(p.frame); };
    return holds(&me) || std::ranges::any_of(waiters_, holds) || !is_copy(p);
  });
}

/// Sets `left` for give_up_waiting.
bool memory::only_waiters_hold(const room_waiter& me, std::uint64_t& left) const {
  const std::scoped_lock hold(waiting_);
  left = left_waiting_;
  return all_wait_for_room(me);
}

/// True: nobody can make room but who waits for it, nobody has stopped to wait since only_waiters_hold
/// set `left`, and the caller no longer waits. One at a time, so that of two that hold what the other
/// wants one goes on.
bool memory::give_up_waiting(room_waiter& me, std::uint64_t left) {
  const std::scoped_lock hold(waiting_);
  if (left != left_waiting_ || !all_wait_for_room(me)) return false;
  me.leave();
  return true;
}

/// Counts `bytes` as resident, and evicts until they fit. Who has blocks locked goes on without waiting
/// for the caller, who has none locked, and is waited for.
void memory::reserve(std::uint64_t bytes, const checkout_request& first) {
  if (bytes == 0 || take_room(bytes)) return;
  if (bytes > room()) {
    throw global::error(describe(first) + ": " + std::to_string(bytes) +
                        " bytes of it are at other ranks, more than the cache holds, " +
                        std::to_string(room()) + " of KASURI_CACHE_SIZE=" +
                        std::to_string(options_.cache_bytes) +
                        "; accepted: a larger KASURI_CACHE_SIZE, or check out less at once");
  }
  const std::uint64_t since = network_.now_ns();
  bool told = false;
  std::optional<room_waiter> waiting;
  for (unsigned n = 0; !take_room(bytes); ++n) {
    const eviction what = evict_some(bytes);
    if (what == eviction::some) continue;
    if (under_way_.load(std::memory_order_relaxed) != 0) {  // perhaps to nobody who waits
      land_all();
      continue;
    }
    if (!waiting) waiting.emplace(*this);
    // Twice, and a look at the cache between: as long as nobody leaves the waiters nobody checks in, and
    // who had left them before the first has checked in before the look, or does not count as waiting.
    std::uint64_t left = 0;
    if (what == eviction::all_pinned && only_waiters_hold(*waiting, left) &&
        evict_some(bytes) == eviction::all_pinned && give_up_waiting(*waiting, left)) {
      throw global::error(describe(first) +
                          ": the cache is exhausted, all of it is checked out by tasks that wait for "
                          "room themselves; KASURI_CACHE_SIZE=" + std::to_string(options_.cache_bytes) +
                          " is too small; accepted: what is checked out at once, or check out less");
    }
    if (!told && network_.now_ns() - since > silence_ns) {
      told = true;
      platform::warn("%s waits for room: all of KASURI_CACHE_SIZE=%zu bytes is checked out, also by tasks "
                     "that do something else", describe(first).c_str(), options_.cache_bytes);
    }
    if (host_ != nullptr) host_->let_others_run();
    detail::real_atomics::backoff(n);
    network_.progress();
  }
}

}  // namespace kasuri::cluster
