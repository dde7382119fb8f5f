// SPDX-License-Identifier: Apache-2.0
#pragma once

// How long the regions of a team took, by their code: whether their members are worth moving.
//
// A member that another worker takes costs both some cache misses, and a worker that sleeps is
// awake only after some 50 us; until then the primary may long have run all members itself, and
// then it waits for the one that was taken. Regions open by the thousand, mostly the same few, so
// the last one says what the next one is worth. A wrong guess costs little: thieves take frames
// that an owner keeps too long (deque::rescue), and the monitor wakes them.

#include <atomic>
#include <cstdint>

#include "platform/base/clock.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::omp {

using code_address = void (*)();  // region_code::function

/// The place of that code in a table of 2^bits.
inline unsigned index_of(code_address code, unsigned bits) noexcept {
  return static_cast<unsigned>((reinterpret_cast<std::uintptr_t>(code) >> 4) *
                                   std::uint64_t{0x9e3779b97f4a7c15u} >>
                               (64 - bits));
}

/// Codes whose regions take so long that threads which open such use the cores better by turns than
/// all at once: of the whole program, for its threads come and go. Any thread may call anything
/// here.
class long_region_codes {
 public:
  /// False also where nothing is known.
  bool has(code_address code) const noexcept {
    return words_[index_of(code, index_bits)].load(std::memory_order_relaxed) == code;
  }

  void note(code_address code, bool now_long) noexcept {
    // Written when it changes only: many read it.
    if (has(code) != now_long)
      words_[index_of(code, index_bits)].store(now_long ? code : nullptr,
                                               std::memory_order_relaxed);
  }

 private:
  static constexpr unsigned index_bits = 8;

  std::atomic<code_address> words_[1u << index_bits]{};
};

inline constinit long_region_codes long_regions;

class region_estimates {
 public:
  /// The workers to which the members that have not begun are offered. `crowded`: the program has
  /// more threads of its own that open regions than there are cores, and will use these without our
  /// help.
  sched::offer of(code_address code, bool crowded) noexcept {
    entry& e = entry_of(code);
    const std::uint64_t ticks = e.ticks;
    if (crowded && ticks < platform::ticks_of_us(worth_a_crowd_us)) return sched::offer::nobody;
    if (e.code != code) return sched::offer::everybody;
    if (ticks < platform::ticks_of_us(worth_moving_us)) return sched::offer::nobody;
    if (ticks < platform::ticks_of_us(worth_waking_us)) return sched::offer::awake;
    // Regions that were helped may have taken so long because of that.
    if (ticks < platform::ticks_of_us(doubtful_us) && ++e.uses % uses_between_trials == 0)
      return sched::offer::nobody;
    return sched::offer::everybody;
  }

  /// For so many ticks thieves do not help themselves to the members of a region that is offered to
  /// nobody. Each frame that they take costs both sides some microseconds: a system call, an
  /// interrupt.
  static std::uint64_t left_alone() noexcept { return platform::ticks_of_us(2 * worth_moving_us); }

  /// The region took so many ticks of one worker's time.
  void took(code_address code, std::uint64_t ticks) noexcept {
    entry& e = entry_of(code);
    if (e.code != code)
      e = {code, ticks, 0};
    else  // one that was interrupted counts for little
      e.ticks = ticks > e.ticks ? e.ticks + (ticks - e.ticks) / 8 : ticks;
    long_regions.note(code, e.ticks >= platform::ticks_of_us(worth_a_crowd_us));
  }

 private:
  struct entry {
    code_address code = nullptr;
    std::uint64_t ticks = 0;
    std::uint32_t uses = 0;
  };

  static constexpr double worth_moving_us = 50;
  static constexpr double worth_waking_us = 100;
  static constexpr double worth_a_crowd_us = 2000;
  static constexpr double doubtful_us = 4 * worth_waking_us;
  static constexpr std::uint32_t uses_between_trials = 8;
  static constexpr int bits_of_entry = 4;
  static constexpr unsigned entries = 1u << bits_of_entry;

  entry& entry_of(code_address code) noexcept {
    return entries_[(reinterpret_cast<std::uintptr_t>(code) >> 4) * 0x9e3779b97f4a7c15u >>
                    (64 - bits_of_entry)];
  }

  entry entries_[entries];
};

/// Codes of regions that have begun in this process. Any thread may call anything here.
class seen_region_codes {
 public:
  /// True for the first region of that code, but for codes that find their place taken: nothing is
  /// lost by that but a chance to notice new libraries (platform/process/loaded_objects.hpp).
  bool is_new(code_address code) noexcept {
    std::atomic<code_address>& word = words_[index_of(code, index_bits)];
    if (word.load(std::memory_order_relaxed) != nullptr) [[likely]]
      return false;
    word.store(code, std::memory_order_relaxed);
    return true;
  }

 private:
  static constexpr unsigned index_bits = 10;

  std::atomic<code_address> words_[1u << index_bits]{};
};

inline constinit seen_region_codes seen_codes;

/// How long the regions of a team take. Only the primary reads and writes it.
struct region_timing {
  region_estimates estimates;  // of regions with frames
  std::uint64_t began = 0;     // ticks; 0: nobody asks how long the region takes
  bool together = false;  // its members wait for each other in loops: no offer follows from that
  sched::offer offered_before = sched::offer::everybody;  // by the worker where it began
};

}  // namespace kasuri::omp
