// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstddef>

#include "kasuri/global/memory.hpp"
#include "kasuri/global/vector.hpp"

namespace kasuri::global::detail {

/// Global memory for the time of a call, at the calling process.
template <class T>
class scratch {
 public:
  explicit scratch(std::size_t n) : size_(n), first_(allocate<T>(n)) {}
  ~scratch() { deallocate(first_, size_); }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;

  global::view<T> view() const noexcept { return {first_, size_}; }

 private:
  std::size_t size_;
  ptr<T> first_;
};

}  // namespace kasuri::global::detail
