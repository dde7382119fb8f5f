// SPDX-License-Identifier: Apache-2.0
#pragma once

// The parts of a cache by themselves, on simulated ranks: each test calls the one that it is about.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "cluster/memory/base/control_window.hpp"
#include "cluster/memory/blocks/block_lists.hpp"
#include "cluster/memory/cache/arrivals.hpp"
#include "cluster/memory/cache/dropper.hpp"
#include "cluster/memory/cache/evictor.hpp"
#include "cluster/memory/cache/fetcher.hpp"
#include "cluster/memory/cache/site.hpp"
#include "cluster/memory/cache/uncached.hpp"
#include "cluster/memory/cache/waiting_room.hpp"
#include "cluster/memory/cache/writer.hpp"
#include "cluster/memory/notices/notice_log.hpp"
#include "cluster/memory/notices/versions.hpp"
#include "cluster/memory/space/directory.hpp"
#include "cluster/transport/simulated/simulated.hpp"
#include "kasuri/detail/atomics.hpp"

namespace kasuri::cluster::test {

constexpr std::uint64_t block_size = 4096;

struct cache_parts {
  cache_parts(transport& net, const memory_options& o, std::uint64_t id)
      : network(net),
        options(o),
        range(net, options),
        blocks(range.block_of(range.bytes())),
        control(net, notice_ring::bytes_for(options.log_entries)),
        places(net, options, range, control),
        users(id, places),
        site{net, options, range, places, users, blocks, counts},
        stamps(net, options, control, range, places, counts),
        log(net, options, control, counts),
        lists(net, options, range, blocks),
        how(site, lists, stamps),
        locks(site, lists, how),
        evicts(site, lists),
        waits(site, lists.used, evicts, locks),
        tells(site, lists.untold, locks, stamps, log),
        drops(site, lists.doubted, locks),
        ends(site, lists.unkept, locks) {
    kasuri::detail::prepare_fence_heavy();
  }
  ~cache_parts() {
    network.barrier();
    places.end([this](const region& r) {
      const block_span gone{range.block_of(r.begin), range.block_of(r.end - r.begin)};
      lists.forget(gone, {r.begin, r.end});
      // The table's end runs no destructors, and sets of several parts own memory.
      for (std::uint64_t i = 0; i != gone.count; ++i) {
        blocks[gone.first + i].valid.clear();
        blocks[gone.first + i].dirty.clear();
      }
    });
    control.end();
  }

  [[nodiscard]] block& block_at(std::uint64_t offset) { return blocks[range.block_of(offset)]; }

  /// One part of each block of the request.
  [[nodiscard]] std::vector<block_part> parts_of(const checkout_request& r) {
    std::vector<block_part> parts;
    const region* where = places.find(r.range());
    range.each_block(r.range(), [&](std::uint64_t index, byte_range part) {
      parts.push_back({index, part, r.reads(), r.writes(), where});
    });
    return parts;
  }
  /// The steps of a checkout for which there is room, but for the pin.
  void bring(const checkout_request& r) {
    const std::vector<block_part> parts = parts_of(r);
    std::uint64_t fresh = 0;
    for (const block_part& it : parts)
      fresh += !blocks[it.index].has(block::resident) && !places.is_home(*it.where, it.index);
    if (!lists.used.take(range.bytes_of(fresh))) throw std::runtime_error("no room");
    for (const block_part& it : parts) locks.lock(it.index);
    block::fence_before_fetch();
    const std::uint64_t since = lists.doubted.number();
    how.check_versions(parts);
    how.provide_memory(parts);
    how.fetch(parts);
    how.enter(parts, since);
  }
  /// A checkout that lasts.
  pin& check_out(const checkout_request& r) {
    pin& p = users.claim(r);
    if (!options.cached) p.mark_uncached();
    bring(r);
    return p;
  }
  [[nodiscard]] std::byte& byte_at(std::uint64_t offset) { return *range.at(offset); }

  transport& network;
  const memory_options options;
  live_counts counts;
  address_range range;
  block_table blocks;
  control_window control;
  directory places;
  checkouts users;
  cache_site site;
  versions stamps;
  notice_log log;
  block_lists lists;
  fetcher how;
  arrivals locks;
  evictor evicts;
  waiting_room waits;
  writer tells;
  dropper drops;
  uncached ends;
};

inline memory_options few_blocks(std::uint64_t blocks) {
  memory_options o;
  o.range_bytes = std::size_t{64} << 20;
  o.heap_bytes = std::size_t{64} << 10;
  o.cache_bytes = blocks * block_size * 8 / 7 + 1;  // an eighth may be spare
  o.same_address = false;                           // all ranks are in this process
  return o;
}

/// Of a memory that never was: threads know their pins by it.
inline std::uint64_t fresh_id() {
  static std::uint64_t last = std::uint64_t{1} << 40;
  return ++last;
}

/// body(parts, array, rank) at each rank: `array` is the offset of 64 blocks of which rank 1 is
/// home.
template <class Body>
void on_caches(int ranks, const memory_options& o, Body body) {
  simulation_options network;
  network.ranks = ranks;
  simulation all(network);
  all.run([&](int rank, transport& net) {
    cache_parts parts(net, o, fresh_id());
    const std::uint64_t array =
        parts.places.add_listed(64 * block_size, 64 * block_size, [](std::uint64_t) { return 1; });
    net.barrier();
    body(parts, array, rank);
    net.barrier();
  });
}

}  // namespace kasuri::cluster::test
