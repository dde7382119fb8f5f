// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/job/exit_note.hpp"

#include <stdlib.h>
#include <unistd.h>

namespace kasuri::cluster {
namespace {

using status_word = std::atomic<std::uint32_t>;
constinit std::atomic<status_word*> noted{nullptr};
constinit std::atomic<pid_t> noted_by{0};  // a child of fork() ends for itself

void note(int status, void*) {
  status_word* word = noted.load(std::memory_order_relaxed);
  if (word != nullptr && noted_by.load(std::memory_order_relaxed) == ::getpid()) {
    word->store(1 + static_cast<std::uint32_t>(status & 0xff), std::memory_order_relaxed);
  }
}

}  // namespace

bool tell_status_at_exit() { return ::on_exit(note, nullptr) == 0; }

void note_exit_in(status_word* word) {
  static const bool registered = tell_status_at_exit();
  static_cast<void>(registered);
  noted_by.store(::getpid(), std::memory_order_relaxed);
  noted.store(word, std::memory_order_relaxed);
}

}  // namespace kasuri::cluster
