// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Access to global memory: what is checked out lies in this process as plain memory until the
/// guard's scope ends.
///
/// All of it shares these rules:
/// - A range lies inside one allocation: a vector, a grid, a file_view, or the heap of one rank.
/// - Any number of checkouts may last at a time. Their blocks (KASURI_GLOBAL_BLOCK bytes each)
///   whose home is another rank take room in the cache, together KASURI_CACHE_SIZE less what is
///   kept free: an eighth, 4 MiB at most, where the ranks share memory, else nothing. Blocks whose
///   home is here, files, and all memory of a job of one rank take none.
/// - Where the cache is full of checkouts, a further one waits until others end, and its thread
///   runs other tasks meanwhile. After ten seconds a line says so, once. It throws where all who
///   could make room wait for room themselves, and at once where it is larger than the cache.
/// - No checkout lives over a fork or a join, neither inside a call of parallel_invoke,
///   parallel_for or an algorithm, nor over run. Only KASURI_CHECK=checkout finds one that does.
/// - What a task checks out for writing must not be checked out by any task that is parallel to it.
///   KASURI_CHECK=checkout ends a program that does, with a line that names the two; without it
///   what is read, and what remains, is unspecified.
/// - A checkout of what is here is no message. Else it is one wait, in which all that is missing
///   travels: one message for each run of blocks that follow each other at one home. Where a rank
///   has to doubt what it has, since others wrote more than it could learn of, it is one wait more.
///   The end of a checkout is no message: written bytes go home when a fork is offered to another
///   rank, when a closure of another rank ends here, at the begin and end of run, and where their
///   block is evicted. With KASURI_CACHE=off they go home at the end of the checkout, which waits.
/// - It may also throw std::bad_alloc.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kasuri/global/access.hpp"
#include "kasuri/global/detail/memory_face.hpp"
#include "kasuri/global/ptr.hpp"

namespace kasuri::global {

/// Elements that are checked out: a span that gives them back at the end of its life. Made by
/// checkout and checkout_all. It must not live over a fork or a join: a task may go on elsewhere.
/// No access to an element is checked, but under KASURI_CHECK=checkout.
/// @par Thread-safety: one thread at a time; the elements as those of an array.
template <class T>
class checked_out {
 public:
  /// The type of the elements, const where they are only read.
  using element_type = T;
  /// A pointer into this process.
  using iterator = T*;

  /// No elements.
  checked_out() noexcept = default;
  /// For checkout.
  checked_out(detail::held h, std::size_t size) noexcept
      : data_(static_cast<T*>(const_cast<void*>(h.data))), size_(size), kept_(h.kept) {}
  /// Takes the elements over; `other` is empty then.
  checked_out(checked_out&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        kept_(std::exchange(other.kept_, nullptr)) {}
  /// Gives its own elements back and takes those of `other` over, which is empty then.
  checked_out& operator=(checked_out&& other) noexcept {
    if (this != &other) {
      check_in();
      data_ = std::exchange(other.data_, nullptr);
      size_ = std::exchange(other.size_, 0);
      kept_ = std::exchange(other.kept_, nullptr);
    }
    return *this;
  }
  /// Gives the elements back.
  ~checked_out() { check_in(); }

  /// The first element, in the memory of this process, aligned as T; not to be kept for
  /// longer than the guard.
  T* data() const noexcept { return data_; }
  /// The number of elements.
  std::size_t size() const noexcept { return size_; }
  /// Whether it has no element.
  bool empty() const noexcept { return size_ == 0; }
  /// The first element.
  T* begin() const noexcept { return data_; }
  /// Behind the last element.
  T* end() const noexcept { return data_ + size_; }
  /// Element `i`, which must be below size().
  T& operator[](std::size_t i) const noexcept { return data_[i]; }
  /// The first element, which must exist.
  T& front() const noexcept { return data_[0]; }
  /// The last element, which must exist.
  T& back() const noexcept { return data_[size_ - 1]; }

  /// Gives the elements back before the end of the scope; the guard is empty then. Again, it does
  /// nothing.
  void check_in() noexcept {
    if (kept_ != nullptr) detail::check_in(*kept_);
    data_ = nullptr;
    size_ = 0;
    kept_ = nullptr;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
  detail::pin* kept_ = nullptr;
};

namespace detail {

template <class T, class Mode>
using accessed = std::conditional_t<Mode::mode == access::read, const T, T>;

template <class T, class Mode>
constexpr void check_access() noexcept {
  static_assert(Mode::mode == access::read || !std::is_const_v<T>,
                "elements of a const view or pointer can be checked out with access read only");
}

}  // namespace detail

/// Elements [p, p + n), here and usable as plain memory as long as the guard lives.
/// @param p     the first element
/// @param n     elements; with 0 p may be anything
/// @param mode  read: they are current, and must not be written; write: all of them will be
///              written, what they are before is arbitrary; read_write: current, and may be written
/// @return the guard, with n elements
/// @throw error where [p, p + n) is not inside one allocation, or is a file and not only read;
///              where the cache has no room for what is checked out at this time
///              (KASURI_CACHE_SIZE); and under KASURI_CHECK=checkout where another thread of this
///              process, outside of tasks, has some of it checked out and one of the two writes, or
///              where the system gives no memory for the copy
/// @par Thread-safety: any task; any thread of a program outside of tasks.
template <class T, class Mode>
checked_out<detail::accessed<T, Mode>> checkout(ptr<T> p, std::size_t n, Mode mode) {
  detail::check_access<T, Mode>();
  return {detail::check_out(p.offset(), detail::bytes_of<T>(n), mode.mode), n};
}

/// The same for the elements of a view.
template <class T, class Mode>
checked_out<detail::accessed<T, Mode>> checkout(view<T> v, Mode mode) {
  return checkout(v.begin(), v.size(), mode);
}

/// One of the ranges of checkout_all; made by request.
template <class T, class Mode>
struct request_of {
  /// The first element.
  ptr<T> first;
  /// The number of elements.
  std::size_t size;
};

/// Elements [p, p + n), as one of the ranges of checkout_all, with the mode of its own. No access.
template <class T, class Mode>
request_of<T, Mode> request(ptr<T> p, std::size_t n, Mode) noexcept {
  detail::check_access<T, Mode>();
  return {p, n};
}
/// The elements of a view, as one of the ranges of checkout_all.
template <class T, class Mode>
request_of<T, Mode> request(view<T> v, Mode mode) noexcept {
  return request(v.begin(), v.size(), mode);
}

/// Checks several ranges out at the price of one wait: what has to be fetched is fetched at the
/// same time. All or none: where one is refused, none is checked out. The cache must have room for
/// all of them together.
/// @param r  one request or more, made by request
/// @return a tuple of guards, in the order of the requests; for structured bindings
/// @throw what checkout throws
/// @par Thread-safety: as checkout.
template <class... T, class... Mode>
std::tuple<checked_out<detail::accessed<T, Mode>>...> checkout_all(request_of<T, Mode>... r) {
  const detail::want wanted[] = {{r.first.offset(), detail::bytes_of<T>(r.size), Mode::mode}...};
  detail::held got[sizeof...(r)];
  detail::check_out_all(wanted, got, sizeof...(r));
  std::size_t i = 0;
  const auto next = [&](std::size_t size) { return std::pair(got[i++], size); };
  const auto guard = [](auto type, std::pair<detail::held, std::size_t> h) {
    return checked_out<typename decltype(type)::type>(h.first, h.second);
  };
  return std::tuple<checked_out<detail::accessed<T, Mode>>...>{
      guard(std::type_identity<detail::accessed<T, Mode>>{}, next(r.size))...};
}

/// One element, by value. As checkout(p, 1, read): where it is not here its whole block is fetched
/// (KASURI_GLOBAL_BLOCK bytes), so that its neighbours are here, too.
/// @throw what checkout throws
/// @par Thread-safety: as checkout.
template <class T>
std::remove_const_t<T> get(ptr<T> p) {
  return checkout(p, 1, read)[0];
}

/// Writes one element. As checkout(p, 1, write): no message.
/// @throw what checkout throws
/// @par Thread-safety: as checkout.
template <class T>
void put(ptr<T> p, const std::type_identity_t<T>& value) {
  checkout(p, 1, write)[0] = value;
}

}  // namespace kasuri::global
