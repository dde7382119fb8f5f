// SPDX-License-Identifier: Apache-2.0
// A recording in some lines of text.
#pragma once

#include "trace/timeline.hpp"

#include <array>    // for array
#include <cstdint>  // for uint64_t
#include <map>      // for map
#include <ostream>  // for ostream

namespace kasuri::trace {

class summary : public observer {
 public:
  void on_worker(std::uint16_t worker, record::worker_role role) override;
  void on_slice(const slice& it) override;
  void on_moment(const moment& it) override;

  /// Prints what was seen.
  void print(std::ostream& to, const record::file_header& header, const timeline& of) const;

 private:
  struct share {
    record::worker_role role{};
    std::array<std::uint64_t, slice_kinds> time{};  // ns by kind, each without the slices inside
    std::uint64_t tasks = 0;
    std::uint64_t resumed = 0;
    std::uint64_t suspended = 0;
    std::uint64_t steals = 0;
    std::uint64_t lost = 0;
  };

  void print_workers(std::ostream& to) const;
  void print_counts(std::ostream& to) const;

  std::map<std::uint16_t, share> workers_;
  std::map<std::uint8_t, std::uint64_t> reasons_;  // suspensions by wait_reason
  std::map<std::uint8_t, std::uint64_t> levels_;   // steals by level
};

}  // namespace kasuri::trace
