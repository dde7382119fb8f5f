// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <kasuri/numa.hpp>
#include <vector>

#include "amr/node.hpp"

/// What each worker has for itself: memory for blocks, and counters.
namespace amr {

enum class phase { calculate, check, remesh, balance, ghost };
inline constexpr std::size_t phases = 5;
inline constexpr std::array<const char*, phases> phase_names = {"calculate", "check", "remesh",
                                                                "balance", "ghost"};

/// Visits of nodes, and how many of them were by the worker that visited the node before.
struct visits {
  std::uint64_t all = 0;
  std::uint64_t same_worker = 0;
};

/// Blocks of four nodes, carved from chunks. Only the lane's worker allocates and frees here; a
/// block may be freed in another lane than it came from. A chunk lies on
/// the NUMA node where the worker that carves it runs.
class block_pool {
 public:
  /// A block with unspecified contents.
  node* allocate();
  void free(node* block) noexcept;

  /// From now on blocks come from other chunks, in ascending order; those in use stay as they are.
  void begin_relocation();
  /// No block from before begin_relocation is in use any more: their memory is used again.
  void end_relocation();

  std::size_t bytes() const noexcept { return (chunks_.size() + spare_.size()) * chunk_bytes; }

 private:
  static constexpr std::size_t chunk_bytes = std::size_t{1} << 20;
  static constexpr std::size_t chunk_nodes = chunk_bytes / sizeof(node);

  struct chunk {
    kasuri::numa::array<node> nodes;
    int numa_node;
  };

  void next_chunk();
  chunk take_spare_or_new(int numa_node);

  node* free_ = nullptr;  // linked through child
  node* carve_ = nullptr;
  node* carve_end_ = nullptr;
  std::vector<chunk> chunks_;  // blocks of the tree lie here
  std::vector<chunk> old_;     // and here during a relocation
  std::vector<chunk> spare_;
};

struct alignas(128) lane {
  block_pool pool;
  std::array<visits, phases> seen;
  int numa_node = -1;  ///< where the worker ran when it began a task
};

/// A lane for every thread that Kasuri can have inside, and one for the serial program.
class lanes {
 public:
  lanes() : all_(most_workers + 1) {}

  /// The lane of a worker; -1 is the thread that is none.
  lane& of(int worker) noexcept { return all_[static_cast<std::size_t>(worker + 1)]; }

  std::vector<lane>& all() noexcept { return all_; }

 private:
  static constexpr std::size_t most_workers = 4096;

  std::vector<lane> all_;
};

}  // namespace amr
