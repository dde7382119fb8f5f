// SPDX-License-Identifier: Apache-2.0
#pragma once

// Docks: where the workers that are members of the initial thread's teams wait for its next region.
//
// One root has them, the first that opens a region beside others. Member i of its teams is the i-th
// configured worker (pool::on_line: the slots between may be guests'), on that worker's OS thread
// and with its thread-locals, for every i below the number of workers.
//
// The states of a dock, and the order of what is done to it, are in dock_word.hpp. The thread that
// owns the docks posts a team; or, to help, a thread posts a team of which the worker has finished
// the region and is to come back for tasks. The thread that posts that has set member::comes_back
// (helper.cpp). region/dock_worker.cpp has the worker's side.

#include <cstdint>
#include <memory>

#include "kasuri/detail/atomics.hpp"
#include "kasuri/detail/frame.hpp"
#include "omp/team/dock_word.hpp"
#include "platform/base/expect.hpp"
#include "sched/pool/pool.hpp"

namespace kasuri::omp {

struct root;
struct team;

struct alignas(64) dock {
  dock_word<detail::real_atomics> word;
  detail::frame start;
  int index = 0;
  std::uint64_t owner = 0;  // of the team that was posted last; the owner's
};

/// The word of a dock at which a team is posted.
inline constexpr std::uintptr_t posted_as_help = 2;  // besides the team
inline bool posted_to_help(std::uintptr_t word) noexcept { return (word & posted_as_help) != 0; }
inline team& posted_team(std::uintptr_t word) noexcept {
  KASURI_EXPECT(cheap, (word & ~posted_as_help) > dock_word<detail::real_atomics>::waiting,
                "no team in the word %#lx of a dock", word);
  return *reinterpret_cast<team*>(word & ~posted_as_help);
}

/// Calls of another runtime that are under way on workers (runtimes/rml): their code may wait in
/// the system for any thread of the program, and the worker passes no scheduling point until then.
/// So nothing is left meanwhile to a worker alone that does not stand at its dock.
/// Relaxed: who depends on such a call has work of it, which came behind the count.
inline constinit std::atomic<int> foreign_calls{0};

class docks {
 public:
  /// The docks of the workers 1 to n - 1 of `pool`, for the caller, unless another root has them:
  /// then null. `kind`: that of their frames.
  static docks* claim(sched::pool& pool, const detail::frame_type& kind) noexcept;

  /// Leaves them to the root that claims them next. No region of the owner runs.
  static void release() noexcept;

  /// The owner has ended and releases them. Workers may still stand at docks and look at its teams:
  /// it is freed when they have gone on, by this or a later owner's end.
  void retire(root& r) noexcept;

  /// Members that can be posted in the region that the owner begins: 1 to this.
  int count() {
    if (pool_.configured() != count_ + 1) [[unlikely]]
      make_docks();
    return count_;
  }

  /// Whether member i has an OS thread, or gets one now. False also for those that have no dock.
  [[nodiscard]] bool has_thread_for(int i) noexcept;

  /// Worker i is to be member i of the team. False: the system gives no thread for it, or it may be
  /// in a foreign call.
  bool post(int i, team& t) noexcept;
  /// The same for a worker that has finished that region and is to run tasks. The caller counts it
  /// as a helper.
  bool post_helper(int i, team& t) noexcept;

 private:
  docks(sched::pool& pool, const detail::frame_type& kind) : pool_(pool), kind_(kind) {
    make_docks();
  }
  /// One for each configured worker but the first. Nobody stands at those there were: the pool has
  /// been stopped and started again, and its workers ended.
  void make_docks();
  bool post_word(int i, std::uintptr_t word) noexcept;
  bool somebody_stands_at(const root& r) const noexcept;

  sched::pool& pool_;
  const detail::frame_type& kind_;
  int count_ = 0;
  std::unique_ptr<dock[]> docks_;
  std::uint64_t owner_ = 0;  // the present one's number
  root* retired_ = nullptr;  // former ones that are not freed yet
};

}  // namespace kasuri::omp
