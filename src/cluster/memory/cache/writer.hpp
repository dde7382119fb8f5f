// SPDX-License-Identifier: Apache-2.0
#pragma once

// A release brings all dirty bytes home, raises the versions of their blocks there if a rank reads
// versions, and enters a notice for each range in the log: in this order, each step at its place
// before the next begins. Bytes that are checked out for writing at that moment are left for a
// later release: what writes them is not ordered before this one.
//
// One thread at a time tells, with `telling_`; a second one that has something untold waits.

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "cluster/memory/base/requests.hpp"
#include "cluster/memory/blocks/block_lists.hpp"
#include "cluster/memory/cache/arrivals.hpp"
#include "cluster/memory/cache/site.hpp"
#include "cluster/memory/notices/notice_log.hpp"
#include "cluster/memory/notices/versions.hpp"
#include "cluster/transport/network_lock.hpp"

namespace kasuri::cluster {

class writer {
 public:
  writer(const cache_site& at, untold_writes& untold, arrivals& locks, versions& stamps,
         notice_log& log) noexcept
      : at_(at), untold_(untold), locks_(locks), stamps_(stamps), log_(log), telling_(at.network) {}

  /// Brings home and tells of what is dirty.
  void tell();

  /// Nothing is told as long as the caller keeps this.
  [[nodiscard]] std::unique_lock<network_lock> stop() { return std::unique_lock(telling_); }

 private:
  void bring_home(std::span<const std::uint64_t> indices, std::vector<global_range>& told);
  void find_still_written(std::uint64_t index, std::span<const pinned_range> writing,
                          byte_set& left) const;

  const cache_site& at_;
  untold_writes& untold_;
  arrivals& locks_;
  versions& stamps_;
  notice_log& log_;
  network_lock telling_;
};

}  // namespace kasuri::cluster
