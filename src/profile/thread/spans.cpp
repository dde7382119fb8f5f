// SPDX-License-Identifier: Apache-2.0
#include "profile/thread/spans.hpp"

#include "kasuri/detail/atomics.hpp"
#include "platform/base/clock.hpp"
#include "profile/base/section.hpp"
#include "profile/thread/thread.hpp"

namespace kasuri::profile {

/// Held for a few instructions: the owner, or the watcher at a snapshot.
class outer_strand::holding {
 public:
  explicit holding(const outer_strand& of) noexcept : of_(of) {
    // acquire: pairs with the release in the destructor
    for (unsigned n = 0; of_.locked_.exchange(true, std::memory_order_acquire); ++n)
      detail::real_atomics::backoff(n);
  }
  ~holding() {
    // release: pairs with the acquire in the constructor
    of_.locked_.store(false, std::memory_order_release);
  }
  holding(const holding&) = delete;
  holding& operator=(const holding&) = delete;

 private:
  const outer_strand& of_;
};

void outer_strand::begin(std::uint64_t now) noexcept {
  const holding hold(*this);
  strand_.begin(0, {}, now);
  since_ = now;
}

path outer_strand::leave(std::uint64_t now) noexcept {
  const holding hold(*this);
  strand_.pause(now);
  return strand_.so_far();
}

void outer_strand::come_back(const path& reached, std::uint64_t now) noexcept {
  const holding hold(*this);
  strand_.pause(now);  // if it has not left: there was nothing to wait for
  strand_.so_far().meet(reached);
  strand_.go_on(now);
  since_ = now;
}

void outer_strand::settle(std::uint64_t now) noexcept {
  const holding hold(*this);
  if (!strand_.runs()) return;
  strand_.pause(now);
  strand_.go_on(now);
  since_ = now;
}

path outer_strand::look(std::uint64_t now, std::uint64_t& running) const noexcept {
  const holding hold(*this);
  path seen = strand_.so_far();
  running = strand_.runs() && now > since_ ? now - since_ : 0;
  if (running != 0) seen.add(strand_.where(), running);
  return seen;
}

path outer_strand::look(std::uint64_t now) const noexcept {
  std::uint64_t running;  // does not matter
  return look(now, running);
}

namespace {

class spans_section final : public section {
 public:
  constexpr spans_section() noexcept : section("spans") {}

  void of(const outer_strand& s) noexcept {
    // release: pairs with the acquire in write
    strand_.store(&s, std::memory_order_release);
  }

  void write(json& to) override {
    // acquire: pairs with the release in of
    const outer_strand* const s = strand_.load(std::memory_order_acquire);
    const std::uint64_t now = platform::ticks();
    std::uint64_t work = 0;
    const path p = s == nullptr ? path{} : s->look(now, work);
    each_thread([&](const thread& t) {
      for (std::size_t i = 0; i != most_sites; ++i) work += t.work_at(static_cast<site_id>(i));
    });
    to.begin_object();
    // Of other strands what runs now is not in the sums yet; the program's work is no less than its
    // span.
    to.pair("work_s", seconds(work > p.length() ? work : p.length()));
    to.pair("span_s", seconds(p.length())).pair("burdened_s", seconds(p.burdened()));
    to.key("path").begin_array();
    p.each_site([&](site_id where, std::uint64_t ticks) {
      to.begin_object().pair("site", static_cast<int>(where)).pair("s", seconds(ticks));
      to.end_object();
    });
    to.end_array().end_object();
  }
  void begin_anew() noexcept override { strand_.store(nullptr, std::memory_order_relaxed); }

 private:
  static double seconds(std::uint64_t ticks) {
    return static_cast<double>(ticks) / platform::ticks_per_second();
  }
  std::atomic<const outer_strand*> strand_{nullptr};
};

// Before any constructor: the profile begins in one.
constinit spans_section spans;

constexpr double hand_over_us = 5;

}  // namespace

outer_strand& outside() noexcept { return here().outside(); }

void enter_spans(std::uint64_t start) noexcept {
  outer_strand& own = outside();
  own.begin(start);
  spans.of(own);
  enter(spans);
}

std::uint64_t hand_over_ticks() noexcept { return platform::ticks_of_us(hand_over_us); }

}  // namespace kasuri::profile
