// SPDX-License-Identifier: Apache-2.0
#include "sched/measure/scope_table.hpp"

#include <new>
#include <utility>

#include "kasuri/detail/atomics.hpp"

namespace kasuri::sched {

class scope_table::holding {
 public:
  explicit holding(shard& s) noexcept : shard_(s) {
    // acquire: pairs with the release in the destructor
    for (unsigned n = 0; shard_.locked.exchange(true, std::memory_order_acquire); ++n)
      detail::real_atomics::backoff(n);
  }
  ~holding() {
    // release: pairs with the acquire in the constructor
    shard_.locked.store(false, std::memory_order_release);
  }
  holding(const holding&) = delete;
  holding& operator=(const holding&) = delete;

 private:
  shard& shard_;
};

void ended_tasks::add(const profile::path& way, fork_chain chain, profile::site_id site) noexcept {
  longest.meet(way);
  if (chain.all().work < fork_grain()) {
    small.join(chain.all());
    ++small.forks;
  } else if (beside.all().work == 0) {
    beside = std::move(chain);
  } else {
    beside.run_beside(std::move(chain), site);
  }
}

void ended_tasks::add_many(const profile::path& way, const fork_sums& tasks) noexcept {
  longest.meet(way);
  small.join(tasks);
}

void ended_tasks::close(profile::site_id site) noexcept {
  if (small.work == 0) return;
  fork_chain others;
  others.add(std::exchange(small, {}));
  if (beside.all().work == 0)
    beside = std::move(others);
  else
    beside.run_beside(std::move(others), site);
}

scope_table& scope_table::get() noexcept {
  static constinit scope_table table;
  return table;
}

scope_table::shard& scope_table::shard_of(const void* key) noexcept {
  constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15u;
  return shards_[reinterpret_cast<std::uintptr_t>(key) * golden_ratio >> 56];
}

scope_table::entry** scope_table::find(shard& in, const void* key) noexcept {
  entry** at = &in.first;
  while (*at != nullptr && (*at)->key != key) at = &(*at)->next;
  return at;
}

/// Null: there are too many, or no memory. The caller holds the shard.
scope_table::entry* scope_table::add(shard& in, const void* key) noexcept {
  if (entries_.load(std::memory_order_relaxed) >= most_entries) {
    entry** at = &in.first;
    while (*at != nullptr && !(*at)->may_go) at = &(*at)->next;
    if (*at == nullptr) return nullptr;
    entry* const old = std::exchange(*at, (*at)->next);
    delete old;
    entries_.fetch_sub(1, std::memory_order_relaxed);
  }
  auto* const e = new (std::nothrow) entry{.key = key, .next = in.first, .latest = {}, .all = {}};
  if (e == nullptr) return nullptr;
  in.first = e;
  entries_.fetch_add(1, std::memory_order_relaxed);
  return e;
}

void scope_table::may_go(const void* key) noexcept {
  shard& s = shard_of(key);
  const holding hold(s);
  if (entry* const e = *find(s, key)) e->may_go = true;
}

void scope_table::created(const void* key, const profile::path& by) noexcept {
  shard& s = shard_of(key);
  const holding hold(s);
  entry* e = *find(s, key);
  if (e == nullptr) e = add(s, key);
  if (e == nullptr) return;
  e->may_go = false;
  e->latest = by;
}

bool scope_table::ended(const void* key, const profile::path& way, bool whole, fork_chain& chain,
                        profile::site_id site) noexcept {
  shard& s = shard_of(key);
  const holding hold(s);
  entry* const e = *find(s, key);
  if (e == nullptr) return false;
  e->all.add(whole ? way : joined_paths(e->latest, way), std::move(chain), site);
  return true;
}

bool scope_table::ended_many(const void* key, const profile::path& way,
                             const fork_sums& tasks) noexcept {
  shard& s = shard_of(key);
  const holding hold(s);
  entry* const e = *find(s, key);
  if (e == nullptr) return false;
  e->all.add_many(joined_paths(e->latest, way), tasks);
  return true;
}

bool scope_table::take(const void* key, ended_tasks& all) noexcept {
  if (empty()) return false;
  entry* e;
  shard& s = shard_of(key);
  {
    const holding hold(s);
    entry** const at = find(s, key);
    e = *at;
    if (e == nullptr) return false;
    *at = e->next;
    entries_.fetch_sub(1, std::memory_order_relaxed);
  }
  all = std::move(e->all);
  all.close(0);
  delete e;
  return true;
}

bool scope_table::has(const void* key) noexcept {
  if (empty()) return false;
  shard& s = shard_of(key);
  const holding hold(s);
  return *find(s, key) != nullptr;
}

void scope_table::begin_anew() noexcept {
  for (shard& s : shards_) {
    s.locked.store(false, std::memory_order_relaxed);
    s.first = nullptr;  // a thread of the parent may have been about it
  }
  entries_.store(0, std::memory_order_relaxed);
}

profile::path joined_paths(const profile::path& first, const profile::path& rest) noexcept {
  profile::path all = first;
  std::uint64_t left = rest.length();
  rest.each_site([&](profile::site_id where, std::uint64_t ticks) {
    all.add(where, ticks);
    left -= ticks < left ? ticks : left;
  });
  if (left != 0) all.add(0, left);
  all.add_burden(rest.burdened() - rest.length());
  return all;
}

}  // namespace kasuri::sched
