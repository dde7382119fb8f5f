// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// bulk of stdexec's senders on Kasuri; kasuri/adapters/stdexec.hpp includes it.

// The serial bulk_chunked calls its function once, with all indices, on the thread on which the
// work before it has completed: a worker. So a function that divides them among workers, as a loop
// of any task does, is all that parallel work takes. Exceptions and values go the way that they go
// there.

#include "kasuri/detail/needs_cxx20.hpp"

#include <stdexec/execution.hpp>

#include <type_traits>
#include <utility>

#include "kasuri/parallel_for.hpp"
#include "kasuri/range.hpp"
#include "kasuri/task.hpp"

namespace kasuri::senders::detail {

/// Called with all indices, calls f with parts of them.
template <class F>
struct loop_of {
  F f;

  template <class Index, class... Args>
  void operator()(Index begin, Index end,
                  Args&... args) noexcept(std::is_nothrow_invocable_v<F&, Index, Index, Args&...>) {
    kasuri::parallel_for(blocked_range<Index>(begin, end), [&](const blocked_range<Index>& part) {
      f(part.begin(), part.end(), args...);
    });
  }
};

/// Called with all indices, calls f with each in a task of its own.
template <class F>
struct tasks_of {
  F f;

  template <class Index, class... Args>
  void operator()(Index begin, Index end, Args&... args) {
    task_group tasks;
    for (Index i = begin; i != end; ++i) tasks.run([&, i] { f(Index(i), args...); });
    tasks.wait();
  }
};

template <class F>
inline constexpr bool is_parallel = false;
template <class F>
inline constexpr bool is_parallel<loop_of<F>> = true;
template <class F>
inline constexpr bool is_parallel<tasks_of<F>> = true;

template <class Policy>
inline constexpr bool allows_parallel =
    std::is_same_v<Policy, std::remove_cvref_t<decltype(stdexec::par)>> ||
    std::is_same_v<Policy, std::remove_cvref_t<decltype(stdexec::par_unseq)>>;

template <class Sender>
using tag_of = stdexec::tag_of_t<std::remove_cvref_t<Sender>>;

template <class Sender>
concept bulk_sender = std::is_same_v<tag_of<Sender>, stdexec::bulk_chunked_t> ||
                      std::is_same_v<tag_of<Sender>, stdexec::bulk_unchunked_t>;

/// A part of an object, moved out where the object is an rvalue.
template <class Whole, class Part>
std::conditional_t<std::is_lvalue_reference_v<Whole>, Part&, Part&&> part_of(Part& part) noexcept {
  return static_cast<std::conditional_t<std::is_lvalue_reference_v<Whole>, Part&, Part&&>>(part);
}

/// The same work with its function called in parallel; the sender itself where that is so already,
/// or the policy does not allow it.
template <bulk_sender Sender>
decltype(auto) in_parallel(Sender&& sender) {
  auto& [tag, data, child] = sender;
  auto& [policy, shape, function] = data;
  using f = std::remove_cvref_t<decltype(function)>;
  if constexpr (is_parallel<f> || !allows_parallel<std::remove_cvref_t<decltype(policy.__get())>>)
    return static_cast<Sender>(std::forward<Sender>(sender));
  else if constexpr (std::is_same_v<tag_of<Sender>, stdexec::bulk_chunked_t>)
    return stdexec::bulk_chunked(part_of<Sender>(child), policy.__get(), shape,
                                 loop_of<f>{part_of<Sender>(function)});
  else
    return stdexec::bulk_chunked(part_of<Sender>(child), policy.__get(), shape,
                                 tasks_of<f>{part_of<Sender>(function)});
}

}  // namespace kasuri::senders::detail
