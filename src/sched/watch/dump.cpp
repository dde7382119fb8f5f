// SPDX-License-Identifier: Apache-2.0
// A running program's workers and suspended threads, in words.
//
// Nobody is stopped: what is read here may change, or its stack may be used for something else,
// while we look. A line about a thread that has just gone on may be wrong; a look that leads astray
// ends there (attempt.hpp). The sanitizers are told not to watch.

#include "sched/watch/dump.hpp"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "context/attempt.hpp"
#include "context/backtrace.hpp"
#include "context/sanitizer.hpp"
#include "context/stack.hpp"
#include "platform/process/symbol.hpp"
#include "record/wait_reason.hpp"
#include "sched/pool/pool.hpp"
#include "sched/pool/thread_counts.hpp"
#include "sched/watch/outsiders.hpp"

namespace kasuri::sched {
namespace {

using detail::holder;
using record::wait_reason;

// Calls of a thread that are shown, and that are looked at for them.
constexpr std::size_t most_shown = 4;
constexpr std::size_t most_calls = 48;

/// The part of a suspended thread that is read in one go.
struct sight {
  const context::stack* at = nullptr;  // where it stands, if that is a stack of the pool
  const suspended* outside = nullptr;  // ... else its record
  const suspended* thread = nullptr;   // null: nobody waits there
  wait_reason reason = wait_reason::none;
  const void* on = nullptr;
  bool has_holder = false;
  std::uint32_t holder_page = 0;
  context::saved context = nullptr;
};

KASURI_UNINSTRUMENTED void read_thread(void* arg) {
  auto& l = *static_cast<sight*>(arg);
  const auto* const s = l.at == nullptr ? l.outside : static_cast<const suspended*>(l.at->waiting);
  if (s == nullptr) return;
  l.reason = s->reason;
  l.on = s->on;
  l.context = l.at == nullptr ? nullptr : s->context;
  l.has_holder = s->reason == wait_reason::mutex && s->held_by != nullptr;
  if (l.has_holder) l.holder_page = s->held_by->page();
  l.thread = s;
}

sight look(sight l) noexcept {
  if (!context::attempt(read_thread, &l)) l.thread = nullptr;
  return l;
}

sight look_at(const context::stack* s) noexcept { return look({.at = s}); }

/// Whether a thread of that reason goes on only when another one does something for it.
bool waits_for_another(wait_reason why) noexcept {
  switch (why) {
    case wait_reason::none:
    case wait_reason::yield:
    case wait_reason::child_first:
    case wait_reason::pinned_return:
    case wait_reason::queue_full:
    case wait_reason::blocking:
    case wait_reason::sleep:
    case wait_reason::token:
    case wait_reason::stack:
    case wait_reason::openmp_dock:
      return false;
    default:
      return true;
  }
}

/// For the reasons that name what they wait for.
bool has_object(wait_reason why) noexcept {
  return waits_for_another(why) && why != wait_reason::remote_join;
}

/// Calls visit(stack) for all stacks on which a thread may be suspended.
template <class Visit>
void for_each_seat(const pool& p, Visit visit) noexcept {
  for (int i = 0, n = p.workers(); i != n; ++i) visit(&p.at(i)->native_stack);
  context::for_each_stack([](context::stack* s, void* arg) { (*static_cast<Visit*>(arg))(s); },
                          &visit);
}

/// The stack that a page lies on, by the numbers of detail::holder.
class pages {
 public:
  explicit pages(const pool* p) : pool_(p) {
    context::for_each_stack(
        [](context::stack* s, void* arg) {
          auto& all = static_cast<pages*>(arg)->of_pool_;
          all.push_back({holder::page_of(s->low), holder::page_of(s->high), s});
        },
        this);
    std::ranges::sort(of_pool_, {}, &entry::first);
  }

  /// The stack of the pool, or null.
  const context::stack* stack_at(std::uint32_t page) const noexcept {
    const auto behind = std::ranges::upper_bound(of_pool_, page, {}, &entry::first);
    if (behind == of_pool_.begin()) return nullptr;
    const entry& e = *std::prev(behind);
    return page <= e.last ? e.at : nullptr;
  }

  /// The suspended thread that stands near on the stack of an OS thread, whose bounds are not
  /// known; or null.
  const suspended* native_thread_near(std::uint32_t page) const noexcept {
    for (int i = 0, n = pool_ == nullptr ? 0 : pool_->workers(); i != n; ++i) {
      const suspended* const s = look_at(&pool_->at(i)->native_stack).thread;
      if (s != nullptr && is_near(page, s, usual_pages)) return s;
    }
    return nullptr;
  }

  /// Whether the page lies on the stack of `s`, an OS thread; the next one's may border on it.
  static bool on_same_stack(std::uint32_t page, const suspended* s) noexcept {
    return is_near(page, s, usual_pages / 2);
  }

 private:
  static constexpr std::int32_t usual_pages = 2048;  // the usual limit of a stack

  static bool is_near(std::uint32_t page, const suspended* s, std::int32_t pages) noexcept {
    const auto apart = static_cast<std::int32_t>(page - holder::page_of(s));
    return apart > -pages && apart < pages;
  }

  struct entry {
    std::uint32_t first;
    std::uint32_t last;
    const context::stack* at;
  };

  const pool* const pool_;
  std::vector<entry> of_pool_;
};

/// Of the runtime or the C++ library: what the user looks for lies below.
bool is_library(const platform::symbols::place& at) noexcept {
  if (at.module.starts_with("libkasuri") || at.function.starts_with("kasuri::")) return true;
  constexpr std::string_view starts[] = {"_ZN6kasuri", "_ZNK6kasuri", "_ZZN6kasuri", "kasuri_",
                                         "_ZNSt",      "_ZNKSt",      "_ZSt"};
  for (const std::string_view start : starts)
    if (at.linked.starts_with(start)) return true;
  return false;
}

class listing {
 public:
  /// `p` is null where no pool runs.
  listing(int fd, const pool* p, std::size_t most) : fd_(fd), most_(most), pages_(p) {}

  void thread(const context::stack* s) noexcept {
    const sight l = look_at(s);
    if (l.thread == nullptr || ++threads_ > most_) return;
    char name[32];
    std::snprintf(name, sizeof name, "%p", static_cast<const void*>(l.thread));
    says(name, l);
    std::array<const void*, most_calls> found;
    calls(std::span(found).first(context::backtrace(l.context, found)));
  }

  void thread(const outsider& o) noexcept {
    const sight l = look({.outside = &o.record()});
    if (l.thread == nullptr || ++outside_ > most_) return;
    char name[32];
    std::snprintf(name, sizeof name, "%d outside the pool", o.thread_id());
    says(name, l);
    calls(o.calls());
  }

  std::size_t threads() const noexcept { return threads_; }

 private:
  void says(const char* name, const sight& l) const {
    const std::string_view words = record::name(l.reason);
    char object[40] = "";
    if (l.on != nullptr && has_object(l.reason))
      std::snprintf(object, sizeof object, " at %p", l.on);
    dprintf(fd_, "kasuri: thread %s: %.*s%s%s\n", name, static_cast<int>(words.size()),
            words.data(), object, holder_of(l).c_str());
  }

  std::string holder_of(const sight& l) const {
    if (!l.has_holder) return {};
    if (l.holder_page == holder::of_coroutine) return ", locked by a coroutine";
    const context::stack* const at = pages_.stack_at(l.holder_page);
    if (l.at == nullptr && pages::on_same_stack(l.holder_page, l.thread))
      return ", locked by itself";
    const suspended* const other =
        at != nullptr ? look_at(at).thread : pages_.native_thread_near(l.holder_page);
    if (other == l.thread) return ", locked by itself";
    if (other == nullptr)
      return at != nullptr ? ", locked by a task that runs or has ended"
                           : ", locked by a thread outside";
    char text[48];
    std::snprintf(text, sizeof text, ", locked by thread %p", static_cast<const void*>(other));
    return text;
  }

  /// The functions of the program in which the thread stands; where it has none, those of the
  /// runtime.
  void calls(std::span<const void* const> all) {
    std::size_t shown = 0;
    for (const bool of_program : {true, false}) {
      for (const void* address : all) {
        if (shown == most_shown) return;
        const auto place = symbols_.at(address);
        if (of_program && is_library(place)) continue;
        call(place);
        ++shown;
        if (place.linked == "main") return;
      }
      if (shown != 0) return;
    }
  }

  void call(const platform::symbols::place& p) const noexcept {
    dprintf(fd_, "kasuri:     in %s (%s+0x%zx)\n", p.function.empty() ? "??" : p.function.c_str(),
            p.module.c_str(), p.offset);
  }

  const int fd_;
  const std::size_t most_;
  const pages pages_;
  std::size_t threads_ = 0;
  std::size_t outside_ = 0;
  platform::symbols symbols_;
};

const char* state_of(const worker& w) noexcept {
  if (!w.has_thread.load(std::memory_order_relaxed)) return "no thread";
  if (w.asleep.load(std::memory_order_relaxed) == flag::dozing) return "asleep";
  return w.busy.load(std::memory_order_relaxed) ? "runs a task" : "looks for work, or is blocked";
}

void list_worker(int fd, const worker& w) noexcept {
  dprintf(fd, "kasuri: worker %d (thread %d): %s; %s\n", w.index,
          w.tid.load(std::memory_order_relaxed), state_of(w),
          w.queue.empty() && w.ready.empty() ? "nothing queued" : "tasks queued");
}

}  // namespace

std::size_t threads_that_wait() noexcept {
  std::size_t n = 0;
  for_each_seat(pool::get(), [&n](const context::stack* s) {
    const sight l = look_at(s);
    n += l.thread != nullptr && waits_for_another(l.reason) ? 1 : 0;
  });
  return n;
}

namespace {

void list_outsiders(int fd, listing& l) noexcept {
  const int n = thread_counts.outsiders.load(std::memory_order_relaxed);
  if (n <= 0) return;
  dprintf(fd, "kasuri: %d threads outside the pool wait\n", n);
  for_each_outsider([&l](const outsider& o) { l.thread(o); });
}

}  // namespace

void dump(int fd, std::size_t most) noexcept {
  if (!pool_runs()) {
    dprintf(fd, "kasuri: the pool does not run\n");
    listing l(fd, nullptr, most);
    return list_outsiders(fd, l);
  }
  const pool& p = pool::get();
  const idle_counts c = p.counts();
  dprintf(fd,
          "kasuri: %" PRIu32 " of %" PRIu32 " workers active, %" PRIu32
          " of them look for work; %" PRIu32 " sleep, %" PRIu32 " guests wait to enter\n",
          c.active, c.limit, c.searching, c.sleeping, c.waiting);
  for (int i = 0, n = p.workers(); i != n; ++i) list_worker(fd, *p.at(i));
  listing l(fd, &p, most);
  for_each_seat(p, [&l](const context::stack* s) { l.thread(s); });
  if (l.threads() > most)
    dprintf(fd, "kasuri: %zu more threads are not listed here\n", l.threads() - most);
  if (const int n = thread_counts.in_calls(); n > 0)
    dprintf(fd, "kasuri: %d tasks in blocking calls, on threads of their own\n", n);
  list_outsiders(fd, l);
  dprintf(fd, "kasuri: %zu threads suspended\n", l.threads());
}

}  // namespace kasuri::sched
