// SPDX-License-Identifier: Apache-2.0
#pragma once

// A fork of a program that may run on several ranks.
//
// The second closure lies in an offer, in the stack frame of the fork. For the workers of this
// process the fork is an ordinary one, of a closure that calls finish() on the offer; so the
// deques, and who takes from whom, are what they always are. Besides, an offer may be posted: then
// other ranks can copy the closure and run it. Its state says who has it:
//
//   local -> posted    by the stack that forked: offered to other ranks
//   local -> taken     the stack that forked runs it
//   local -> lent      a worker of this process runs it on another stack
//   posted -> taken    taken back by the stack that forked, or
//   posted -> lent     by another one of this process
//   posted -> gone     another rank has it: finish() waits for its report
//
// On the stack that forked nothing can post at the same time, so that finish() there needs no
// atomic operation where the offer is local.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "kasuri/detail/exceptions.hpp"
#include "kasuri/global/detail/fork_chain.hpp"
#include "kasuri/invoke.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace global::detail {

using kasuri::detail::result_of;
using kasuri::detail::results;

/// The largest closure that travels and the largest result, bytes: what fits into a slot of the
/// outbox and into a record of a join (src/cluster/sched/wire/layout.hpp).
inline constexpr std::size_t largest_closure = 3584;
inline constexpr std::size_t largest_result = 768;
inline constexpr std::size_t largest_alignment = 64;

/// The functions and sizes by which a rank that has a copy of a closure runs it. The other ranks
/// know it by its place in its module, as all run the same program.
struct closure_kind {
  void (*run)(void* closure, void* result);
  std::uint32_t closure_bytes;
  std::uint32_t result_bytes;
  const char* (*name)();  // has the closure's type in it; for messages
  /// Copies the closure with zeros for what is no value of its members. False: that cannot be told
  /// from them.
  bool (*values)(const void* closure, void* to);
};

template <class G>
bool copy_values(const void* closure, void* to) {
  std::memcpy(to, closure, sizeof(G));
  // GCC's; a compiler without it finds no such function for a type that it does not know.
  if constexpr (requires(G* g) { __builtin_clear_padding(g); }) {
    __builtin_clear_padding(static_cast<G*>(to));
    return true;
  } else {
    return std::has_unique_object_representations_v<G>;
  }
}

template <class G>
const char* name_of_closure() {
  return __PRETTY_FUNCTION__;
}

enum class offer_state : std::uint32_t { local, posted, taken, lent, gone };

struct offer {
  std::atomic<offer_state> state{offer_state::local};
  bool finished = false;
  fork_chain* const chain;
  offer* older;
  offer* newer = nullptr;
  const closure_kind* const kind;
  void* const closure;
  double low = 0;  // the ranks it owns: see fork_chain
  double high = 0;
  int slot;    // of the outbox, where it was posted
  int record;  // of the join, where it was posted or sent
  // Under checks, set by show_fork: the number of the task beside the offered one, whose own
  // differs in the lowest bit (0: not known); how many forks the two have behind them, on the stack
  // that forked.
  std::uint64_t task;
  std::uint32_t forks[2];

  offer(fork_chain* c, const closure_kind* k, void* g) noexcept
      : chain(c), older(c->newest), kind(k), closure(g) {
    if (older != nullptr) older->newer = this;
    c->newest = this;
    if (c->waiting == nullptr) c->waiting = this;
  }
  offer(const offer&) = delete;
  offer& operator=(const offer&) = delete;
  /// Under checks: 0: not known.
  [[nodiscard]] std::uint64_t offered_task() const noexcept { return task == 0 ? 0 : task ^ 1; }
  ~offer() {
    if (chain->waiting == this) chain->waiting = nullptr;
    if (older != nullptr) older->newer = nullptr;
    chain->newest = older;
  }
};

/// An offer that others of the same stack were made behind, and that ends before them: it becomes
/// the newest, as which it ends.
inline void make_newest(offer& o) noexcept {
  fork_chain& chain = *o.chain;
  if (o.newer == nullptr) return;
  if (chain.waiting == &o) chain.waiting = o.newer;
  o.newer->older = o.older;
  if (o.older != nullptr) o.older->newer = o.newer;
  o.older = chain.newest;
  o.newer = nullptr;
  chain.newest->newer = &o;
  chain.newest = &o;
}

/// A fork as the workers of a simulated process see it: a frame of a deque (see local_push).
struct local_frame {
  void (*run)(local_frame*) = nullptr;
  local_frame* older = nullptr;
  local_frame* newer = nullptr;
  enum class state : std::uint8_t { queued, running, done } at = state::queued;
  void* waiter = nullptr;
};

/// The part of the scheduler that the inlined code knows.
struct spread_face {
  /// The state of the outbox (src/cluster/sched/wire/outbox_word.hpp), only looked at here.
  const std::uint64_t* word = nullptr;
  /// So many offers are to lie in the outbox.
  std::atomic<std::uint32_t> target{0};
  /// Where it is a simulation: finds the face of the rank that runs.
  spread_face* (*of_this_rank)() = nullptr;
  void* scheduler = nullptr;
  /// Every fork goes through spread or show_fork.
  bool checked = false;

  static constexpr int length_at = 35;
  static constexpr std::uint64_t length_mask = 15;

  /// Whether an offer is wanted.
  bool wants() const noexcept {
    const std::uint64_t seen = std::atomic_ref<std::uint64_t>(*const_cast<std::uint64_t*>(word))
                                   .load(std::memory_order_relaxed);
    return (seen >> length_at & length_mask) < target.load(std::memory_order_relaxed);
  }
};

extern "C" {
/// Null where the program runs on one rank, or does not use the cluster layer.
extern constinit spread_face* kasuri_spread_face [[gnu::visibility("default")]];
}

/// The chain of the calling stack; null where the caller is no task.
fork_chain* chain_of_simulated() noexcept;
fork_chain* make_chain() noexcept;

inline fork_chain* chain_here(const spread_face& face) noexcept {
  if (face.of_this_rank != nullptr) [[unlikely]]
    return chain_of_simulated();
  const auto* const worker = kasuri::detail::self();
  if (worker == nullptr) [[unlikely]]
    return nullptr;
  // The stack's record begins with it.
  auto* const chain = *reinterpret_cast<fork_chain**>(worker->stack);
  return chain != nullptr ? chain : make_chain();
}

/// Offers what the calling stack has forked to other ranks, from its oldest fork on, as far as that
/// is wanted; with ranks to divide between the halves of the newest fork, does that first.
[[gnu::cold, gnu::noinline]] void spread(spread_face& face, fork_chain& chain, double first_work,
                                         double second_work);

/// Under checks: a fork whose first closure is the one that is offered; it does not go through
/// spread.
[[gnu::cold, gnu::noinline]] void show_fork(spread_face& face, fork_chain& chain);

/// Whether the second half of the next fork begins on this rank and reaches into others, and the
/// first does not: then it goes first, so that the others get their parts soon. Sets the chain's
/// ranks to its.
[[gnu::cold, gnu::noinline]] bool second_first(const spread_face& face, fork_chain& chain,
                                               double first_work, double second_work) noexcept;

/// Sends the chain's newest fork to a rank, where it has room for it; else the fork stays.
[[gnu::cold, gnu::noinline]] void send_to(spread_face& face, fork_chain& chain, int rank);

/// A closure is to run on another rank than this one and the caller is no task.
[[noreturn, gnu::cold, gnu::noinline]] void refuse_at_home(int rank);

/// An offer that was local no more when its stack came back to it, or that is to be run by another
/// stack. True: it is the caller's to run. False: another rank has run it, and its result was
/// copied. Throws remote_exception.
[[gnu::cold, gnu::noinline]] bool take_or_wait(offer& o, void* result);

/// The offer is not to run any more; what it came to, if it has begun, is waited for and forgotten.
[[gnu::cold, gnu::noinline]] void abandon(offer& o) noexcept;

/// The deque of a simulated process.
void local_push(local_frame* f) noexcept;
/// True: it is the caller's again. False: it has run.
bool local_pop_or_wait(local_frame* f) noexcept;

template <class G>
void check_closure() {
  static_assert(
      std::is_trivially_copyable_v<G>,
      "a closure that may travel to another process must be trivially copyable: capture "
      "numbers, global::ptr and views by value, not vectors, strings or references to them");
  static_assert(!std::is_pointer_v<G> && !std::is_member_pointer_v<G>,
                "a function's address means something else in another process: write a lambda that "
                "calls it");
  static_assert(
      sizeof(G) <= largest_closure,
      "a closure that may travel holds at most 3584 bytes: keep the data in global memory");
  static_assert(alignof(G) <= largest_alignment, "closures that travel are aligned to 64 at most");
  using r = std::remove_cv_t<std::invoke_result_t<G&>>;
  static_assert(!std::is_reference_v<r>, "closures of parallel_invoke return values");
  static_assert(std::is_void_v<r> || std::is_trivially_copyable_v<r>,
                "the result of a closure that may travel must be trivially copyable");
  if constexpr (!std::is_void_v<r>) {
    static_assert(sizeof(r) <= largest_result,
                  "the result of a closure that may travel holds at most 768 bytes");
    static_assert(alignof(r) <= largest_alignment, "results are aligned to 64 at most");
  }
}

template <class G>
struct kind_of {
  static void run(void* closure, void* result) {
    G& g = *std::launder(static_cast<G*>(closure));
    if constexpr (std::is_void_v<std::invoke_result_t<G&>>)
      g();
    else
      new (result) result_of<G>(g());
  }
  static constexpr std::uint32_t result_bytes() {
    if constexpr (std::is_void_v<std::invoke_result_t<G&>>)
      return 0;
    else
      return sizeof(result_of<G>);
  }
  static const closure_kind kind;
};
// Not inline: one object per program, at one place of it.
template <class G>
const closure_kind kind_of<G>::kind{&kind_of<G>::run, sizeof(G), kind_of<G>::result_bytes(),
                                    &name_of_closure<G>, &copy_values<G>};

/// The chain owns other ranks during a call.
class owns_for_now {
 public:
  owns_for_now(fork_chain& c, double low, double high) noexcept
      : chain_(c), low_(c.low), high_(c.high) {
    c.low = low;
    c.high = high;
  }
  ~owns_for_now() {
    chain_.low = low_;
    chain_.high = high_;
  }
  owns_for_now(const owns_for_now&) = delete;
  owns_for_now& operator=(const owns_for_now&) = delete;

 private:
  fork_chain& chain_;
  const double low_;
  const double high_;
};

/// Under checks: the stack runs a task that was forked by another.
class runs_given {
 public:
  runs_given(fork_chain& c, std::uint64_t number) noexcept
      : chain_(c), task_{number, 0, c.newest, c.given} {
    c.given = &task_;
  }
  ~runs_given() { chain_.given = task_.before; }
  runs_given(const runs_given&) = delete;
  runs_given& operator=(const runs_given&) = delete;

 private:
  fork_chain& chain_;
  given_task task_;
};

template <class G>
struct offer_of : offer {
  G g;

  offer_of(G&& from, fork_chain* c) noexcept
      : offer(c, &kind_of<G>::kind, &g), g(std::move(from)) {}
  ~offer_of() {
    if (!finished) [[unlikely]]
      abandon(*this);
  }

  [[gnu::always_inline]] result_of<G> finish(const spread_face& face) {
    fork_chain* const here = chain_here(face);
    // relaxed: only this stack posts
    if (here != chain || state.load(std::memory_order_relaxed) != offer_state::local) [[unlikely]]
      return finish_slowly(face, here);
    finished = true;
    state.store(offer_state::taken, std::memory_order_relaxed);  // g's own forks must not post it
    if (low != high) [[unlikely]] {
      const owns_for_now mine(*here, low, high);
      return kasuri::detail::call(g);
    }
    return kasuri::detail::call(g);
  }

 private:
  [[gnu::noinline]] result_of<G> finish_slowly(const spread_face& face, fork_chain* here) {
    alignas(alignof(result_of<G>)) std::byte result[sizeof(result_of<G>)];
    finished = true;
    if (take_or_wait(*this, result)) {
      const owns_for_now mine(*here, low, high);
      if (face.checked && here != chain) {
        const runs_given its(*here, offered_task());
        return kasuri::detail::call(g);
      }
      return kasuri::detail::call(g);
    }
    if constexpr (std::is_void_v<std::invoke_result_t<G&>>)
      return {};
    else
      return *std::launder(reinterpret_cast<result_of<G>*>(result));
  }
};

/// A fork in a simulated process.
template <class G>
struct simulated_fork : local_frame {
  offer_of<G>& o;
  const spread_face& face;
  std::optional<result_of<G>> value;
  std::exception_ptr error;

  simulated_fork(offer_of<G>& of, const spread_face& f) : o(of), face(f) {
    run = [](local_frame* self) {
      auto& fork = *static_cast<simulated_fork*>(self);
      KASURI_TRY { fork.value.emplace(fork.o.finish(fork.face)); }
      KASURI_CATCH_ALL { fork.error = std::current_exception(); }
    };
  }
};

template <class F, class G>
results<result_of<F>, result_of<G>> join_simulated(const spread_face& face, F& f, offer_of<G>& o) {
  simulated_fork<G> fork(o, face);
  local_push(&fork);
  const auto run_first = [&]() -> result_of<F> {
    KASURI_TRY { return kasuri::detail::call(f); }
    KASURI_CATCH_ALL {
      local_pop_or_wait(&fork);
      KASURI_RETHROW;
    }
  };
  result_of<F> first = run_first();
  if (local_pop_or_wait(&fork)) return {std::move(first), o.finish(face)};
  if (fork.error) std::rethrow_exception(fork.error);
  return {std::move(first), std::move(*fork.value)};
}

template <class F>
double share_of(const F& f) noexcept {
  const double work = kasuri::detail::work_of(f);
  return work > 0 && work <= std::numeric_limits<double>::max() ? work : 0;  // no infinity
}

/// The call as a closure for the pool, with the share of `f`.
template <class F, class Call>
[[gnu::always_inline]] inline auto shared_as(double work, Call call) {
  if constexpr (kasuri::detail::is_shared<F>)
    return kasuri::share(work, call);
  else
    return static_cast<void>(work), call;
}

/// Runs f here, and what o offers where it comes to run.
template <class F, class G>
[[gnu::always_inline]] inline results<result_of<F>, result_of<G>> join(const spread_face& face,
                                                                       F& f, offer_of<G>& o) {
  if (face.of_this_rank != nullptr) [[unlikely]]
    return join_simulated(face, f, o);
  return kasuri::detail::fork_join(
      shared_as<F>(kasuri::detail::work_of(f),
                   [&f]() -> result_of<F> { return kasuri::detail::call(f); }),
      shared_as<G>(kasuri::detail::work_of(o.g),
                   [&o, &face]() -> result_of<G> { return o.finish(face); }));
}

/// A fork whose task owns several ranks: they are divided.
template <class F, class G>
[[gnu::cold, gnu::noinline]] results<result_of<F>, result_of<G>> fork_join_divided(
    spread_face& face, fork_chain* chain, F& f, G& g) {
  const double first_work = share_of(f), second_work = share_of(g);
  const owns_for_now restored(*chain, chain->low, chain->high);
  if (second_first(face, *chain, first_work, second_work)) {
    offer_of<F> o(std::move(f), chain);
    if (face.checked) show_fork(face, *chain);
    auto r = join(face, g, o);
    return {std::move(r.second), std::move(r.first)};
  }
  offer_of<G> o(std::move(g), chain);
  spread(face, *chain, first_work, second_work);
  return join(face, f, o);
}

/// A fork where there are several ranks.
template <class F, class G>
[[gnu::noinline]] results<result_of<F>, result_of<G>> fork_join(spread_face* face, F f, G g) {
  if (face->of_this_rank != nullptr) [[unlikely]]
    face = face->of_this_rank();
  fork_chain* const chain = face == nullptr ? nullptr : chain_here(*face);
  if (chain == nullptr) [[unlikely]]
    return kasuri::detail::fork_join<F, G>(std::move(f), std::move(g));
  if (chain->low != chain->high) [[unlikely]]
    return fork_join_divided<F, G>(*face, chain, f, g);
  offer_of<G> o(std::move(g), chain);
  if (face->wants()) [[unlikely]]
    spread(*face, *chain, 1, 1);
  return join(*face, f, o);
}

}  // namespace global::detail
}  // namespace kasuri
