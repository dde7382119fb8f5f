// SPDX-License-Identifier: Apache-2.0
#pragma once

// The transport between processes of one host that share memory: a put is a memcpy, an atomic
// operation one of the processor's. A job of one rank is the same thing with nobody else in it.
// Here are the outside face, the words, naps and rings; by owner:
//
//   shared_ends         the seat of this rank, and how its end is told from its death
//   shared_collectives  operations of all ranks
//   shared_windows      where windows lie
//   host_watch          the process that watches this host's ranks, where no launcher of ours does

#include <atomic>
#include <functional>
#include <optional>

#include "cluster/transport/job/host_watch.hpp"
#include "cluster/transport/job/job_file.hpp"
#include "cluster/transport/shared/shared_collectives.hpp"
#include "cluster/transport/shared/shared_ends.hpp"
#include "cluster/transport/shared/shared_windows.hpp"
#include "cluster/transport/transport.hpp"

namespace kasuri::cluster {

struct shared_options {
  int host_ranks = 0;           // so many ranks count as one host; 0: all of them
  bool watch = true;            // false: a launcher of ours watches the processes
  std::function<void()> after;  // the last thing that the destructor does
};

class shared_transport final : public transport {
 public:
  /// Takes the seat of `rank` and waits until all are taken.
  shared_transport(job_file file, int rank, shared_options options);
  ~shared_transport() override;

  [[nodiscard]] int rank() const noexcept override { return rank_; }
  [[nodiscard]] int size() const noexcept override { return size_; }
  [[nodiscard]] int host_of(int rank) const noexcept override;
  [[nodiscard]] bool overlaps(int) const noexcept override { return false; }

  window allocate(std::size_t bytes) override { return windows_.allocate(bytes); }
  void free(window& w) override { windows_.free(w); }
  void alias(const window& w, std::size_t offset, std::size_t bytes, void* at) override {
    windows_.alias(w, offset, bytes, at);
  }

  void put(int target, const window& w, std::size_t offset, const void* from,
           std::size_t bytes) override;
  void get(int target, const window& w, std::size_t offset, void* to, std::size_t bytes) override;
  void flush(int target) override;

  std::uint64_t fetch_add(int target, const window& w, std::size_t offset,
                          std::uint64_t value) override;
  std::uint64_t compare_swap(int target, const window& w, std::size_t offset,
                             std::uint64_t expected, std::uint64_t desired) override;
  std::uint64_t load(int target, const window& w, std::size_t offset) override;
  std::uint64_t apply(int target, const window& w, std::size_t offset,
                      const atomic_operation& op) override;
  void store(int target, const window& w, std::size_t offset, std::uint64_t value) override;

  void progress() override {}
  void nap(std::uint64_t ns) override;
  [[nodiscard]] unsigned looks_before_nap() const noexcept override;
  void ring(int target) override;
  void announce_end() override { ends_.announce(); }
  std::span<std::atomic<std::uint32_t>> borrowed() noexcept override {
    return file_.seat(rank_).borrowed;
  }
  [[nodiscard]] std::uint64_t now_ns() const noexcept override;
  void spend(std::uint64_t) override {}

  void barrier() override { collectives_.barrier(); }
  void broadcast(int root, std::span<std::byte> data) override {
    collectives_.broadcast(root, data);
  }
  void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) override {
    collectives_.all_gather(mine, all);
  }

 private:
  const job_file file_;
  const int rank_;
  const int size_;
  const shared_options options_;
  const std::uint64_t start_ns_;
  shared_ends ends_;
  shared_collectives collectives_;
  shared_windows windows_;
  std::atomic<std::uint32_t> rings_seen_{0};  // the latest that a nap has returned for
  std::optional<host_watch> watch_;
};

}  // namespace kasuri::cluster
