// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <map>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "apps/common/placement.hpp"

/// Where tasks ran and where their output lies, seen from inside the program and so independent of
/// what a runtime says about itself: each task notes the node of its CPU and its output's place; at
/// the end the kernel is asked once on which nodes those pages are.
namespace apps {

/// Rows of memory that a task writes.
struct output {
  const void* first = nullptr;  ///< null: nobody chose a place for it
  int rows = 0;
  std::size_t row_bytes = 0;
  std::size_t stride = 0;  ///< bytes from one row to the next
};

class task_log {
 public:
  /// Notes up to `capacity` tasks of these kinds from now on, and 2^24 at most.
  void open(std::size_t capacity, std::vector<std::string> kinds) {
    kinds_ = std::move(kinds);
    capacity_ = std::clamp<std::size_t>(capacity, 1, std::size_t{1} << 24);
    records_ = memory(capacity_ * sizeof(record));
    next_.store(0, std::memory_order_relaxed);
  }

  /// Called by a task when it begins. Any thread. Does nothing before open().
  void note(int kind, const output& written) noexcept {
    if (!records_) return;
    const std::size_t at = next_.fetch_add(1, std::memory_order_relaxed);
    if (at < capacity_) new (records_.as<record>() + at) record{written, kind, node_here()};
  }

  /// Prints how many tasks ran on the node that holds most of their output. Once the tasks have
  /// ended, on a thread that waited for them, and while the memory of their output is still there.
  void print() const {
    if (!records_) return;
    const std::size_t noted = next_.load(std::memory_order_relaxed);
    std::vector<tally> by_kind(kinds_.size());
    per_node ran;
    per_node wrote;
    if (!count(std::min(noted, capacity_), by_kind, ran, wrote)) {
      std::printf("tasks %zu, the system does not tell where their output lies\n", noted);
      return;
    }
    tally all;
    for (const tally& each : by_kind) all.add(each);
    print("tasks", all);
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
      if (by_kind[i].tasks > 0) print("  " + kinds_[i], by_kind[i]);
    }
    print("  run by the CPUs of node", ran);
    print("  with output on node", wrote);
    if (noted > capacity_) std::printf("  not noted: %zu\n", noted - capacity_);
  }

 private:
  struct record {
    output written;
    int kind;
    int node;  ///< of the CPU
  };

  struct tally {
    std::size_t tasks = 0;
    std::size_t at_home = 0;   ///< on the node of their output
    std::size_t homeless = 0;  ///< output of no known place
    std::size_t no_cpu = 0;    ///< output on a node without CPUs

    std::size_t placed() const { return tasks - homeless - no_cpu; }
    void add(const tally& other) {
      tasks += other.tasks;
      at_home += other.at_home;
      homeless += other.homeless;
      no_cpu += other.no_cpu;
    }
  };

  using per_node = std::map<int, std::size_t>;
  /// Squares of several sizes may begin at one place.
  using home_map = std::map<std::pair<const void*, int>, int>;
  static std::pair<const void*, int> key(const output& of) { return {of.first, of.rows}; }

  static void print(const char* what, const per_node& tasks) {
    std::printf("%s", what);
    for (const auto& [node, count] : tasks) std::printf(" %d: %zu", node, count);
    std::printf("\n");
  }

  static void print(const std::string& name, const tally& of) {
    const double all = static_cast<double>(std::max<std::size_t>(of.placed(), 1));
    std::printf("%s %zu, on the node of their output %zu", name.c_str(), of.tasks, of.at_home);
    if (of.placed() > 0) std::printf(" (%.1f %%)", 100 * static_cast<double>(of.at_home) / all);
    if (of.no_cpu > 0) std::printf(", output on a node without CPUs %zu", of.no_cpu);
    if (of.homeless > 0) std::printf(", output of no chosen place %zu", of.homeless);
    std::printf("\n");
  }

  /// False when the system does not tell where pages are.
  bool count(std::size_t tasks, std::vector<tally>& by_kind, per_node& ran, per_node& wrote) const {
    const record* const all = records_.as<record>();
    home_map homes;
    if (!find_homes(all, tasks, homes)) return false;
    const std::vector<int> with_cpus = nodes_of("has_cpu");
    for (std::size_t i = 0; i < tasks; ++i) {
      const record& task = all[i];
      ++ran[task.node];
      tally& mine = by_kind[static_cast<std::size_t>(task.kind)];
      ++mine.tasks;
      const int home = task.written.first == nullptr ? -1 : homes[key(task.written)];
      if (home < 0) {
        ++mine.homeless;
        continue;
      }
      ++wrote[home];
      if (!contains(with_cpus, home)) {
        ++mine.no_cpu;
      } else if (home == task.node) {
        ++mine.at_home;
      }
    }
    return true;
  }

  /// The node that holds most of each output.
  static bool find_homes(const record* all, std::size_t tasks, home_map& homes) {
    for (std::size_t i = 0; i < tasks; ++i) {
      const output& written = all[i].written;
      if (written.first == nullptr || homes.count(key(written)) != 0) continue;
      const std::vector<int> found = nodes_of_output(written);
      if (found.empty()) return false;
      homes[key(written)] = most_frequent(found);
    }
    return true;
  }

  static std::vector<int> nodes_of_output(const output& written) {
    const std::uintptr_t page = page_size();
    std::vector<void*> pages;
    for (int row = 0; row < written.rows; ++row) {
      const auto first = reinterpret_cast<std::uintptr_t>(written.first) +
                         static_cast<std::uintptr_t>(row) * written.stride;
      for (std::uintptr_t at = first / page * page; at < first + written.row_bytes; at += page) {
        if (pages.empty() || pages.back() != reinterpret_cast<void*>(at)) {
          pages.push_back(reinterpret_cast<void*>(at));
        }
      }
    }
    return nodes_of_pages(pages);
  }

  static int most_frequent(const std::vector<int>& all) {
    std::map<int, std::size_t> counts;
    for (const int node : all) ++counts[node];
    const auto less = [](const auto& a, const auto& b) { return a.second < b.second; };
    return std::max_element(counts.begin(), counts.end(), less)->first;
  }

  memory records_;
  std::size_t capacity_ = 0;
  std::vector<std::string> kinds_;
  std::atomic<std::size_t> next_{0};
};

}  // namespace apps
