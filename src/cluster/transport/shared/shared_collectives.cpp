// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/shared/shared_collectives.hpp"

#include <algorithm>
#include <cstring>

#include "cluster/transport/shared/shared_wait.hpp"
#include "cluster/transport/steady_time.hpp"
#include "kasuri/detail/atomics.hpp"
#include "platform/cpu/cpus.hpp"
#include "platform/base/expect.hpp"
#include "platform/memory/shared_memory.hpp"

namespace kasuri::cluster {
namespace {

constexpr int spins = 400;  // before a collective operation sleeps; a few microseconds

}  // namespace

shared_collectives::shared_collectives(const job_file& file, int rank, shared_ends& ends)
    : file_(file),
      rank_(rank),
      size_(file.ranks()),
      ends_(ends),
      may_spin_(size_ <= platform::usable_cpus()) {}

void shared_collectives::wait_for_change(shared_word& word, std::uint32_t old) {
  for (int i = 0; may_spin_ && i < spins; ++i) {
    if (word.load(std::memory_order_acquire) != old) return;  // pairs with: barrier
    detail::real_atomics::pause();
  }
  while (word.load(std::memory_order_acquire) == old) {  // pairs with: barrier
    const std::uint64_t before = steady_ns();
    platform::park_shared(plain(word), old, look_every);
    if (steady_ns() - before >= look_every) ends_.look_for_ended();
  }
}

void shared_collectives::barrier() {
  if (size_ == 1) return;
  if (ends_.announced()) ends_.wait_for_all();
  job_control& control = file_.control();
  const std::uint32_t round = control.round.load(std::memory_order_relaxed);
  // pairs with: the other ranks' fetch_add; the last one has seen what all had done.
  const std::uint32_t arrived = control.arrived.fetch_add(1, std::memory_order_acq_rel) + 1;
  KASURI_EXPECT(cheap, arrived <= static_cast<std::uint32_t>(size_),
                "%u of %d ranks have come to round %u of the barrier", arrived, size_, round);
  if (arrived == static_cast<std::uint32_t>(size_)) {
    control.arrived.store(0, std::memory_order_relaxed);
    control.round.store(round + 1, std::memory_order_release);  // pairs with: wait_for_change
    platform::unpark_shared(plain(control.round));
  } else {
    wait_for_change(control.round, round);
    KASURI_EXPECT(cheap, control.round.load(std::memory_order_relaxed) - round <= 2,
                  "rank %d waits for round %u of the barrier, and the others are in round %u",
                  rank_, round, control.round.load(std::memory_order_relaxed));
  }
}

void shared_collectives::broadcast(int root, std::span<std::byte> data) {
  KASURI_EXPECT(cheap, root >= 0 && root < size_, "rank %d of %d broadcasts", root, size_);
  if (size_ == 1) return;
  while (!data.empty()) {
    const std::size_t now = std::min(data.size(), staging_bytes);
    if (rank_ == root) std::memcpy(file_.staging(root), data.data(), now);
    barrier();
    if (rank_ != root) std::memcpy(data.data(), file_.staging(root), now);
    barrier();  // the place may be used again
    data = data.subspan(now);
  }
}

void shared_collectives::all_gather(std::span<const std::byte> mine, std::span<std::byte> all) {
  KASURI_EXPECT(cheap, all.size() == mine.size() * static_cast<std::size_t>(size_),
                "%zu bytes of each of %d ranks, into %zu", mine.size(), size_, all.size());
  for (std::size_t done = 0; done < mine.size();) {
    const std::size_t now = std::min(mine.size() - done, staging_bytes);
    std::memcpy(file_.staging(rank_), mine.data() + done, now);
    barrier();
    for (int r = 0; r < size_; ++r) {
      std::memcpy(all.data() + static_cast<std::size_t>(r) * mine.size() + done, file_.staging(r),
                  now);
    }
    barrier();  // the places may be used again
    done += now;
  }
}

}  // namespace kasuri::cluster
