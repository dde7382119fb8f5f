// SPDX-License-Identifier: Apache-2.0
#include "sched/policy/custom_steal.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>

#include "kasuri/locality.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/thread/mutex.hpp"
#include "sched/pool/pool.hpp"

namespace kasuri::sched {

namespace {

// So many rounds in a row that take nothing though there is work are too many; for as many the
// policy decides then.
constexpr std::uint32_t most_fruitless = 64;

struct installed {
  steal_function function;
  void* arg;
  const installed* older;  // the one made before it, so that none is lost from sight
};

/// Never freed: a thief may be inside a function that was replaced, and programs install a few.
constinit std::atomic<const installed*> current_function{nullptr};
constinit std::atomic<const installed*> newest_function{nullptr};

void warn_once(const char* what) noexcept {
  static std::atomic<bool> warned{false};
  if (!warned.exchange(true, std::memory_order_relaxed))
    platform::warn("the program's steal function %s; stealing from anyone meanwhile", what);
}

/// Copies at most `bytes` of the frame's hint; returns its size.
std::ptrdiff_t read_hint(const detail::frame* f, void* to, std::size_t bytes) noexcept {
  if (f->type->hint == nullptr) return 0;
  const detail::hint_view hint = f->type->hint(f);
  KASURI_EXPECT(cheap, hint.at != nullptr || hint.bytes == 0, "a hint of %zu bytes at %p",
                hint.bytes, hint.at);
  std::memcpy(to, hint.at, std::min(bytes, hint.bytes));
  return static_cast<std::ptrdiff_t>(hint.bytes);
}

}  // namespace

/// The state of one round.
class custom_round {
 public:
  custom_round(worker& thief, pool& all) noexcept : thief_(thief), all_(all) {}

  look result;
  bool has_looked = false;   // at any worker
  bool passed_over = false;  // the frame that it was shown

  static custom_round& of(void* state) noexcept { return *static_cast<custom_round*>(state); }
  steal_round face() noexcept { return steal_round(this); }
  worker& thief() const noexcept { return thief_; }
  pool& all() const noexcept { return all_; }

  std::ptrdiff_t peek(int victim, void* hint, std::size_t bytes) noexcept {
    worker* const v = one_of(victim);
    if (v == nullptr) return -1;
    std::ptrdiff_t size = -1;
    v->queue.look([&](const detail::frame* f, std::uint64_t) { size = read_hint(f, hint, bytes); });
    if (size < 0) ask(*v);
    result.saw_work |= size >= 0;
    passed_over |= size >= 0;
    return size;
  }

  template <class Confirm>
  bool steal(int victim, Confirm confirm) {
    worker* const v = one_of(victim);
    if (v == nullptr || result.found != nullptr) return false;
    thief_.stats.steals_tried.add();
    // As much as fits a cache line or eight; what is longer is the program's to keep elsewhere.
    alignas(std::max_align_t) char hint[512];
    std::ptrdiff_t size = -1;
    std::uint64_t seen = 0;
    v->queue.look([&](const detail::frame* f, std::uint64_t at) {
      size = read_hint(f, hint, sizeof hint);
      seen = at;
    });
    if (size < 0) return ask(*v), false;
    result.saw_work = passed_over = true;
    if (!confirm(hint, std::min<std::ptrdiff_t>(size, sizeof hint))) {
      thief_.stats.declined.add();
      return false;
    }
    result.found = v->queue.steal_seen(seen);
    if (result.found != nullptr) note_steal(thief_, v->index, result.found);
    return result.found != nullptr;
  }

 private:
  worker* one_of(int index) noexcept {
    if (index < 0 || index >= all_.workers()) return nullptr;
    has_looked = true;
    worker* const v = all_.at(index);
    return v == &thief_ ? nullptr : v;
  }

  void ask(worker& v) noexcept {
    if (v.queue.empty()) return;
    result.saw_work = true;
    v.queue.ask();
  }

  worker& thief_;
  pool& all_;
};

look custom_steal(worker& thief, pool& all, bool& overruled) noexcept {
  overruled = true;
  // acquire: pairs with the release in set_steal_function
  const installed* const mine = current_function.load(std::memory_order_acquire);
  if (mine == nullptr) return {};
  if (thief.fruitless_ >= most_fruitless) {
    // An owner that does not answer, preempted perhaps, is no fault of the function's; nor is work
    // that is no frame of a deque.
    if (2 * thief.passed_over_ >= most_fruitless) warn_once("takes nothing though there is work");
    if (++thief.fruitless_ == 2 * most_fruitless) thief.fruitless_ = thief.passed_over_ = 0;
    thief.stats.overruled.add();
    return {};
  }
  KASURI_EXPECT(cheap, current() == &thief && thief.passed_over_ <= thief.fruitless_,
                "worker %d steals for worker %d, %u of %u rounds passed frames over",
                index_of_caller(), thief.index, thief.passed_over_, thief.fruitless_);
  custom_round round(thief, all);
  try {
    steal_round face = round.face();
    mine->function(face, mine->arg);
    overruled = false;
  } catch (...) {
    thief.stats.overruled.add();
    warn_once("has thrown an exception");
  }
  if (round.result.found != nullptr) {
    thief.fruitless_ = thief.passed_over_ = 0;
  } else if (round.result.saw_work || all.work_offered(&thief)) {
    ++thief.fruitless_;
    thief.passed_over_ += round.passed_over || !round.has_looked ? 1 : 0;
  }
  return round.result;
}

}  // namespace kasuri::sched

namespace [[gnu::visibility("default")]] kasuri {

int steal_round::thief() const noexcept { return sched::custom_round::of(state_).thief().index; }
int steal_round::workers() const noexcept {
  return sched::custom_round::of(state_).all().workers();
}
std::uint64_t steal_round::random() noexcept {
  return sched::custom_round::of(state_).thief().next_random();
}

std::ptrdiff_t steal_round::peek(int victim, void* hint, std::size_t bytes) noexcept {
  return sched::custom_round::of(state_).peek(victim, hint, bytes);
}

bool steal_round::steal(int victim,
                        bool (*confirm)(const void* hint, std::ptrdiff_t bytes, void* arg),
                        void* arg) {
  return sched::custom_round::of(state_).steal(
      victim, [confirm, arg](const void* hint, std::ptrdiff_t bytes) {
        return confirm == nullptr || confirm(hint, bytes, arg);
      });
}

void set_steal_function(steal_function f, void* arg) noexcept {
  const sched::installed* next = nullptr;
  if (f != nullptr) {
    auto* const made = new sched::installed{f, arg, nullptr};
    made->older = sched::newest_function.exchange(made, std::memory_order_relaxed);
    next = made;
  }
  sched::custom_steals.store(f != nullptr ? sched::custom_steal : nullptr,
                             std::memory_order_relaxed);
  // release: pairs with the acquire in custom_steal
  sched::current_function.store(next, std::memory_order_release);
}

}  // namespace kasuri
