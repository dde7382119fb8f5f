// SPDX-License-Identifier: Apache-2.0
#pragma once

// Worksharing constructs: what the members of a team share in one, and how they meet in it.
//
// All members meet the constructs of a region in the same order, so that a construct has a number,
// its ticket, which each member counts by itself; tickets go on from region to region. The shared
// state of the construct with ticket k is the one at place k % places of a ring. The first member
// that gets there sets it up, which is the only locked instruction on the way in; there is none on
// the way out: a member publishes how many tickets it has left behind, and a member that wants to
// set up the construct k looks whether all others have left k - places. Only then members wait for
// each other here.
//
//   construct::state   2k + 1: being set up for ticket k; 2k + 2: set up. The member that changes
//                      it from less to 2k + 1 sets it up. That takes a few instructions and never
//                      suspends, so the others spin.
//   worksharing::left  written by its member; read by members that need the place.
//
// A member that was cancelled out of a region may not have met all of its constructs. The next
// region then begins behind all that anybody met (begin_region).

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kasuri/detail/atomics.hpp"
#include "omp/memory/threadprivate.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp {

/// Memory that is kept from one use to the next.
class scratch {
 public:
  /// At least `size` bytes of zeros, aligned for everything. Ends the process when there are none.
  void* zeros(std::size_t size) noexcept;

 private:
  // Bytes that race detectors may not forget; they keep the alignment.
  static constexpr std::size_t front = 16;

  /// The members have no more use for the memory.
  void forget() noexcept;

  std::unique_ptr<std::byte[]> memory_;
  std::size_t size_ = 0;
};

/// A member's share of a loop whose chunks are dealt out (work/loop_share.hpp).
struct alignas(64) loop_share {
  std::atomic<std::uint64_t> range{0};
  std::atomic<std::uint64_t> dealt{0};
};

/// The members of a team share this in one construct.
struct alignas(64) construct {
  std::atomic<std::uint64_t> state{0};
  std::atomic<std::uint32_t> cancelled{0};  // nobody starts another chunk or section
  loop_share* shares = nullptr;             // one for each member, for loops that steal
  void* data = nullptr;                     // zeros in `memory`, for the compiler's own use
  void* doacross = nullptr;                 // in `memory`: dimensions and flags (doacross.hpp)
  std::uintptr_t* reductions = nullptr;     // task reductions: those of who set it up
  scratch memory;

  // In lines of their own, because all members write them, and look at what is above before that.
  // dynamic: number of the next chunk; guided: of the next iteration.
  alignas(64) std::atomic<std::uint64_t> next{0};
  // Loops with ordered regions: the iteration before which all chunks have ended (ordered.hpp).
  alignas(64) std::atomic<std::uint64_t> turn{0};
};

/// The loop or sections construct in which a member is; its own. Iterations are numbered from 0,
/// and iteration i has the value first + i * step of the compiler's type, taken modulo its size.
struct loop_state {
  enum class kind : std::uint8_t { none, whole, block, round_robin, counter, guided, stealing };

  kind how = kind::none;
  bool ordered = false;
  bool whole_chunks = false;  // guided: their sizes are multiples of `chunk`
  construct* shared = nullptr;
  std::uint64_t count = 0;  // iterations, or sections
  std::uint64_t chunk = 1;
  std::uint64_t chunks = 0;
  std::uint64_t trip = 0;  // the chunk it takes next where no one else may
  std::uint64_t from = 0;  // the chunk it has: [from, to)
  std::uint64_t to = 0;
  std::uint64_t first = 0;
  std::uint64_t step = 1;
  std::uint64_t end = 0;  // the value behind the last iteration, as the program says it
};

/// One dimension of a doacross loop.
struct doacross_dimension {
  std::int64_t first = 0;
  std::int64_t step = 1;
  std::uint64_t count = 0;
};

/// The doacross loop in which a member is; its own. flags null: none, or nobody to wait for.
struct doacross_state {
  std::atomic<std::uint64_t>* flags = nullptr;
  const doacross_dimension* dimensions = nullptr;
  std::uint64_t count = 0;   // of dimensions
  bool by_rows = false;      // see doacross.hpp
  bool apart = false;        // it is a construct of its own, around that of the loop
  std::uint64_t ticket = 0;  // ... this one
};

struct workshares;

/// Constructs of a team that members can be in at a time.
inline constexpr std::uint64_t workshare_places = 8;

/// A member's part: its own but for `left`.
struct worksharing {
  std::uint64_t ticket = 0;  // of the construct it meets next
  // Places of tickets below are known to be free: all of them, before anybody has met a construct.
  // The initial task begins no region, so nobody says that of it later.
  std::uint64_t free_to = workshare_places;
  std::uint64_t single = 0;  // of the single construct it meets next; these count by themselves
  std::uint64_t phase = 0;   // barriers of the region it has come to: see cancel.hpp
  loop_state loop;
  doacross_state doacross;
  // Clauses of the construct that follows, which Clang's programs announce by calls of their own.
  std::int32_t next_threads = 0;
  std::int32_t next_teams = 0;
  std::int32_t next_thread_limit = 0;
  std::int32_t next_bind = -1;
  std::int32_t strict_severity = 0;  // of num_threads(strict:); 0: it is not
  const char* strict_message = nullptr;
  std::vector<int> next_threads_list;  // of num_threads with more than one number; else empty
  std::uint8_t reduction = 0;          // how the reduction that it is in is done (reduction.hpp)
  std::unique_ptr<private_copies> private_variables;  // threadprivate.hpp

  alignas(64) std::atomic<std::uint64_t> left{0};  // tickets below that it will not touch again

  /// The member begins a region.
  void begin_region(const workshares& shared) noexcept;
};

/// A team's part.
struct workshares {
  static constexpr std::uint64_t places = workshare_places;

  construct ring[places];
  // places * members; from the first loop that steals on.
  std::atomic<loop_share*> loop_shares{nullptr};

  // Single constructs whose ticket is below have somebody who runs them.
  alignas(64) std::atomic<std::uint64_t> singles{0};
  // copyprivate: the ticket of the last one that was published, plus 1, and its data. One at a
  // time: a barrier follows each of them.
  std::atomic<std::uint64_t> copy_ready{0};
  void* copy_data = nullptr;

  alignas(64) std::uint64_t base = 0;  // the first ticket of the region
  std::uint64_t single_base = 0;
  std::atomic<std::uint32_t> wanted{0};     // members that wait for a place in the ring
  std::atomic<std::uint64_t> cancelled{0};  // of loops and sections: see cancel.hpp

  workshares() noexcept;
  ~workshares();

  construct& at(std::uint64_t ticket) noexcept { return ring[ticket % places]; }

  /// The primary begins a region; `before` is what the same member 0 had in the last one, and
  /// `whole` says that all members met all constructs of that: it was not cancelled.
  void begin_region(const worksharing& before, bool whole) noexcept;
};

inline void worksharing::begin_region(const workshares& shared) noexcept {
  KASURI_EXPECT(cheap, ticket <= shared.base, "a member is at ticket %lu, the region begins at %lu",
                ticket, shared.base);
  KASURI_EXPECT(cheap, left.load(std::memory_order_relaxed) <= ticket,
                "a member has left the tickets below %lu, and is at %lu",
                left.load(std::memory_order_relaxed), ticket);
  ticket = shared.base;
  free_to = ticket + workshares::places;
  single = shared.single_base;
  phase = 0;
  loop.how = loop_state::kind::none;
  doacross.flags = nullptr;
  doacross.apart = false;
}

}  // namespace kasuri::omp
