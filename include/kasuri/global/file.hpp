// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Files as global arrays that are read, and arrays written to files. Each process maps a file that
/// it reads: that is no message, takes no room in the cache, and is not looked at by KASURI_CHECK.
/// What a program goes on from when it is started again is rather saved by a checkpoint
/// (kasuri/global/files/checkpoint.hpp), which has checksums.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "kasuri/global/checkout.hpp"
#include "kasuri/global/detail/memory_face.hpp"
#include "kasuri/global/grid.hpp"
#include "kasuri/global/ptr.hpp"
#include "kasuri/global/vector.hpp"

namespace kasuri::global {

/// The elements that a file consists of, as they lie in it byte by byte, mapped on every rank: the
/// file must be there for all of them under this path, and must not change: one that is cut short
/// meanwhile ends a process that reads behind its end (SIGBUS). Bytes at its end that make no whole
/// element are left out. Any size that the address range has room for (KASURI_GLOBAL_RANGE), also
/// 0; the memory is the system's page cache. Constructed and destroyed by all ranks, in the same
/// order, outside of tasks; closures capture its view. The elements are const: write_file
/// writes a file.
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

/// Writes elements of global memory into a file, byte by byte as they lie there, and nothing else:
/// a file_view of T has them. Each rank writes what lies at its home, at the same time as the
/// others. Collective: called by all ranks with the same path and elements, in the same order of
/// such calls, outside of tasks; else the job ends with a line. What any rank has written to global
/// memory before the call is in the file; no rank writes to the elements meanwhile.
///
/// The file is written as PATH.writing-N beside it, N being 16 hex digits that each call has of its
/// own, made durable, and renamed then: under its own name is always a whole one, the new or the
/// one before, also when the program or the machine fails meanwhile. What a job that was killed
/// leaves as PATH.writing-* nobody reads: remove it. The file gets the permissions of the one that
/// it replaces, not its owner and group. One job at a time writes to a path. A link of that name is
/// replaced.
///
/// The cost: each rank writes the bytes of its home and waits for the device; six exchanges of a
/// word of all ranks.
/// @param path      the same for all ranks: a file system that all of them see
/// @param elements  of one allocation; may be none
/// @throw error, on all ranks, where a rank cannot write (no room, no such folder, ulimit -f), the
///              name belongs to something else than a file, or the elements are not inside one
///              allocation; inside a task. A file of the name is as it was then, unless the line
///              says that the new one has it: where all is written, and the device fails to keep
///              the folder
/// @par Thread-safety: one thread of each rank at a time in collective calls.
template <class T>
void write_file(const std::string& path, view<T> elements) {
  detail::write_range(path.c_str(), elements.begin().offset(),
                      detail::bytes_of<T>(elements.size()));
}
/// All elements of a vector.
template <class T>
void write_file(const std::string& path, const vector<T>& elements) {
  write_file(path, elements.view());
}
/// All elements of a grid_view, row after row.
template <class T>
void write_file(const std::string& path, grid_view<T> elements) {
  write_file(path, elements.all());
}
/// All elements of a grid, row after row.
template <class T>
void write_file(const std::string& path, const grid<T>& elements) {
  write_file(path, elements.view());
}

}  // namespace kasuri::global
