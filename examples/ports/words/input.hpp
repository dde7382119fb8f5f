// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <vector>

using counts = std::map<std::string, long, std::less<>>;

/// The same lines as lines() of rayon.rs.
inline std::vector<std::string> make_lines() {
  static constexpr std::string_view parts[] = {"fork", "join", "steal", "wait", "run", "task"};
  std::vector<std::string> lines;
  std::uint32_t state = 1;
  for (int i = 0; i != 20'000; ++i) {
    std::string line;
    for (int w = 0; w != 8; ++w) {
      state = state * 1664525 + 1013904223;
      line += std::string(parts[(state >> 16) % 6]) + std::to_string((state >> 24) % 10) + ' ';
    }
    lines.push_back(line);
  }
  return lines;
}

/// Adds the words of a line.
inline void count_words(std::string_view line, counts& to) {
  for (std::size_t end; !line.empty(); line.remove_prefix(end + 1)) {
    end = line.find(' ');
    const std::string_view word = line.substr(0, end);
    const auto at = to.find(word);
    if (at != to.end())
      ++at->second;
    else
      to.emplace(word, 1);
  }
}

inline void print(const counts& all) {
  for (const auto& [word, count] : all) std::printf("%s %ld\n", word.c_str(), count);
}
