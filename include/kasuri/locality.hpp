// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Where tasks run: a place for a task (at), its share of the work (share), hints for a program's
/// own steal function (hinted, set_steal_function).
///
/// All of it is advice: results never depend on it, and a task whose place is busy for long runs
/// elsewhere. kasuri::counters() says how often advice was followed.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "kasuri/detail/scope.hpp"
#include "kasuri/numa.hpp"

namespace kasuri::sched {
class custom_round;
}

namespace [[gnu::visibility("default")]] kasuri {

/// A place where a task had better run: anywhere, on a NUMA node, or on a worker.
struct where {
  /// The sorts of places.
  enum class kind : unsigned char { anywhere, node, worker };
  kind of = kind::anywhere;  ///< the meaning of index
  /// The kernel's number of the node, or the worker's index.
  int index = -1;

  /// Whether both name the same place.
  friend bool operator==(const where&, const where&) = default;
};

/// The NUMA node of that number, as the kernel counts them. A node without workers, or none of the
/// machine's, means anywhere.
/// @par Thread-safety: any thread.
constexpr where on_node(int node) noexcept { return {where::kind::node, node}; }

/// The worker of that index (this_task::worker()); anywhere when there is none such.
/// @par Thread-safety: any thread.
constexpr where on_worker(int worker) noexcept { return {where::kind::worker, worker}; }

/// The node that holds `data`, as far as that is known (kasuri::numa::node_of); else anywhere.
/// Costs a look into a table, no system call in the steady state.
/// @par Thread-safety: any thread.
inline where near(const void* data) noexcept {
  const int node = numa::node_of(data);
  return node < 0 ? where{} : on_node(node);
}

namespace detail {

template <class F>
struct placed {
  where place;
  F closure;
  template <class... Args>
    requires std::is_invocable_v<F&, Args...>
  decltype(auto) operator()(Args&&... args) {
    return closure(std::forward<Args>(args)...);
  }
};

template <class F>
struct shared {
  double work;
  F closure;
  template <class... Args>
    requires std::is_invocable_v<F&, Args...>
  decltype(auto) operator()(Args&&... args) {
    return closure(std::forward<Args>(args)...);
  }
};

template <class Hint, class F>
struct with_hint {
  Hint hint;
  F closure;
  template <class... Args>
    requires std::is_invocable_v<F&, Args...>
  decltype(auto) operator()(Args&&... args) {
    return closure(std::forward<Args>(args)...);
  }
};

template <class T>
inline constexpr bool is_placed = false;
template <class F>
inline constexpr bool is_placed<placed<F>> = true;
template <class T>
inline constexpr bool is_shared = false;
template <class F>
inline constexpr bool is_shared<shared<F>> = true;

/// The fork about to be pushed by the calling worker divides the work like this.
[[gnu::cold, gnu::noinline]] void announce_shares(double first, double rest) noexcept;
/// The group that the calling task deals from now on has so much work in all.
void announce_total(double work) noexcept;

/// The hint that a closure carries in a frame, for frame_type.
template <class Frame, class Closure>
struct hint_in {
  static constexpr hint_view (*at)(const frame*) = nullptr;
};
template <class Frame, class Hint, class F>
struct hint_in<Frame, with_hint<Hint, F>> {
  static hint_view at(const frame* f) noexcept {
    return {&static_cast<const Frame*>(f)->closure.hint, sizeof(Hint)};
  }
};

/// Whether pushes of the calling worker take the slow path, where shares are read.
inline bool looks_at_shares() noexcept {
  const worker_face* face = self();
  return face != nullptr && face->limit.load(std::memory_order_relaxed) == nullptr;
}

/// Sends the frame to its place. False: it is here, there is none, or the place is the caller's.
bool send_to(where place, frame* f) noexcept;
/// The join of a frame that was sent. True: it has not run and will not (`drop`).
bool join_sent(frame* f, bool drop) noexcept;

}  // namespace detail

/// A closure that had better run at a place: for parallel_invoke, task_group::run, async and
/// future::then.
/// @param place  where
/// @param f      callable without arguments, or as future::then says; copied or moved
template <class F>
detail::placed<std::decay_t<F>> at(where place, F&& f) {
  return {place, std::forward<F>(f)};
}

/// A closure with the work that it stands for: for parallel_invoke and task_group::run. Under
/// KASURI_SCHED=adws the workers are divided in proportion; closures without a share count 1. In a
/// task_group the shares are parts of the total given to its constructor.
/// @param work  in any unit; what is no positive number counts as none
/// @param f     callable without arguments; copied or moved
/// Source: Shiina and Taura, "Almost Deterministic Work Stealing", SC '19, section 3.
template <class F>
detail::shared<std::decay_t<F>> share(double work, F&& f) {
  return {work, std::forward<F>(f)};
}

/// A closure whose frame carries a hint for the program's own steal function (set_steal_function):
/// any trivially copyable value. For parallel_invoke, task_group::run, async and future::then.
/// @param hint  copied into the frame
/// @param f     callable without arguments, or as future::then says; copied or moved
template <class Hint, class F>
detail::with_hint<Hint, std::decay_t<F>> hinted(const Hint& hint, F&& f) {
  static_assert(std::is_trivially_copyable_v<Hint>, "thieves copy hints as bytes");
  return {hint, std::forward<F>(f)};
}

/// The cost of the iterations of a parallel_for: the loop is divided where the work is in halves,
/// and under KASURI_SCHED=adws the workers in proportion.
template <class Work>
struct work_by {
  /// work(i, j): that of the iterations from i up to j, in any unit, not negative; the sum of its
  /// parts. Called some log n times a division, by several workers at once; must not throw.
  Work work;
};
/// From the function itself.
template <class Work>
work_by(Work) -> work_by<Work>;

/// The total work of the tasks that a task_group is about to be given: see share.
struct total_work {
  double work;  ///< in the unit of the shares
};

// ---- the program's own steal function
// -------------------------------------------------------------

/// One round of a thief, inside a steal function. Valid during the call only.
class steal_round {
 public:
  /// The thief's index.
  int thief() const noexcept;
  /// One more than the greatest index of a worker.
  int workers() const noexcept;

  /// A number for random choices, from the thief's own generator.
  std::uint64_t random() noexcept;

  /// Copies the hint of the frame that `victim` would give now. A frame that waits in the victim's
  /// private end makes this ask for it, so that a later look finds it.
  /// @param victim  the index of a worker; others have nothing
  /// @param hint    where the copy goes
  /// @param bytes   how much room is there; a longer hint is cut
  /// @return the hint's size in bytes; 0: a frame without a hint; -1: nothing to take
  std::ptrdiff_t peek(int victim, void* hint, std::size_t bytes) noexcept;

  /// Takes the frame that `victim` would give, if `confirm`, called with a copy of its hint and the
  /// size as by peek, says so; a frame that is refused stays where it was.
  /// @param victim   the index of a worker; others have nothing
  /// @param confirm  may be null: any frame will do
  /// @param arg      the last argument of `confirm`
  /// @return whether a frame was taken; return true from the steal function then
  bool steal(int victim, bool (*confirm)(const void* hint, std::ptrdiff_t bytes, void* arg),
             void* arg);

 private:
  friend class sched::custom_round;
  explicit steal_round(void* state) noexcept : state_(state) {}
  void* state_;
};

/// Looks for work of others, once. Returns whether steal() took something. May be called by all
/// idle workers at once.
using steal_function = bool (*)(steal_round& round, void* arg);

/// From here on idle workers steal by `f` instead of by KASURI_SCHED; null: as before. A function
/// that throws, or steals nothing in many rounds though there is work, is overruled for a while by
/// stealing from anyone: counted (worker_counters::overruled), and said once on stderr.
/// @par Thread-safety: any thread. Rounds that have begun end with the old function.
/// Source: the customised stealing of MassiveThreads, as used by Nakashima et al. for tree-based
/// AMR.
void set_steal_function(steal_function f, void* arg = nullptr) noexcept;

}  // namespace kasuri
