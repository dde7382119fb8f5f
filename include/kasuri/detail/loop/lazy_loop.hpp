// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>

#include "kasuri/detail/loop/loop_marks.hpp"
#include "kasuri/invoke.hpp"
#include "kasuri/range.hpp"
#include "kasuri/runtime.hpp"
#include "kasuri/task.hpp"

// Lazy splitting, the engine of every loop.
//
// A worker runs its range [begin, end) in chunks and asks after each whether a thief wants work.
// Only then does it give the far half of what is left away, as the second closure of a
// parallel_invoke; each half goes on in the same manner. (Tzannes, Caragea, Barua, Vishkin: "Lazy
// Binary-Splitting", PPoPP 2010; here the thief's request takes the place of the empty deque.)
//
// Chunks. The first is one iteration, each following one twice the last, until one eighth of the
// range that this call started with, or max_chunk. So, however long one iteration takes, a thief
// waits no longer than this range has already been worked on undisturbed, nor than an eighth of it;
// and a range costs about a dozen questions, each a load and a branch. No clock is read.
//
// Offering. A thief that is asleep asks nobody. So a range that is new to its worker first halves
// ceil(log2(workers)) times without being asked: this wakes sleepers as any spawn does, and keeps
// the others busy while the first iteration, perhaps a long one, runs. A far half that comes back
// to the worker that offered it is not new: `learned` holds the chunk that its near half ended
// with, and it goes on from there. `learned` is only a hint, so relaxed order is enough: a half
// that reads 0 starts from one iteration.
//
// A grain above 1 makes each that many iterations one: all borders then are multiples of it.
//
// A profile needs marks: a range that one worker runs alone is one piece of code for it, and could
// be divided all the same. Where one is recorded, begin and end of the loop are told, and of some
// loops each chunk; else the one question at the loop's start says that there is none.
//
// Cancellation is looked at between chunks only when these are large or have stopped growing, so
// that short loops do not pay for it; and before a range is divided or begins on another worker,
// since tasks whose iterations wait divide it again and again. Loops that must not be left half
// done (sort, scan) do not look at all.

namespace kasuri::detail {

enum class cancellation { ignored, obeyed };

// Where a range is divided. The far half is the smaller one: the near half has a worker already.
struct equal_iterations {
  std::size_t middle(std::size_t begin, std::size_t end) const noexcept {
    return end - (end - begin) / 2;
  }
  template <class Near, class Far>
  void fork(std::size_t, std::size_t, std::size_t, Near&& near, Far&& far) const {
    parallel_invoke(std::forward<Near>(near), std::forward<Far>(far));
  }
};

// By the program's own account of the work (kasuri::work_by).
template <class Work>
struct equal_work {
  const Work& work;

  // The first border with half of the work before it; at least one iteration on each side.
  std::size_t middle(std::size_t begin, std::size_t end) const {
    const double half = work(begin, end) / 2;
    std::size_t low = begin + 1, high = end - 1;
    while (low < high) {
      const std::size_t mid = low + (high - low) / 2;
      if (work(begin, mid) < half)
        low = mid + 1;
      else
        high = mid;
    }
    return low;
  }
  template <class Near, class Far>
  void fork(std::size_t begin, std::size_t mid, std::size_t end, Near&& near, Far&& far) const {
    parallel_invoke(share(work(begin, mid), std::forward<Near>(near)),
                    share(work(mid, end), std::forward<Far>(far)));
  }
};

template <class Piece, cancellation Cancellation = cancellation::obeyed,
          class Division = equal_iterations>
class lazy_loop {
 public:
  // piece(begin, end) runs the iterations [begin, end).
  explicit lazy_loop(Piece& piece, Division division = {}) noexcept
      : piece_(piece), division_(division) {}

  // Requires size != 0. Pieces run inside of the pool, with a slot, also where nothing is divided.
  void operator()(std::size_t size) {
    const attachment guest;
    const loop_start start = begin_loop(size);
    const marks_end end{start.marks};
    if (start.has_pieces) marks_ = start.marks;
    offer(0, size, start.offers);
  }

 private:
  struct marks_end {
    marked_loop* const marks;
    ~marks_end() {
      if (marks != nullptr) [[unlikely]]
        end_loop(marks);
    }
  };

  // More iterations at once than this would delay a thief without saving anything.
  static constexpr std::size_t max_chunk = 2048;
  // From this chunk on a look at the cancellation is not felt.
  static constexpr std::size_t looked_at_chunk = 64;

  static int offers_for_all_workers() noexcept {
    return static_cast<int>(std::bit_width(static_cast<unsigned>(num_workers()) - 1u));
  }

  // Returns the chunk that the near part ended with.
  std::size_t offer(std::size_t begin, std::size_t end, int offers) {
    if (offers == 0 || end - begin == 1) return run(begin, end, 1);
    const std::size_t mid = division_.middle(begin, end);
    std::atomic<std::size_t> learned{0};
    division_.fork(
        begin, mid, end,
        [this, begin, mid, offers, &learned] {
          learned.store(offer(begin, mid, offers - 1), std::memory_order_relaxed);
        },
        [this, mid, end, &learned] { take(mid, end, learned.load(std::memory_order_relaxed)); });
    return learned.load(std::memory_order_relaxed);
  }

  void take(std::size_t begin, std::size_t end, std::size_t learned) {
    if (learned != 0)
      run(begin, end, learned);
    else if (!must_stop())
      offer(begin, end, offers_for_all_workers());
  }

  std::size_t run(std::size_t begin, std::size_t end, std::size_t chunk) {
    const std::size_t largest = std::clamp<std::size_t>((end - begin) / 8, 1, max_chunk);
    chunk = std::min(chunk, largest);
    marked_loop* const marks = marks_;
    std::uint64_t told = 0;
    if (marks != nullptr) [[unlikely]]
      told = begin_pieces();
    while (end - begin > chunk) {
      piece_(begin, begin + chunk);
      begin += chunk;
      if (marks != nullptr) [[unlikely]]
        told = end_piece(marks, told, begin - chunk, begin);
      if (chunk >= std::min(largest, looked_at_chunk) && must_stop()) return chunk;
      if (work_wanted() && end - begin > 1) [[unlikely]] {
        if (!must_stop()) split(begin, end);
        return chunk;
      }
      chunk = std::min(2 * chunk, largest);
    }
    piece_(begin, end);
    if (marks != nullptr) [[unlikely]]
      end_piece(marks, told, begin, end);
    return chunk;
  }

  // A hungry thief is the sign that larger chunks would end unevenly: the near half starts anew.
  void split(std::size_t begin, std::size_t end) {
    const std::size_t mid = division_.middle(begin, end);
    division_.fork(
        begin, mid, end, [this, begin, mid] { run(begin, mid, 1); },
        [this, mid, end] { take(mid, end, 0); });
  }

  static bool must_stop() noexcept {
    if constexpr (Cancellation == cancellation::obeyed)
      return this_task::canceled();
    else
      return false;
  }

  Piece& piece_;
  marked_loop* marks_ = nullptr;  // null: nobody asks for the pieces
  [[no_unique_address]] Division division_;
};

// No piece but the last is shorter than the grain; a loop within it is a plain call, inside of the
// pool.
template <cancellation Cancellation = cancellation::obeyed, class Piece>
void loop(std::size_t size, std::size_t grain, Piece&& piece) {
  grain = std::max<std::size_t>(grain, 1);
  if (size <= grain) {
    if (size == 0) return;
    const attachment guest;
    piece(std::size_t{0}, size);
    return;
  }
  const std::size_t count = divide_up(size, grain);
  const auto grains = [&piece, size, grain, count](std::size_t begin, std::size_t end) {
    piece(begin * grain, end == count ? size : end * grain);
  };
  lazy_loop<decltype(grains), Cancellation>{grains}(count);
}

// The same for a loop whose piece is one iteration.
template <cancellation Cancellation = cancellation::obeyed, class Body>
void loop_each(std::size_t size, std::size_t grain, Body&& body) {
  loop<Cancellation>(size, grain, [&body](std::size_t begin, std::size_t end) {
    for (; begin != end; ++begin) body(begin);
  });
}

}  // namespace kasuri::detail
