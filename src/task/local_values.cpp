// SPDX-License-Identifier: Apache-2.0
#include "task/local_values.hpp"

#include <atomic>
#include <mutex>
#include <new>

#include "task/thread.hpp"

namespace kasuri::detail {

struct local_values {
  void* values[task::most_keys] = {};
};

}  // namespace kasuri::detail

namespace kasuri::task {
namespace {

using destructor = void (*)(void*);

// A destructor may set values again: so many rounds, then what is left is dropped (as POSIX does).
constexpr int rounds = 4;

struct key_table {
  std::mutex lock;  // guards creation and deletion
  std::atomic<bool> used[most_keys] = {};
  std::atomic<destructor> destructors[most_keys] = {};
};

constinit key_table the_table;

key_table& table() noexcept { return the_table; }

/// Values of an OS thread that runs no user-level thread.
struct os_thread_values {
  detail::local_values* values = nullptr;
  ~os_thread_values() { end_locals(values); }
};

[[gnu::noinline]] detail::local_values*& mine() noexcept {
  if (thread* t = current_thread()) return t->locals;
  thread_local os_thread_values outside;
  return outside.values;
}

}  // namespace

unsigned create_key(destructor d) noexcept {
  key_table& t = table();
  const std::lock_guard hold(t.lock);
  for (unsigned k = 0; k != most_keys; ++k) {
    if (t.used[k].load(std::memory_order_relaxed)) continue;
    t.destructors[k].store(d, std::memory_order_relaxed);
    t.used[k].store(true, std::memory_order_relaxed);
    return k;
  }
  return most_keys;
}

bool delete_key(unsigned key) noexcept {
  key_table& t = table();
  const std::lock_guard hold(t.lock);
  if (!key_exists(key)) return false;
  t.destructors[key].store(nullptr, std::memory_order_relaxed);
  t.used[key].store(false, std::memory_order_relaxed);
  return true;
}

bool key_exists(unsigned key) noexcept {
  return key < most_keys && table().used[key].load(std::memory_order_relaxed);
}

void* get_local(unsigned key) noexcept {
  const detail::local_values* v = mine();
  return v == nullptr ? nullptr : v->values[key];
}

bool set_local(unsigned key, void* value) noexcept {
  detail::local_values*& v = mine();
  if (v == nullptr) v = new (std::nothrow) detail::local_values;
  if (v == nullptr) return false;
  v->values[key] = value;
  return true;
}

void end_locals(detail::local_values* v) noexcept {
  if (v == nullptr) return;
  bool again = true;
  for (int round = 0; again && round != rounds; ++round) {
    again = false;
    for (unsigned k = 0; k != most_keys; ++k) {
      void* const value = v->values[k];
      v->values[k] = nullptr;
      const destructor d = table().destructors[k].load(std::memory_order_relaxed);
      if (value == nullptr || d == nullptr) continue;
      d(value);
      again = true;
    }
  }
  delete v;
}

}  // namespace kasuri::task
