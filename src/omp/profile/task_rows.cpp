// SPDX-License-Identifier: Apache-2.0
#include "omp/profile/task_rows.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <new>

#include "profile/base/row_table.hpp"
#include "profile/base/sum.hpp"
#include "platform/base/clock.hpp"

namespace kasuri::omp::sums {
namespace {

/// Of one thread, or of thread-locals that several threads wear in turn. Stays when it ends: its
/// sums are part of the profile.
struct rows_of_thread {
  profile::row_table<task_row, 16> rows;
  rows_of_thread* next = nullptr;
  task_row* last = nullptr;  // the one that was asked for
};

[[gnu::tls_model("initial-exec")]] thread_local constinit rows_of_thread* mine = nullptr;
constinit std::atomic<rows_of_thread*> newest{nullptr};

[[gnu::noinline]] rows_of_thread* make_rows() noexcept {
  auto* const made = new (std::nothrow) rows_of_thread;
  if (made == nullptr) return nullptr;
  rows_of_thread* before = newest.load(std::memory_order_relaxed);
  do {
    made->next = before;
    // release: pairs with the acquire in gather()
  } while (!newest.compare_exchange_weak(before, made, std::memory_order_release,
                                         std::memory_order_relaxed));
  mine = made;
  return made;
}

/// Exact enough for its logarithm.
std::uint64_t ns_of(std::uint64_t ticks) noexcept {
  constexpr unsigned bits = 10;
  static const auto parts_a_tick =
      static_cast<std::uint64_t>((1U << bits) * 1e9 / platform::about_ticks_per_second());
  return (ticks * parts_a_tick) >> bits;
}

struct task_totals {
  const void* function = nullptr;
  std::uint64_t created = 0, count = 0, own = 0, create = 0, dependences = 0, waits = 0;
  std::array<std::uint64_t, bits_of_ns> log2_ns{};

  void add(const task_row& r) noexcept {
    if (const void* const f = r.function.load(std::memory_order_relaxed)) function = f;
    created += r.created.get();
    count += r.count.get();
    own += r.own.get();
    create += r.create.get();
    dependences += r.dependences.get();
    waits += r.waits.get();
    for (std::size_t i = 0; i != bits_of_ns; ++i) log2_ns[i] += r.log2_ns[i].get();
  }
};

std::map<std::uint64_t, task_totals> gather() {
  std::map<std::uint64_t, task_totals> all;
  // acquire: pairs with the release in make_rows()
  for (rows_of_thread* t = newest.load(std::memory_order_acquire); t != nullptr; t = t->next)
    t->rows.each([&all](const task_row& r) { all[r.key].add(r); });
  return all;
}

}  // namespace

void task_row::add(std::uint64_t own_ticks) noexcept {
  count.add();
  own.add(own_ticks);
  const auto bits = static_cast<std::size_t>(std::bit_width(ns_of(own_ticks)));
  log2_ns[std::min(bits == 0 ? 0 : bits - 1, bits_of_ns - 1)].add();
}

task_row* task_row_here(profile::site_id site) noexcept {
  rows_of_thread* const t = mine != nullptr ? mine : make_rows();
  if (t == nullptr) return nullptr;
  if (t->last == nullptr || t->last->key != site) t->last = t->rows.find_or_make(site);
  return t->last;
}

void write_tasks(profile::json& to) {
  to.begin_array();
  for (const auto& [site, t] : gather()) {
    to.begin_object().pair("site", site).key("function").address(t.function);
    to.pair("created", t.created).pair("count", t.count).pair("self_s", profile::seconds(t.own));
    to.pair("create_s", profile::seconds(t.create)).pair("dependences", t.dependences);
    to.pair("waits_s", profile::seconds(t.waits)).key("log2_ns").begin_array();
    std::size_t used = bits_of_ns;
    while (used != 0 && t.log2_ns[used - 1] == 0) --used;
    for (std::size_t i = 0; i != used; ++i) to.value(t.log2_ns[i]);
    to.end_array().end_object();
  }
  to.end_array();
}

/// The rows of threads that are gone stay in memory: other thread-locals may name them.
void begin_tasks_anew() noexcept {
  newest.store(nullptr, std::memory_order_relaxed);
  mine = nullptr;
}

}  // namespace kasuri::omp::sums
