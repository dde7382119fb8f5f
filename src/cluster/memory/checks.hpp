// SPDX-License-Identifier: Apache-2.0
#pragma once

// Under KASURI_CHECK=checkout: every use of global memory by a task is entered in the shadow
// (check/shadow.hpp), and a race ends the program; what is checked out lies in a copy between guard
// pages (check/guarded_copies.hpp). A use outside of a run is not entered: it is ordered with all
// tasks. Without checks nothing is made, and note_use(), note_uses() and lend() are not called.
//
// `run_` and `tasks_` change while no task runs.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "cluster/base/coherence.hpp"
#include "cluster/check/guarded_copies.hpp"
#include "cluster/check/shadow.hpp"
#include "cluster/memory/base/options.hpp"
#include "cluster/memory/base/requests.hpp"
#include "cluster/memory/checkouts/checkouts.hpp"
#include "cluster/memory/space/directory.hpp"
#include "cluster/transport/transport.hpp"

namespace kasuri::cluster {

class memory_checks {
 public:
  /// Collective. `id`: of the memory. Throws global::error where a rank has no room for the
  /// records.
  memory_checks(transport& network, const memory_options& options, std::uint64_t id,
                const directory& places, const checkouts& users);

  void ask(known_tasks* tasks) noexcept { tasks_ = tasks; }
  /// Ends the process with a message if the calling task holds a checkout, at a fork or join.
  void expect_nothing_held() const {
    if (copies_ != nullptr && users_.of_caller() != 0) [[unlikely]]
      users_.refuse_held();
  }
  void begin_run();
  std::uint64_t at_fork(const program_point& here);

  /// Enters a use of bytes of one region by the calling task.
  void note_use(const region& where, std::uint64_t offset, std::uint64_t bytes, use what);
  /// The same for checkouts, each in the region where[i], unless it has no bytes.
  void note_uses(std::span<const checkout_request> requests, std::span<const region* const> where);
  /// Hands out copies of what checkouts hold, in the place of that.
  void lend(std::span<const checkout_request> requests, std::span<const region* const> where,
            std::span<held> results);
  /// Ends the loan of the pin, if it has one.
  void take_back(const pin& p) noexcept {
    if (p.is_copied()) copies_->take_back(p);
  }

 private:
  std::byte* lend(const checkout_request& r, const held& h);
  [[noreturn]] void report_race(const region& where, const found_race& found,
                                const access_mark& now, judge& order);

  const std::uint64_t id_;
  const int rank_;
  const bool races_end_;
  const directory& places_;
  const checkouts& users_;
  std::unique_ptr<shadow> shadow_;
  std::unique_ptr<guarded_copies> copies_;
  known_tasks* tasks_ = nullptr;
  std::uint64_t run_ = 0;  // which
};

}  // namespace kasuri::cluster
