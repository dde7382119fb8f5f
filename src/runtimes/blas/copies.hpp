// SPDX-License-Identifier: Apache-2.0
#pragma once

// The copies of OpenBLAS that call back, and the job numbers of each.
//
// A job runs with a number, by which its copy of OpenBLAS finds the work area and the record of a
// thread. OpenBLAS's own threads have the numbers from 0 on, one less than it uses threads, and LU
// factorisation gives work to them past the callback, at any time. So
//   - jobs that are under way in one copy have different numbers, whichever thread called: else two
//     would share a work area;
//   - no job has a number of the copy's own threads: when it ended it would erase the record by
//     which such a thread finds its work, and LU would wait for that thread for ever;
//   - numbers are below MAX_THREADS, with which the copy was built.
// They are taken from the top down. A copy has so many threads as its program says, at any time:
// the highest number ever seen counts.
//
// Numbers are part of a call's turn (loops/turns.hpp): taken and given with the line of calls
// locked, held by calls that wait for nothing. Where the program has raised the number of threads
// above half of MAX_THREADS, what is left above may be too few; such a call has its turn alone,
// takes low numbers too, and the copy gets fewer threads behind it (callback.cpp).

#include <bitset>
#include <cstdint>

#include "runtimes/blas/functions.hpp"
#include "runtimes/loops/turns.hpp"

namespace kasuri::runtimes::blas {

inline constexpr int most_numbers = 1024;

struct copy {
  platform::module_range range;
  functions f;
  int numbers = 0;  // MAX_THREADS
  // With the line of calls locked:
  int own_threads = 0;  // the most that it has used so far
  std::bitset<most_numbers> in_use;

  /// Numbers that its own threads never have, when it uses so many threads.
  int above(int threads) const noexcept { return numbers - (threads - 1); }
};

/// The number behind MAX_THREADS= in the text that tells how a copy was built; 0: there is none.
int numbers_of(const char* config) noexcept;

/// A copy that is to call back from now on. Known ones stay as they are. Never freed.
copy& add_copy(const platform::loaded_object& object, const functions& f) noexcept;

/// The copy whose code that is, in a call of it.
copy& copy_of(run_job run) noexcept;

/// The turn of a call of so many jobs, with a number for each.
class numbered_turn final : public turn {
 public:
  numbered_turn(copy& c, int jobs) noexcept : turn(jobs), copy_(c) {}

  int number_of(int job) const noexcept { return numbers_[job]; }

 private:
  bool take(bool alone) noexcept override;
  void give() noexcept override;

  copy& copy_;
  int taken_ = 0;
  std::uint16_t numbers_[most_numbers];
};

}  // namespace kasuri::runtimes::blas
