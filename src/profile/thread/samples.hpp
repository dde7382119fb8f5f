// SPDX-License-Identifier: Apache-2.0
// Where a thread was each time that it had run for a while: program counter and site, with the
// processor time since the sample before. Written in a signal handler, by the thread alone.
#pragma once

#include <array>    // for array
#include <cstddef>  // for size_t
#include <cstdint>  // for uint16_t

#include "profile/base/sites.hpp"
#include "record/counter.hpp"

namespace kasuri::profile {

/// Nanoseconds of processor time.
struct sample {
  std::uintptr_t pc = 0;
  site_id site = 0;
  bool in_pool = false;         // the thread is a worker
  std::uint64_t processor = 0;  // in all
  std::uint64_t alone = 0;      // ... while nothing else of the program ran
  std::uint64_t blamed = 0;     // that other workers were idle meanwhile, shared by those that ran
  std::uint64_t waited = 0;     // ... in which it waited awake
};

class sample_table {
 public:
  static constexpr std::size_t most = 2048;

  /// The owner, also in a signal handler that interrupts nothing else of this table.
  void add(const sample& s) noexcept;

  /// Anyone: calls f(sample) for each program counter and site.
  template <class F>
  void each(F f) const {
    for (const slot& s : slots_)
      if (s.pc.get() != 0)
        f(sample{s.pc.get(), static_cast<site_id>(s.where.get() >> 1), (s.where.get() & 1) != 0,
                 s.processor.get(), s.alone.get(), s.blamed.get(), s.waited.get()});
  }
  /// Processor time of samples that found no room.
  std::uint64_t lost() const noexcept { return lost_.get(); }

 private:
  struct slot {
    record::counter pc, where, processor, alone, blamed, waited;
  };
  std::array<slot, most> slots_;
  record::counter lost_;
};

}  // namespace kasuri::profile
