// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/job/agree.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "cluster/transport/job/this_host.hpp"
#include "cluster/transport/transport.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/cpu/affinity.hpp"
#include "platform/cpu/cpus.hpp"
#include "platform/process/executable.hpp"
#include "platform/settings/settings.hpp"
#include "platform/settings/settings_table.hpp"

namespace kasuri::cluster {
namespace {

template <class T>
std::vector<T> gather(transport& network, const T& mine) {
  std::vector<T> all(static_cast<std::size_t>(network.size()));
  network.all_gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
  return all;
}

// Of a program that was linked without a build id: of all that is in it.
std::uint64_t hash_of_file(std::uint64_t hash) {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  std::array<char, 65536> part;
  while (file.read(part.data(), part.size()) || file.gcount() != 0) {
    hash = hash_bytes(
        hash, std::as_bytes(std::span(part)).first(static_cast<std::size_t>(file.gcount())));
  }
  return hash;
}

struct program_record {
  std::uint64_t hash;  // of the program and of this library
  std::array<char, 504> path;
};

program_record this_program() {
  program_record record{hash_start, {}};
  const auto id = platform::build_id();
  record.hash = id.empty() ? hash_of_file(record.hash) : hash_bytes(record.hash, id);
  static constexpr char here = 0;  // a place within the library
  record.hash = hash_bytes(record.hash, platform::build_id_of(&here));
  if (::readlink("/proc/self/exe", record.path.data(), record.path.size() - 1) <= 0) {
    std::snprintf(record.path.data(), record.path.size(), "%s", platform::program_name());
  }
  return record;
}

struct cpu_record {
  std::uint64_t machine;
  std::bitset<4096> cpus;
};

cpu_record these_cpus() {
  cpu_record record{machine_identity(), {}};
  for (const int cpu : platform::affinity_cpus()) {
    if (cpu < 4096) record.cpus.set(static_cast<std::size_t>(cpu));
  }
  return record;
}

/// A thief that is woken on the CPU where its victim computes starts milliseconds later. More
/// workers than the share has CPUs are better left to the kernel.
bool keeps_to(int share) {
  using platform::setting_origin;
  const platform::settings& now = platform::current_settings();
  const auto origin = [&](const char* name) {
    return origin_of(now, *platform::find_setting(name));
  };
  if (origin("KASURI_BIND") != setting_origin::default_value) return now.bind;
  return now.num_workers <= share;
}

}  // namespace

void check_programs(transport& network) {
  const std::vector<program_record> all = gather(network, this_program());
  const auto other = std::ranges::find_if(
      all, [&](const program_record& each) { return each.hash != all[0].hash; });
  if (other == all.end()) return;
  const auto rank = static_cast<int>(other - all.begin());
  if (rank == network.rank()) {
    platform::fatal(
        "rank %d runs %s, another build than rank 0, which runs %s: all ranks of a job "
        "need the same program and library",
        rank, other->path.data(), all[0].path.data());
  }
  network.barrier();  // that rank never reaches it
}

void divide_cpus(transport& network) {
  const std::vector<cpu_record> all = gather(network, these_cpus());
  const auto rank = static_cast<std::size_t>(network.rank());
  int sharers = 0;
  int before = 0;  // of them, in the order of ranks
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (all[r].machine == all[rank].machine && (all[r].cpus & all[rank].cpus).any()) {
      ++sharers;
      before += r < rank ? 1 : 0;
    }
  }
  if (sharers <= 1) return;
  const int usable = platform::usable_cpus();
  platform::suggest_workers(std::max(1, usable / sharers + (before < usable % sharers ? 1 : 0)));
  const std::vector<int> cpus = platform::affinity_cpus();
  const auto count = static_cast<int>(cpus.size());
  const int more = count % sharers;  // the first ranks have one more, as they have of the workers
  const int first = count / sharers * before + std::min(before, more);
  const int share = count / sharers + (before < more ? 1 : 0);
  KASURI_EXPECT(cheap, before < sharers && first + share <= count,
                "CPUs %d + %d of %d, as number %d of %d ranks", first, share, count, before,
                sharers);
  if (share != 0 && keeps_to(share))
    platform::bind_to_cpus(
        std::span(cpus).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(share)));
}

}  // namespace kasuri::cluster
