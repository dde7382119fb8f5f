// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Files as global arrays that are read. Each process maps the file: reading it is no message,
/// takes no room in the cache, and is not looked at by KASURI_CHECK.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "kasuri/global/checkout.hpp"
#include "kasuri/global/detail/memory_face.hpp"
#include "kasuri/global/ptr.hpp"

namespace kasuri::global {

/// The elements that a file consists of, as they lie in it byte by byte, mapped on every rank: the
/// file must be there for all of them under this path, and must not change: one that is cut short
/// meanwhile ends a process that reads behind its end (SIGBUS). Bytes at its end that make no whole
/// element are left out. Any size that the address range has room for (KASURI_GLOBAL_RANGE), also
/// 0; the memory is the system's page cache. Constructed and destroyed by all ranks, in the same
/// order, outside of tasks; closures capture its view. Files are not written: the elements are
/// const.
/// @par Thread-safety: as a vector.
template <class T>
class file_view {
 public:
  /// Maps the file at `path`, which each rank resolves for itself; all must see the same size.
  /// @throw error, on all ranks, where a rank cannot read it, it is no regular file or does not say
  ///              how long it is (as those below /proc), a rank sees a file of another size, or the
  ///              address range has no room; on a rank alone where the system does not map it;
  ///              inside a task
  explicit file_view(const std::string& path) {
    std::uint64_t bytes = 0;
    first_ = ptr<const T>::at(detail::map_file(path.c_str(), bytes));
    size_ = bytes / sizeof(T);
  }
  /// Takes the elements over; `other` is empty then.
  file_view(file_view&& other) noexcept
      : first_(std::exchange(other.first_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  file_view& operator=(file_view&&) = delete;
  /// Collective, as that of a vector.
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
