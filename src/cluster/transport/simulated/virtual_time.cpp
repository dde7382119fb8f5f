// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/simulated/virtual_time.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <utility>

#include "platform/base/expect.hpp"
#include "platform/memory/mapping_limit.hpp"
#include "platform/memory/memory.hpp"

namespace kasuri::cluster {
namespace {

// The C++ runtime keeps the exceptions being handled per OS thread: two words, the first two
// members of the structure, which go with the strand (Itanium C++ ABI, 2.2.2).
struct handled_exceptions {
  void* words[2];
};

handled_exceptions take_exceptions() noexcept {
  handled_exceptions e;
  auto* const globals = abi::__cxa_get_globals();
  std::memcpy(&e, globals, sizeof e);
  std::memset(static_cast<void*>(globals), 0, sizeof e);
  return e;
}

void put_exceptions(const handled_exceptions& e) noexcept {
  std::memcpy(static_cast<void*>(abi::__cxa_get_globals()), &e, sizeof e);
}

}  // namespace

simulation_error no_address_space(const std::string& what, std::size_t bytes) {
  char why[256];
  platform::say_limit_met(why, sizeof why, bytes);
  return simulation_error("no room for " + what + ": " + why);
}

strand_pool::strand_pool(std::size_t stack_bytes) {
  stack_bytes *= context::growth_of_frames;
  const std::size_t page = platform::page_size();
  stride_ = (stack_bytes + page - 1) / page * page + page;  // the lowest page is the guard
}

strand_pool::~strand_pool() {
  for (const auto& records : records_)
    for (std::size_t i = 0; i != per_slab; ++i) records[i].fiber.end();
  for (std::byte* slab : slabs_) platform::release(slab, stride_ * per_slab);
}

void strand_pool::grow() {
  auto records = std::make_unique<strand[]>(per_slab);
  auto* const start = static_cast<std::byte*>(platform::reserve_for_stacks(stride_ * per_slab));
  if (start == nullptr) throw no_address_space("stacks of ranks", stride_ * per_slab);
  slabs_.push_back(start);
  const std::size_t page = platform::page_size();
  for (std::size_t i = per_slab; i-- != 0;) {
    strand& s = records[i];
    std::byte* const guard = start + i * stride_;
    platform::install_guard(guard, page);  // where the system has no more, an overflow goes unseen
    s.low = guard + page;
    s.high = guard + stride_ - i % 16 * 64;  // equal tops would compete for the same cache sets
    s.next_free = free_;
    free_ = &s;
  }
  records_.push_back(std::move(records));
}

strand* strand_pool::take() {
  if (free_ == nullptr) grow();
  strand* const s = free_;
  free_ = s->next_free;
  s->at = nullptr;
  return s;
}

void strand_pool::put(strand* s) noexcept {
  KASURI_EXPECT(cheap, s != free_ && s->low < s->high, "the stack from %p to %p is free already",
                static_cast<void*>(s->low), static_cast<void*>(s->high));
  s->fiber.end();
  s->next_free = free_;
  free_ = s;
}

virtual_time::virtual_time(int ranks, std::size_t stack_bytes, std::uint64_t until_ns)
    : ranks_(static_cast<std::size_t>(ranks)), strands_(stack_bytes), until_(until_ns) {
  for (int i = 0; i != ranks; ++i) {
    ranks_[static_cast<std::size_t>(i)].index = i;
    ranks_[static_cast<std::size_t>(i)].all = this;
  }
}

void virtual_time::push(std::uint64_t time, event* what, int rank) {
  KASURI_EXPECT(cheap, time >= now_, "something is due at %llu ns, and it is %llu",
                static_cast<unsigned long long>(time), static_cast<unsigned long long>(now_));
  KASURI_EXPECT(cheap, (what == nullptr) == (rank >= 0) && rank < std::ssize(ranks_),
                "rank %d of %zu is due, or an event", rank, ranks_.size());
  queue_.push({time, sequence_++, what, rank});
}

void virtual_time::at(std::uint64_t time, event& e) { push(std::max(time, now_), &e, -1); }

void virtual_time::resume_at(std::uint64_t time, int rank) {
  push(std::max(time, now_), nullptr, rank);
}

void virtual_time::spend(std::uint64_t ns) {
  const std::uint64_t then = now_ + ns;
  if ((queue_.empty() || queue_.top().time > then) && then <= until_) {
    now_ = then;  // nobody else has anything to do before
    return;
  }
  push(then, nullptr, running_->rank);
  wait("its own work");
}

void virtual_time::save_strand(void* argument, context::saved from) {
  static_cast<strand*>(argument)->at = from;
}

void virtual_time::save_engine(void* argument, context::saved from) {
  static_cast<virtual_time*>(argument)->engine_.at = from;
}

void virtual_time::forget(void*) {}

void virtual_time::wait(const char* reason) {
  strand* const s = running_;
  KASURI_EXPECT(cheap, s != nullptr, "no strand runs that could wait for %s", reason);
  one_rank& r = ranks_[static_cast<std::size_t>(s->rank)];
  r.running = s;
  r.waits_for = reason;
  const handled_exceptions mine = take_exceptions();
  s->fiber.leaving(engine_.fiber, false);
  context::kasuri_context_switch(engine_.at, &save_strand, s);
  s->fiber.arrived();
  put_exceptions(mine);
}

strand* virtual_time::create(void (*body)(void*), void* argument) {
  strand* const s = strands_.take();
  s->body = body;
  s->argument = argument;
  s->rank = running_->rank;
  return s;
}

/// The first function on a strand's stack; `from` is the context that it was begun from.
void virtual_time::begin_strand(void* argument, context::saved from) {
  auto* const before = static_cast<strand*>(argument);
  before->at = from;
  // The strand from which this one is begun says where it can be found.
  auto* const self = static_cast<strand*>(before->next_free);
  before->next_free = nullptr;
  self->fiber.arrived();
  self->body(self->argument);
  std::terminate();  // bodies end by finish_into()
}

void virtual_time::switch_to(strand* next) {
  strand* const s = running_;
  KASURI_EXPECT(cheap, next != s && next->rank == s->rank,
                "a strand of rank %d switches to one of rank %d, or to itself", s->rank,
                next->rank);
  const handled_exceptions mine = take_exceptions();
  running_ = next;
  if (next->at != nullptr) {
    s->fiber.leaving(next->fiber, false);
    context::kasuri_context_switch(std::exchange(next->at, nullptr), &save_strand, s);
  } else {
    next->fiber.begin(next->low, next->high);
    s->next_free = next;
    s->fiber.leaving(next->fiber, false);
    context::kasuri_context_start(next->high, &begin_strand, s);
  }
  s->fiber.arrived();
  put_exceptions(mine);
  if (strand* const gone = std::exchange(ended_, nullptr)) strands_.put(gone);
}

KASURI_UNINSTRUMENTED void virtual_time::finish_into(strand* next) {
  strand* const s = running_;
  KASURI_EXPECT(cheap, next != s && next->rank == s->rank,
                "a strand of rank %d ends into one of rank %d, or into itself", s->rank,
                next->rank);
  if (strand* const gone = std::exchange(ended_, s)) strands_.put(gone);
  running_ = next;
  take_exceptions();
  if (next->at != nullptr) {
    s->fiber.leaving(next->fiber, true);
    context::kasuri_context_jump(std::exchange(next->at, nullptr), &forget, nullptr);
  }
  next->fiber.begin(next->low, next->high);
  s->next_free = next;
  s->fiber.leaving(next->fiber, true);
  context::kasuri_context_start(next->high, &begin_strand, s);
  std::terminate();
}

void virtual_time::first_strand(void* argument) {
  auto& r = *static_cast<one_rank*>(argument);
  virtual_time& all = *r.all;
  try {
    all.body_(r.index, all.body_argument_);
  } catch (...) {
    if (!all.error_) all.error_ = std::current_exception();
  }
  r.ended = true;
  KASURI_EXPECT(cheap, all.left_ > 0, "rank %d ends, and %d are left", r.index, all.left_);
  --all.left_;
  all.leave_to_engine(true);
}

KASURI_UNINSTRUMENTED void virtual_time::leave_to_engine(bool forever) {
  strand* const s = running_;
  take_exceptions();
  s->fiber.leaving(engine_.fiber, forever);
  context::kasuri_context_jump(engine_.at, &forget, nullptr);
}

void virtual_time::go_on(int rank) {
  one_rank& r = ranks_[static_cast<std::size_t>(rank)];
  if (r.dead || r.ended) return;
  strand* const s = r.running;
  KASURI_EXPECT(cheap, running_ == nullptr && s != nullptr && s->rank == rank,
                "rank %d goes on with a strand of rank %d, while one runs or there is none", rank,
                s == nullptr ? -1 : s->rank);
  running_ = s;
  r.waits_for = nullptr;
  current_process = &(*processes_)[static_cast<std::size_t>(rank)];
  if (s->at == nullptr) {
    s->fiber.begin(s->low, s->high);
    engine_.next_free = s;
    engine_.fiber.leaving(s->fiber, false);
    context::kasuri_context_start(s->high, &begin_strand, &engine_);
  } else {
    engine_.fiber.leaving(s->fiber, false);
    context::kasuri_context_switch(std::exchange(s->at, nullptr), &save_engine, this);
  }
  engine_.fiber.arrived();
  current_process = nullptr;
  if (r.ended) strands_.put(running_);
  running_ = nullptr;
  if (strand* const gone = std::exchange(ended_, nullptr)) strands_.put(gone);
}

std::string virtual_time::who_waits() const {
  std::string text;
  int named = 0;
  for (const one_rank& r : ranks_) {
    if (r.ended || r.dead) continue;
    if (++named > 8) return text + " and more";
    text += (named > 1 ? ", rank " : "rank ") + std::to_string(r.index) + " for " +
            (r.waits_for != nullptr ? r.waits_for : "nothing");
  }
  return text;
}

/// Each rank is due now, with a first strand.
void virtual_time::begin_ranks() {
  left_ = static_cast<int>(ranks_.size());
  for (one_rank& r : ranks_) {
    strand* const s = strands_.take();
    s->body = &first_strand;
    s->argument = &r;
    s->rank = r.index;
    r.running = s;
    resume(r.index);
  }
}

/// Time goes on to what is due next, and that happens. False, with error_ set: nothing is due, or
/// the time is over.
bool virtual_time::next_event() {
  if (queue_.empty()) {
    error_ = std::make_exception_ptr(simulation_error("everybody waits: " + who_waits()));
    return false;
  }
  const due next = queue_.top();
  queue_.pop();
  KASURI_EXPECT(cheap, next.time >= now_, "it is %llu ns, and what is due next was at %llu",
                static_cast<unsigned long long>(now_), static_cast<unsigned long long>(next.time));
  now_ = next.time;
  if (now_ > until_) {
    error_ = std::make_exception_ptr(
        simulation_error("not ended after " + std::to_string(until_) + " ns of virtual time"));
    return false;
  }
  digest_ =
      (digest_ ^ (now_ * 31 + static_cast<std::uint64_t>(next.rank + 2))) * 0xff51afd7ed558ccd;
  digest_ ^= digest_ >> 32;
  happen(next);
  return true;
}

void virtual_time::happen(const due& next) {
  if (next.what == nullptr) return go_on(next.rank);
  try {
    next.what->happen();
  } catch (...) {
    if (!error_) error_ = std::current_exception();
  }
}

void virtual_time::run(void (*body)(int, void*), void* argument, std::vector<process>& processes) {
  processes_ = &processes;
  body_ = body;
  body_argument_ = argument;
  engine_.fiber.adopt_native();
  begin_ranks();
  const handled_exceptions mine = take_exceptions();
  while (left_ > 0 && !error_ && next_event()) {
  }
  put_exceptions(mine);
  processes_ = nullptr;
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

}  // namespace kasuri::cluster
