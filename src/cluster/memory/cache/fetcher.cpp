// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/cache/fetcher.hpp"

#include <algorithm>

#include "platform/base/expect.hpp"
#include "platform/memory/memory.hpp"

namespace kasuri::cluster {
namespace {

// Of a block that has been here before, so many bytes are fetched at least.
constexpr std::uint32_t fetch_step = 512;

}  // namespace

/// Most blocks are fetched without a version, which is a trip of its own; one that is asked for
/// again behind a doubt gets one, as long as it then turns out to be unchanged.
void fetcher::check_versions(block_parts parts) {
  if (!at_.options.stamps_at_once && !lists_.doubted.ever()) return;
  if (!at_.options.cached) return;
  const std::vector<const block_part*> list = with_versions(parts);
  if (list.empty()) return;
  stamps_.want();
  std::vector<std::uint64_t> now(list.size());  // the network writes into it
  transfers under_way(at_.network);
  for (std::size_t i = 0; i != list.size(); ++i)
    stamps_.get(*list[i]->where, list[i]->index, now[i], under_way);
  at_.counts.waited_ns.add(under_way.finish());
  for (std::size_t i = 0; i != list.size(); ++i) compare(at_.blocks[list[i]->index], now[i]);
}

/// One part of each block whose version is to be asked for.
std::vector<const block_part*> fetcher::with_versions(block_parts parts) {
  std::vector<const block_part*> list;
  for (const block_part& it : parts) {
    if (!it.reads || is_home(it)) continue;
    if (!list.empty() && list.back()->index == it.index) continue;
    if (is_asked_for_version(at_.blocks[it.index])) list.push_back(&it);
  }
  return list;
}

/// A suspect block without a version is given up first.
bool fetcher::is_asked_for_version(block& b) {
  if (b.has(block::suspect) && !b.has(block::stamped)) {
    forget_clean(b);
    b.set(block::doubted);
  }
  // A version counts from before all that is valid but not our own untold writes.
  if (!b.has(block::suspect) && (b.has(block::stamped) || !b.valid.same_as(b.dirty))) return false;
  return b.has(block::suspect | block::doubted) || at_.options.stamps_at_once;
}

void fetcher::compare(block& b, std::uint64_t version) {
  if (b.has(block::suspect)) {
    at_.counts.version_checks.add(1);
    KASURI_EXPECT(cheap, b.has(block::stamped), "a suspect block without a version, in state %#x",
                  b.state.load(std::memory_order_relaxed));
    if (b.stamp == version) {
      at_.counts.unchanged.add(1);
      b.reset(block::suspect);
      return;
    }
    forget_clean(b);
    b.reset(block::doubted | block::stamped);
    if (!at_.options.stamps_at_once) return;
  }
  b.stamp = version;
  b.set(block::stamped);
}

/// In a suspect block only the bytes written here are known to be current.
void fetcher::forget_clean(block& b) {
  KASURI_EXPECT(cheap, b.has(block::locked) && b.readable.empty(),
                "a block is forgotten in state %#x, or may be read",
                b.state.load(std::memory_order_relaxed));
  b.valid.assign(b.dirty);
  b.reset(block::suspect);
  b.set(block::dropped);
}

/// A block is fetched as a whole first. When others have written some of it since, it is shared:
/// what they write at its other end is not brought along each time.
byte_range fetcher::worth_fetching(const block_part& it) const noexcept {
  if (!at_.options.cached) return it.part;
  const byte_range all = at_.places.used_of(*it.where, it.index);
  const block& b = at_.blocks[it.index];
  if (!b.has(block::dropped) || !b.has(block::resident)) return all;
  return {it.part.begin & ~(fetch_step - 1),
          std::min(all.end, (it.part.end + fetch_step - 1) & ~(fetch_step - 1))};
}

void fetcher::fetch(block_parts parts) {
  transfers under_way(at_.network);
  begin(parts, under_way);
  at_.counts.waited_ns.add(under_way.finish());
}

void fetcher::begin(block_parts parts, transfers& under_way) {
  for (const block_part& it : parts) {
    block& b = at_.blocks[it.index];
    KASURI_EXPECT(cheap,
                  b.has(block::locked) && it.part.begin < it.part.end &&
                      it.part.end <= at_.range.block_bytes(),
                  "bytes %u to %u of block %llu are fetched, which is in state %#x", it.part.begin,
                  it.part.end, static_cast<unsigned long long>(it.index),
                  b.state.load(std::memory_order_relaxed));
    if (!it.reads || is_home(it)) continue;
    if (b.valid.covers(it.part)) continue;
    const std::uint64_t start = at_.range.bytes_of(it.index);
    const home_place home = it.where->home_of(start);
    std::byte* const to = at_.range.at(start);
    const auto want = [&](byte_range missing) {
      const std::uint64_t bytes = missing.end - missing.begin;
      at_.counts.fetched_bytes.add(bytes);
      if (b.has(block::dropped)) at_.counts.refetched_bytes.add(bytes);
      under_way.get(home.rank, it.where->memory, home.offset + missing.begin, to + missing.begin,
                    bytes);
    };
    if (at_.options.fault == planted_fault::dirty_overwritten)
      want(at_.places.used_of(*it.where, it.index));
    else
      b.valid.each_missing(worth_fetching(it), want);
    b.valid.add(worth_fetching(it));  // on its way, and behind the lock
    KASURI_EXPECT(cheap, b.valid.covers(it.part),
                  "bytes %u to %u of block %llu are on their way, and not all of them are",
                  it.part.begin, it.part.end, static_cast<unsigned long long>(it.index));
  }
  if (!under_way.none()) at_.counts.misses.add(1);
}

fetcher::need fetcher::memory_need(const block_part& it) const noexcept {
  const block& b = at_.blocks[it.index];
  if (b.has(block::resident | block::spare)) return need::nothing;
  if (!is_home(it)) return need::copy;
  const bool met = !b.readable.empty() || it.where->kind == region::kind_t::file;
  return met ? need::nothing : need::home;
}

void fetcher::provide_memory(block_parts parts) {
  for (std::size_t i = 0; i != parts.size();) {
    const need what = memory_need(parts[i]);
    if (what == need::nothing) {
      ++i;
      continue;
    }
    block_span run{parts[i].index, 0};
    for (; i != parts.size() && parts[i].index <= run.first + run.count &&
           memory_need(parts[i]) == what;
         ++i)
      run.count = parts[i].index - run.first + 1;
    if (what == need::copy && lists_.spares.move_to(run)) continue;
    const std::uint64_t bytes = at_.range.bytes_of(run.count);
    if (bytes >= at_.options.populated_bytes)
      platform::populate(at_.range.at(at_.range.bytes_of(run.first)), bytes);
  }
}

std::uint64_t fetcher::enter(block_parts parts, std::uint64_t since) {
  newcomers fresh;
  for (const block_part& it : parts) enter_block(it, fresh);
  lists_.clock.add(fresh.resident);
  lists_.untold.add_blocks(fresh.dirty);
  if (!at_.options.cached)
    for (const block_part& it : parts)
      if (!is_home(it)) lists_.unkept.add(it);
  if (lists_.doubted.watch(fresh.watched, since))
    for (const block_part& it : parts)
      if (!is_home(it)) at_.blocks[it.index].set(block::suspect);
  for (std::size_t i = 0; i != parts.size(); ++i) {
    let_pass(parts[i], is_home(parts[i]));
    if (i + 1 == parts.size() || parts[i + 1].index != parts[i].index)
      at_.blocks[parts[i].index].unlock();
  }
  return fresh.resident.size();
}

void fetcher::enter_block(const block_part& it, newcomers& fresh) {
  block& b = at_.blocks[it.index];
  const bool home = is_home(it);
  if (!home) {
    if (!b.has(block::resident)) {
      b.set(block::resident);
      b.reset(block::spare);
      fresh.resident.push_back(it.index);
    }
    if (!b.has(block::watched)) {
      b.set(block::watched);
      fresh.watched.push_back(it.index);
    }
    if (it.writes) b.valid.add(it.part);
  }
  if (it.writes && mark_written(it, home)) fresh.dirty.push_back(it.index);
  KASURI_EXPECT(cheap, b.has(block::locked), "block %llu is entered in state %#x",
                static_cast<unsigned long long>(it.index), b.state.load(std::memory_order_relaxed));
  KASURI_EXPECT(cheap, home || (b.has(block::resident) && !b.has(block::spare)),
                "block %llu has come here, and is in state %#x",
                static_cast<unsigned long long>(it.index), b.state.load(std::memory_order_relaxed));
  KASURI_EXPECT(cheap, home || b.valid.covers(it.part),
                "bytes %u to %u of block %llu are checked out, and not all of them are here",
                it.part.begin, it.part.end, static_cast<unsigned long long>(it.index));
}

bool fetcher::enter_if_here(const block_part& it) {
  block& b = at_.blocks[it.index];
  KASURI_EXPECT(cheap, b.has(block::locked) && !b.has(block::arriving),
                "block %llu is looked into in state %#x", static_cast<unsigned long long>(it.index),
                b.state.load(std::memory_order_relaxed));
  const bool home = is_home(it);
  const bool here = home || (b.has(block::resident) &&
                             (!it.reads || (!b.has(block::suspect) && b.valid.covers(it.part))));
  if (!here) return false;
  if (it.writes) {
    if (!home) b.valid.add(it.part);
    if (mark_written(it, home)) lists_.untold.add_blocks({&it.index, 1});
  }
  let_pass(it, home);
  return true;
}

/// True: the caller is to enter the block in the list of untold ones.
bool fetcher::mark_written(const block_part& it, bool home) {
  block& b = at_.blocks[it.index];
  if (!at_.options.cached && home) return false;  // it is there, and nobody has a copy
  b.dirty.add(it.part);
  if (!at_.options.cached || b.has(block::listed)) return false;
  b.set(block::listed);
  return true;
}

/// Lets checkouts go by the sets of the block as they are.
void fetcher::let_pass(const block_part& it, bool home) noexcept {
  block& b = at_.blocks[it.index];
  const bool cached = at_.options.cached;
  if (cached) b.publish(it.part);
  if (home) {
    const byte_range all = at_.places.used_of(*it.where, it.index);
    b.readable.set(all);
    if (!cached) b.writable.set(all);
  }
  b.touch();
  KASURI_EXPECT(all, home || b.check_sets() == nullptr, "%s; bytes %u to %u of block %llu",
                b.check_sets(), it.part.begin, it.part.end,
                static_cast<unsigned long long>(it.index));
}

}  // namespace kasuri::cluster
