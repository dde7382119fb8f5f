// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/joins/joins.hpp"

#include <cstring>
#include <mutex>
#include <string>

#include "cluster/sched/wire/exception_text.hpp"
#include "kasuri/global/error.hpp"

namespace kasuri::cluster {

std::optional<layout::parcel> joins::open(const offer& o) {
  const std::lock_guard hold(lock_);
  if (table_.none_free()) return std::nullopt;
  const int record = table_.take();
  return layout::parcel{.kind = kinds_.of(o.kind),
                        .bytes = o.kind->closure_bytes,
                        .record = static_cast<std::uint32_t>(record),
                        .generation = table_.generation(record),
                        .copy = 0,
                        .low = o.low,
                        .high = o.high,
                        .from = at_.rank,
                        .filler = 0,
                        .seen = {},
                        .task = at_.options.checked ? o.offered_task() : 0};
}

void joins::withdraw(std::uint32_t record) {
  const std::lock_guard hold(lock_);
  KASURI_EXPECT(cheap, !is_done(static_cast<int>(record)),
                "the join of record %u is withdrawn, and its report has come", record);
  table_.give_back(static_cast<int>(record));
}

bool joins::is_done(int record) const {
  const std::uint64_t done =
      at_.own(layout::word_of(layout::done, static_cast<std::uint64_t>(record)));
  const std::uint64_t generation = table_.generation(record);
  KASURI_EXPECT(cheap, done <= generation,
                "record %d: a report of generation %llu has come, and its use is number %llu",
                record, static_cast<unsigned long long>(done),
                static_cast<unsigned long long>(generation));
  return done == generation;
}

void joins::wait(int record) {
  struct waiting : join_table::waiter {
    joins* here;
  } w{{.record = record, .task = nullptr, .next = nullptr}, this};
  at_.pool.block(
      [](void* arg, void* task) noexcept {
        auto& me = *static_cast<waiting*>(arg);
        const auto here = me.here;
        const std::lock_guard hold(here->lock_);
        if (here->is_done(me.record)) return false;
        me.task = task;
        here->table_.wait(me);
        here->anybody_waits_.store(true, std::memory_order_relaxed);
        return true;
      },
      &w);
  KASURI_EXPECT(cheap, is_done(record), "the task that waits for record %d goes on without report",
                record);
}

bool joins::wake() {
  if (!anybody_waits_.load(std::memory_order_relaxed)) return false;
  join_table::waiter* ready;
  {
    const std::lock_guard hold(lock_);
    ready = table_.take_done([this](int record) { return is_done(record); });
    if (!table_.anybody_waits()) anybody_waits_.store(false, std::memory_order_relaxed);
  }
  const bool any = ready != nullptr;
  while (const join_table::waiter* w = sched::take_first(ready)) at_.pool.make_ready(w->task);
  return any;
}

layout::report joins::report_in(int record) const {
  KASURI_EXPECT(cheap, is_done(record), "the report of record %d is read before it has come",
                record);
  layout::report head;
  std::memcpy(&head, at_.at(layout::report_of(static_cast<std::uint64_t>(record))), sizeof head);
  KASURI_EXPECT(cheap, head.rank >= 0 && head.rank < at_.size,
                "record %d: a report by rank %d of %d", record, head.rank, at_.size);
  KASURI_EXPECT(cheap, head.bytes <= layout::record_bytes - layout::result_at,
                "record %d: a report of %u bytes from rank %d", record, head.bytes, head.rank);
  return head;
}

void joins::close(const offer& o, void* result) {
  const layout::report head = report_in(o.record);
  const std::byte* const outcome =
      at_.at(layout::report_of(static_cast<std::uint64_t>(o.record))) + layout::result_at;
  at_.memory.acquire(head.seen);
  std::string type, text;
  const bool threw = head.how == layout::outcome::exception;
  KASURI_EXPECT(cheap, threw || head.bytes == o.kind->result_bytes,
                "record %d: a result of %u bytes from rank %d, the closure's has %u", o.record,
                head.bytes, head.rank, o.kind->result_bytes);
  if (threw)
    read_exception(outcome, head.bytes, type, text);
  else
    std::memcpy(result, outcome, o.kind->result_bytes);
  {
    const std::lock_guard hold(lock_);
    table_.give_back(o.record);
  }
  at_.counted.joined.add();
  if (threw) throw global::remote_exception(head.rank, type, text);
}

void joins::drop(const offer& o) noexcept {
  at_.memory.acquire(report_in(o.record).seen);  // its writes are behind this join, too
  const std::lock_guard hold(lock_);
  table_.give_back(o.record);
}

const char* joins::check() {
  const std::lock_guard hold(lock_);
  if (table_.anybody_waits()) return "a task waits for a join between two runs";
  return table_.check();
}

}  // namespace kasuri::cluster
