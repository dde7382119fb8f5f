// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/mpi/mpi_collectives.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "cluster/transport/steady_time.hpp"

namespace kasuri::cluster {
namespace {

constexpr std::size_t largest_collective = 1u << 20;

}  // namespace

/// Calls begin(mpi), and waits until the operation that it has begun is done.
template <class Begin>
void mpi_collectives::run(Begin begin) {
  if (messages_.announced()) messages_.wait_for_all_ends();
  {
    const mpi_turns::turn mine = turns_.take();
    KASURI_EXPECT(cheap, !under_way_, "rank %d begins a collective operation in the middle of one",
                  turns_.rank());
    under_way_ = true;
    begin(turns_.mpi(mine));
  }
  const std::uint64_t since = steady_ns();
  for (unsigned n = 0; true; ++n) {
    {
      const mpi_turns::turn mine = turns_.take();
      if (turns_.mpi(mine).collective_done()) {
        under_way_ = false;
        return;
      }
    }
    messages_.look();
    messages_.look_for_ended(steady_ns() - since);
    wait_a_little(n);
  }
}

void mpi_collectives::barrier() {
  run([](mpi_library& mpi) { mpi.begin_barrier(); });
}

void mpi_collectives::broadcast(int root, std::span<std::byte> data) {
  KASURI_EXPECT(cheap, root >= 0 && root < turns_.size(), "rank %d of %d broadcasts", root,
                turns_.size());
  while (!data.empty()) {
    const std::size_t now = std::min(data.size(), largest_collective);
    run([&](mpi_library& mpi) { mpi.begin_broadcast(root, data.data(), now); });
    data = data.subspan(now);
  }
}

void mpi_collectives::all_gather(std::span<const std::byte> mine, std::span<std::byte> all) {
  const auto ranks = static_cast<std::size_t>(turns_.size());
  KASURI_EXPECT(cheap, all.size() == ranks * mine.size(),
                "%zu bytes of each of %zu ranks, into %zu", mine.size(), ranks, all.size());
  const std::size_t part = std::min(mine.size(), largest_collective);
  std::vector<std::byte> parts(part * ranks);
  for (std::size_t done = 0; done < mine.size();) {
    const std::size_t now = std::min(mine.size() - done, part);
    run([&](mpi_library& mpi) { mpi.begin_all_gather(mine.data() + done, parts.data(), now); });
    for (std::size_t r = 0; r < ranks; ++r) {
      std::memcpy(all.data() + r * mine.size() + done, parts.data() + r * now, now);
    }
    done += now;
  }
}

bool mpi_collectives::all_agree(bool mine) {
  const std::byte flag{mine};
  std::vector<std::byte> all(static_cast<std::size_t>(turns_.size()));
  all_gather(std::span(&flag, 1), all);
  return std::ranges::find(all, std::byte{0}) == all.end();
}

}  // namespace kasuri::cluster
