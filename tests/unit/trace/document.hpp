// SPDX-License-Identifier: Apache-2.0
// Runs `kasuri trace` on bytes and reads the document it wrote.
#pragma once

#include "trace/trace.hpp"
#include "unit/record/scratch.hpp"

#include <gtest/gtest.h>

#include <cmath>              // for llround
#include <cstdint>            // for int64_t
#include <map>                // for map
#include <nlohmann/json.hpp>  // for json
#include <string>             // for string
#include <utility>            // for pair
#include <vector>             // for vector

namespace kasuri::test {

using nlohmann::json;

struct outcome {
  int status = -1;
  std::string out;       // what was printed
  std::string err;       // what was complained about
  bool written = false;  // is there a document?
  json document;         // if so, this

  /// The events of a phase ("X", "i", ...), by name unless that is empty.
  std::vector<json> events(const std::string& phase, const std::string& name = "") const {
    std::vector<json> found;
    for (const json& e : document.at("traceEvents")) {
      if (e.at("ph") == phase && (name.empty() || e.at("name") == name)) found.push_back(e);
    }
    return found;
  }
};

inline outcome trace_bytes(const std::string& bytes, bool summary = false, bool document = true) {
  const scratch_folder folder;
  put_contents(folder / "in", bytes);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  outcome result;
  result.status = trace::trace_command(folder / "in", document ? folder / "out" : "", summary);
  result.out = testing::internal::GetCapturedStdout();
  result.err = testing::internal::GetCapturedStderr();
  result.written = std::filesystem::exists(folder / "out");
  if (result.written) result.document = json::parse(contents(folder / "out"));
  EXPECT_FALSE(std::filesystem::exists(folder / "out.part"));
  return result;
}

inline std::int64_t nanoseconds(const json& microseconds) {
  return std::llround(microseconds.get<double>() * 1e3);
}

/// Whether the slices of each thread lie inside each other or apart, as viewers demand.
inline bool slices_nest(const outcome& of) {
  std::map<int, std::vector<std::pair<std::int64_t, std::int64_t>>> threads;
  for (const json& e : of.events("X")) {
    const auto begin = nanoseconds(e.at("ts"));
    threads[e.at("tid").get<int>()].push_back({begin, begin + nanoseconds(e.at("dur"))});
  }
  for (const auto& [thread, slices] : threads) {
    for (std::size_t i = 0; i < slices.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const auto [a, b] = slices[i];
        const auto [c, d] = slices[j];
        if ((a < c && c < b && b < d) || (c < a && a < d && d < b)) return false;
      }
    }
  }
  return true;
}

}  // namespace kasuri::test
