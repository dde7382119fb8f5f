// SPDX-License-Identifier: Apache-2.0
#pragma once

// A simulated network on which the bytes of arrays have size but no content: messages take their
// time, and nothing is copied. So thousands of ranks with gigabytes each fit into one process.

#include <cstddef>
#include <cstdint>
#include <span>

#include "cluster/transport/transport.hpp"

namespace kasuri::tools::cluster {

class weightless final : public kasuri::cluster::transport {
 public:
  using window = kasuri::cluster::window;

  explicit weightless(kasuri::cluster::transport& net) noexcept : net_(net) {}

  /// What lies in [start, start + bytes) of this rank has no content from now on.
  void empty(const std::byte* start, std::uint64_t bytes) noexcept {
    start_ = start;
    bytes_ = bytes;
  }

  [[nodiscard]] int rank() const noexcept override { return net_.rank(); }
  [[nodiscard]] int size() const noexcept override { return net_.size(); }
  [[nodiscard]] int host_of(int rank) const noexcept override { return net_.host_of(rank); }
  window allocate(std::size_t bytes) override { return net_.allocate(bytes); }
  void free(window& w) override { net_.free(w); }
  void alias(const window& w, std::size_t offset, std::size_t bytes, void* at) override {
    net_.alias(w, offset, bytes, at);
  }
  void put(int target, const window& w, std::size_t offset, const void* from,
           std::size_t bytes) override {
    net_.put(target, w, offset, is_empty(from) ? nullptr : from, bytes);
  }
  void get(int target, const window& w, std::size_t offset, void* to, std::size_t bytes) override {
    net_.get(target, w, offset, is_empty(to) ? nullptr : to, bytes);
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
  void store(int target, const window& w, std::size_t offset, std::uint64_t value) override {
    net_.store(target, w, offset, value);
  }
  void progress() override { net_.progress(); }
  void nap(std::uint64_t ns) override { net_.nap(ns); }
  void ring(int target) override { net_.ring(target); }
  [[nodiscard]] std::uint64_t now_ns() const noexcept override { return net_.now_ns(); }
  void spend(std::uint64_t ns) override { net_.spend(ns); }
  void barrier() override { net_.barrier(); }
  void broadcast(int root, std::span<std::byte> data) override { net_.broadcast(root, data); }
  void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) override {
    net_.all_gather(mine, all);
  }

 private:
  [[nodiscard]] bool is_empty(const void* at) const noexcept {
    return reinterpret_cast<std::uintptr_t>(at) - reinterpret_cast<std::uintptr_t>(start_) < bytes_;
  }

  kasuri::cluster::transport& net_;
  const std::byte* start_ = nullptr;
  std::uint64_t bytes_ = 0;
};

}  // namespace kasuri::tools::cluster
