// SPDX-License-Identifier: Apache-2.0
#pragma once

// A network in virtual time: latency, bandwidth, receivers that take one message after the other,
// random delays that let messages overtake each other, and ranks that die. The same options give
// the same run. It keeps to the letter of transport.hpp and no more: a buffer that is put is read
// when the message arrives, one that is got is written when the answer arrives. A null buffer
// stands for bytes that nobody looks at: the message takes as long, and nothing is copied.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <unordered_map>
#include <vector>

#include "cluster/base/process.hpp"
#include "cluster/transport/simulated/virtual_time.hpp"
#include "cluster/transport/transport.hpp"

namespace kasuri::cluster {

struct simulation_options {
  int ranks = 2;
  int ranks_per_host = 1;
  std::uint64_t latency_ns = 1500;      // one way
  std::uint64_t near_latency_ns = 300;  // between ranks of a host
  double bytes_per_ns = 10;
  std::uint64_t occupancy_ns = 20;  // of the receiver, for each message
  std::uint64_t jitter_ns = 0;      // more delay, up to so much, for each message
  std::uint64_t seed = 1;
  std::uint64_t until_ns = UINT64_MAX;  // a run that is not over by then ends with simulation_error
  std::size_t stack_bytes = std::size_t{256} << 10;
  int dying_rank = -1;  // dies at dies_at_ns; the others' run ends with simulation_error
  std::uint64_t dies_at_ns = 0;
};

/// The traffic of the network, of all ranks together.
struct simulation_traffic {
  std::uint64_t puts = 0;
  std::uint64_t gets = 0;
  std::uint64_t words = 0;  // atomic operations on other ranks
  std::uint64_t rings = 0;
  std::uint64_t bytes = 0;
};

class simulated_transport;

/// Use: simulation s(options); s.run([](int rank, transport& net) { ... });
class simulation {
 public:
  explicit simulation(const simulation_options& options);
  simulation(const simulation&) = delete;
  simulation& operator=(const simulation&) = delete;
  ~simulation();

  /// Runs main(rank, network) once for each rank, each on a strand of its own; once per simulation.
  /// Throws what one of them threw, and simulation_error.
  void run(const std::function<void(int, transport&)>& main);

  [[nodiscard]] virtual_time& time() noexcept { return time_; }
  [[nodiscard]] const simulation_options& options() const noexcept { return options_; }
  [[nodiscard]] transport& network(int rank) noexcept;
  /// The rank's process: current_process points to it while the rank runs.
  [[nodiscard]] process& process_of(int rank) noexcept {
    return processes_[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] const simulation_traffic& traffic() const noexcept { return traffic_; }

 private:
  friend class simulated_transport;
  struct message;
  struct death;

  message& fresh_message();
  std::uint64_t arrival(int from, int to, std::size_t bytes);

  simulation_options options_;
  virtual_time time_;
  std::vector<process> processes_;
  std::vector<std::unique_ptr<simulated_transport>> networks_;
  std::vector<std::uint64_t> receiver_free_;  // when each rank has taken what has arrived so far
  std::deque<message> messages_;
  std::vector<message*> free_messages_;
  std::mt19937_64 random_;
  simulation_traffic traffic_;
  std::unique_ptr<death> death_;

  // The collective operation that is gathering.
  int arrived_ = 0;
  bool failed_ = false;
  std::vector<std::byte> gathered_;
};

class simulated_transport final : public transport {
 public:
  simulated_transport(simulation& all, int rank) : all_(all), rank_(rank) {}
  ~simulated_transport() override;

  [[nodiscard]] int rank() const noexcept override { return rank_; }
  [[nodiscard]] int size() const noexcept override { return all_.options_.ranks; }
  [[nodiscard]] int host_of(int rank) const noexcept override {
    return rank / all_.options_.ranks_per_host;
  }
  [[nodiscard]] bool overlaps(int target) const noexcept override { return target != rank_; }
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
  std::uint64_t apply(int target, const window& w, std::size_t offset,
                      const atomic_operation& op) override;
  void store(int target, const window& w, std::size_t offset, std::uint64_t value) override;
  void progress() override;
  void nap(std::uint64_t ns) override;
  void ring(int target) override;
  [[nodiscard]] std::uint64_t now_ns() const noexcept override { return all_.time_.now(); }
  void spend(std::uint64_t ns) override { all_.time_.spend(ns); }
  void barrier() override;
  void broadcast(int root, std::span<std::byte> data) override;
  void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) override;

 private:
  friend class simulation;

  simulation::message& message_about(int target, const window& w, std::size_t offset,
                                     std::size_t bytes);
  std::byte* at(const window& w, std::size_t offset, std::size_t bytes);
  std::uint64_t word_operation(simulation::message& m);
  std::uint64_t in_order(simulation::message& m, std::uint64_t arrival);
  void meet();
  void landed(int target);

  simulation& all_;
  int rank_;
  struct part {
    std::byte* start = nullptr;
    std::size_t bytes = 0;
    std::size_t mapped = 0;
  };
  std::vector<part> parts_;                   // by a window's id
  std::unordered_map<int, int> outstanding_;  // puts and gets by target
  std::unordered_map<std::uint64_t, std::uint64_t>
      last_store_;    // by word: when its last one arrives
  int flushes_ = -1;  // the target that flush() waits for
  bool rung_ = false;
  std::uint64_t naps_ = 0;  // a nap's number, so that old alarms are known
  bool napping_ = false;
};

}  // namespace kasuri::cluster
