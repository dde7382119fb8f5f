// SPDX-License-Identifier: Apache-2.0
// A table is filled in parallel under its lock. A task that waits for the inner loop is suspended,
// and nothing else runs on its stack; so nothing has to be isolated. The lock is Kasuri's, since
// the task may go on on another worker.
#include <kasuri/kasuri.hpp>

#include <mutex>

#include "input.hpp"

// Table:
class lazy_table {
 public:
  std::uint32_t get(int id, int i) {
    const std::lock_guard lock(mutex_);
    if (made_.empty()) {
      made_.resize(table_size);
      kasuri::parallel_for(0, table_size, [&](int k) { made_[k] = entry(id, k); });
    }
    return made_[i];
  }

 private:
  kasuri::mutex mutex_;
  std::vector<std::uint32_t> made_;
};
// end

int main() {
  lazy_table made[tables];
  std::vector<std::uint32_t> answers(queries);
  kasuri::parallel_for(
      0, queries, [&](int q) { answers[q] = made[table_of(q)].get(table_of(q), index_of(q)); });
  print(answers);
}
