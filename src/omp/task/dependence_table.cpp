// SPDX-License-Identifier: Apache-2.0
#include "omp/task/dependence_table.hpp"

#include <bit>
#include <new>
#include <utility>

#include "omp/tool/active.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "sched/worker/block_cache.hpp"

namespace kasuri::omp {
namespace {

constexpr std::size_t smallest = 32;
constexpr std::size_t most_kept = 1024;

void drop_set(dependence_slot*& set) noexcept {
  dependence_slot* at = std::exchange(set, nullptr);
  while (at != nullptr) {
    dependence_slot* const next = at->next;  // the node may go with its last name
    unname(*at->of);
    at = next;
  }
}

void follow_set(dependence_node& n, const dependence_slot* set) noexcept {
  for (; set != nullptr; set = set->next) follow(n, *set->of);
}

bool set_has_ended(const dependence_slot* set) noexcept {
  while (set != nullptr && set->of->has_ended()) set = set->next;
  return set == nullptr;
}

bool is_over(const dependence_entry& e) noexcept {
  return (e.out == nullptr || e.out->has_ended()) && set_has_ended(e.set) &&
         set_has_ended(e.previous);
}

std::size_t hash(const void* address) noexcept {
  // Multiplicative, by the golden ratio; the high half has the mixed bits.
  return static_cast<std::size_t>(
      (reinterpret_cast<std::uintptr_t>(address) * 0x9e3779b97f4a7c15u) >> 32);
}

void release_exclusion(dependence_entry& e) noexcept {
  if (exclusion* const x = std::exchange(e.excludes, nullptr)) drop_user(*x);
}

exclusion& exclusion_of(dependence_entry& e) noexcept {
  if (e.excludes == nullptr) {
    void* const memory = sched::allocate_record(sizeof(exclusion));
    if (memory == nullptr) platform::fatal("no memory for the dependences of an OpenMP task");
    e.excludes = new (memory) exclusion;
  }
  return *e.excludes;
}

}  // namespace

dependence_table::~dependence_table() {
  forget();
  delete[] entries;
}

void dependence_table::forget() noexcept {
  check();
  for (std::size_t i = 0; used != 0 && i != capacity; ++i) {
    dependence_entry& e = entries[i];
    if (!e.used) continue;
    clear(e);
    release_exclusion(e);
    e.used = false;
    --used;
  }
  KASURI_EXPECT(cheap, used == 0, "%zu entries are left of a table of %zu", used, capacity);
  name(all, nullptr);
}

void dependence_table::reset() noexcept {
  forget();
  if (capacity <= most_kept) return;
  delete[] entries;
  entries = nullptr;
  capacity = 0;
}

void dependence_table::name(dependence_node*& where, dependence_node* n) noexcept {
  if (n != nullptr) ++n->named;
  if (dependence_node* const old = std::exchange(where, n)) unname(*old);
}

void dependence_table::clear(dependence_entry& e) noexcept {
  name(e.out, nullptr);
  drop_set(e.set);
  drop_set(e.previous);
}

dependence_entry& dependence_table::probe(void* address) noexcept {
  KASURI_EXPECT(cheap, std::has_single_bit(capacity) && used < capacity, "%zu entries of %zu", used,
                capacity);
  std::size_t i = hash(address) & (capacity - 1);
  while (entries[i].used && entries[i].address != address) i = (i + 1) & (capacity - 1);
  return entries[i];
}

void dependence_table::make_room() noexcept {
  // Entries whose tasks have all ended say nothing: without them there may be room enough.
  std::size_t left = 0;
  for (std::size_t i = 0; i != capacity; ++i) {
    dependence_entry& e = entries[i];
    if (!e.used) continue;
    if (!is_over(e)) {
      ++left;
      continue;
    }
    clear(e);
    release_exclusion(e);
    e.used = false;
  }
  KASURI_EXPECT(cheap, left <= used, "%zu entries are left of %zu", left, used);
  const std::size_t old_capacity = capacity;
  dependence_entry* const old = entries;
  if (capacity == 0) capacity = smallest;
  while (4 * left >= capacity) capacity *= 2;
  entries = new (std::nothrow) dependence_entry[capacity];
  if (entries == nullptr) platform::fatal("no memory for the dependences of OpenMP tasks");
  used = left;
  for (std::size_t i = 0; i != old_capacity; ++i)
    if (old[i].used) probe(old[i].address) = old[i];
  delete[] old;
}

dependence_entry& dependence_table::entry(void* address) noexcept {
  if (capacity != 0) {
    dependence_entry& e = probe(address);
    if (e.used) return e;
  }
  if (2 * used >= capacity) make_room();
  dependence_entry& e = probe(address);
  e.address = address;
  e.used = true;
  ++used;
  KASURI_EXPECT(cheap, 2 * used <= capacity, "%zu entries of %zu", used, capacity);
  if (all != nullptr && !all->has_ended()) name(e.out, all);
  return e;
}

void dependence_table::wait_in(dependence_node& n, dependence_entry& e,
                               dependence_kind kind) noexcept {
  if (e.set != nullptr && (kind == dependence_kind::out || kind != e.kind)) {
    follow_set(n, e.set);  // the tasks of the set follow all before
  } else if (e.previous != nullptr) {
    follow_set(n, e.previous);
  } else if (e.out != nullptr) {
    // A profile wants to know behind whom the task begins, waiting or not.
    if (!tool::active() && e.out->has_ended())
      name(e.out, nullptr);
    else
      follow(n, *e.out);
  }
}

void dependence_table::enter(dependence_node& n, std::uint16_t slot, const dependence& d) noexcept {
  dependence_entry& e = entry(d.address);
  expect_entry(e);
  wait_in(n, e, d.kind);
  KASURI_EXPECT(cheap, slot < n.slot_count, "slot %u of %u", slot, n.slot_count);
  dependence_slot& s = n.slots()[slot];
  s = {&n, nullptr, nullptr};
  if (d.kind == dependence_kind::out) {
    name(e.out, &n);
    drop_set(e.set);
    drop_set(e.previous);
    return;
  }
  if (e.set != nullptr && e.kind != d.kind) {
    drop_set(e.previous);
    name(e.out, nullptr);
    e.previous = std::exchange(e.set, nullptr);
  }
  e.kind = d.kind;
  ++n.named;
  s.next = e.set;
  e.set = &s;
  if (d.kind != dependence_kind::mutexinoutset) return;
  exclusion& x = exclusion_of(e);
  if (slot != 0 && n.slots()[slot - 1].excludes == &x) return;  // named twice
  [[maybe_unused]] const std::uint32_t users = x.users.fetch_add(1, std::memory_order_relaxed);
  KASURI_EXPECT(cheap, users != 0, "address %p: its exclusion has no users", d.address);
  s.excludes = &x;
}

void dependence_table::wait_for_all(dependence_node& n) noexcept {
  for (std::size_t i = 0; i != capacity; ++i) {
    if (!entries[i].used) continue;
    wait_in(n, entries[i], dependence_kind::out);
  }
  if (all != nullptr) follow(n, *all);
}

void dependence_table::enter_all(dependence_node& n) noexcept {
  wait_for_all(n);
  for (std::size_t i = 0; i != capacity; ++i) {
    if (!entries[i].used) continue;
    name(entries[i].out, &n);
    drop_set(entries[i].set);
    drop_set(entries[i].previous);
  }
  name(all, &n);
}

void drop_dependences(task& t) noexcept {
  delete t.dependences;
  t.dependences = nullptr;
}

void reset_dependences(task& t) noexcept { t.dependences->reset(); }

}  // namespace kasuri::omp
