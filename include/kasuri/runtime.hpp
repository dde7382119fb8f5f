// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// The pool as a whole: start, stop, size, counters, and calling in from foreign threads.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "kasuri/detail/scope.hpp"

namespace [[gnu::visibility("default")]] kasuri {

/// A program's choices before the pool starts. Zero means: from the environment
/// (KASURI_NUM_WORKERS, KASURI_STACK_SIZE) or its default. All other settings come from the
/// environment: `kasuri info` lists them.
struct options {
  /// Threads that run tasks at one time, 1 to 2048.
  int workers = 0;
  /// Bytes of a user-level thread's stack, 16 KiB to 1 GiB. Stacks are kept when a pool ends: the
  /// first pool of the process decides.
  std::size_t stack_size = 0;
  /// The scheduling policy, by the names that KASURI_SCHED accepts; null: from the environment. Of
  /// this pool only.
  const char* scheduling = nullptr;
};

/// Starts the pool with these options. Optional: the first use starts it with none.
/// @throw std::logic_error if the pool runs already, or an earlier pool had stacks of another size;
///        std::invalid_argument if an option is outside its range.
/// @par Thread-safety: not while other threads use Kasuri.
void initialize(const options& o);

/// Ends the pool's threads; the next use starts it anew. Does nothing when it does not run. Tasks
/// that nobody waits for and that have not begun may be dropped.
/// Never called by Kasuri itself: a process that ends need not call it, and static destructors may
/// still use Kasuri.
/// @throw std::logic_error when called from inside a task, or while another thread is inside.
/// @par Thread-safety: any thread outside of tasks.
void finalize();

/// Threads that run tasks at one time: the configured number of workers. Starts nothing.
/// @par Thread-safety: any thread.
int num_workers();

/// The numbers that this_task::slot() gives lie below this: num_workers() and the spares that the
/// settings allow (KASURI_MAX_SPARES, 64), as a spare thread may run tasks while others are
/// blocked. Starts nothing. Fixed while a pool runs; before, it is what a pool that started now
/// would have, so ask behind initialize where a program calls that.
/// @par Thread-safety: any thread.
int max_slots();

namespace detail {

/// Makes the calling thread a worker, if it is none, for the object's life.
class attachment {
 public:
  attachment() : mine_(self() == nullptr) {
    if (mine_) enter();
  }
  ~attachment() {
    if (mine_) leave();
  }
  attachment(const attachment&) = delete;
  attachment& operator=(const attachment&) = delete;

 private:
  static void enter();
  static void leave() noexcept;

  const bool mine_;
};

/// Whether a thief has asked this worker for work since its last push; false outside.
inline bool work_wanted() noexcept {
  const worker_face* face = self();
  return face != nullptr && face->limit.load(std::memory_order_relaxed) == nullptr;
}

/// Gives thieves what this worker has queued and not shown them. False: there was nothing, or it is
/// not worth it, and they still want work.
bool give_queued() noexcept;

}  // namespace detail

/// Runs `f` on the calling thread with the thread a worker of the pool for the whole call, and
/// returns its result. Parallel calls inside then cost no entry and exit each (about 0.1 us). At
/// most num_workers() threads run tasks at one time, however many call in: further ones wait here
/// for their turn. More than 4095 workers and threads inside at once end the program with a
/// message.
/// @throw whatever f throws.
/// @par Thread-safety: any thread; inside a task it just calls f.
template <class F>
decltype(auto) run(F&& f) {
  const detail::attachment guest;
  return std::forward<F>(f)();
}

/// The counts of one worker since the pool started. Counters never decrease while the pool runs.
struct worker_counters {
  int worker;                  ///< index
  std::uint64_t tasks;         ///< tasks started by the scheduler loop (not inline calls)
  std::uint64_t steals_tried;  ///< victims asked
  std::uint64_t steals;        ///< tasks taken from other workers
  std::uint64_t steals_near;   ///< of these, from the nearest level of the machine tree
  std::uint64_t steals_far;    ///< of these, from beyond
  std::uint64_t refused;       ///< victims that had work but gave none in time
  std::uint64_t rescues;       ///< tasks taken from an owner that did not answer
  std::uint64_t suspends;      ///< threads that blocked here
  std::uint64_t resumes;       ///< threads that went on here
  std::uint64_t parks;         ///< times it went to sleep
  std::uint64_t wakes;         ///< sleepers it woke
  std::uint64_t spares;        ///< spare threads lent because it was stuck
  std::uint64_t posted;        ///< tasks that it sent to a place
  std::uint64_t where_kept;    ///< tasks that ran here as they were asked to
  std::uint64_t where_near;    ///< tasks asked to run on another worker of this one's NUMA node
  std::uint64_t where_missed;  ///< tasks asked to run elsewhere
  std::uint64_t routed;        ///< forks over several workers, under KASURI_SCHED=adws
  std::uint64_t widened;       ///< times it looked for work beyond its innermost fork
  std::uint64_t declined;      ///< frames that the program's steal function left where they were
  std::uint64_t overruled;     ///< rounds of stealing from anyone in place of that function

  std::uint64_t work_ns;        ///< nanoseconds in the code of tasks; 0 as the seven below, unless
                                ///< KASURI_STATS=1 has the workers keep account
  std::uint64_t overhead_ns;    ///< in the runtime, for a task
  std::uint64_t idle_ready_ns;  ///< without a task though one was ready elsewhere
  std::uint64_t idle_empty_ns;  ///< without a task, and none was ready
  std::uint64_t blocked_ns;     ///< in blocking(f) on this OS thread; the processor was lent
  std::uint64_t waiting_ns;     ///< in a task that waits awake: OpenMP barriers, locks, docks
  std::uint64_t off_core_ns;    ///< in a task, while the kernel did not let its thread run
  std::uint64_t processor_ns;   ///< processor time, whatever it was spent on; in none of the above
};

/// The counters of all workers, guests and spares included, by index. Each is exact at some moment
/// during the call.
/// @par Thread-safety: any thread.
std::vector<worker_counters> counters();

/// Writes to the file descriptor `fd` which threads are suspended, for what object each waits,
/// which thread has locked it where it is a mutex, in which functions each stands, and what the
/// workers do: for a program that hangs. A snapshot without stopping anybody. KASURI_DUMP_SIGNAL
/// has the same on a signal.
/// @par Thread-safety: any thread.
void dump(int fd);

}  // namespace kasuri
