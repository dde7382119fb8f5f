// SPDX-License-Identifier: Apache-2.0
#pragma once

// The steps on locked blocks by which the bytes that a checkout asks for come here:
//
//   1. check_versions   suspect blocks: is their version at home the one from before they were
//                       fetched?
//   2. begin, fetch     what is missing in `valid` is fetched: the rest of each block that is read
//   3. enter            what will be written is entered in `valid` and `dirty`; blocks that are new
//                       here enter the lists; the hints are set, and the locks given back
//
// With the cache off, 2. fetches the bytes asked for alone, and 3. sets hints at home only: a
// checkout of others' memory always comes here, and its end is that of uncached.hpp.
//
// All functions are for the one who has the blocks of `parts` locked. Between 2. and 3. that may
// change hands: arrivals.hpp.

#include <cstdint>
#include <span>
#include <vector>

#include "cluster/memory/base/transfers.hpp"
#include "cluster/memory/blocks/block_lists.hpp"
#include "cluster/memory/blocks/block_part.hpp"
#include "cluster/memory/cache/site.hpp"
#include "cluster/memory/notices/versions.hpp"

namespace kasuri::cluster {

class fetcher {
 public:
  fetcher(const cache_site& at, block_lists& lists, versions& stamps) noexcept
      : at_(at), lists_(lists), stamps_(stamps) {}

  void check_versions(block_parts parts);
  /// Memory for the blocks that come, at the price of one call for many; so, too, for those at home
  /// that nobody here has met.
  void provide_memory(block_parts parts);
  void begin(block_parts parts, transfers& under_way);
  void fetch(block_parts parts);
  /// `since`: doubts::number() from before the fetch. Unlocks the blocks. How many are new here.
  std::uint64_t enter(block_parts parts, std::uint64_t since);

  /// Enters the part if it needs nothing from elsewhere. The block stays locked.
  bool enter_if_here(const block_part& it);

 private:
  struct newcomers {
    std::vector<std::uint64_t> resident, dirty, watched;
  };
  enum class need { nothing, copy, home };

  [[nodiscard]] bool is_home(const block_part& it) const noexcept {
    return at_.places.is_home(*it.where, it.index);
  }
  [[nodiscard]] std::vector<const block_part*> with_versions(block_parts parts);
  [[nodiscard]] bool is_asked_for_version(block& b);
  void compare(block& b, std::uint64_t version);
  static void forget_clean(block& b);
  [[nodiscard]] byte_range worth_fetching(const block_part& it) const noexcept;
  [[nodiscard]] need memory_need(const block_part& it) const noexcept;
  void enter_block(const block_part& it, newcomers& fresh);
  [[nodiscard]] bool mark_written(const block_part& it, bool home);
  void let_pass(const block_part& it, bool home) noexcept;

  const cache_site& at_;
  block_lists& lists_;
  versions& stamps_;
};

}  // namespace kasuri::cluster
