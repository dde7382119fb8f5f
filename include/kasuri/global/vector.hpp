// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Arrays over all ranks.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "kasuri/global/checkout.hpp"
#include "kasuri/global/detail/memory_face.hpp"
#include "kasuri/global/ptr.hpp"

namespace kasuri::global {

/// Equal parts of consecutive elements, one for each rank.
struct blocked_t {};
/// Says so to the constructor of a vector or grid.
inline constexpr blocked_t blocked{};

/// Blocks of so many elements, dealt out to the ranks in turn. They are rounded up to whole pages,
/// and further in arrays with more than 8,192 blocks a rank.
struct cyclic {
  /// Blocks of so many elements.
  explicit constexpr cyclic(std::size_t elements) noexcept : block(elements) {}
  /// Elements of a block.
  std::size_t block;
};

/// Blocks of so many elements, rounded up likewise, each at the rank that owner(i) gives for its
/// first element i: on all ranks the same. A block that was rounded up begins with an element that
/// is in part the block's before.
template <class Owner>
struct listed {
  /// Blocks of so many elements, at the ranks that `who` gives.
  listed(std::size_t elements, Owner who) : block(elements), owner(std::move(who)) {}
  /// Elements of a block.
  std::size_t block;
  /// Gives the rank of the block that begins with an element.
  Owner owner;
};

/// `n` elements of global memory, zero bytes at first. Constructed and destroyed by all ranks, in
/// the same order, outside of tasks. Closures capture its view.
template <class T>
class vector {
 public:
  /// The type of the elements.
  using value_type = T;

  /// @throw error, on all ranks, where there is no room
  explicit vector(std::size_t n, blocked_t = blocked)
      : first_(ptr<T>::at(detail::make_blocked(bytes(n), sizeof(T)))), size_(n) {}
  /// @throw error, on all ranks, where there is no room
  vector(std::size_t n, cyclic d)
      : first_(ptr<T>::at(detail::make_cyclic(bytes(n), d.block * sizeof(T), sizeof(T)))),
        size_(n) {}
  /// @throw error, on all ranks, where there is no room
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

/// The elements of a vector.
template <class T, class Mode>
checked_out<detail::accessed<T, Mode>> checkout(const vector<T>& v, Mode mode) {
  return checkout(v.view(), mode);
}

}  // namespace kasuri::global
