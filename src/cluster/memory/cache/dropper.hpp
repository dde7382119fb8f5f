// SPDX-License-Identifier: Apache-2.0
#pragma once

// An acquire drops the bytes that the notices name, and no others, since others of the same block
// may be checked out, or written here and not told of. When it comes too late for the log, all
// blocks become suspect, and each is asked for its version before it is read again.

#include <cstdint>

#include "cluster/memory/base/byte_set.hpp"
#include "cluster/memory/blocks/doubts.hpp"
#include "cluster/memory/cache/arrivals.hpp"
#include "cluster/memory/cache/site.hpp"
#include "cluster/memory/notices/notice_ring.hpp"

namespace kasuri::cluster {

class dropper {
 public:
  dropper(const cache_site& at, doubts& doubted, arrivals& locks) noexcept
      : at_(at), doubts_(doubted), locks_(locks) {}

  void apply(const notice& n);

 private:
  void drop(const region& where, std::uint64_t index, byte_range part, int writer);
  void expect_unwritten(const region& where, std::uint64_t index, byte_range part,
                        int writer) const;
  void suspect_everything();

  const cache_site& at_;
  doubts& doubts_;
  arrivals& locks_;
};

}  // namespace kasuri::cluster
