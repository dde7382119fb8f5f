// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/checkouts/checkouts.hpp"

#include <string>

#include "kasuri/detail/atomics.hpp"
#include "kasuri/global/error.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/base/race_detector.hpp"

namespace kasuri::cluster {

constinit thread_local checkouts::thread_seat checkouts::this_thread{0, nullptr};

pin& checkouts::claim(const checkout_request& r) {
  thread_pins& first = mine();
  pin* p = nullptr;
  for (thread_pins* node = &first; node != nullptr && p == nullptr; node = node->next_of_thread())
    p = node->free_pin();
  KASURI_EXPECT(cheap, first.owner == std::this_thread::get_id(),
                "a thread claims a pin of another one, for byte %llu of memory %llu",
                static_cast<unsigned long long>(r.offset), static_cast<unsigned long long>(id_));
  if (p == nullptr) p = pins_.extend(first).free_pin();
  KASURI_EXPECT(cheap, p != nullptr && p->offset.load(std::memory_order_relaxed) == 0,
                "no free pin for byte %llu", static_cast<unsigned long long>(r.offset));
  KASURI_EXPECT(cheap, r.offset != 0 && r.bytes != 0 && r.bytes < 1ULL << 61,
                "a pin for bytes %llu + %llu", static_cast<unsigned long long>(r.offset),
                static_cast<unsigned long long>(r.bytes));
  occupy(*p, r.offset, r.bytes, r.mode);
  return *p;
}

stack_range checkouts::stack_of_caller() const {
  stack_range found;
  if (host_ != nullptr) {
    found = host_->stack_of_caller();
  } else {
    const platform::stack_bounds own = platform::own_stack();
    found = {reinterpret_cast<std::uintptr_t>(own.low), reinterpret_cast<std::uintptr_t>(own.high)};
  }
  // On a stack that nobody knows, as in a simulation, all tasks of the process wait with the
  // caller.
  return found.has(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0))) ? found
                                                                                 : stack_range{};
}

/// One that the calling task holds, or null; counts them.
const pin* checkouts::first_of_caller(std::size_t& count) const {
  const pin* first = nullptr;
  count = 0;
  if (this_thread.memory_id != id_) return nullptr;
  std::optional<stack_range> mine;  // found out at the first checkout that lasts
  for (const thread_pins* node = this_thread.pins; node != nullptr; node = node->next_of_thread()) {
    for (const pin& p : node->pins) {
      if (p.offset.load(std::memory_order_relaxed) == 0) continue;
      if (!mine) mine = stack_of_caller();
      if (!mine->has(p.frame.load(std::memory_order_relaxed))) continue;
      if (first == nullptr) first = &p;
      ++count;
    }
  }
  return first;
}

std::size_t checkouts::of_caller() const {
  std::size_t count = 0;
  first_of_caller(count);
  return count;
}

void checkouts::refuse_held() const {
  std::size_t count = 0;
  const pin* p = first_of_caller(count);
  if (p == nullptr)
    platform::fatal("KASURI_CHECK=checkout: a checkout is held over a fork or join");
  const std::uint64_t offset = p->offset.load(std::memory_order_relaxed);
  platform::fatal(
      "KASURI_CHECK=checkout: %s is held over a fork or join, behind which the task may run "
      "elsewhere; accepted: check in before",
      places_.describe({offset, p->bytes(), p->writes() ? access::read_write : access::read})
          .c_str());
}

void checkouts::expect_no_conflict(const checkout_request& r) const {
  detail::real_atomics::fence_full();  // pairs with itself: of two that conflict one sees the other
  std::optional<stack_range> mine;     // most meet no other
  for (const pinned_range& other : pins_.collect()) {
    const bool meet = other.begin < r.offset + r.bytes && r.offset < other.end;
    if (!meet || !(other.writes || r.writes())) continue;
    if (!mine) mine = stack_of_caller();
    if (!mine->has(other.frame)) {
      throw global::error(places_.describe(r) + ": bytes " + std::to_string(other.begin) + " to " +
                          std::to_string(other.end) + " are checked out for " +
                          (other.writes ? "writing" : "reading") +
                          " by another task at the same time; accepted: disjoint ranges, or "
                          "reading by all");
    }
  }
}

const char* checkouts::check() const {
  for (const pinned_range& p : pins_.collect()) {
    if (p.begin >= p.end) return "a checkout that lasts has no bytes";
    if (places_.find({p.begin, p.end}) == nullptr) return "a checkout lasts in no region";
  }
  return nullptr;
}

}  // namespace kasuri::cluster
