// SPDX-License-Identifier: Apache-2.0
#pragma once

// Collective operations between processes that share a job's file. The barrier is two words of the
// file: `arrived` counts up to the number of ranks; the last one sets it to zero and then raises
// `round`, on which the others sleep. Bytes are handed around through a place of each rank in the
// file, in so many rounds as it takes, with a barrier before a place is read, and one before it is
// used again.
//
// Invariant: arrived < ranks, but for the moment in which the last one is there.

#include <cstddef>
#include <cstdint>
#include <span>

#include "cluster/transport/job/job_file.hpp"
#include "cluster/transport/shared/shared_ends.hpp"

namespace kasuri::cluster {

class shared_collectives {
 public:
  shared_collectives(const job_file& file, int rank, shared_ends& ends);

  /// See transport.
  void barrier();
  void broadcast(int root, std::span<std::byte> data);
  void all_gather(std::span<const std::byte> mine, std::span<std::byte> all);

 private:
  void wait_for_change(shared_word& word, std::uint32_t old);

  const job_file& file_;
  const int rank_;
  const int size_;
  shared_ends& ends_;
  const bool may_spin_;
};

}  // namespace kasuri::cluster
