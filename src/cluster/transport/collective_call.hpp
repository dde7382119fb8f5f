// SPDX-License-Identifier: Apache-2.0
#pragma once

// The calls of a program that all of its ranks make together, as they announce them to one another.

#include <array>
#include <cstdint>
#include <string>

namespace kasuri::cluster {

struct collective_call {
  enum class kind : std::uint32_t {
    none,
    run,
    counters,
    blocked,
    cyclic,
    listed,
    file,
    hash_map,
    bag,
    end_of_array,
    broadcast,
    reduce,
    all_reduce,
    scan,
    exclusive_scan,
    write_file,
    save_checkpoint,
    load_checkpoint
  };

  kind what = kind::none;
  std::uint32_t number = 0;  // of the rank's calls, from 1
  /// These must be the same everywhere: of a run the bytes of its result, of an array its bytes and
  /// those of its chunks, of an end where the array begins, of a hash map its capacity and bytes
  /// of an entry, of a bag bytes of an element, of a value of each rank its bytes and the root, of
  /// what is written or loaded its bytes and a checksum of path, names and places.
  std::array<std::uint64_t, 2> sizes{};

  friend bool operator==(const collective_call&, const collective_call&) = default;
};

/// The call for messages, as "global::vector of 800 bytes (its collective call 3)".
std::string in_words(const collective_call& call);

/// Behind a line that says how a rank ended: in what `rank` waits for it. Empty: in none.
std::string waits_in(int rank, const collective_call& call);

}  // namespace kasuri::cluster
