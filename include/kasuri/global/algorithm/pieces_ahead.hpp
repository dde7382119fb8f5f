// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kasuri/detail/needs_cxx20.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>

#include "kasuri/global/begin_checkout.hpp"
#include "kasuri/global/vector.hpp"

namespace kasuri::global::detail {

/// For loops that read views piece by piece, side by side: the next piece of each is on its way
/// while the loop works on one.
template <class... T>
class pieces_ahead {
 public:
  /// \param end    of what is read, in elements from the beginning of the views
  /// \param piece  elements that are checked out at a time
  pieces_ahead(std::size_t end, std::size_t piece, view<T>... of) noexcept
      : end_(end), piece_(piece), of_(of...) {}

  /// To be called once what is before `at` has been checked out.
  void begin(std::size_t at) {
    next_ = decltype(next_){};
    if (at >= end_) return;
    const std::size_t n = std::min(piece_, end_ - at);
    const auto begin_all = [=](auto... v) {
      return std::tuple(begin_checkout(v.subview(at, n), read)...);
    };
    next_ = std::apply(begin_all, of_);
  }

 private:
  std::size_t end_;
  std::size_t piece_;
  std::tuple<view<T>...> of_;
  std::tuple<begun_checkout<T, read_t>...> next_;
};

}  // namespace kasuri::global::detail
