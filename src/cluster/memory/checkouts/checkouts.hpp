// SPDX-License-Identifier: Apache-2.0
#pragma once

// The checkouts of a process that last, as pins (pins.hpp): each names its bytes and the stack that
// holds them. A thread finds its pins by a seat of its own, which names the memory that they belong
// to; a thread that has none there, or whose first pins are all in use, adds some to the registry.
//
// A pin has an address on the stack of its task: so the task is known to which a checkout belongs,
// also when another thread runs it by then.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "cluster/base/coherence.hpp"
#include "cluster/memory/base/requests.hpp"
#include "cluster/memory/checkouts/pins.hpp"
#include "cluster/memory/space/directory.hpp"

namespace kasuri::cluster {

class checkouts {
 public:
  struct thread_seat {
    std::uint64_t memory_id;
    thread_pins* pins;
  };

  /// `id`: of the memory, never used again.
  checkouts(std::uint64_t id, const directory& places) noexcept : id_(id), places_(places) {}

  /// Of the calling thread. Its pins are of use to the memory that it names.
  [[nodiscard]] static thread_seat seat() noexcept { return this_thread; }

  /// A checkout begins, by a free pin of the calling thread. Inlined, for the frame of the caller.
  [[gnu::always_inline]] static void occupy(pin& p, std::uint64_t offset, std::uint64_t bytes,
                                            access mode) noexcept {
    p.occupy(offset, bytes, mode != access::read,
             reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)));
  }
  /// The same, wherever the caller's pins are.
  pin& claim(const checkout_request& r);
  /// A checkout of the calling thread has found all that it asked for.
  void count_hit() { mine().count_hit(); }

  /// Whether no checkout lasts, of any thread.
  [[nodiscard]] bool none() const { return pins_.collect().empty(); }
  /// See pin_registry.
  [[nodiscard]] std::vector<pinned_range> collect() const { return pins_.collect(); }
  [[nodiscard]] std::uint64_t hits() const { return pins_.hits(); }

  /// Checkouts that the calling task began on this thread, and that last.
  [[nodiscard]] std::size_t of_caller() const;
  /// Ends the process with a line that names one of them.
  [[noreturn]] void refuse_held() const;
  /// Throws global::error where another task holds bytes of the checkout, which has a pin, and one
  /// of the two writes.
  void expect_no_conflict(const checkout_request& r) const;

  /// `host` runs the tasks from now on; null: threads call, and wait for themselves.
  void wait_by(task_host* host) noexcept { host_ = host; }
  void let_others_run() {
    if (host_ != nullptr) host_->let_others_run();
  }
  [[nodiscard]] stack_range stack_of_caller() const;

  /// The invariant that does not hold, or null. While nobody checks out.
  [[nodiscard]] const char* check() const;

 private:
  static constinit thread_local thread_seat this_thread;

  /// The calling thread's pins. Its seat may name another memory since it has claimed a pin here:
  /// in a simulation other ranks run on the thread while a checkout waits.
  [[nodiscard]] thread_pins& mine() {
    if (this_thread.memory_id != id_) this_thread = {id_, &pins_.mine()};
    return *this_thread.pins;
  }
  const pin* first_of_caller(std::size_t& count) const;

  const std::uint64_t id_;
  const directory& places_;
  pin_registry pins_;
  task_host* host_ = nullptr;
};

}  // namespace kasuri::cluster
