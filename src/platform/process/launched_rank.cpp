// SPDX-License-Identifier: Apache-2.0
#include "platform/process/launched_rank.hpp"

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace kasuri::platform {

int launched_rank() noexcept {
  const char* text = std::getenv("KASURI_JOB");  // DESCRIPTOR:RANK
  if (text != nullptr) text = std::strchr(text, ':');
  if (text != nullptr) ++text;
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"}) {
    if (text == nullptr) text = std::getenv(name);
  }
  if (text == nullptr) return -1;
  int rank = -1;
  std::from_chars(text, text + std::strlen(text), rank);
  return rank;
}

void let_rank_0_speak() {
  if (launched_rank() > 0) std::this_thread::sleep_for(std::chrono::seconds(1));
}

}  // namespace kasuri::platform
