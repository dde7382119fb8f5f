// SPDX-License-Identifier: Apache-2.0
#include "sched/worker/slot.hpp"

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "kasuri/detail/most_slots.hpp"
#include "platform/base/bounds.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/settings/settings.hpp"
#include "platform/thread/os_thread.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::sched {
namespace {

using detail::most_slots;
static_assert(most_slots == platform::most_workers + platform::most_spares);

constexpr int bits = 64;
constinit std::atomic<std::uint64_t> taken[(most_slots + bits - 1) / bits]{};

/// The lowest that is free, or -1.
int try_take(int count) noexcept {
  KASURI_EXPECT(cheap, count > 0 && count <= most_slots, "%d slots, at most %d", count, most_slots);
  for (int first = 0; first < count; first += bits) {
    std::atomic<std::uint64_t>& word = taken[first / bits];
    std::uint64_t seen = word.load(std::memory_order_relaxed);
    for (;;) {
      const int bit = std::countr_one(seen);
      if (bit == bits || first + bit >= count) break;
      // acquire: pairs with the release in give_slot_back
      if (word.compare_exchange_weak(seen, seen | std::uint64_t{1} << bit,
                                     std::memory_order_acquire, std::memory_order_relaxed))
        return first + bit;
    }
  }
  return -1;
}

constexpr std::uint64_t pause_ns = 200'000;
constexpr int pauses_before_a_word = 10'000;

/// More threads run tasks than there are slots, because some are blocked: one of them gives its
/// back.
int wait_for_slot(int count) noexcept {
  static constinit std::atomic<bool> told{false};
  for (int pauses = 0;; ++pauses) {
    platform::sleep_exactly(pause_ns);
    if (const int slot = try_take(count); slot >= 0) return slot;
    if (pauses == pauses_before_a_word && !told.exchange(true, std::memory_order_relaxed))
      platform::warn(
          "a task waits for a slot: all %d are held, by tasks that block; accepted: a larger "
          "KASURI_MAX_SPARES",
          count);
  }
}

}  // namespace

int most_slots_of_tasks() noexcept {
  const platform::settings& s = platform::current_settings();
  return s.num_workers + s.max_spares;
}

int slot_of(worker& w) noexcept {
  if (w.slot < 0) {
    const int count = most_slots_of_tasks();
    w.slot = try_take(count);
    if (w.slot < 0) [[unlikely]]
      w.slot = wait_for_slot(count);
  }
  KASURI_EXPECT(cheap, current() == &w && w.slot < most_slots, "worker %d has slot %d, asked by %d",
                w.index, w.slot, index_of_caller());
  return w.slot;
}

void give_slot_back(worker& w) noexcept {
  if (w.slot < 0) [[likely]]
    return;
  const auto bit = std::uint64_t{1} << (w.slot % bits);
  // release: pairs with the acquire in try_take: the next holder sees what this one wrote
  const std::uint64_t before = taken[w.slot / bits].fetch_and(~bit, std::memory_order_release);
  KASURI_EXPECT(cheap, (before & bit) != 0, "worker %d gives slot %d back, which is free", w.index,
                w.slot);
  w.slot = -1;
}

void forget_slots(const worker* left) noexcept {
  for (std::atomic<std::uint64_t>& word : taken) word.store(0, std::memory_order_relaxed);
  if (left != nullptr && left->slot >= 0)
    taken[left->slot / bits].store(std::uint64_t{1} << (left->slot % bits),
                                   std::memory_order_relaxed);
}

}  // namespace kasuri::sched
