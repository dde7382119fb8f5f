// SPDX-License-Identifier: Apache-2.0
#pragma once

// Bytes that are read and written at their home, past the cache, whose copies do not follow what
// atomic operations change: those of a container, of which nobody ever has a checkout, and what is
// saved of other homes. A write has arrived when the call returns, so that who sees a word that an
// atomic operation changed behind it sees the bytes (transport.hpp). Not while others write them.

#include <cstdint>
#include <initializer_list>
#include <span>

#include "cluster/memory/memory.hpp"

namespace kasuri::cluster {

struct read_from {
  std::uint64_t offset;
  void* to;
  std::uint64_t bytes;
};
struct written_to {
  std::uint64_t offset;
  const void* from;
  std::uint64_t bytes;
};

/// All of them, which lie at one rank: one trip, and none where that is this rank. Throws
/// global::error where they are in no allocation.
void read_at_home(memory& m, std::initializer_list<read_from> wanted);
void write_at_home(memory& m, std::initializer_list<written_to> given);

/// Bytes of one allocation, which is no file, that may lie at several ranks: a trip for each run of
/// them that lies at one.
void read_at_homes(memory& m, read_from wanted);

}  // namespace kasuri::cluster
