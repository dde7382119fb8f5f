// SPDX-License-Identifier: Apache-2.0
#include <taskflow/taskflow.hpp>

#include "input.hpp"

int main() {
  edit_table table;
  // Graph:
  tf::Executor executor;
  tf::Taskflow flow;
  tf::Task task[blocks][blocks];
  for (int i = 0; i != blocks; ++i)
    for (int j = 0; j != blocks; ++j) {
      task[i][j] = flow.emplace([&table, i, j] { table.fill(i, j); });
      if (i > 0) task[i - 1][j].precede(task[i][j]);
      if (j > 0) task[i][j - 1].precede(task[i][j]);
    }
  executor.run(flow).wait();
  // end
  table.print();
}
