// SPDX-License-Identifier: Apache-2.0
#include "omp/work/doacross.hpp"

#include <cstring>

#include "omp/run/wait.hpp"
#include "omp/tool/hooks.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/race_detector.hpp"

namespace kasuri::omp {
namespace {

constexpr std::uint64_t bits = 64;

std::uint64_t iterations_below(const doacross_dimension* d, std::uint64_t count) noexcept {
  std::uint64_t all = 1;
  for (std::uint64_t i = 1; i < count; ++i) all *= d[i].count;
  return all;
}

/// The number of an index within its dimension; not less than its count when there is none.
std::uint64_t number_of(const doacross_dimension& d, std::int64_t index) noexcept {
  const auto from = static_cast<std::uint64_t>(d.step > 0 ? d.first : index);
  const auto to = static_cast<std::uint64_t>(d.step > 0 ? index : d.first);
  if (static_cast<std::int64_t>(from) > static_cast<std::int64_t>(to)) return d.count;
  const auto step = static_cast<std::uint64_t>(d.step);
  return (to - from) / (d.step > 0 ? step : 0 - step);
}

/// Where the flag of an iteration is.
struct place {
  std::atomic<std::uint64_t>* word = nullptr;  // null: there is no such iteration
  std::uint64_t value = 0;                     // the bit, or the least number of a row
};

place find(const doacross_state& s, const std::int64_t* index) noexcept {
  KASURI_EXPECT(cheap, s.count != 0 && s.dimensions != nullptr, "%lu dimensions at %p", s.count,
                static_cast<const void*>(s.dimensions));
  std::uint64_t row = 0;
  std::uint64_t all = 0;
  for (std::uint64_t i = 0; i != s.count; ++i) {
    const doacross_dimension& d = s.dimensions[i];
    const std::uint64_t number = number_of(d, index[i]);
    if (number >= d.count) return {};
    if (i == 0)
      row = number;
    else
      all *= d.count;
    if (i != 0 || !s.by_rows) all += number;
  }
  if (s.by_rows) return {s.flags + row, all + 1};
  return {s.flags + all / bits, std::uint64_t{1} << all % bits};
}

}  // namespace

std::size_t doacross_bytes(const doacross_dimension* d, std::uint64_t count,
                           bool by_rows) noexcept {
  const std::uint64_t words =
      by_rows ? d[0].count : (d[0].count * iterations_below(d, count) + bits - 1) / bits;
  return count * sizeof(doacross_dimension) + words * sizeof(std::atomic<std::uint64_t>);
}

void set_up_doacross(construct& c, const doacross_dimension* d, std::uint64_t count) noexcept {
  std::memcpy(c.doacross, d, count * sizeof *d);
  // The runtime's own accesses, of which the detector sees this one.
  if (platform::race_detector_runs()) [[unlikely]]
    platform::forget_accesses(c.doacross, count * sizeof *d);
}

void begin_doacross(member& m, construct& c, std::uint64_t count, bool by_rows) noexcept {
  KASURI_EXPECT(cheap,
                c.doacross != nullptr &&
                    reinterpret_cast<std::uintptr_t>(c.doacross) % alignof(std::max_align_t) == 0,
                "%lu dimensions at %p", count, c.doacross);
  doacross_state& s = m.work.doacross;
  s.dimensions = static_cast<const doacross_dimension*>(c.doacross);
  s.flags = reinterpret_cast<std::atomic<std::uint64_t>*>(
      static_cast<doacross_dimension*>(c.doacross) + count);
  s.count = count;
  s.by_rows = by_rows;
}

void post_iteration(member& m, const std::int64_t* index) noexcept {
  const doacross_state& s = m.work.doacross;
  if (tool::active()) [[unlikely]]
    tool::cross_iteration(m, {index, s.count}, tool::dependence_type::source);
  if (s.flags == nullptr) return;
  const place p = find(s, index);
  if (p.word == nullptr) return;
  KASURI_EXPECT(cheap, !s.by_rows || p.word->load(std::memory_order_relaxed) <= p.value,
                "iteration %lu of a row is posted behind %lu", p.value,
                p.word->load(std::memory_order_relaxed));
  platform::happens_before(p.word);
  notify(p.word, s.by_rows ? sched::in_order::store(*p.word, p.value)
                           : sched::in_order::set_bits(*p.word, p.value));
}

void wait_for_iteration(member& m, const std::int64_t* index) noexcept {
  const doacross_state& s = m.work.doacross;
  if (s.flags == nullptr) return;
  const place p = find(s, index);
  if (p.word == nullptr) return;
  const bool by_rows = s.by_rows;
  wait_until(
      m, p.word,
      [p, by_rows] {
        // acquire: pairs with the store in post_iteration
        const std::uint64_t seen = p.word->load(std::memory_order_acquire);
        return by_rows ? seen >= p.value : (seen & p.value) != 0;
      },
      may_run::nothing, record::wait_reason::openmp_turn);
  platform::happens_after(p.word);
  if (tool::active()) [[unlikely]]
    tool::cross_iteration(m, {index, s.count}, tool::dependence_type::sink);
}

}  // namespace kasuri::omp
