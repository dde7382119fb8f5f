// SPDX-License-Identifier: Apache-2.0
// A plug-in that is linked to the archive: its workers live on when it is closed.
#include <kasuri/kasuri.hpp>

extern "C" int sum_of_two() {
  kasuri::initialize({.workers = 2});
  int left = 0;
  int right = 0;
  kasuri::parallel_invoke([&] { left = 20; }, [&] { right = 22; });
  return left + right;
}
