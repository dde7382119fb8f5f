// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Arrays and values in a file, from which a program goes on when it is started again, with as many
/// ranks as there are then.
///
/// The file has a header, which says for each part its name, the type and number of its elements,
/// and the bytes of all parts. Each 4 KiB of them and the header have a checksum. It is read on
/// machines of the same byte order, whatever the number of ranks and the distributions. Elements
/// are bytes as they lie in memory: a program that has changed a struct must not read what it wrote
/// before, and a long double, which has another format on other processors, is read on the same
/// kind alone. A ptr means nothing when the program is started again.
///
/// Each rank writes and reads what lies at its home, at the same time as the others: a file system
/// that all hosts see is needed, and nothing is gathered anywhere.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "kasuri/global/detail/saved_part.hpp"
#include "kasuri/global/grid.hpp"
#include "kasuri/global/ptr.hpp"
#include "kasuri/global/vector.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace global {

/// A name, and the array or value that is saved and loaded under it: made of {"name", x} in calls
/// of save_checkpoint and load_checkpoint. It refers to both, which must outlive it. Names are 1 to
/// 255 bytes, and different in one checkpoint.
/// @par Thread-safety: as a value.
class checkpoint_part {
 public:
  /// The elements of a vector.
  template <class T>
  checkpoint_part(std::string_view name, const vector<T>& array) noexcept
      : checkpoint_part(name, array.view()) {}
  /// The elements of a grid; its rows and columns must be the same when it is loaded.
  template <class T>
  checkpoint_part(std::string_view name, const grid<T>& array) noexcept
      : checkpoint_part(name, array.view()) {}
  /// The elements of a view. Those of a view of const T can be saved, and not loaded.
  template <class T>
  checkpoint_part(std::string_view name, view<T> array) noexcept
      : part_(detail::part_of<T>(name, array.begin().offset(), array.size(), 0)) {}
  /// The elements of a grid_view, likewise.
  template <class T>
  checkpoint_part(std::string_view name, grid_view<T> array) noexcept
      : part_(detail::part_of<T>(name, array.all().begin().offset(), array.all().size(),
                                 array.columns())) {}
  /// A value that all ranks have alike, as the number of an iteration: that of rank 0 is saved, and
  /// all ranks get it when it is loaded, for which it must be a variable. Trivially copyable, of
  /// any size. No pointer, ptr, bag_view, hash_map_view, function_ref or constant_ptr, nor a member
  /// that is one.
  template <class T>
    requires detail::value_to_save<std::remove_cvref_t<T>>
  checkpoint_part(std::string_view name, T&& value) noexcept
      : part_(detail::part_of_value(name, value, std::is_lvalue_reference_v<T>)) {}

  /// For the library.
  const detail::saved_part& part() const noexcept { return part_; }

 private:
  detail::saved_part part_;
};

namespace detail {

void save_parts(const char* path, const checkpoint_part* parts, std::size_t count);
bool load_parts(const char* path, const checkpoint_part* parts, std::size_t count);

}  // namespace detail

/// Writes a checkpoint. Collective: called by all ranks with the same path, names and arrays, in
/// the same order of such calls, outside of tasks; else the job ends with a line. What any rank has
/// written to global memory before the call is in it; no rank writes to the arrays meanwhile.
///
/// The file is written as PATH.writing-N beside it, N being 16 hex digits that each call has of its
/// own, made durable, and renamed then: under its own name is always a whole one, the new or the
/// one before, also when the program or the machine fails meanwhile. What a job that was killed
/// leaves as PATH.writing-* nobody reads: remove it. The file gets the permissions of the one that
/// it replaces, not its owner and group. One job at a time writes to a path. A link of that name is
/// replaced.
///
/// The cost: each rank writes the bytes of its home, with their checksums by one processor, and
/// waits for the device; the calls that make a file, and six exchanges of a word of all ranks.
/// @param path   the same for all ranks: a file system that all of them see
/// @param parts  as {{"t", temperature}, {"step", step}}
/// @throw error, on all ranks, where a rank cannot write, the name belongs to something else than a
///              file, names are empty, too long or the same, or too many (their header would have
///              more than 256 MiB), an array has ended; inside a task. A file of the name is as it
///              was then, unless the line says that the new one has it: where all is written, and
///              the device fails to keep the folder
/// @par Thread-safety: one thread of each rank at a time in collective calls.
inline void save_checkpoint(const std::string& path, std::span<const checkpoint_part> parts) {
  detail::save_parts(path.c_str(), parts.data(), parts.size());
}
/// The same, of parts that are listed in the call.
inline void save_checkpoint(const std::string& path, std::initializer_list<checkpoint_part> parts) {
  detail::save_parts(path.c_str(), parts.begin(), parts.size());
}

/// Reads parts of a checkpoint by their names: all, or those that are wanted. Collective, as
/// save_checkpoint. Arrays may be distributed in another way, and over another number of ranks,
/// than those that were saved; their elements must be of the same size and kind (signed, unsigned,
/// floating point, other), and as many. Behind the call all ranks see the elements.
///
/// Names, types and sizes are compared, and the header checked, before anything is changed. What is
/// in the parts is checked as it is read: where that is found to be damaged, arrays hold
/// unspecified elements, and values are as they were.
/// @param path   the same for all ranks
/// @param parts  as for save_checkpoint; values are variables
/// @return false where there is no such file, at all ranks: nothing is changed
/// @throw error, on all ranks, where the file is no checkpoint, is not whole or damaged, was
///              written on a machine of another byte order or by a version that this one does not
///              know; where a part is not in it, or has another type or size; where a rank cannot
///              read it, or sees another file than rank 0; where an array or value is const; inside
///              a task
/// @par Thread-safety: one thread of each rank at a time in collective calls.
[[nodiscard]] inline bool load_checkpoint(const std::string& path,
                                          std::span<const checkpoint_part> parts) {
  return detail::load_parts(path.c_str(), parts.data(), parts.size());
}
/// The same, of parts that are listed in the call.
[[nodiscard]] inline bool load_checkpoint(const std::string& path,
                                          std::initializer_list<checkpoint_part> parts) {
  return detail::load_parts(path.c_str(), parts.begin(), parts.size());
}

}  // namespace global
}  // namespace kasuri
