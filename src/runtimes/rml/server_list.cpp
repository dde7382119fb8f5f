// SPDX-License-Identifier: Apache-2.0
#include "runtimes/rml/server_list.hpp"

#include <pthread.h>

#include <mutex>
#include <utility>

#include "platform/base/expect.hpp"
#include "runtimes/rml/server.hpp"

namespace kasuri::runtimes::rml {
namespace {

constinit server_list the_list;

}  // namespace

server_list& servers() noexcept { return the_list; }

void server_list::add(server& s) noexcept {
  const std::lock_guard hold(lock_);
  if (!std::exchange(registered_, true))
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  s.next_ = std::exchange(first_, &s);
}

void server_list::remove(server& s) noexcept {
  const std::lock_guard hold(lock_);
  server** link = &first_;
  while (*link != &s) {
    KASURI_EXPECT(cheap, *link != nullptr, "server %p is in no list", static_cast<void*>(&s));
    link = &(*link)->next_;
  }
  *link = s.next_;
}

void server_list::before_fork() noexcept {
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
