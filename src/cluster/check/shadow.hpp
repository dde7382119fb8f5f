// SPDX-License-Identifier: Apache-2.0
#pragma once

// The histories of all global memory, in granules. That of a granule lies at the home rank of its
// bytes: a bucket has a lock and a chain of granules, each with the place of its entries. A task
// that uses the bytes takes the lock, reads the history, enters its access and writes the history
// back: so accesses are entered in an order that the program allows, as the access begins only
// behind that.

#include <cstdint>
#include <optional>

#include "cluster/check/arena.hpp"
#include "cluster/check/history.hpp"
#include "cluster/check/task_tree.hpp"
#include "cluster/transport/transport.hpp"

namespace kasuri::cluster {

/// A race on bytes [begin, end) of the address range.
struct found_race {
  access_mark earlier;
  std::uint64_t begin;
  std::uint64_t end;
};

class shadow {
 public:
  /// Collective. `bytes` of each rank. Throws std::bad_alloc, at all ranks, where one has no room.
  shadow(transport& network, std::size_t bytes);

  /// Enters an access to [begin, end), all of it at home at `home`; the first race, if any. Any
  /// thread.
  std::optional<found_race> enter(int home, std::uint64_t begin, std::uint64_t end,
                                  const access_mark& now, judge& order);

  /// Forgets everything. By all ranks, while no task runs anywhere.
  void clear();

  [[nodiscard]] task_tree& tasks() noexcept { return tasks_; }

 private:
  static constexpr unsigned granule_bits = 10;

  struct granule {
    std::uint64_t number;
    std::uint64_t next;     // of the bucket; 0: the last
    std::uint64_t entries;  // their offset
    std::uint32_t count;
    std::uint32_t room;  // for so many
  };
  struct place {
    std::uint64_t offset;  // 0: it is new
    granule what;
  };

  [[nodiscard]] std::uint64_t bucket_of(std::uint64_t number) const noexcept;
  place find(int home, std::uint64_t bucket, std::uint64_t number);
  void store(int home, std::uint64_t bucket, place& at, const std::vector<history_entry>& entries);
  std::optional<race> enter_granule(int home, std::uint64_t number, std::uint32_t begin,
                                    std::uint32_t end, const access_mark& now, judge& order);

  const unsigned bucket_bits_;
  arena records_;
  task_tree tasks_;
};

}  // namespace kasuri::cluster
