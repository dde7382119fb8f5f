// SPDX-License-Identifier: Apache-2.0
#pragma once

// Ranks that are threads of this process: each has windows of its own, and copies between them at
// once.

#include <atomic>
#include <barrier>
#include <chrono>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "cluster/transport/transport.hpp"
#include "platform/memory/memory.hpp"
#include "platform/memory/shared_memory.hpp"

namespace kasuri::test {

using cluster::window;

/// The wires between them.
struct loopback_host {
  explicit loopback_host(int ranks) : size(ranks), meeting(ranks), parts(100), gathered(4096) {
    for (auto& of_window : parts) of_window.resize(static_cast<std::size_t>(ranks));
  }
  int size;
  std::barrier<> meeting;
  std::vector<std::vector<std::byte*>> parts;  // by window, then rank
  std::vector<std::byte> gathered;
};

/// As a network copies: with the program running on, of which it knows nothing.
[[gnu::no_sanitize("thread")]] inline void network_copy(void* to, const void* from,
                                                        std::size_t bytes) {
  auto* t = static_cast<volatile unsigned char*>(to);
  const auto* f = static_cast<const volatile unsigned char*>(from);
  for (; bytes >= 8 && reinterpret_cast<std::uintptr_t>(t) % 8 == 0 &&
         reinterpret_cast<std::uintptr_t>(f) % 8 == 0;
       bytes -= 8, t += 8, f += 8)
    *reinterpret_cast<volatile std::uint64_t*>(t) =
        *reinterpret_cast<const volatile std::uint64_t*>(f);
  for (; bytes != 0; --bytes) *t++ = *f++;
}

class loopback : public cluster::transport {
 public:
  loopback(loopback_host& host, int rank) : host_(host), rank_(rank) {}

  [[nodiscard]] int rank() const noexcept override { return rank_; }
  [[nodiscard]] int size() const noexcept override { return host_.size; }
  [[nodiscard]] int host_of(int) const noexcept override { return 0; }
  [[nodiscard]] bool overlaps(int) const noexcept override { return true; }

  window allocate(std::size_t bytes) override {
    const std::size_t page = platform::page_size();
    const std::size_t mapped = (bytes + page - 1) / page * page;
    window w{next_++, static_cast<std::byte*>(platform::map_shared(mapped)), mapped};
    host_.parts.at(static_cast<std::size_t>(w.id)).at(static_cast<std::size_t>(rank_)) = w.local;
    barrier();
    return w;
  }
  void free(window& w) override {
    barrier();
    platform::unmap_shared(w.local, w.bytes);
    w = {};
  }
  void alias(const window& w, std::size_t offset, std::size_t bytes, void* at) override {
    if (!platform::duplicate_mapping(w.local + offset, bytes, at)) std::abort();
  }
  void put(int target, const window& w, std::size_t offset, const void* from,
           std::size_t bytes) override {
    network_copy(part(target, w) + offset, from, bytes);
  }
  void get(int target, const window& w, std::size_t offset, void* to, std::size_t bytes) override {
    network_copy(to, part(target, w) + offset, bytes);
  }
  void flush(int) override { std::atomic_thread_fence(std::memory_order_seq_cst); }
  std::uint64_t fetch_add(int target, const window& w, std::size_t offset,
                          std::uint64_t value) override {
    return word(target, w, offset).fetch_add(value, std::memory_order_seq_cst);
  }
  std::uint64_t compare_swap(int target, const window& w, std::size_t offset,
                             std::uint64_t expected, std::uint64_t desired) override {
    word(target, w, offset).compare_exchange_strong(expected, desired, std::memory_order_seq_cst);
    return expected;
  }
  std::uint64_t load(int target, const window& w, std::size_t offset) override {
    return word(target, w, offset).load(std::memory_order_seq_cst);
  }
  void store(int target, const window& w, std::size_t offset, std::uint64_t value) override {
    word(target, w, offset).store(value, std::memory_order_seq_cst);
  }
  void progress() override {}
  void nap(std::uint64_t) override { std::this_thread::yield(); }
  void ring(int) override {}
  [[nodiscard]] std::uint64_t now_ns() const noexcept override {
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  }
  void spend(std::uint64_t) override {}
  void barrier() override { host_.meeting.arrive_and_wait(); }
  void broadcast(int root, std::span<std::byte> data) override {
    if (rank_ == root) std::memcpy(host_.gathered.data(), data.data(), data.size());
    barrier();
    std::memcpy(data.data(), host_.gathered.data(), data.size());
    barrier();
  }
  void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) override {
    std::memcpy(host_.gathered.data() + mine.size() * static_cast<std::size_t>(rank_), mine.data(),
                mine.size());
    barrier();
    std::memcpy(all.data(), host_.gathered.data(), all.size());
    barrier();
  }

 private:
  std::byte* part(int target, const window& w) {
    return host_.parts[static_cast<std::size_t>(w.id)][static_cast<std::size_t>(target)];
  }
  std::atomic_ref<std::uint64_t> word(int target, const window& w, std::size_t offset) {
    return std::atomic_ref<std::uint64_t>(
        *reinterpret_cast<std::uint64_t*>(part(target, w) + offset));
  }

  loopback_host& host_;
  int rank_;
  int next_ = 0;
};

/// The same with gets that arrive when somebody flushes, with what was there at one of the two
/// moments.
class late_loopback final : public loopback {
 public:
  using loopback::loopback;

  void get(int target, const window& w, std::size_t offset, void* to, std::size_t bytes) override {
    const std::scoped_lock hold(lock_);
    under_way_.push_back({target, w, offset, to, bytes, {}});
    order& o = under_way_.back();
    if (++gets_ % 2 == 0) {
      o.content.resize(bytes);
      loopback::get(target, w, offset, o.content.data(), bytes);
    }
    std::memset(to, 0xee, bytes);  // nobody may look
  }
  void flush(int target) override {
    {
      const std::scoped_lock hold(lock_);
      for (const order& o : under_way_) {
        if (o.target != target) continue;
        if (o.content.empty())
          loopback::get(o.target, o.from, o.offset, o.to, o.bytes);
        else
          network_copy(o.to, o.content.data(), o.bytes);
      }
      std::erase_if(under_way_, [target](const order& o) { return o.target == target; });
    }
    loopback::flush(target);
  }

 private:
  struct order {
    int target;
    window from;
    std::size_t offset;
    void* to;
    std::size_t bytes;
    std::vector<std::byte> content;
  };
  std::mutex lock_;
  std::vector<order> under_way_;
  unsigned gets_ = 0;
};

/// Runs main(network) on each rank, a thread each.
template <class Network = loopback>
void on_ranks(int ranks, const std::function<void(cluster::transport&)>& main) {
  loopback_host host(ranks);
  std::vector<std::thread> threads;
  for (int r = 0; r != ranks; ++r)
    threads.emplace_back([&, r] {
      Network network(host, r);
      main(network);
    });
  for (std::thread& t : threads) t.join();
}

}  // namespace kasuri::test
