// SPDX-License-Identifier: Apache-2.0
#pragma once

// An MPI of one rank of several, whose calls are noted down. Its windows are memory of this
// process, which all ranks share; the others are played by the test.

#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cluster/transport/mpi/mpi_library.hpp"

namespace kasuri::cluster::test {

class fake_mpi final : public mpi_library {
 public:
  /// What the test sees and sets. It outlives the library.
  struct state {
    int rank = 0;
    int size = 2;
    bool one_sided = false;
    int probes_until_answer = 3;
    int tests_until_done = 3;
    bool aborted = false;
    std::vector<std::string> calls;
    std::deque<std::pair<int, int>> messages;     // that have come: source, number
    std::vector<std::pair<int, int>> sent;        // target, number
    std::vector<std::vector<std::byte>> windows;  // of all ranks together
    bool says_yes = true;                         // the others, when asked whether all agree
  };

  explicit fake_mpi(state& s) : s_(s) {}

  void leave() override { note("leave"); }
  [[nodiscard]] int rank() const noexcept override { return s_.rank; }
  [[nodiscard]] int size() const noexcept override { return s_.size; }
  [[nodiscard]] const char* thread_problem() const noexcept override { return ""; }
  [[nodiscard]] bool called_at_any_time() const noexcept override { return false; }

  void begin_barrier() override { begin("barrier"); }
  void begin_broadcast(int, void*, std::size_t bytes) override {
    begin("broadcast " + std::to_string(bytes));
  }
  /// The others have what this rank has, but for flags: their answer is says_yes.
  void begin_all_gather(const void* mine, void* all, std::size_t bytes) override {
    begin("all_gather " + std::to_string(bytes));
    for (int r = 0; r != s_.size; ++r)
      std::memcpy(static_cast<char*>(all) + static_cast<std::size_t>(r) * bytes, mine, bytes);
    if (bytes != 1) return;
    for (int r = 0; r != s_.size; ++r)
      if (r != s_.rank && !s_.says_yes) static_cast<char*>(all)[r] = 0;
  }
  bool collective_done() override { return --left_ <= 0; }

  int allocate(std::size_t bytes, std::byte*& start) override {
    note("allocate");
    return add(bytes, start);
  }
  int expose(std::byte*, std::size_t bytes) override {
    note("expose");
    std::byte* unused = nullptr;
    return add(bytes, unused);
  }
  void free(int window) override { note("free " + std::to_string(window)); }

  void put(int target, int window, std::size_t offset, const void* from,
           std::size_t bytes) override {
    note("put " + std::to_string(target));
    std::memcpy(s_.windows[static_cast<std::size_t>(window)].data() + offset, from, bytes);
  }
  void get(int target, int window, std::size_t offset, void* to, std::size_t bytes) override {
    note("get " + std::to_string(target));
    std::memcpy(to, s_.windows[static_cast<std::size_t>(window)].data() + offset, bytes);
  }
  void flush(int target, int window) override {
    note("flush " + std::to_string(target) + " in " + std::to_string(window));
  }
  void flush_all(int window) override { note("flush_all " + std::to_string(window)); }

  void fetch_add(int, int window, std::size_t offset, const std::uint64_t& value,
                 std::uint64_t& before) override {
    before = std::exchange(word(window, offset), word(window, offset) + value);
  }
  void compare_swap(int, int window, std::size_t offset, const std::uint64_t& expected,
                    const std::uint64_t& desired, std::uint64_t& before) override {
    before = word(window, offset);
    if (before == expected) word(window, offset) = desired;
  }
  void load(int, int window, std::size_t offset, std::uint64_t& value) override {
    value = word(window, offset);
  }
  void apply(int, int window, std::size_t offset, const atomic_operation& op, const void*,
             const void*, void* before) override {
    std::byte* const at = s_.windows[static_cast<std::size_t>(window)].data() + offset;
    const auto on = [&](auto word) {
      std::memcpy(&word, at, sizeof word);
      std::memcpy(before, &word, sizeof word);
      word = static_cast<decltype(word)>(op.result(word));
      std::memcpy(at, &word, sizeof word);
    };
    if (op.bytes == 4)
      on(std::uint32_t{});
    else
      on(std::uint64_t{});
  }
  void store(int target, int window, std::size_t offset, const std::uint64_t& value) override {
    note("store " + std::to_string(target));
    word(window, offset) = value;
  }

  [[nodiscard]] const char* window_problem() const noexcept override { return ""; }
  [[nodiscard]] bool one_sided() const noexcept override { return s_.one_sided; }
  void begin_probe(int target, int window, mpi_probe&) override {
    note("probe " + std::to_string(target) + " in " + std::to_string(window));
    unanswered_ = s_.probes_until_answer;
  }
  bool probe_done(mpi_probe&) override { return --unanswered_ <= 0; }

  void send(int target, int number) override { s_.sent.emplace_back(target, number); }
  bool receive(int& source, int& number) override {
    if (s_.messages.empty()) return false;
    std::tie(source, number) = s_.messages.front();
    s_.messages.pop_front();
    return true;
  }
  [[noreturn]] void abort(int) override { throw std::string("aborted"); }

 private:
  void note(std::string call) { s_.calls.push_back(std::move(call)); }
  void begin(std::string call) {
    note(std::move(call));
    left_ = s_.tests_until_done;
  }
  int add(std::size_t bytes, std::byte*& start) {
    s_.windows.emplace_back(bytes);
    start = s_.windows.back().data();
    return static_cast<int>(s_.windows.size()) - 1;
  }
  std::uint64_t& word(int window, std::size_t offset) {
    return *reinterpret_cast<std::uint64_t*>(s_.windows[static_cast<std::size_t>(window)].data() +
                                             offset);
  }

  state& s_;
  int left_ = 0;
  int unanswered_ = 0;
};

}  // namespace kasuri::cluster::test
