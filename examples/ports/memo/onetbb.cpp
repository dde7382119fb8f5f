// SPDX-License-Identifier: Apache-2.0
// A table is filled in parallel under its lock. A thread that waits for the inner loop runs other
// tasks meanwhile: another query may want the same lock, on the stack of the thread that holds it.
// Without isolate the program may stop there for ever.
#include <oneapi/tbb.h>

#include <mutex>

#include "input.hpp"

// Table:
class lazy_table {
 public:
  std::uint32_t get(int id, int i) {
    const std::lock_guard lock(mutex_);
    if (made_.empty()) {
      made_.resize(table_size);
      tbb::this_task_arena::isolate(
          [&] { tbb::parallel_for(0, table_size, [&](int k) { made_[k] = entry(id, k); }); });
    }
    return made_[i];
  }

 private:
  std::mutex mutex_;
  std::vector<std::uint32_t> made_;
};
// end

int main() {
  lazy_table made[tables];
  std::vector<std::uint32_t> answers(queries);
  tbb::parallel_for(0, queries,
                    [&](int q) { answers[q] = made[table_of(q)].get(table_of(q), index_of(q)); });
  print(answers);
}
