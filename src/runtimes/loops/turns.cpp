// SPDX-License-Identifier: Apache-2.0
#include "runtimes/loops/turns.hpp"

#include <pthread.h>

#include <memory>
#include <mutex>

#include "omp/team/member_place.hpp"
#include "omp/wait/parking.hpp"
#include "platform/base/expect.hpp"
#include "platform/settings/settings.hpp"
#include "platform/thread/mutex.hpp"

namespace kasuri::runtimes {

/// All calls that have their turn or wait for it.
class turn_line {
 public:
  /// False: the call waits in the line.
  bool enter(turn& t) noexcept {
    const std::lock_guard here(lock_);
    if ((first_ == nullptr || t.within_) && admit(t)) return true;
    if (t.within_)
      push_front(t);
    else
      push_back(t);
    return false;
  }

  void leave(turn& t) noexcept {
    turn* begin = end_and_admit(t);
    while (begin != nullptr) {
      turn& next = *begin;
      begin = next.next_;
      // release: pairs with the acquire in has_come
      next.come_.store(true, std::memory_order_release);
      // By its address alone: it may be gone. Without the lock: to wake takes locks of the pool, of
      // which a fork may hold some before this one.
      omp::unpark_all(&next);
    }
  }

  static turn_line& get() noexcept { return the_only_one; }

 private:
  static turn_line the_only_one;

  void push_front(turn& t) noexcept {
    t.next_ = first_;
    if (first_ == nullptr) end_ = &t.next_;
    first_ = &t;
  }

  void push_back(turn& t) noexcept {
    *end_ = &t;
    end_ = &t.next_;
  }

  bool admit(turn& t) noexcept {
    const bool alone = running_ == 0;
    if (!alone && !t.within_ && running_ + t.jobs_ > platform::current_settings().num_workers)
      return false;
    const bool taken = t.take(alone);
    KASURI_EXPECT(cheap, taken || !alone, "a call of %d jobs is alone and lacks something",
                  t.jobs_);
    if (taken) running_ += t.jobs_;
    return taken;
  }

  /// The calls that may begin now, taken out of the line.
  turn* end_and_admit(turn& t) noexcept {
    const std::lock_guard here(lock_);
    KASURI_EXPECT(cheap, running_ >= t.jobs_, "a call of %d jobs ends, %d have their turn", t.jobs_,
                  running_);
    t.give();
    running_ -= t.jobs_;
    turn* begin = nullptr;
    turn** link = &begin;
    while (first_ != nullptr && admit(*first_)) {
      *link = first_;
      link = &first_->next_;
      first_ = *link;
      *link = nullptr;
    }
    if (first_ == nullptr) end_ = &first_;
    return begin;
  }

  // When the library is loaded, before anybody else: so a fork takes this lock last, behind the
  // program's own handlers.
  [[gnu::constructor]] static void register_for_fork() {
    pthread_atfork([] { the_only_one.lock_.lock(); }, [] { the_only_one.lock_.unlock(); },
                   [] { the_only_one.begin_anew(); });
  }

  void begin_anew() noexcept {
    running_ = 0;
    first_ = nullptr;
    end_ = &first_;
    lock_.unlock();
  }

  platform::mutex lock_;
  int running_ = 0;  // jobs of the calls that have their turn
  turn* first_ = nullptr;
  turn** end_ = &first_;
};

constinit turn_line turn_line::the_only_one;

namespace {

bool has_come(const void* flag) noexcept {
  // acquire: pairs with the release in let_first_begin
  return static_cast<const std::atomic<bool>*>(flag)->load(std::memory_order_acquire);
}

}  // namespace

void turn::begin() noexcept {
  within_ = runs_together();
  if (turn_line::get().enter(*this)) return;
  while (!has_come(&come_)) omp::park(this, has_come, &come_, record::wait_reason::runtime_turn);
  if (omp::member* const m = omp::known_self()) omp::bind_thread_of(*m);
}

void turn::end() noexcept { turn_line::get().leave(*this); }

}  // namespace kasuri::runtimes
