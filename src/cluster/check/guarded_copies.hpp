// SPDX-License-Identifier: Apache-2.0
#pragma once

// Under checks: what a task has checked out lies in a copy of its own. The copy ends at a page that
// cannot be touched, and one for reading cannot be written: the instruction that writes through a
// checkout for reading, or goes past the end of one, faults, and the handler says which checkout
// that was. The bytes that were written go to their place when the checkout ends.
//
//   guard page | pages, written by us and by those who may write | guard page | the same pages, for
//   readers | guard page
//
// A task may check out again what it holds already: the second checkout gets the pages of the
// first, if it lies inside it.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "kasuri/global/access.hpp"
#include "kasuri/global/detail/pin.hpp"

namespace kasuri::cluster {

class guarded_copies {
 public:
  /// A checkout, and the pin by which it is known.
  struct use {
    const global::detail::pin* of = nullptr;
    std::byte* place = nullptr;  // where it lies in this process
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;  // not 0
    global::access mode = global::access::read;

    [[nodiscard]] bool writes() const noexcept { return mode != global::access::read; }
  };
  /// Words for a checkout, for a message.
  using describe_function = std::function<std::string(const use&)>;

  explicit guarded_copies(describe_function describe);
  ~guarded_copies();
  guarded_copies(const guarded_copies&) = delete;
  guarded_copies& operator=(const guarded_copies&) = delete;

  /// The copy that the caller hands out in the place of u.place, which holds what is checked out.
  /// `is_mine` says of a frame address whether it lies on the stack of the calling task. Ends the
  /// process where u lies across, or around, what the task holds already, and one of the two is
  /// written. Any thread. Throws global::error where the system gives no memory.
  std::byte* lend(const use& u, const std::function<bool(std::uintptr_t)>& is_mine);

  /// Ends the loan of that pin, which still is in force. Any thread.
  void take_back(const global::detail::pin& of) noexcept;

  /// Prints a line and ends the process if `at` lies in a copy. For the handler of faults.
  void explain_fault(std::uintptr_t at) noexcept;

 private:
  struct buffer {
    std::byte* start = nullptr;  // of the first guard page
    std::size_t bytes = 0;       // of the pages between two guards
    int users = 0;
  };
  struct loan {
    use what;
    buffer* in = nullptr;
    std::byte* data = nullptr;  // where we write it
    bool first = false;         // the others lie inside it
  };

  [[nodiscard]] loan inside_earlier(const use& u,
                                    const std::function<bool(std::uintptr_t)>& is_mine) const;
  buffer* make_buffer(std::uint64_t bytes);
  static void end_buffer(const buffer& b) noexcept;
  static std::byte* for_writers(const buffer& b) noexcept;
  static std::byte* for_readers(const buffer& b) noexcept;
  static std::byte* handed_out(const loan& l) noexcept;

  const describe_function describe_;
  std::mutex lock_;  // guards the rest
  std::unordered_map<const global::detail::pin*, loan> loans_;
  std::map<std::size_t, std::vector<buffer*>> free_;  // by size
  std::vector<std::unique_ptr<buffer>> kept_;         // all that go to free_
};

}  // namespace kasuri::cluster
