// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tasks that are waited for together, by the address that their waiter knows: a group, a thread, a
// frame that was sent elsewhere. From the creation of the first to the end of the wait there is an
// entry; what ends without one was created by code that is not measured, or while there were very
// many: a million threads that wait to be joined are not worth the memory.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "profile/thread/strand.hpp"
#include "sched/measure/fork_tree.hpp"

namespace kasuri::sched {

/// What tasks that have ended tell their waiter.
struct ended_tasks {
  profile::path longest;
  fork_chain beside;  // all of them, beside each other
  fork_sums small;    // ... but for those with less work than the grain

  /// One more, which has run that way.
  void add(const profile::path& way, fork_chain chain, profile::site_id site) noexcept;
  /// Many, of which the longest has run that way.
  void add_many(const profile::path& way, const fork_sums& tasks) noexcept;
  /// `beside` has them all from here on.
  void close(profile::site_id site) noexcept;
};

class scope_table {
 public:
  static scope_table& get() noexcept;

  /// A task of `key` was created by code on that path. Later ones find the path of the latest.
  void created(const void* key, const profile::path& by) noexcept;
  /// A task has ended. `whole`: its path is that of the program; else it begins with the task.
  /// False: nobody is told.
  bool ended(const void* key, const profile::path& way, bool whole, fork_chain& chain,
             profile::site_id site) noexcept;
  /// Its waiter may have looked at the task itself and not come here: the entry goes when there are
  /// too many.
  void may_go(const void* key) noexcept;
  /// ... many, of which the longest had that path, which begins with the task.
  bool ended_many(const void* key, const profile::path& way, const fork_sums& tasks) noexcept;
  /// Takes the entry out. False: there is none.
  bool take(const void* key, ended_tasks& all) noexcept;

  bool empty() const noexcept { return entries_.load(std::memory_order_relaxed) == 0; }
  bool has(const void* key) noexcept;
  /// In the child of a fork.
  void begin_anew() noexcept;

 private:
  struct entry {
    const void* key;
    entry* next;
    profile::path latest;
    ended_tasks all;
    bool may_go = false;
  };
  struct shard {
    std::atomic<bool> locked{false};
    entry* first = nullptr;
  };
  class holding;
  static constexpr std::size_t shards = 256;
  static constexpr std::size_t most_entries = 4096;

  shard& shard_of(const void* key) noexcept;
  entry* add(shard& in, const void* key) noexcept;
  static entry** find(shard& in, const void* key) noexcept;

  std::array<shard, shards> shards_;
  std::atomic<std::size_t> entries_{0};
};

/// `first`, and `rest`, which is measured from 0, behind it.
profile::path joined_paths(const profile::path& first, const profile::path& rest) noexcept;

}  // namespace kasuri::sched
