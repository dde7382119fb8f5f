// SPDX-License-Identifier: Apache-2.0
#include "task/local_values.hpp"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <new>

#include "platform/base/expect.hpp"
#include "task/thread.hpp"

namespace kasuri::detail {

/// A value belongs to the life of a key: a later key of the same number finds none.
struct local_values {
  struct entry {
    void* value = nullptr;
    std::uint32_t life = 0;
  };
  entry entries[task::most_keys];
};

}  // namespace kasuri::detail

namespace kasuri::task {
namespace {

using destructor = void (*)(void*);

// A destructor may set values again: so many rounds, then what is left is dropped (as POSIX does).
constexpr int rounds = 4;

struct key_table {
  std::mutex lock;                                   // guards creation and deletion
  std::atomic<std::uint32_t> lives[most_keys] = {};  // begins and ends of the key: odd while it is
  std::atomic<destructor> destructors[most_keys] = {};
};

constinit key_table the_table;

key_table& table() noexcept { return the_table; }

std::uint32_t life_of(unsigned key) noexcept {
  return table().lives[key].load(std::memory_order_relaxed);
}

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
    const std::uint32_t life = life_of(k);
    if (life % 2 != 0) continue;
    t.destructors[k].store(d, std::memory_order_relaxed);
    t.lives[k].store(life + 1, std::memory_order_relaxed);
    return k;
  }
  return most_keys;
}

bool delete_key(unsigned key) noexcept {
  key_table& t = table();
  const std::lock_guard hold(t.lock);
  if (!key_exists(key)) return false;
  t.destructors[key].store(nullptr, std::memory_order_relaxed);
  t.lives[key].store(life_of(key) + 1, std::memory_order_relaxed);
  return true;
}

bool key_exists(unsigned key) noexcept { return key < most_keys && life_of(key) % 2 != 0; }

void* get_local(unsigned key) noexcept {
  KASURI_EXPECT(cheap, key < most_keys, "key %u of %u", key, most_keys);
  const detail::local_values* v = mine();
  if (v == nullptr || v->entries[key].life != life_of(key)) return nullptr;
  return v->entries[key].value;
}

bool set_local(unsigned key, void* value) noexcept {
  KASURI_EXPECT(cheap, key < most_keys, "key %u of %u", key, most_keys);
  detail::local_values*& v = mine();
  if (v == nullptr) v = new (std::nothrow) detail::local_values;
  if (v == nullptr) return false;
  v->entries[key] = {value, life_of(key)};
  return true;
}

void end_locals(detail::local_values* v) noexcept {
  if (v == nullptr) return;
  bool again = true;
  for (int round = 0; again && round != rounds; ++round) {
    again = false;
    for (unsigned k = 0; k != most_keys; ++k) {
      const detail::local_values::entry last = v->entries[k];
      v->entries[k] = {};
      const destructor d = table().destructors[k].load(std::memory_order_relaxed);
      if (last.value == nullptr || last.life != life_of(k) || d == nullptr) continue;
      d(last.value);
      again = true;
    }
  }
  delete v;
}

}  // namespace kasuri::task
