// SPDX-License-Identifier: Apache-2.0
#pragma once

// The transport over MPI's one-sided operations, for ranks on several hosts: the outside face, and
// what wires the owners together.
//
//   mpi_turns        one thread at a time is in MPI, and none stays in it while it waits
//   mpi_messages     rings, and the ends of ranks
//   mpi_collectives  operations of all ranks
//   mpi_peers        who the ranks are; the file and the watch of this host
//   mpi_windows      windows, and operations on them
//   mpi_tender       a thread that looks into MPI where nobody else does

#include <memory>

#include "cluster/transport/mpi/mpi_collectives.hpp"
#include "cluster/transport/mpi/mpi_library.hpp"
#include "cluster/transport/mpi/mpi_messages.hpp"
#include "cluster/transport/mpi/mpi_peers.hpp"
#include "cluster/transport/mpi/mpi_tender.hpp"
#include "cluster/transport/mpi/mpi_turns.hpp"
#include "cluster/transport/mpi/mpi_windows.hpp"
#include "cluster/transport/transport.hpp"

namespace kasuri::cluster {

struct mpi_options {
  bool flush_all = false;  // use the call that flushes for all targets, to show what it does
  int host_ranks = 0;      // so many ranks count as one host; 0: as they are
};

class mpi_transport final : public transport {
 public:
  mpi_transport(std::unique_ptr<mpi_library> mpi, mpi_options options);
  ~mpi_transport() override;

  [[nodiscard]] int rank() const noexcept override { return rank_; }
  [[nodiscard]] int size() const noexcept override { return size_; }
  [[nodiscard]] int host_of(int rank) const noexcept override { return peers_.host_of(rank); }
  [[nodiscard]] bool overlaps(int target) const noexcept override {
    const bool copies = windows_.one_sided() && host_of(target) == host_of(rank_);
    return target != rank_ && !copies;
  }
  [[nodiscard]] bool lets_pages_move() const noexcept override { return false; }

  window allocate(std::size_t bytes) override { return windows_.allocate(bytes); }
  void free(window& w) override { windows_.free(w); }
  void alias(const window& w, std::size_t offset, std::size_t bytes, void* at) override {
    windows_.alias(w, offset, bytes, at);
  }

  void put(int target, const window& w, std::size_t offset, const void* from,
           std::size_t bytes) override {
    windows_.put(target, w, offset, from, bytes);
  }
  void get(int target, const window& w, std::size_t offset, void* to, std::size_t bytes) override {
    windows_.get(target, w, offset, to, bytes);
  }
  void flush(int target) override { windows_.flush(target); }

  std::uint64_t fetch_add(int target, const window& w, std::size_t offset,
                          std::uint64_t value) override {
    return windows_.fetch_add(target, w, offset, value);
  }
  std::uint64_t compare_swap(int target, const window& w, std::size_t offset,
                             std::uint64_t expected, std::uint64_t desired) override {
    return windows_.compare_swap(target, w, offset, expected, desired);
  }
  std::uint64_t load(int target, const window& w, std::size_t offset) override {
    return windows_.load(target, w, offset);
  }
  std::uint64_t apply(int target, const window& w, std::size_t offset,
                      const atomic_operation& op) override {
    return windows_.apply(target, w, offset, op);
  }
  void store(int target, const window& w, std::size_t offset, std::uint64_t value) override {
    windows_.store(target, w, offset, value);
  }

  void progress() override { messages_.look(); }
  void nap(std::uint64_t ns) override { messages_.nap(ns); }
  void ring(int target) override { messages_.ring(target); }
  void announce_end() override;
  std::span<std::atomic<std::uint32_t>> borrowed() noexcept override {
    return peers_.seat().borrowed;
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
  [[nodiscard]] mpi_messages::end_of_job ends_job();

  const int rank_;
  const int size_;
  const std::uint64_t start_ns_;
  mpi_turns turns_;
  mpi_messages messages_;
  mpi_collectives collectives_;
  mpi_peers peers_;
  mpi_windows windows_;
  mpi_tender tender_;
};

}  // namespace kasuri::cluster
