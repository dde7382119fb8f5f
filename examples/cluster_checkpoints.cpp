// SPDX-License-Identifier: Apache-2.0
#include <kasuri/global.hpp>

#include <cstddef>
#include <cstdio>
#include <fstream>
#include <initializer_list>
#include <string>
#include <vector>

namespace global = kasuri::global;

constexpr std::size_t size = 50'000;
constexpr int steps = 40;

// Newest:
// Whether there was such a checkpoint; where it cannot be read rank 0 says why.
bool load(const std::string& name, std::initializer_list<global::checkpoint_part> parts) {
  try {
    return global::load_checkpoint(name, parts);
  } catch (const global::error& e) {
    if (global::rank() == 0) std::fprintf(stderr, "%s\n", e.what());
    return false;
  }
}

// Loads the newer of two checkpoints, or else the older one. The steps that it has behind it; -1:
// neither could be read.
int load_newest(const std::vector<std::string>& names, const global::vector<int>& sums) {
  std::vector<int> done{-1, -1};
  for (std::size_t i : {0, 1}) load(names[i], {{"done", done[i]}});  // without the array
  const std::size_t newer = done[1] > done[0] ? 1 : 0;
  for (std::size_t i : {newer, 1 - newer})
    if (done[i] >= 0 && load(names[i], {{"done", done[i]}, {"sums", sums}})) return done[i];
  return -1;
}
// end

void set(global::view<int> v, int value) {
  global::run([=] { global::fill(v, value); });
}

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "sums.checkpoint";
  const std::vector<std::string> names{name + ".0", name + ".1"};
  const global::vector<int> sums(size);
  const global::view<int> v = sums.view();

  int done = load_newest(names, sums);
  if (done < 0) {
    set(v, 0);
    done = 0;
  }
  while (done < steps) {
    global::run([v] { global::for_each(v, [](int& x) { ++x; }); });
    ++done;
    // In turn: a save never replaces the newest.
    if (done % 10 == 0)
      global::save_checkpoint(names[done / 10 % 2], {{"sums", sums}, {"done", done}});
  }

  // The newest is damaged: the program would go on from the one before.
  if (global::rank() == 0) {
    std::fstream file(names[done / 10 % 2], std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(-1000, std::ios::end);
    file << "damaged";
  }
  global::run([] {});
  const int found = load_newest(names, sums);
  const int least = global::run([v] { return global::get(global::min_element(v)); });
  const bool right = found == steps - 10 && least == found;
  if (global::rank() == 0) {
    std::printf("of %d steps %d are left: %s\n", done, found, right ? "right" : "wrong");
    for (const std::string& each : names) std::remove(each.c_str());
  }
  return right ? 0 : 1;
}
