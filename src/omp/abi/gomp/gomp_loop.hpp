// SPDX-License-Identifier: Apache-2.0
#pragma once

// GCC's loops with more than a schedule: task reductions, memory that the team shares, doacross.
// One template for both types of loop variables.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "omp/abi/gomp/gomp_index.hpp"
#include "omp/abi/gomp/workshare_reduction.hpp"
#include "omp/work/doacross.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp::gomp {

constexpr std::uint64_t most_dimensions = 32;

/// The members share this in a construct besides its iterations.
class shared_part {
 public:
  /// mem: the size that the program needs, as a pointer; becomes the address.
  shared_part(std::uintptr_t* reductions, void** mem) noexcept
      : reductions_(reductions), mem_(mem) {}

  void add_doacross(const doacross_dimension* d, std::uint64_t count) noexcept {
    dimensions_ = d;
    count_ = count;
  }

  bool any() const noexcept { return reductions_ != nullptr || mem_ != nullptr || count_ != 0; }

  /// Before the member meets the construct.
  void prepare(member& m) const noexcept {
    if (reductions_ != nullptr) start_workshare_reductions(m);
  }

  /// By the first member. Does not suspend.
  void set_up(member& m, construct& c) const noexcept {
    const std::size_t mine = (mem_size() + 63) / 64 * 64;
    const std::size_t flags = count_ != 0 ? doacross_bytes(dimensions_, count_, by_rows()) : 0;
    if (mine + flags != 0) c.data = c.memory.zeros(mine + flags);
    if (count_ != 0) {
      c.doacross = static_cast<std::byte*>(c.data) + mine;
      set_up_doacross(c, dimensions_, count_);
    }
    if (reductions_ == nullptr) return;
    register_workshare_reductions(m, reductions_, nullptr);
    c.reductions = reductions_;
  }

  /// By every member, then.
  void finish(member& m, construct& c) const noexcept {
    if (reductions_ != nullptr && c.reductions != reductions_)
      register_workshare_reductions(m, reductions_, c.reductions);
    KASURI_EXPECT(cheap, mem_ == nullptr || mem_size() == 0 || c.data != nullptr,
                  "member %d has no memory of %zu bytes", m.number, mem_size());
    KASURI_EXPECT(cheap, count_ == 0 || c.doacross != nullptr, "member %d has no flags", m.number);
    if (mem_ != nullptr) *mem_ = c.data;
    if (count_ != 0) begin_doacross(m, c, count_, by_rows());
  }

 private:
  std::size_t mem_size() const noexcept {
    return mem_ != nullptr ? reinterpret_cast<std::size_t>(*mem_) : 0;
  }
  bool by_rows() const noexcept { return count_ > 1; }

  std::uintptr_t* reductions_;
  void** mem_;
  const doacross_dimension* dimensions_ = nullptr;
  std::uint64_t count_ = 0;
};

/// The member meets the loop; the shared part is there afterwards.
inline void begin_with(member& m, std::uint64_t iterations, schedule s, bool ordered,
                       const shared_part& part) noexcept {
  part.prepare(m);
  begin_loop(m, iterations, s, ordered, part.any(),
             [&m, &part](construct& c) { part.set_up(m, c); });
  if (m.work.loop.shared != nullptr) part.finish(m, *m.work.loop.shared);
}

/// first == null: the program deals out the iterations itself.
template <class Index>
bool start_with(const range<Index>& r, long sched, Index chunk, bool ordered, Index* first,
                Index* end, std::uintptr_t* reductions, void** mem) noexcept {
  member& m = self();
  const schedule s = named_schedule(m, sched, as_count(chunk));
  const std::uint64_t iterations = first != nullptr ? r.iterations() : 0;
  begin_with(m, iterations, s, ordered, shared_part(reductions, mem));
  set_values(m.work.loop, r);
  return first == nullptr || next(m, first, end);
}

template <class Index>
bool start_doacross(unsigned dimensions, const Index* counts, const schedule& s, Index* first,
                    Index* end, std::uintptr_t* reductions, void** mem) noexcept {
  member& m = self();
  doacross_dimension d[most_dimensions];
  KASURI_EXPECT(cheap, dimensions != 0 && dimensions <= most_dimensions, "%u dimensions",
                dimensions);
  const std::uint64_t count = std::min<std::uint64_t>(dimensions, most_dimensions);
  for (std::uint64_t i = 0; i != count; ++i) d[i].count = static_cast<std::uint64_t>(counts[i]);
  shared_part part(reductions, mem);
  if (m.in->size > 1) part.add_doacross(d, count);
  begin_with(m, first != nullptr ? d[0].count : 0, s, false, part);
  set_values(m.work.loop, range<Index>{0, counts[0], 1});
  return first == nullptr || next(m, first, end);
}

/// schedule(kind, chunk), and nothing else.
template <class Index>
bool start_doacross(unsigned dimensions, const Index* counts, schedule_kind kind, Index chunk,
                    Index* first, Index* end) noexcept {
  const schedule s = schedule_of(kind, true, as_count(chunk));
  return start_doacross(dimensions, counts, s, first, end, nullptr, nullptr);
}

/// schedule(runtime)
template <class Index>
bool start_doacross(unsigned dimensions, const Index* counts, Index* first, Index* end) noexcept {
  schedule s = runtime_schedule_of(self());
  s.monotonic = true;
  return start_doacross(dimensions, counts, s, first, end, nullptr, nullptr);
}

/// A schedule by its number, reductions, shared memory.
template <class Index>
bool start_doacross_with(unsigned dimensions, const Index* counts, long sched, Index chunk,
                         Index* first, Index* end, std::uintptr_t* reductions,
                         void** mem) noexcept {
  schedule s = named_schedule(self(), sched, as_count(chunk));
  s.monotonic = true;
  return start_doacross(dimensions, counts, s, first, end, reductions, mem);
}

}  // namespace kasuri::omp::gomp
