// SPDX-License-Identifier: Apache-2.0
#pragma once

// A file that all ranks write, each a part of it, and that is whole as soon as it has its name: it
// is written under another name beside it, made durable by each rank, and renamed by rank 0 when
// all have done so. That other name no other call has: so a rank for which the path means another
// folder finds no file there, where one of an earlier job may have been left.

#include <cstdint>
#include <functional>
#include <string>

#include "cluster/transport/transport.hpp"
#include "platform/base/placed_file.hpp"

namespace kasuri::cluster {

struct file_to_write {
  std::string call;  // of the program, for messages
  std::string path;
  std::uint64_t bytes = 0;
  std::uint64_t id = 0;  // agreed_id()
};

/// Collective: the same for all ranks, and not that of another call.
std::uint64_t agreed_id(transport& network);

/// Collective: write_mine(file) writes what is this rank's of the bytes, and throws where that
/// fails. Throws global::error, at all ranks, where it fails at one; then nothing new is there, and
/// a file that had the name before has it still, unless the line says that the new one has it.
void write_together(transport& network, const file_to_write& what,
                    const std::function<void(platform::placed_file&)>& write_mine);

/// Writes, and throws what failure_of() takes where that fails. `path`: the name it will have.
void write_at(platform::placed_file& file, const std::string& path, const void* data,
              std::size_t bytes, std::uint64_t at);

}  // namespace kasuri::cluster
