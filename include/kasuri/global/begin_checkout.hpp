// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Checkouts in two steps: what is asked for travels while the program does something else.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstddef>
#include <utility>

#include "kasuri/global/checkout.hpp"

namespace kasuri::global {

/// A checkout that has begun; made by begin_checkout. As a guard it must not live over a fork or a
/// join. Its end, if wait() was not called, waits for what is on its way.
/// @par Thread-safety: one thread at a time; it may be another than the one that began it.
template <class T, class Mode>
class begun_checkout {
 public:
  /// No checkout; wait() gives no elements.
  begun_checkout() noexcept = default;
  /// For begin_checkout.
  begun_checkout(ptr<T> p, std::size_t n, Mode mode)
      : wanted_{p.offset(), detail::bytes_of<T>(n), mode.mode},
        size_(n),
        begun_(detail::begin_check_out(wanted_)) {}
  /// Takes the checkout over; `other` has none then.
  begun_checkout(begun_checkout&& other) noexcept
      : wanted_(std::exchange(other.wanted_, {})),
        size_(std::exchange(other.size_, 0)),
        begun_(std::exchange(other.begun_, {})) {}
  /// Gives its own checkout up and takes that of `other` over.
  begun_checkout& operator=(begun_checkout&& other) noexcept {
    if (this != &other) {
      abandon();
      wanted_ = std::exchange(other.wanted_, {});
      size_ = std::exchange(other.size_, 0);
      begun_ = std::exchange(other.begun_, {});
    }
    return *this;
  }
  /// Gives the checkout up where wait() was not called.
  ~begun_checkout() { abandon(); }

  /// Whether some of the elements are on their way since begin_checkout: not where they were here,
  /// nor where nothing could begin. It stays true until wait().
  [[nodiscard]] bool under_way() const noexcept { return begun_.number != 0; }

  /// The elements, as checkout gives them; empty when it is called again. Waits for what is on its
  /// way, and fetches the rest.
  /// @throw what checkout throws. The begun checkout has ended then, too
  checked_out<detail::accessed<T, Mode>> wait() {
    const std::size_t n = std::exchange(size_, 0);
    if (n == 0) return {};
    return {detail::finish_check_out(wanted_, std::exchange(begun_, {})), n};
  }

 private:
  void abandon() noexcept {
    if (begun_.kept != nullptr || begun_.number != 0)
      detail::abandon_check_out(std::exchange(begun_, {}));
  }

  detail::want wanted_{};
  std::size_t size_ = 0;
  detail::begun begun_;
};

/// Begins to check out elements [p, p + n) and does not wait: what has to be fetched travels until
/// wait() is called. Where that cannot be, wait() does all of it: between processes of one host
/// that share memory; with KASURI_CACHE=off; under access write, which needs no old elements; of
/// files; where more than an eighth of the cache would be on its way; behind the first 1,024 blocks
/// (KASURI_GLOBAL_BLOCK) of a call; where all room is taken by written bytes that must go home
/// first; and for bytes that another task is just fetching, or that must be asked for at their
/// home. Bytes that have arrived take room only as long as no checkout wants them. From here on no
/// parallel task may write the elements.
/// @param p     the first element
/// @param n     elements; with 0 p may be anything
/// @param mode  as in checkout
/// @return the begun checkout, not to be dropped: its end waits
/// @throw error where [p, p + n) is not inside one allocation, or is a file and not only read; want
///              of room in the cache is told by wait()
/// @par Thread-safety: as checkout.
template <class T, class Mode>
begun_checkout<T, Mode> begin_checkout(ptr<T> p, std::size_t n, Mode mode) {
  detail::check_access<T, Mode>();
  return {p, n, mode};
}

/// The same for the elements of a view.
template <class T, class Mode>
begun_checkout<T, Mode> begin_checkout(view<T> v, Mode mode) {
  return begin_checkout(v.begin(), v.size(), mode);
}

}  // namespace kasuri::global
