// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Files as global arrays that are read.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "kasuri/global/checkout.hpp"
#include "kasuri/global/detail/memory_face.hpp"
#include "kasuri/global/ptr.hpp"

namespace kasuri::global {

/// The elements that a file consists of, mapped on every rank: the file must be there for all of
/// them, and must not change. Bytes at its end that make no whole element are left out. Constructed
/// and destroyed by all ranks, in the same order, outside of tasks.
template <class T>
class file_view {
 public:
  /// @throw error where a rank cannot read it, it is no regular file or does not say how long it is
  /// (as those below /proc), or a rank sees a file of another size
  explicit file_view(const std::string& path) {
    std::uint64_t bytes = 0;
    first_ = ptr<const T>::at(detail::map_file(path.c_str(), bytes));
    size_ = bytes / sizeof(T);
  }
  /// Takes the elements over; `other` is empty then.
  file_view(file_view&& other) noexcept
      : first_(std::exchange(other.first_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  file_view& operator=(file_view&&) = delete;
  ~file_view() {
    if (first_) detail::end_array(first_.offset());
  }

  /// All elements, as closures capture them.
  global::view<const T> view() const noexcept { return {first_, size_}; }
  /// The address of the first element.
  ptr<const T> begin() const noexcept { return first_; }
  /// The number of elements.
  std::size_t size() const noexcept { return size_; }

 private:
  ptr<const T> first_;
  std::size_t size_ = 0;
};

}  // namespace kasuri::global
