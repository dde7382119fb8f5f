// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Arrays over all ranks. The memory of an array lies in parts at the ranks, its homes. A part
/// consists of whole blocks of KASURI_GLOBAL_BLOCK bytes (4 KiB unless set).

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "kasuri/global/checkout.hpp"
#include "kasuri/global/detail/memory_face.hpp"
#include "kasuri/global/ptr.hpp"

namespace kasuri::global {

/// Equal parts of consecutive elements, one for each rank: of whole blocks, so that the last ranks
/// may have less or nothing. An array of one block and less lies at rank 0.
struct blocked_t {};
/// Says so to the constructor of a vector or grid.
inline constexpr blocked_t blocked{};

/// Blocks of so many elements, dealt out to the ranks in turn. They are rounded up to whole blocks
/// of KASURI_GLOBAL_BLOCK bytes, and further in arrays with more than 8,192 blocks a rank.
struct cyclic {
  /// Blocks of so many elements; 0 counts as 1. The same on all ranks.
  explicit constexpr cyclic(std::size_t elements) noexcept : block(elements) {}
  /// Elements of a block.
  std::size_t block;
};

/// Blocks of so many elements, rounded up likewise, each at the rank that owner(i) gives for its
/// first element i: on all ranks the same, which is not compared. A block that was rounded up
/// begins with an element that is in part the block's before. Each rank sets aside as many blocks
/// as the rank with the most of them, though memory is used only as far as it is touched.
template <class Owner>
struct listed {
  /// Blocks of so many elements, at the ranks that `who` gives.
  /// @param elements  of a block; 0 counts as 1. The same on all ranks
  /// @param who       callable with a std::size_t, the number of an element; returns a rank, from 0
  ///                  to num_ranks() - 1. Called by the constructor once a block, in order
  listed(std::size_t elements, Owner who) : block(elements), owner(std::move(who)) {}
  /// Elements of a block.
  std::size_t block;
  /// Gives the rank of the block that begins with an element.
  Owner owner;
};

/// `n` elements of global memory, zero bytes at first: no constructor runs. Constructed and
/// destroyed by all ranks, in the same order, outside of tasks. Closures capture its view. It can
/// be moved, and not copied.
///
/// Elements are trivially copyable and of any alignment up to a page. Any number of arrays: each
/// takes its size, rounded up to whole blocks, and one block more from KASURI_GLOBAL_RANGE, and
/// memory only as far as it is touched. Making and ending one is several exchanges among all ranks:
/// make them outside of loops. Where ranks are in other collective calls, or sizes differ, the job
/// ends with a line; so it does where one ends inside of a task. Static ones end with the program.
/// @par Thread-safety: one thread of each rank at a time in collective calls (constructors,
/// destructor, assignment); the other members any.
template <class T>
class vector {
 public:
  /// The type of the elements.
  using value_type = T;

  /// Equal parts of consecutive elements.
  /// @param n  elements; may be 0
  /// @throw error, on all ranks, where there is no room in KASURI_GLOBAL_RANGE or no memory at a
  ///              rank; on a rank alone where the system refuses it the addresses (ulimit -v,
  ///              vm.max_map_count); inside a task
  explicit vector(std::size_t n, blocked_t = blocked)
      : first_(ptr<T>::at(detail::make_blocked(bytes(n), sizeof(T)))), size_(n) {}
  /// Blocks, dealt out to the ranks in turn.
  /// @param n  elements; may be 0
  /// @param d  elements of a block
  /// @throw error as above
  vector(std::size_t n, cyclic d)
      : first_(ptr<T>::at(detail::make_cyclic(bytes(n), d.block * sizeof(T), sizeof(T)))),
        size_(n) {}
  /// Blocks at chosen ranks.
  /// @param n  elements; may be 0
  /// @param d  elements of a block, and the rank of each block
  /// @throw error as above, and where the owner of a block is no rank
  template <class Owner>
  vector(std::size_t n, const listed<Owner>& d)
      : first_(ptr<T>::at(detail::make_listed(
            bytes(n), d.block * sizeof(T),
            [](const void* owner, std::uint64_t byte) {
              return static_cast<int>((*static_cast<const Owner*>(owner))(byte / sizeof(T)));
            },
            &d.owner, sizeof(T)))),
        size_(n) {}
  /// Takes the elements over; `other` is empty then.
  vector(vector&& other) noexcept
      : first_(std::exchange(other.first_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  /// Frees its own elements, as the destructor does, and takes those of `other` over.
  vector& operator=(vector&& other) noexcept {
    if (this != &other) {
      if (first_) detail::end_array(first_.offset());
      first_ = std::exchange(other.first_, nullptr);
      size_ = std::exchange(other.size_, 0);
    }
    return *this;
  }
  /// Collective: frees the elements. No checkout of them may last.
  ~vector() {
    if (first_) detail::end_array(first_.offset());
  }

  /// All elements, as closures capture them.
  global::view<T> view() const noexcept { return {first_, size_}; }
  /// The address of the first element.
  ptr<T> begin() const noexcept { return first_; }
  /// The address behind the last element.
  ptr<T> end() const noexcept { return view().end(); }
  /// The number of elements.
  std::size_t size() const noexcept { return size_; }
  /// Whether there is no element.
  bool empty() const noexcept { return size_ == 0; }

 private:
  static std::uint64_t bytes(std::size_t n) noexcept { return detail::bytes_of<T>(n); }

  ptr<T> first_;
  std::size_t size_ = 0;
};

/// All elements of a vector, which must fit into the cache as far as they are at other ranks.
template <class T, class Mode>
checked_out<detail::accessed<T, Mode>> checkout(const vector<T>& v, Mode mode) {
  return checkout(v.view(), mode);
}

}  // namespace kasuri::global
