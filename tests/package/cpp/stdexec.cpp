// SPDX-License-Identifier: Apache-2.0
#include <kasuri/adapters/stdexec.hpp>

int main() {
  auto work =
      stdexec::schedule(kasuri::senders::get_scheduler()) | stdexec::then([] { return 42; });
  return std::get<0>(kasuri::senders::sync_wait(std::move(work)).value()) == 42 ? 0 : 1;
}
