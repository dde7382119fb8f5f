// SPDX-License-Identifier: Apache-2.0
#pragma once

// The transport between processes of one host that share memory: a put is a memcpy, an atomic
// operation one of the processor's. A job of one rank is the same thing with nobody else in it.
//
// How a rank's end is told from its death. An orderly end is announced: the rank counts as ended,
// and the destructor waits until all do. A process that ends in another way is seen by its
// launcher, or by the watch of host_watch.hpp. A rank that is at its end while others go on and on
// waiting for it (the program called exit() in the middle) is found out by them: who has waited in
// vain for a second while somebody was at its end says so.

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cluster/transport/job/host_watch.hpp"
#include "cluster/transport/job/job_file.hpp"
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

  window allocate(std::size_t bytes) override;
  void free(window& w) override;
  void alias(const window& w, std::size_t offset, std::size_t bytes, void* at) override;

  void put(int target, const window& w, std::size_t offset, const void* from,
           std::size_t bytes) override;
  void get(int target, const window& w, std::size_t offset, void* to, std::size_t bytes) override;
  void flush(int target) override;

  std::uint64_t fetch_add(int target, const window& w, std::size_t offset,
                          std::uint64_t value) override;
  std::uint64_t compare_swap(int target, const window& w, std::size_t offset,
                             std::uint64_t expected, std::uint64_t desired) override;
  std::uint64_t load(int target, const window& w, std::size_t offset) override;
  void store(int target, const window& w, std::size_t offset, std::uint64_t value) override;

  void progress() override {}
  void nap(std::uint64_t ns) override;
  void ring(int target) override;
  void announce_end() override;
  std::span<std::atomic<std::uint32_t>> borrowed() noexcept override {
    return file_.seat(rank_).borrowed;
  }
  [[nodiscard]] std::uint64_t now_ns() const noexcept override;
  void spend(std::uint64_t) override {}

  void barrier() override;
  void broadcast(int root, std::span<std::byte> data) override;
  void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) override;

 private:
  struct placement {
    std::uint64_t offset;  // in the file, of rank 0's part
    std::byte* start;      // of rank 0's part here; null: given back
    std::size_t bytes;     // of all parts
  };

  void take_seat();
  void agree_on_size(std::size_t bytes);
  [[nodiscard]] std::byte* map_window(std::size_t all_bytes);
  void wait_for_change(shared_word& word, std::uint32_t old);
  void look_for_ended();
  void wait_for_all_ends();
  [[noreturn]] void fail(const std::string& text);
  [[nodiscard]] std::byte* part(int target, const window& w, std::size_t offset) const noexcept;
  [[nodiscard]] std::uint64_t& word(int target, const window& w, std::size_t offset) const noexcept;

  job_file file_;
  const int rank_;
  const int size_;
  const shared_options options_;
  const std::size_t page_;
  const std::uint64_t start_ns_;
  bool may_spin_;
  bool announced_ = false;

  std::mutex windows_mutex_;  // of what follows; alias() may be called by any thread
  std::vector<placement> windows_;
  std::uint64_t next_window_;

  std::atomic<std::uint32_t> rings_seen_{0};        // the latest that a nap has returned for
  std::atomic<std::uint64_t> ended_noticed_ns_{0};  // when a wait first saw that somebody has ended
  std::optional<host_watch> watch_;
};

}  // namespace kasuri::cluster
