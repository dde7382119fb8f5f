// SPDX-License-Identifier: Apache-2.0
// The network: its ranks, and what messages do. The ranks' ends of it are in simulated.cpp.

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "cluster/transport/simulated/message.hpp"
#include "cluster/transport/simulated/simulated.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {

struct simulation::death final : virtual_time::event {
  simulation* all = nullptr;
  bool known = false;

  void happen() override {
    const int rank = all->options_.dying_rank;
    if (known) throw simulation_error("rank " + std::to_string(rank) + " has died");
    known = true;
    all->time_.kill(rank);
    all->time_.at(all->time_.now() + 1'000'000, *this);  // that long until it is noticed
  }
};

simulation::simulation(const simulation_options& options)
    : options_(options),
      time_(options.ranks, options.stack_bytes, options.until_ns),
      processes_(static_cast<std::size_t>(options.ranks)),
      receiver_free_(static_cast<std::size_t>(options.ranks)),
      random_(options.seed) {
  for (int i = 0; i != options.ranks; ++i) {
    networks_.push_back(std::make_unique<simulated_transport>(*this, i));
    process_of(i).network = networks_.back().get();
  }
  if (options.dying_rank >= 0) {
    death_ = std::make_unique<death>();
    death_->all = this;
    time_.at(options.dies_at_ns, *death_);
  }
}

simulation::~simulation() = default;

transport& simulation::network(int rank) noexcept {
  return *networks_[static_cast<std::size_t>(rank)];
}

void simulation::run(const std::function<void(int, transport&)>& main) {
  struct both {
    simulation* all;
    const std::function<void(int, transport&)>* main;
  } argument{this, &main};
  time_.run(
      [](int rank, void* p) {
        auto& given = *static_cast<both*>(p);
        (*given.main)(rank, given.all->network(rank));
      },
      &argument, processes_);
}

simulation::message& simulation::fresh_message() {
  KASURI_EXPECT(cheap, free_messages_.size() <= messages_.size(), "%zu of %zu messages are free",
                free_messages_.size(), messages_.size());
  if (free_messages_.empty()) {
    messages_.emplace_back();
    messages_.back().all = this;
    free_messages_.push_back(&messages_.back());
  }
  message& m = *free_messages_.back();
  free_messages_.pop_back();
  m.answered = false;
  return m;
}

/// When a message that leaves now has been taken by its receiver.
std::uint64_t simulation::arrival(int from, int to, std::size_t bytes) {
  const bool near = from / options_.ranks_per_host == to / options_.ranks_per_host;
  std::uint64_t time = time_.now() + (near ? options_.near_latency_ns : options_.latency_ns);
  if (options_.jitter_ns != 0) time += random_() % (options_.jitter_ns + 1);
  std::uint64_t& free = receiver_free_[static_cast<std::size_t>(to)];
  const auto copying =
      static_cast<std::uint64_t>(static_cast<double>(bytes) / options_.bytes_per_ns);
  time = std::max(time, free) + copying;
  // One that random delays hold back does not hold back others.
  if (options_.jitter_ns == 0) free = time + options_.occupancy_ns;
  traffic_.bytes += bytes;
  KASURI_EXPECT(cheap, time >= time_.now(),
                "a message from rank %d to rank %d arrives at %llu, it is %llu", from, to,
                static_cast<unsigned long long>(time),
                static_cast<unsigned long long>(time_.now()));
  return time;
}

void simulation::message::happen() {
  if (answered)
    at_origin();
  else
    at_target();
}

/// The nap of the origin ends by the clock, if it is the nap that the alarm was set for.
void simulation::message::wake_napper() {
  simulated_transport& net = *all->networks_[static_cast<std::size_t>(origin)];
  if (!net.napping_ || net.naps_ != a) return;
  net.napping_ = false;
  all->time_.resume(origin);
}

void simulation::message::ring_target() {
  simulated_transport& net = *all->networks_[static_cast<std::size_t>(target)];
  if (std::exchange(net.napping_, false))
    all->time_.resume(target);
  else
    net.rung_ = true;
}

/// Reads and writes the target's memory; `a` is what the word was before.
void simulation::message::operate_on(std::byte* memory) {
  if (what == kind::put) {
    if (from != nullptr) std::memcpy(memory, from, bytes);
    return;
  }
  if (what == kind::get) {
    if (to != nullptr) content.assign(memory, memory + bytes);
    return;
  }
  if (what == kind::apply) {
    a = apply_at(memory, op);
    return;
  }
  const std::uint64_t before = read_word(memory);
  if (what == kind::add) write_word(memory, before + a);
  if (what == kind::swap && before == a) write_word(memory, b);
  a = before;
}

void simulation::message::at_target() {
  if (what == kind::alarm) {
    wake_napper();
    return end();
  }
  if (all->time_.is_dead(target)) return end();  // nobody answers
  if (what == kind::ring) {
    ring_target();
    return end();
  }
  simulated_transport& net = *all->networks_[static_cast<std::size_t>(target)];
  std::byte* const memory = net.at(where, offset, bytes);
  if (what == kind::store) {
    write_word(memory, a);
    return end();
  }
  operate_on(memory);
  answered = true;
  const std::size_t answer = what == kind::get ? bytes : 8;
  all->time_.at(all->arrival(target, origin, answer), *this);
}

void simulation::message::at_origin() {
  if (all->time_.is_dead(origin)) return end();
  simulated_transport& net = *all->networks_[static_cast<std::size_t>(origin)];
  if (what == kind::get && to != nullptr) std::memcpy(to, content.data(), bytes);
  if (what == kind::put || what == kind::get) {
    net.landed(target);
    return end();
  }
  b = 1;  // answered, for who waits
  all->time_.resume(origin);
}

}  // namespace kasuri::cluster
