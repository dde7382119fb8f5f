// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <concepts>
#include <cstddef>
#include <utility>

#include "kasuri/detail/loop/alone.hpp"
#include "kasuri/detail/loop/loop_marks.hpp"
#include "kasuri/detail/loop/pace.hpp"
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
// and a range costs about a dozen questions, each a load and a branch.
//
// Offering. A thief that is asleep asks nobody. So a range that is new to its worker first halves
// ceil(log2(workers)) times without being asked: this wakes sleepers as any spawn does, and keeps
// the others busy while the first iteration, perhaps a long one, runs. A far half that comes back
// to the worker that offered it is not new: `learned` holds the chunk that its near half ended
// with, and it goes on from there. `learned` is only a hint, so relaxed order is enough: a half
// that reads 0 starts from one iteration.
//
// Short loops. What is expected to be over within some microseconds (pace.hpp) is begun without any
// of this. A loop of few iterations is not: they may wait for each other.
//
// Results. A piece may have a result of its own, and be divided like the range: what is left of the
// near half goes on in the same piece, the far half in another one, whose result is then added to
// it. So results are added in the order of the iterations.
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

/// A piece with a result. divided() is a piece for a far half, add(far) what follows its end.
template <class Piece>
concept has_result = requires(Piece& near, Piece far) {
  { near.divided() } -> std::same_as<Piece>;
  near.add(std::move(far));
};

/// @tparam Kind  what the pace of the loop is kept by
template <class Piece, cancellation Cancellation = cancellation::obeyed,
          class Division = equal_iterations, class Kind = Piece>
class lazy_loop {
 public:
  // piece(begin, end) runs the iterations [begin, end), each so many of the loop's body.
  explicit lazy_loop(Piece& piece, Division division = {}, std::size_t of_body = 1) noexcept
      : piece_(piece), of_body_(of_body), division_(division) {}

  // Requires done < size: so many have ended already. Pieces run inside of the pool, with a slot,
  // also where nothing is divided.
  void operator()(std::size_t size, std::size_t done = 0) {
    const attachment guest;
    const loop_start start = begin_loop(size - done);
    const marks_end end{start.marks};
    if (start.has_pieces) marks_ = start.marks;
    if (start.marks == nullptr && done == 0) done = begin_alone(size);
    if (done == size) return;
    is_timed_ = start.marks == nullptr && size - done >= many;
    if (is_timed_) size_chunks();
    offer(piece_, done, size, start.offers);
    if (is_timed_ && !must_stop())
      pace<Kind>::learn_of_all(took_.load(std::memory_order_relaxed), (size - done) * of_body_);
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
  // A loop of fewer iterations is always divided.
  static constexpr std::size_t many = 64;

  static int offers_for_all_workers() noexcept {
    return static_cast<int>(std::bit_width(static_cast<unsigned>(num_workers()) - 1u));
  }

  // Where it ended: 0 unless the loop is known for short ones.
  std::size_t begin_alone(std::size_t size) {
    if (size < many || pace<Kind>::expected(size) <= 0) return 0;
    const auto run_piece = [this, size](std::size_t begin, std::size_t end) {
      piece_(begin, end);
      return end == size || !must_stop();
    };
    return alone<Kind>(size, of_body_, 1, alone_ticks(), run_piece);
  }

  // Where the pace is trusted, chunks are neither shorter nor longer than what makes sense: half a
  // microsecond goes by before another worker has its part.
  void size_chunks() noexcept {
    const double iteration = pace<Kind>::expected(of_body_);
    if (iteration <= 0 || !pace<Kind>::is_trusted()) return;
    constexpr double most = 1 << 30;
    const double eighth_us = std::min(static_cast<double>(alone_ticks()) / (32 * iteration), most);
    least_chunk_ = std::max<std::size_t>(static_cast<std::size_t>(eighth_us), 1);
    first_chunk_ = least_part_ = std::max<std::size_t>(static_cast<std::size_t>(4 * eighth_us), 1);
    max_chunk_ = std::max(max_chunk, 2 * first_chunk_);
    lead_ = least_part_;
  }

  // The near half begins at once, the far one when a thief has it. The near half is longer by that
  // much, and a little more: so the thief is back first, and asks before the next loop of a row.
  std::size_t middle(std::size_t begin, std::size_t end) const {
    const std::size_t mid = division_.middle(begin, end);
    return (end - begin) / 8 < lead_ ? mid : mid + lead_ / 2;
  }

  // This worker runs the near half of a range; the first worker that is free runs the far half.
  template <class Near, class Far>
  void fork(Piece& piece, std::size_t begin, std::size_t mid, std::size_t end, Near near, Far far) {
    if constexpr (has_result<Piece>) {
      Piece other = piece.divided();
      division_.fork(begin, mid, end, [&] { near(piece); }, [&] { far(other); });
      piece.add(std::move(other));
    } else {
      division_.fork(begin, mid, end, [&] { near(piece); }, [&] { far(piece); });
    }
  }

  // Returns the chunk that the near part ended with.
  std::size_t offer(Piece& piece, std::size_t begin, std::size_t end, int offers) {
    if (offers == 0 || end - begin == 1) return run(piece, begin, end, first_chunk_);
    const std::size_t mid = middle(begin, end);
    std::atomic<std::size_t> learned{0};
    fork(
        piece, begin, mid, end,
        [this, begin, mid, offers, &learned](Piece& near) {
          learned.store(offer(near, begin, mid, offers - 1), std::memory_order_relaxed);
        },
        [this, mid, end, &learned](Piece& far) {
          take(far, mid, end, learned.load(std::memory_order_relaxed));
        });
    return learned.load(std::memory_order_relaxed);
  }

  void take(Piece& piece, std::size_t begin, std::size_t end, std::size_t learned) {
    if (learned != 0)
      run(piece, begin, end, learned);
    else if (!must_stop())
      offer(piece, begin, end, offers_for_all_workers());
  }

  std::size_t run(Piece& piece, std::size_t begin, std::size_t end, std::size_t chunk) {
    const std::size_t largest = std::clamp((end - begin) / 8, least_chunk_, max_chunk_);
    chunk = std::min(chunk, largest);
    marked_loop* const marks = marks_;
    std::uint64_t began = is_timed_ ? ticks() : 0;
    std::uint64_t told = 0;
    if (marks != nullptr) [[unlikely]]
      told = begin_pieces();
    while (end - begin > chunk) {
      piece(begin, begin + chunk);
      begin += chunk;
      if (marks != nullptr) [[unlikely]]
        told = end_piece(marks, told, begin - chunk, begin);
      if (chunk >= std::min(largest, looked_at_chunk) && must_stop()) return chunk;
      if (work_wanted() && end - begin > least_part_) [[unlikely]] {
        const bool stops = must_stop();
        count_time(began);
        // A thief that asked before it saw the half that was offered last gets that one.
        if (stops || !give_queued()) {
          if (!stops) split(piece, begin, end);
          return chunk;
        }
        began = is_timed_ ? ticks() : 0;
      }
      chunk = std::min(2 * chunk, largest);
    }
    piece(begin, end);
    if (marks != nullptr) [[unlikely]]
      end_piece(marks, told, begin, end);
    count_time(began);
    return chunk;
  }

  // Relaxed: it passes through the joins of all ranges.
  void count_time(std::uint64_t began) noexcept {
    if (is_timed_) took_.fetch_add(ticks() - began, std::memory_order_relaxed);
  }

  // A hungry thief is the sign that larger chunks would end unevenly: the near half starts anew.
  void split(Piece& piece, std::size_t begin, std::size_t end) {
    const std::size_t mid = middle(begin, end);
    fork(
        piece, begin, mid, end,
        [this, begin, mid](Piece& near) { run(near, begin, mid, first_chunk_); },
        [this, mid, end](Piece& far) { take(far, mid, end, 0); });
  }

  static bool must_stop() noexcept {
    if constexpr (Cancellation == cancellation::obeyed)
      return this_task::canceled();
    else
      return false;
  }

  Piece& piece_;
  const std::size_t of_body_;
  marked_loop* marks_ = nullptr;  // null: nobody asks for the pieces
  bool is_timed_ = false;
  std::size_t least_chunk_ = 1;
  std::size_t first_chunk_ = 1;
  std::size_t max_chunk_ = max_chunk;
  std::size_t least_part_ = 1;          // what is left of a range is not divided
  std::size_t lead_ = 0;                // iterations that a near half has before the far one begins
  std::atomic<std::uint64_t> took_{0};  // ticks, of all workers
  [[no_unique_address]] Division division_;
};

// No piece but the last is shorter than the grain; a loop within it is a plain call, inside of the
// pool.
template <cancellation Cancellation = cancellation::obeyed, class Kind = void, class Piece>
void loop(std::size_t size, std::size_t grain, Piece&& piece, std::size_t of_body = 1) {
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
  using kind = std::conditional_t<std::is_void_v<Kind>, Piece, Kind>;
  lazy_loop<decltype(grains), Cancellation, equal_iterations, kind>{
      grains, {}, grain * of_body}(count);
}

// The same for a loop whose piece is one iteration.
template <cancellation Cancellation = cancellation::obeyed, class Kind = void, class Body>
void loop_each(std::size_t size, std::size_t grain, Body&& body, std::size_t of_body = 1) {
  using kind = std::conditional_t<std::is_void_v<Kind>, Body, Kind>;
  loop<Cancellation, kind>(
      size, grain,
      [&body](std::size_t begin, std::size_t end) {
        for (; begin != end; ++begin) body(begin);
      },
      of_body);
}

}  // namespace kasuri::detail
