// SPDX-License-Identifier: Apache-2.0
#pragma once

// How many tasks of a group have not ended, counted without locked instructions where that can be:
// groups of tasks, the children of an OpenMP task, taskgroups, the members of a region.
//
//   here       plain. The owner of the count (the stack that made the group, the executor of the
//              task, the primary of the team) adds what it starts and takes off what ends on it.
//   elsewhere  atomic, and the other way round: all others add ends and take off starts.
//
// All have ended when elsewhere - bias == here. An owner that cannot look any more gives its count
// up: it takes bias + here off elsewhere, and from then on the thread that brings elsewhere to zero
// has seen the last end. Before that elsewhere lies near the bias, so that nobody is misled.
//
// An executor that ends many tasks of one group adds them up first (group_tally), and reports them
// in one step before it does anything else.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace kasuri::detail {

/// A is the atomics. `Apart` is the alignment of the part that others write.
template <class A, std::size_t Apart = alignof(std::int64_t)>
class group_count {
 public:
  // ---- the owner ------------------------------------------------------------------------------

  void start_here(std::int64_t n = 1) noexcept { here_ += n; }
  void end_here(std::int64_t n = 1) noexcept { here_ -= n; }

  /// The tasks that it started less those that ended on it.
  std::int64_t here() const noexcept { return here_; }

  /// Whether all have ended; then it sees what they did.
  bool all_ended() const noexcept {
    // acquire: pairs with the release in end_elsewhere and in what end_elsewhere_by calls
    return elsewhere_.load(std::memory_order_acquire) - bias == here_;
  }

  /// How many are left, at most: some may have ended in the meantime.
  std::int64_t left() const noexcept {
    return here_ - (elsewhere_.load(std::memory_order_relaxed) - bias);
  }

  /// Gives the count up. True: all have ended, and the caller sees what they did.
  bool give_up() noexcept {
    const std::int64_t wanted = bias + here_;
    // acq_rel: pairs with end_elsewhere, whichever of the two comes last
    return elsewhere_.fetch_sub(wanted, std::memory_order_acq_rel) == wanted;
  }

  /// As new. Nobody else uses it.
  void begin_anew() noexcept {
    here_ = 0;
    elsewhere_.store(bias, std::memory_order_relaxed);
  }

  // ---- all others -----------------------------------------------------------------------------

  /// The task that runs here, which is one of the group or waited for by one, keeps it from ending.
  void start_elsewhere(std::int64_t n = 1) noexcept {
    elsewhere_.fetch_sub(n, std::memory_order_relaxed);
  }

  /// n have ended. True: they were the last of a count that its owner has given up, and the caller
  /// sees what the others did. Else the count may be gone.
  bool end_elsewhere(std::int64_t n) noexcept {
    // acq_rel: pairs with itself, with give_up and with the acquire in all_ended
    return elsewhere_.fetch_add(n, std::memory_order_acq_rel) == -n;
  }

  /// The same by Order::add(word, n, before), a change that the caller can show to whom it wakes.
  template <class Order>
  auto end_elsewhere_by(std::int64_t n, bool& last) noexcept {
    std::int64_t before;
    const auto changed = Order::add(elsewhere_, n, before);
    last = before == -n;
    return changed;
  }

 private:
  static constexpr std::int64_t bias = std::int64_t{1} << 48;

  std::int64_t here_ = 0;
  alignas(Apart) typename A::template atomic<std::int64_t> elsewhere_{bias};
};

/// What an executor has counted for one group and not reported to it.
template <class Group, class Count>
struct group_tally {
  Group* of = nullptr;
  Count n = 0;

  /// False, and nothing is counted: another group's has to be reported first.
  bool add(Group* g) noexcept {
    if (of != g) {
      if (of != nullptr) return false;
      of = g;
      n = 0;
    }
    ++n;
    return true;
  }
};

}  // namespace kasuri::detail
