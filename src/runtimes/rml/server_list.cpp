// SPDX-License-Identifier: Apache-2.0
#include "runtimes/rml/server_list.hpp"

#include <pthread.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <utility>

#include "platform/base/expect.hpp"
#include "platform/thread/os_thread.hpp"
#include "runtimes/rml/server.hpp"
#include "sched/pool/pool.hpp"

namespace kasuri::runtimes::rml {
namespace {

constinit server_list the_list;

}  // namespace

server_list& servers() noexcept { return the_list; }

void server_list::add(server& s) noexcept {
  const std::lock_guard hold(lock_);
  if (!std::exchange(registered_, true)) {
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  }
  s.next_ = std::exchange(first_, &s);
  sched::pool::all_keep_to_own(true);
}

void server_list::unlink(server& s) noexcept {
  server** link = &first_;
  while (*link != &s) {
    KASURI_EXPECT(cheap, *link != nullptr, "server %p is in no list", static_cast<void*>(&s));
    link = &(*link)->next_;
  }
  *link = s.next_;
}

void server_list::remove(server& s) noexcept {
  const std::lock_guard hold(lock_);
  unlink(s);
  sched::pool::all_keep_to_own(false);
}

void server_list::wait_for_those_who_leave() noexcept {
  constexpr int looks = 2000;
  constexpr int looks_if_all_may_work = 50;
  constexpr std::uint64_t pause_ns = 100'000;
  for (int i = 0; i != looks; ++i) {
    server::presence most = server::presence::none;
    {
      const std::lock_guard hold(lock_);
      for (const server* s = first_; s != nullptr; s = s->next_)
        most = std::max(most, s->others_inside());
    }
    if (most == server::presence::none) return;
    if (most == server::presence::may_work && i >= looks_if_all_may_work) return;
    platform::sleep_exactly(pause_ns);
  }
}

void server_list::before_fork() noexcept {
  the_list.wait_for_those_who_leave();
  the_list.lock_.lock();
  for (server* s = the_list.first_; s != nullptr; s = s->next_) s->lock_.lock();
}

void server_list::after_fork_in_parent() noexcept {
  for (server* s = the_list.first_; s != nullptr; s = s->next_) s->lock_.unlock();
  the_list.lock_.unlock();
}

void server_list::after_fork_in_child() noexcept {
  for (server* s = the_list.first_; s != nullptr; s = s->next_) s->begin_anew_in_child();
  after_fork_in_parent();
}

}  // namespace kasuri::runtimes::rml
