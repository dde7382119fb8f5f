// SPDX-License-Identifier: Apache-2.0
#include "omp/task/task_mail.hpp"

#include "platform/base/clock.hpp"

namespace kasuri::omp {

void task_mail::put(int node, explicit_task& t) noexcept {
  node_tasks& list = at(node);
  if (list.empty()) list.touched.store(platform::ticks(), std::memory_order_relaxed);
  list.put(t);
}

explicit_task* task_mail::take(int node, const task* of) noexcept {
  node_tasks& list = at(node);
  if (list.empty()) return nullptr;
  explicit_task* const t = list.take(of);
  if (t != nullptr) list.touched.store(platform::ticks(), std::memory_order_relaxed);
  return t;
}

explicit_task* task_mail::take_elsewhere(int node, const task* of, std::uint64_t late) noexcept {
  for (int n = 1; n < nodes_; ++n) {
    const int other = (node + n) % nodes_;
    const node_tasks& list = at(other);
    if (list.empty()) continue;
    const std::uint64_t since = list.touched.load(std::memory_order_relaxed);
    const std::uint64_t now = platform::ticks();
    if (!list.has_backlog() && (now < since ? 0 : now - since) < late) continue;
    if (explicit_task* t = take(other, of)) return t;
  }
  return nullptr;
}

bool task_mail::empty() const noexcept {
  for (int n = 0; n != nodes_; ++n)
    if (!lists_[static_cast<std::size_t>(n)].empty()) return false;
  return true;
}

std::uint64_t task_mail::sent_so_far() const noexcept {
  std::uint64_t all = 0;
  for (int n = 0; n != nodes_; ++n) all += lists_[static_cast<std::size_t>(n)].put_so_far();
  return all;
}

}  // namespace kasuri::omp
