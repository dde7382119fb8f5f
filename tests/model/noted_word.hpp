// SPDX-License-Identifier: Apache-2.0
// The lock of an object: each access notes that the object is there, which is plain data, so that
// an access beside the object's end is a race.
#pragma once

#include <atomic>
#include <cstdint>

#include "explorer/explore.hpp"

namespace kasuri::model {

/// A is the atomics of the program.
template <class A>
class noted_word {
 public:
  /// @param there  0 while the object is there
  explicit noted_word(const plain<int>& there) : there_(there) {}

  std::uint32_t load(std::memory_order o) const { return noted().load(o); }
  void store(std::uint32_t value, std::memory_order o) { noted().store(value, o); }
  std::uint32_t exchange(std::uint32_t value, std::memory_order o) {
    return noted().exchange(value, o);
  }
  /// When the program has ended.
  std::uint32_t at_end() const { return word_.load(std::memory_order_relaxed); }

 private:
  using word = typename A::template atomic<std::uint32_t>;
  word& noted() const {
    require(there_ == 0, "the object is used and was destroyed");
    return word_;
  }

  const plain<int>& there_;
  mutable word word_{0};
};

}  // namespace kasuri::model
