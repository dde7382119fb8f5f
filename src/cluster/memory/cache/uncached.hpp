// SPDX-License-Identifier: Apache-2.0
#pragma once

// The end of a checkout with the cache off: what it wrote goes home, and what is here of it is
// forgotten, but for what another checkout of this process has brought and holds. That is current:
// who wrote it before that checkout wrote it before this one, too, since of two checkouts that last
// at the same time none is ordered before the other. Of two that end together the one that locks
// the block second forgets. What one of them writes, and another has put home, stays dirty until
// the last one's end: it may have been written again.
//
// No notices are written or read: there are no copies that could be old.

#include <cstdint>
#include <vector>

#include "cluster/memory/base/requests.hpp"
#include "cluster/memory/blocks/block_part.hpp"
#include "cluster/memory/blocks/unkept_bytes.hpp"
#include "cluster/memory/cache/arrivals.hpp"
#include "cluster/memory/cache/site.hpp"

namespace kasuri::cluster {

class uncached {
 public:
  uncached(const cache_site& at, unkept_bytes& unkept, arrivals& locks) noexcept
      : at_(at), unkept_(unkept), locks_(locks) {}

  void end_checkout(pin& p) noexcept;

 private:
  void end(const std::vector<block_part>& parts, bool wrote);
  void put_home(const std::vector<block_part>& parts);
  void forget(const block_part& it);

  const cache_site& at_;
  unkept_bytes& unkept_;
  arrivals& locks_;
};

}  // namespace kasuri::cluster
