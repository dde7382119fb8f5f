// SPDX-License-Identifier: Apache-2.0
// Files and checkpoints on the ranks of a job: real_saved save PATH, and then, on any number of
// ranks, real_saved load PATH; or real_saved, all of it. Ends with 1 and a line where something is
// wrong.

#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "cluster/real_check.hpp"
#include "kasuri/global.hpp"

namespace {

namespace global = kasuri::global;

using kasuri::test::check;
using kasuri::test::hash;

constexpr std::size_t elements = 1'000'003;
constexpr std::size_t rows = 301;
constexpr std::size_t columns = 777;
constexpr std::size_t grain = 10'000;

void fill(global::view<std::uint64_t> v, std::uint64_t seed) {
  global::parallel_for(std::size_t{0}, v.size(), grain, [=](std::size_t lo, std::size_t hi) {
    const auto x = global::checkout(v.subview(lo, hi - lo), global::write);
    for (std::size_t i = lo; i != hi; ++i) x[i - lo] = hash(seed + i);
  });
}

bool has(global::view<const std::uint64_t> v, std::uint64_t seed) {
  return global::run([=] {
    const auto wrong = global::allocate<std::uint64_t>(1);
    global::atomic_store(wrong, 0);
    global::parallel_for(std::size_t{0}, v.size(), grain, [=](std::size_t lo, std::size_t hi) {
      const auto x = global::checkout(v.subview(lo, hi - lo), global::read);
      std::uint64_t found = 0;
      for (std::size_t i = lo; i != hi; ++i) found += x[i - lo] != hash(seed + i) ? 1 : 0;
      if (found != 0) global::fetch_add(wrong, found);
    });
    const std::uint64_t all = global::atomic_load(wrong);
    global::deallocate(wrong, 1);
    return all == 0;
  });
}

template <class F>
std::string said_by(F f) {
  try {
    f();
  } catch (const global::error& e) {
    return e.what();
  }
  return "nothing";
}

void save(const std::string& path) {
  const global::vector<std::uint64_t> a(elements);
  const global::vector<std::uint64_t> b(elements / 7, global::cyclic(512));
  const global::grid<std::uint64_t> g(rows, columns);
  global::run([a = a.view(), b = b.view(), g = g.view().all()] {
    global::parallel_invoke([=] { fill(a, 1); }, [=] { fill(b, 2); }, [=] { fill(g, 3); });
  });
  // Outside of a run too, by a rank that is mostly not its home.
  if (global::rank() == global::num_ranks() - 1) global::put(a.begin() + 5, hash(6));
  const int step = 17;
  global::save_checkpoint(path, {{"a", a}, {"b", b}, {"g", g}, {"step", step}});
  global::write_file(path + ".bytes", a);
}

void load(const std::string& path) {
  const int ranks = global::num_ranks();
  const global::vector<std::uint64_t> a(
      elements, global::listed(2000, [ranks](std::size_t i) {
        return static_cast<int>(hash(i) % static_cast<unsigned>(ranks));
      }));
  const global::vector<std::uint64_t> b(elements / 7);
  const global::grid<std::uint64_t> g(rows, columns, global::cyclic(3));
  global::run([a = a.view()] { fill(a, 1000); });
  check(has(a.view(), 1000), "elements before");  // each rank has copies of others'
  int step = 0;
  check(global::load_checkpoint(path, {{"a", a}, {"b", b}, {"g", g}, {"step", step}}),
        "a checkpoint is found");
  // At once, without a run in between.
  for (std::size_t i = static_cast<std::size_t>(global::rank()); i < elements; i += 9973)
    check(global::get(a.begin() + static_cast<std::ptrdiff_t>(i)) == hash(1 + i),
          "an element behind the load");
  check(has(a.view(), 1) && has(b.view(), 2) && has(g.view().all(), 3), "loaded arrays");
  check(step == 17, "a loaded value");
  const global::file_view<std::uint64_t> bytes(path + ".bytes");
  check(bytes.size() == elements && has(bytes.view(), 1), "a file of elements");
}

/// The last rank alone cannot write: all say so, and what was there before stays.
void no_room_at_one(const std::string& path) {
  const global::vector<std::uint64_t> a(elements);
  rlimit before;
  ::getrlimit(RLIMIT_FSIZE, &before);
  if (global::rank() == global::num_ranks() - 1) {
    rlimit less = before;
    less.rlim_cur = 1000;
    ::setrlimit(RLIMIT_FSIZE, &less);
  }
  const std::string said = said_by([&] { global::save_checkpoint(path, {{"a", a}}); });
  const std::string file = said_by([&] { global::write_file(path + ".bytes", a); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  const std::string who = "': rank " + std::to_string(global::num_ranks() - 1) + " cannot ";
  check(said.find(who) != std::string::npos && file.find(who) != std::string::npos &&
            file.find("File too large") != std::string::npos,
        "no room at one rank: " + said + " / " + file);
}

/// A rank for which the path means another folder finds nothing there: none writes into what was
/// left by an earlier job.
void in_another_folder(const std::string& path) {
  if (global::num_ranks() == 1 || path.starts_with('/')) return;
  const global::vector<std::uint64_t> a(10'000);
  const std::string folder = path + ".folder";
  const std::string left = path + ".writing";
  const bool last = global::rank() == global::num_ranks() - 1;
  const std::string home = std::filesystem::current_path();
  if (last) {
    std::filesystem::create_directory(folder);
    std::filesystem::current_path(folder);
    std::ofstream(left) << "left";
  }
  const std::string said = said_by([&] { global::save_checkpoint(path, {{"a", a}}); });
  const std::string who = "': rank " + std::to_string(global::num_ranks() - 1) + " cannot open '";
  check(said.find(who) != std::string::npos &&
            said.find("No such file or directory") != std::string::npos,
        "another folder at one rank: " + said);
  if (last) {
    check(std::filesystem::file_size(left) == 4, "a file that another job has left");
    std::filesystem::current_path(home);
    std::filesystem::remove_all(folder);
  }
}

void inside_a_task() {
  const global::vector<int> a(10);
  const bool refused = global::run([v = a.view()] {
    const std::string said = said_by([&] { global::write_file("never-written", v); });
    return said.find("global::write_file: used inside a task") == 0;
  });
  check(refused, "a task that writes a file");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 2 ? argv[1] : "all";
  const int job = global::broadcast(static_cast<int>(::getpid()));
  const std::string path = argc > 2 ? argv[2] : "real_saved-" + std::to_string(job) + ".checkpoint";
  if (what != "load") save(path);
  if (what == "all") {
    no_room_at_one(path);
    in_another_folder(path);
    inside_a_task();
  }
  if (what != "save") load(path);
  global::run([] {});  // nobody reads it any more
  if (what == "all" && global::rank() == 0) {
    std::remove(path.c_str());
    std::remove((path + ".bytes").c_str());
  }
  if (global::rank() == 0) std::printf("all right on %d ranks\n", global::num_ranks());
}
