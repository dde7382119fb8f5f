// SPDX-License-Identifier: Apache-2.0
#pragma once

// The records of when_all and when_any: a result without a task, and a callback in the word of
// each future.
//
// The futures lie in the result from the start, and nobody reads them there before the result has
// come. A callback may still stand in the word of a future when the result has come (when_any),
// so each owns a share of the record; the others belong to the future that waits, and to the end
// that is to come.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "kasuri/detail/throws.hpp"
#include "kasuri/future.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

template <class T>
inline constexpr bool is_future = false;
template <class R>
inline constexpr bool is_future<future<R>> = true;
template <class R>
inline constexpr bool is_future<shared_future<R>> = true;

/// The result comes with the last future.
class when_all_rule {
 public:
  explicit when_all_rule(std::size_t futures) noexcept : left_(futures + 1) {}

  /// True: the caller brings the result, and sees all others' ends.
  bool one_ended(std::size_t) noexcept { return last(); }
  /// All callbacks stand in their words.
  bool all_stand() noexcept { return last(); }

  template <class Sequence>
  static Sequence& futures_in(Sequence& result) noexcept {
    return result;
  }
  template <class Sequence>
  void complete(Sequence&) const noexcept {}

 private:
  bool last() noexcept {
    // acq_rel: pairs with itself: the last sees what the others did
    return left_.fetch_sub(1, std::memory_order_acq_rel) == 1;
  }

  std::atomic<std::size_t> left_;
};

/// The result comes with the first future, but not before all callbacks stand in their words:
/// the thread that puts them there reads the futures.
class when_any_rule {
 public:
  explicit when_any_rule(std::size_t futures) noexcept : left_(futures == 0 ? 1 : 2) {}

  bool one_ended(std::size_t index) noexcept {
    std::size_t nobody = none;
    // relaxed: only one thread changes it; last() passes it on
    return first_.compare_exchange_strong(nobody, index, std::memory_order_relaxed,
                                          std::memory_order_relaxed) &&
           last();
  }
  bool all_stand() noexcept { return last(); }

  template <class Result>
  static auto& futures_in(Result& result) noexcept {
    return result.futures;
  }
  template <class Result>
  void complete(Result& result) const noexcept {
    result.index = first_.load(std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  bool last() noexcept {
    // acq_rel: pairs with itself: the second sees what the first did
    return left_.fetch_sub(1, std::memory_order_acq_rel) == 1;
  }

  std::atomic<std::size_t> first_{none};
  std::atomic<std::uint32_t> left_;
};

template <class F, class... Futures>
void for_each_future(std::tuple<Futures...>& all, F f) {
  std::apply([&f](auto&... each) { (f(each), ...); }, all);
}
template <class F, class Future>
void for_each_future(std::vector<Future>& all, F f) {
  for (Future& each : all) f(each);
}

template <class Result, class Rule>
class when_state : public future_state<Result> {
 public:
  explicit when_state(std::size_t futures)
      : future_state<Result>(kind, &destroy_record),
        rule_(futures),
        hooks_(std::make_unique<hook[]>(futures)) {
    // relaxed: nobody else has it
    this->owners.store(static_cast<std::uint32_t>(futures) + 2, std::memory_order_relaxed);
  }

  /// Makes the result that is to come, of the futures. From here on it may come.
  template <class... From>
  void begin(From&&... from) noexcept {
    new (&this->value) Result;
    auto& futures = Rule::futures_in(this->value);
    futures = std::remove_reference_t<decltype(futures)>(std::forward<From>(from)...);
    std::size_t index = 0;
    for_each_future(futures, [this, &index](auto& each) {
      hook& h = hooks_[index];
      h.of = this;
      h.index = index++;
      h.call = &one_ended;
      if (!on_ready(future_access::state(each), &h)) let_go(one_ended(&h));
    });
    if (rule_.all_stand()) let_go(end());
  }

 private:
  struct hook : callback {
    when_state* of;
    std::size_t index;
  };

  static std::uintptr_t one_ended(callback* c) noexcept {
    const hook& h = *static_cast<hook*>(c);
    when_state* const self = h.of;
    const std::uintptr_t entries = self->rule_.one_ended(h.index) ? self->end() : 0;
    self->drop();
    return entries;
  }

  std::uintptr_t end() noexcept {
    rule_.complete(this->value);
    const std::uintptr_t entries = end_result(this, join_done);
    this->drop();
    return entries;
  }

  static void destroy_record(future_state<Result>* state) noexcept {
    delete static_cast<when_state*>(state);
  }

  Rule rule_;
  std::unique_ptr<hook[]> hooks_;
  // No worker ever runs it.
  static constexpr frame_type kind{nullptr, false, "when"};
};

/// A future is moved from, a shared future copied.
template <class R>
future<R>&& given(future<R>& f) noexcept {
  return std::move(f);
}
template <class R>
const shared_future<R>& given(const shared_future<R>& f) noexcept {
  return f;
}

/// Throws std::logic_error.
template <class Future>
void expect_valid(const Future& f, std::size_t index) {
  if (!f.valid()) throw_future_without_task(index);
}

template <class It, class End>
auto futures_of(It first, End last) {
  using one = std::iter_value_t<It>;
  std::vector<one> all;
  if constexpr (std::sized_sentinel_for<End, It>)
    all.reserve(static_cast<std::size_t>(last - first));
  for (; first != last; ++first) {
    decltype(auto) from = *first;
    expect_valid(from, all.size());
    if constexpr (std::is_copy_constructible_v<one>)
      all.push_back(from);
    else
      all.push_back(std::move(from));
  }
  return all;
}

template <class Result, class Rule, class... From>
future<Result> wait_for_several(std::size_t count, From&&... from) {
  auto* const state = new when_state<Result, Rule>(count);
  future<Result> answer = future_access::make<Result>(state);
  state->begin(std::forward<From>(from)...);
  return answer;
}

template <class Result, class Rule, class... Futures>
future<Result> wait_for_tuple(Futures&&... futures) {
  std::size_t index = 0;
  (expect_valid(futures, index++), ...);
  return wait_for_several<Result, Rule>(sizeof...(Futures), std::forward<Futures>(futures)...);
}

template <class Result, class Rule, class Future>
future<Result> wait_for_vector(std::vector<Future> all) {
  const std::size_t count = all.size();
  return wait_for_several<Result, Rule>(count, std::move(all));
}

}  // namespace detail
}  // namespace kasuri
