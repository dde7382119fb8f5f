// SPDX-License-Identifier: Apache-2.0
#pragma once

// A transport that hands everything on to another one: for those that change some of it.

#include "cluster/transport/transport.hpp"

namespace kasuri::cluster {

class forwarding_transport : public transport {
 public:
  [[nodiscard]] int rank() const noexcept override { return net_.rank(); }
  [[nodiscard]] int size() const noexcept override { return net_.size(); }
  [[nodiscard]] int host_of(int rank) const noexcept override { return net_.host_of(rank); }
  window allocate(std::size_t bytes) override { return net_.allocate(bytes); }
  void free(window& w) override { net_.free(w); }
  void alias(const window& w, std::size_t offset, std::size_t bytes, void* at) override {
    net_.alias(w, offset, bytes, at);
  }
  [[nodiscard]] bool lets_pages_move() const noexcept override { return net_.lets_pages_move(); }
  [[nodiscard]] bool overlaps(int target) const noexcept override { return net_.overlaps(target); }
  void put(int target, const window& w, std::size_t offset, const void* from,
           std::size_t bytes) override {
    net_.put(target, w, offset, from, bytes);
  }
  void get(int target, const window& w, std::size_t offset, void* to, std::size_t bytes) override {
    net_.get(target, w, offset, to, bytes);
  }
  void flush(int target) override { net_.flush(target); }
  std::uint64_t fetch_add(int target, const window& w, std::size_t offset,
                          std::uint64_t value) override {
    return net_.fetch_add(target, w, offset, value);
  }
  std::uint64_t compare_swap(int target, const window& w, std::size_t offset,
                             std::uint64_t expected, std::uint64_t desired) override {
    return net_.compare_swap(target, w, offset, expected, desired);
  }
  std::uint64_t load(int target, const window& w, std::size_t offset) override {
    return net_.load(target, w, offset);
  }
  std::uint64_t apply(int target, const window& w, std::size_t offset,
                      const atomic_operation& op) override {
    return net_.apply(target, w, offset, op);
  }
  void store(int target, const window& w, std::size_t offset, std::uint64_t value) override {
    net_.store(target, w, offset, value);
  }
  void progress() override { net_.progress(); }
  void nap(std::uint64_t ns) override { net_.nap(ns); }
  [[nodiscard]] unsigned looks_before_nap() const noexcept override {
    return net_.looks_before_nap();
  }
  void ring(int target) override { net_.ring(target); }
  void announce_end() override { net_.announce_end(); }
  std::span<std::atomic<std::uint32_t>> borrowed() noexcept override { return net_.borrowed(); }
  [[nodiscard]] std::uint64_t now_ns() const noexcept override { return net_.now_ns(); }
  void spend(std::uint64_t ns) override { net_.spend(ns); }
  void barrier() override { net_.barrier(); }
  void broadcast(int root, std::span<std::byte> data) override { net_.broadcast(root, data); }
  void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) override {
    net_.all_gather(mine, all);
  }

 protected:
  explicit forwarding_transport(transport& net) noexcept : net_(net) {}

  transport& net_;
};

}  // namespace kasuri::cluster
