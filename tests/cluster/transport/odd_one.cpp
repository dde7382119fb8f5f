// SPDX-License-Identifier: Apache-2.0
// A program as users write it, of which rank 1 goes its own way where all ranks must go one:
//   odd_one array (of another size), first (no array), distribution, run (none, but an array),
//   early (the array ends before the run), result (of another size), counters, values
//   (those of a reduction of another size), root (another), scan (in place of the reduction),
//   capacity (of a hash map, another), path (of a checkpoint: another one), main (returns), none
#include <kasuri/global.hpp>

#include <optional>
#include <string_view>

namespace global = kasuri::global;

int main(int, char** argv) {
  const std::string_view how = argv[1];
  global::start();
  const bool odd = global::rank() == 1;
  const auto differs = [&](std::string_view what) { return odd && how == what; };
  if (differs("main")) return 0;
  if (how == "capacity") const global::hash_map<int, int> map(odd ? 99 : 100);
  std::optional<global::vector<int>> numbers;
  if (!differs("first")) {
    if (differs("distribution")) {
      numbers.emplace(100'000, global::cyclic(4096));
    } else {
      numbers.emplace(differs("array") ? 50'000 : 100'000);
    }
  }
  if (differs("early")) numbers.reset();
  if (differs("run")) const global::vector<char> other(5);
  if (differs("counters")) global::counters();
  const auto sum = [](int a, int b) { return a + b; };
  if (differs("values")) {
    global::reduce(1L, [](long a, long b) { return a + b; }, 2);
  } else if (differs("scan")) {
    global::scan(1, sum);
  } else {
    global::reduce(1, sum, differs("root") ? 1 : 2);
  }
  if (how == "path") (void)global::load_checkpoint(odd ? "another" : "one", {{"n", *numbers}});
  if (differs("result")) {
    global::run([] { return 'a'; });
  } else {
    global::run([] { return 1L; });
  }
  return 0;
}
