// SPDX-License-Identifier: Apache-2.0
// What the public templates for files and checkpoints call.

#include <string>
#include <vector>

#include "cluster/base/process.hpp"
#include "cluster/memory/memory.hpp"
#include "cluster/memory/saved/checkpoint.hpp"
#include "kasuri/detail/self.hpp"
#include "kasuri/global/error.hpp"
#include "kasuri/global/files/checkpoint.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace global::detail {
namespace {

/// The memory of the calling process. The call would wait for ever in a task, which one of the
/// ranks runs.
cluster::memory& here_outside_of_tasks(const char* call) {
  if (kasuri::detail::self() != nullptr)
    throw error(std::string(call) +
                ": used inside a task; accepted: outside of tasks, by all ranks");
  return *cluster::started_process().memory;
}

std::vector<saved_part> all_of(const checkpoint_part* parts, std::size_t count) {
  std::vector<saved_part> all;
  for (std::size_t i = 0; i != count; ++i) all.push_back(parts[i].part());
  return all;
}

}  // namespace

void write_range(const char* path, std::uint64_t offset, std::uint64_t bytes) {
  cluster::write_range(here_outside_of_tasks("global::write_file"), path, offset, bytes);
}

void save_parts(const char* path, const checkpoint_part* parts, std::size_t count) {
  cluster::memory& m = here_outside_of_tasks("global::save_checkpoint");
  cluster::save_checkpoint(m, path, all_of(parts, count));
}

bool load_parts(const char* path, const checkpoint_part* parts, std::size_t count) {
  cluster::memory& m = here_outside_of_tasks("global::load_checkpoint");
  return cluster::load_checkpoint(m, path, all_of(parts, count));
}

}  // namespace global::detail
}  // namespace kasuri
