// SPDX-License-Identifier: Apache-2.0
#pragma once

// The end of a checkout with the cache off: what it wrote goes home, and what is here of it is
// forgotten, but for what another checkout of this process has brought and holds. That is current:
// a write before that checkout comes before this one, too, since of two checkouts that last at the
// same time none is ordered before the other. Of two that end together the one that locks the block
// second forgets. Bytes that one of them writes, and another has put home, stay dirty until the
// last one's end: they may have been written again.
//
// The end of a checkout has nobody to fail to: it makes no list of its blocks. It does need memory
// for byte sets that get a gap, and for the network's list of targets.
//
// No notices are written or read: there are no copies that could be old.

#include <cstdint>

#include "cluster/memory/base/byte_set.hpp"
#include "cluster/memory/base/requests.hpp"
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
  void end(const region& where, global_range r, bool wrote);
  void put_home(const region& where, global_range r);
  void forget(std::uint64_t index, byte_range part);

  const cache_site& at_;
  unkept_bytes& unkept_;
  arrivals& locks_;
};

}  // namespace kasuri::cluster
