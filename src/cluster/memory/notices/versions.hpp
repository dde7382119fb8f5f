// SPDX-License-Identifier: Apache-2.0
#pragma once

// The versions of blocks, each a word at home behind the memory of the block's region. A release
// raises those of the blocks it has written, so that who doubts a block (blocks/doubts.hpp) can ask
// for 8 bytes instead of all.
//
// Versions are raised from when the first rank wants to read them. It says so at all ranks before
// it reads the first:
//
//   release                                     the first who reads
//     1. brings its bytes home                    1. sets the word of each rank, and flushes
//     2. fence_full()                             2. reads the version
//     3. looks at the word of its rank            3. fetches the block
//
// A rank tells all others itself only where it finds no word at rank 0 which says that another has
// done so: P words for the first, one for a later one. Several that begin at once tell all each.
//
// A release that does not see the word has brought its bytes home before any fetch that a version
// counts for. Invariant: a version, once read, differs from each later one of its block: it is the
// rank that raised it, and a number that this rank uses once.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "cluster/memory/base/control_window.hpp"
#include "cluster/memory/base/counters.hpp"
#include "cluster/memory/base/options.hpp"
#include "cluster/memory/base/requests.hpp"
#include "cluster/memory/base/transfers.hpp"
#include "cluster/memory/space/address_range.hpp"
#include "cluster/memory/space/directory.hpp"
#include "cluster/transport/network_lock.hpp"
#include "cluster/transport/transport.hpp"

namespace kasuri::cluster {

class versions {
 public:
  versions(transport& network, const memory_options& options, const control_window& where,
           const address_range& range, const directory& places, live_counts& counts) noexcept
      : network_(network),
        options_(options),
        where_(where),
        range_(range),
        places_(places),
        counts_(counts),
        wanting_(network) {}

  /// This rank is about to read versions: all ranks know so when it returns. Takes messages once.
  void want();
  /// Begins to read the version of a block of the region.
  void get(const region& of, std::uint64_t index, std::uint64_t& into, transfers& under_way) const;

  /// Behind bringing the ranges home: raises the versions of their blocks, if a rank reads them.
  /// One thread at a time.
  void raise(std::span<const global_range> told);

 private:
  [[nodiscard]] bool wanted_by_any();
  void tell_all();
  void raise_in(const region& where, global_range r, std::span<std::uint64_t> same,
                transfers& under_way) const;

  transport& network_;
  const memory_options& options_;
  const control_window& where_;
  const address_range& range_;
  const directory& places_;
  live_counts& counts_;
  network_lock wanting_;
  std::atomic<bool> wants_{false};  // this rank does, and all know; set under wanting_
  std::atomic<bool> somebody_wants_{false};
  std::uint64_t last_ = 0;  // number that raise() used
};

}  // namespace kasuri::cluster
