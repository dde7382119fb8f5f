// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/job/this_host.hpp"

#include <sys/stat.h>

#include <fstream>
#include <string>

#include "platform/cpu/affinity.hpp"

namespace kasuri::cluster {

std::uint64_t hash_bytes(std::uint64_t hash, std::span<const std::byte> bytes) noexcept {
  for (const std::byte each : bytes) {
    hash = (hash ^ std::to_integer<std::uint64_t>(each)) * 0x100000001b3;
  }
  return hash;
}

std::uint64_t machine_identity() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string text;
  if (!std::getline(file, text)) text = platform::host_name();
  return hash_bytes(hash_start, std::as_bytes(std::span(text)));
}

std::uint64_t process_space_identity() {
  struct stat status{};
  return ::stat("/proc/self/ns/pid", &status) == 0 ? status.st_ino : 0;
}

}  // namespace kasuri::cluster
