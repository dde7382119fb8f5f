// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/summary.hpp"

#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "cluster/memory/memory.hpp"

namespace kasuri::cluster {
namespace {

struct column {
  const char* title;
  std::uint64_t memory_counts::* value;
  std::uint64_t unit;
};

constexpr column columns[] = {
    {"hits", &memory_counts::hits, 1},
    {"misses", &memory_counts::misses, 1},
    {"fetch_KB", &memory_counts::fetched_bytes, 1024},
    {"again_KB", &memory_counts::refetched_bytes, 1024},
    {"back_KB", &memory_counts::written_back_bytes, 1024},
    {"versions", &memory_counts::version_checks, 1},
    {"same", &memory_counts::unchanged, 1},
    {"evicted", &memory_counts::evicted_blocks, 1},
    {"notices", &memory_counts::notices_sent, 1},
    {"learned", &memory_counts::notices_applied, 1},
    {"overflows", &memory_counts::overflows, 1},
    {"wait_us", &memory_counts::waited_ns, 1000},
};

void add_line(std::string& text, const char* head, const memory_counts& c) {
  text += head;
  for (const column& col : columns) {
    char number[32];
    std::snprintf(number, sizeof number, " %10llu",
                  static_cast<unsigned long long>(c.*col.value / col.unit));
    text += number;
  }
  text += '\n';
}

}  // namespace

void print_memory_summary(memory& m) {
  const memory_counts mine = m.counts();
  std::vector<memory_counts> all(static_cast<std::size_t>(m.network().size()));
  m.network().all_gather(std::as_bytes(std::span(&mine, 1)),
                         std::as_writable_bytes(std::span(all)));
  if (m.network().rank() != 0) return;
  std::string text = "kasuri cluster, global memory\n  rank";
  for (const column& c : columns) {
    char title[32];
    std::snprintf(title, sizeof title, " %10s", c.title);
    text += title;
  }
  text += '\n';
  memory_counts sum;
  for (std::size_t r = 0; r != all.size(); ++r) {
    char head[16];
    std::snprintf(head, sizeof head, "%6d", static_cast<int>(r));
    add_line(text, head, all[r]);
    for (const column& c : columns) sum.*c.value += all[r].*c.value;
  }
  add_line(text, "   sum", sum);
  std::fputs(text.c_str(), stderr);
}

}  // namespace kasuri::cluster
