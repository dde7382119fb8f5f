// SPDX-License-Identifier: Apache-2.0
#include <kasuri/kasuri.hpp>

#include <tuple>

#include "input.hpp"

int main() {
  edit_table table;
  // Graph:
  const kasuri::shared_future<void> nothing = kasuri::make_ready_future().share();
  kasuri::shared_future<void> ended[blocks][blocks];
  for (int i = 0; i != blocks; ++i)
    for (int j = 0; j != blocks; ++j)
      ended[i][j] =
          kasuri::when_all(i > 0 ? ended[i - 1][j] : nothing, j > 0 ? ended[i][j - 1] : nothing)
              .then([&table, i, j](const auto& before) {
                std::get<0>(before).get();  // throws what that block threw
                std::get<1>(before).get();
                table.fill(i, j);
              })
              .share();
  ended[blocks - 1][blocks - 1].get();  // needs all others
  // end
  table.print();
}
