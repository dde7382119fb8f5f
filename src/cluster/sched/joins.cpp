// SPDX-License-Identifier: Apache-2.0
// The joins between ranks: waiting for the report of an end, and making one.

#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include "cluster/sched/scheduler.hpp"
#include "cluster/sched/wire/exception_text.hpp"
#include "cluster/sched/wire/modules.hpp"
#include "kasuri/global/error.hpp"

namespace kasuri::cluster {

using global::detail::offer_state;

bool scheduler::take_or_wait(offer& o, void* result) {
  const auto as = &pool_.chain() == o.chain ? offer_state::taken : offer_state::lent;
  auto seen = offer_state::local;
  // acq_rel: pairs with the exchange in post_one
  if (o.state.compare_exchange_strong(seen, as, std::memory_order_acq_rel,
                                      std::memory_order_acquire))
    return true;
  if (seen == offer_state::posted && take_back(o, as)) return true;
  wait_for_report(o);
  close(o, result);
  return false;
}

void scheduler::abandon(offer& o) noexcept {
  auto seen = offer_state::local;
  // acq_rel: pairs with the exchange in post_one
  if (o.state.compare_exchange_strong(seen, offer_state::taken, std::memory_order_acq_rel,
                                      std::memory_order_acquire) ||
      seen == offer_state::taken || seen == offer_state::lent ||
      (seen == offer_state::posted && take_back(o, offer_state::taken)))
    return;
  wait_for_report(o);
  layout::report head;
  std::memcpy(&head, at(layout::report_of(static_cast<std::uint64_t>(o.record))), sizeof head);
  memory_.acquire(head.seen);  // what it wrote is behind this join, whatever it returned
  const std::lock_guard hold(lock_);
  joins_.give_back(o.record);
}

bool scheduler::is_done(int record) {
  return own(layout::word_of(layout::done, static_cast<std::uint64_t>(record))) ==
         joins_.generation(record);
}

void scheduler::wait_for_report(offer& o) {
  if (is_done(o.record)) return;
  const std::uint64_t since = net_.now_ns();
  fork_chain& chain = pool_.chain();
  if (chain.waiting != nullptr && face_.wants()) post(chain);  // before it lies idle
  struct waiting {
    scheduler* s;
    int record;
  } w{this, o.record};
  pool_.block(
      [](void* arg, void* task) noexcept {
        const auto [s, record] = *static_cast<waiting*>(arg);
        const std::lock_guard hold(s->lock_);
        if (s->is_done(record)) return false;
        s->joins_.wait(record, task);
        s->anybody_waits_.store(true, std::memory_order_relaxed);
        return true;
      },
      &w);
  counted_.waiting_ns.add(net_.now_ns() - since);
}

bool scheduler::collect() {
  bool any = false;
  if (anybody_waits_.load(std::memory_order_relaxed)) {
    std::vector<void*> ready;
    {
      const std::lock_guard hold(lock_);
      joins_.take_done([this](int record) { return is_done(record); },
                       [&ready](void* task) { ready.push_back(task); });
      if (!joins_.anybody_waits()) anybody_waits_.store(false, std::memory_order_relaxed);
    }
    for (void* task : ready) pool_.make_ready(task);
    any = !ready.empty();
  }
  if (server_.load(std::memory_order_relaxed) != nullptr &&
      own(layout::over) == runs_.load(std::memory_order_relaxed))
    // acq_rel: pairs with the exchange in serve
    if (void* task = server_.exchange(nullptr, std::memory_order_acq_rel)) {
      pool_.make_ready(task);
      any = true;
    }
  return any;
}

/// The record has the report: takes it out, and gives the record back.
void scheduler::close(offer& o, void* result) {
  std::byte* const record = at(layout::report_of(static_cast<std::uint64_t>(o.record)));
  layout::report head;
  std::memcpy(&head, record, sizeof head);
  memory_.acquire(head.seen);
  std::string type, text;
  const bool threw = head.how == layout::outcome::exception;
  if (threw)
    read_exception(record + layout::result_at, head.bytes, type, text);
  else
    std::memcpy(result, record + layout::result_at, o.kind->result_bytes);
  {
    const std::lock_guard hold(lock_);
    joins_.give_back(o.record);
  }
  counted_.joined.add();
  if (threw) throw global::remote_exception(head.rank, type, text);
}

void scheduler::report_value(const travelled& t, const void* result) {
  alignas(64) std::byte record[layout::record_bytes];
  const auto* const kind =
      static_cast<const global::detail::closure_kind*>(local_address(t.head.kind));
  std::memcpy(record + layout::result_at, result, kind->result_bytes);
  layout::report head{layout::outcome::value, kind->result_bytes, rank_, 0, memory_.release()};
  put_report(t, head, record);
}

/// Inside the handler.
void scheduler::report_exception(const travelled& t) {
  alignas(64) std::byte record[layout::record_bytes];
  const std::uint32_t bytes = write_exception(std::span(record).subspan(layout::result_at));
  layout::report head{layout::outcome::exception, bytes, thrown_on(rank_), 0, memory_.release()};
  put_report(t, head, record);
}

void scheduler::put_report(const travelled& t, layout::report& head, std::span<std::byte> record) {
  std::memcpy(record.data(), &head, sizeof head);
  const int to = t.head.from;
  net_.put(to, window_, layout::report_of(t.head.record), record.data(),
           layout::result_at + head.bytes);
  net_.flush(to);
  net_.store(to, window_, layout::word_of(layout::done, t.head.record), t.head.generation);
  net_.ring(to);
}

}  // namespace kasuri::cluster
