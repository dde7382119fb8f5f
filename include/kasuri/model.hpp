// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// The common task model: a program written once, compiled for one task system or another.
///
/// The model is what task systems have in common (Taura and Nakajima, *A Comparative Study of Six
/// Task Parallel Programming Systems*, IPSJ SIG HPC 140, 2013): a task spawns children, calls
/// functions itself, and waits for its children. A child captures what it needs, by value or by
/// reference. Closures do not throw: the systems differ in what would happen.
///
/// A system is a header of its own, kasuri/model/SYSTEM.hpp, with a class SYSTEM_system and the
/// system's ways to spawn, as types. A program takes a way as its template parameter:
/// `fork_join<Way>`, `children<Way>`, `sum_of<Way>`.

#include "kasuri/detail/needs_cxx20.hpp"

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <variant>

namespace kasuri::model {

/// The list of ways that a class SYSTEM_system names as its `ways`.
///
/// The class has a constructor that takes the number of workers and starts the system, a destructor
/// that ends it, `static std::string version()`, and `run(f)`, which calls f where tasks may be
/// spawned. A way is a type with
///  - `static constexpr const char* name`,
///  - `class group` with `spawn(f)`, which runs a copy of f as a task, and `wait()`, after which
///    the group is as new; it is not destroyed while tasks of it run,
///  - where the system has one, `static auto fork_join(F f, G g)` that returns `results`: its
///    programs are then built of pairs of closures instead of groups,
///  - where programs are to begin in a task of a special kind, `static void enter(F f)`.
template <class... Way>
struct ways {};

namespace detail {

template <class F>
using value_of = std::conditional_t<std::is_void_v<std::invoke_result_t<F&>>, std::monostate,
                                    std::remove_cv_t<std::invoke_result_t<F&>>>;

template <class F>
[[gnu::always_inline]] inline value_of<F> call(F& f) {
  if constexpr (std::is_void_v<std::invoke_result_t<F&>>) {
    f();
    return {};
  } else {
    return f();
  }
}

}  // namespace detail

/// The values that two closures returned; std::monostate stands for nothing.
template <class A, class B>
struct results {
  A first;   ///< of the one that was called
  B second;  ///< of the one that was spawned
};

/// The type that a way's fork_join returns for these closures.
template <class F, class G>
using results_of = results<detail::value_of<F>, detail::value_of<G>>;

/// Whether a way pairs closures instead of collecting them in groups.
template <class Way>
concept pairing = requires(void (*f)()) { Way::fork_join(f, f); };

/// Calls a program as the way wants it: to be used inside of the system's run().
template <class Way, class F>
void enter(F f) {
  if constexpr (requires { Way::enter(std::move(f)); }) {
    Way::enter(std::move(f));
  } else {
    f();
  }
}

/// Spawns g, calls f, waits. The results are default-constructible.
template <class Way, class F, class G>
[[gnu::always_inline]] inline results_of<F, G> fork_join(F f, G g) {
  if constexpr (pairing<Way>) {
    return Way::fork_join(std::move(f), std::move(g));
  } else {
    results_of<F, G> both;
    typename Way::group tasks;
    tasks.spawn([&both, &g] { both.second = detail::call(g); });
    both.first = detail::call(f);
    tasks.wait();
    return both;
  }
}

/// The children of a task: spawned one by one, waited for together.
template <class Way>
class children {
 public:
  /// Runs a copy of `f` as a task.
  template <class F>
  void spawn(F f) {
    tasks_.spawn(std::move(f));
  }
  /// Calls `f` here: the last of several children needs no task.
  template <class F>
  void call(F&& f) {
    std::forward<F>(f)();
  }
  /// Returns when all children have ended; more may be spawned then. Due before the end of life.
  void wait() { tasks_.wait(); }

 private:
  typename Way::group tasks_;
};

namespace detail {

/// Every closure but the last is a task, the rest goes on meanwhile: groups made of pairs.
template <class Way, class F>
auto sum_of_pairs(int begin, int end, const F& f) -> decltype(f(begin)) {
  if (begin == end) return {};
  const auto both =
      model::fork_join<Way>([begin, end, &f] { return sum_of_pairs<Way>(begin + 1, end, f); },
                            [begin, &f] { return f(begin); });
  return both.first + both.second;
}

}  // namespace detail

/// f(0) + ... + f(n - 1), each a task of its own; n is at most `Most`.
template <class Way, int Most, class F>
auto sum_of(int n, const F& f) -> decltype(f(n)) {
  using value = decltype(f(n));
  if constexpr (pairing<Way>) {
    return detail::sum_of_pairs<Way>(0, n, f);
  } else {
    value sum{};
    if (n == 0) return sum;
    std::array<value, Most> found;
    typename Way::group tasks;
    for (int i = 0; i < n; ++i) {
      tasks.spawn([&f, &out = found[static_cast<std::size_t>(i)], i] { out = f(i); });
    }
    tasks.wait();
    for (int i = 0; i < n; ++i) sum = sum + found[static_cast<std::size_t>(i)];
    return sum;
  }
}

}  // namespace kasuri::model
