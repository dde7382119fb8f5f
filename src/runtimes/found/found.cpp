// SPDX-License-Identifier: Apache-2.0
#include "runtimes/found/found.hpp"

#include <pthread.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "platform/base/expect.hpp"
#include "platform/thread/mutex.hpp"
#include "platform/thread/os_thread.hpp"

namespace kasuri::runtimes {
namespace {

using platform::loaded_object;
using platform::loader_counts;

struct found_object {
  const kind* of;
  loaded_object object;
  std::string file;
};

/// One that was served.
struct known_object {
  const kind* of;
  std::uintptr_t begin;
  std::string file;
  bool operator==(const known_object&) const = default;
};

constinit kind* kinds = nullptr;  // written by constructors

// Guards what follows, and each call that takes the loader's lock: a fork waits until that is free,
// for the child would have it locked for ever. Held for some microseconds, never across a wait.
constinit platform::mutex looking;
constinit bool thread_serves = false;
constinit std::vector<known_object>* known = nullptr;

constinit loader_counts counts_before{};  // all that was loaded by then is served

/// The libraries of all kinds that satisfy `wanted(kind)`.
template <class Wanted>
std::vector<found_object> find(Wanted wanted, loader_counts& counts) {
  std::vector<found_object> all;
  counts = platform::for_each_loaded([&](const loaded_object& object, const char* file) {
    for (const kind* k = kinds; k != nullptr; k = k->next)
      if (wanted(*k) && is_of(*k, object)) all.push_back({k, object, file});
    return false;
  });
  return all;
}

/// Without those that were served, or that the settings leave alone.
void keep_new(std::vector<found_object>& all) {
  std::erase_if(all, [](const found_object& f) {
    const known_object as_known{f.of, f.object.range().begin, f.file};
    return std::ranges::find(*known, as_known) != known->end() || !f.of->wanted();
  });
}

void serve(const std::vector<found_object>& all) {
  for (const found_object& f : all) {
    const platform::object_hold hold(f.file, f.object, false);
    if (!hold.holds()) continue;
    f.of->serve(f.object);
    const std::lock_guard here(looking);
    known->push_back({f.of, f.object.range().begin, f.file});
  }
  const std::lock_guard here(looking);
  thread_serves = false;
}

void* serve_on_thread(void* arg) noexcept {
  const std::unique_ptr<std::vector<found_object>> all(
      static_cast<std::vector<found_object>*>(arg));
  serve(*all);
  return nullptr;
}

constexpr std::size_t stack_of_thread = std::size_t{256} << 10;

void start_thread(std::vector<found_object> all, const loader_counts& counts) {
  auto* const arg = new std::vector<found_object>(std::move(all));
  pthread_t thread;
  thread_serves = true;
  if (platform::start_os_thread(thread, serve_on_thread, arg, "kasuri-found", stack_of_thread)) {
    pthread_detach(thread);
    counts_before = counts;
    return;
  }
  thread_serves = false;  // the next look tries again
  delete arg;
}

void look_with_lock() {
  loader_counts counts;
  std::vector<found_object> all = find([](const kind& k) { return k.later; }, counts);
  if (counts.removed != counts_before.removed) known->clear();
  keep_new(all);
  if (all.empty())
    counts_before = counts;
  else
    start_thread(std::move(all), counts);
}

void before_fork() noexcept { looking.lock(); }
void after_fork_in_parent() noexcept { looking.unlock(); }
void after_fork_in_child() noexcept {
  looking.unlock();
  if (!std::exchange(thread_serves, false)) return;
  known->clear();
  counts_before = {};
}

void begin_to_look() {
  if (known != nullptr) return;
  known = new std::vector<known_object>;
  pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  platform::notice_libraries_by(look);
}

}  // namespace

void look() noexcept {
  if (!looking.try_lock()) return;  // its holder sees the same
  const std::lock_guard here(looking, std::adopt_lock);
  if (thread_serves || platform::count_loaded() == counts_before) [[likely]]
    return;
  look_with_lock();
}

std::uint64_t unloaded_so_far() noexcept {
  const std::lock_guard here(looking);
  return platform::count_loaded().removed;
}

void add(kind& k) noexcept {
  KASURI_EXPECT(cheap, k.next == nullptr && k.serve != nullptr && k.wanted != nullptr,
                "a kind of runtime is added twice, or serves nothing: next %p",
                static_cast<void*>(k.next));
  begin_to_look();
  k.next = std::exchange(kinds, &k);
  if (!k.at_start) return;
  // The thread that runs constructors holds the loader's lock: nothing is half loaded.
  loader_counts counts;
  for (const found_object& f : find([&k](const kind& each) { return &each == &k; }, counts)) {
    if (!k.wanted()) continue;
    k.serve(f.object);
    known->push_back({&k, f.object.range().begin, f.file});
  }
}

bool is_of(const kind& k, const loaded_object& object) noexcept {
  for (const char* const* mark = k.marks; *mark != nullptr; ++mark)
    if (object.function(*mark) != nullptr) return true;
  return false;
}

loaded_object object_at(const void* address) noexcept {
  loaded_object found;
  const std::lock_guard here(looking);
  platform::for_each_loaded([&](const loaded_object& object, const char*) {
    if (!object.range().holds(address)) return false;
    found = object;
    return true;
  });
  return found;
}

}  // namespace kasuri::runtimes
