// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/host/task_points.hpp"

#include "kasuri/global/detail/fork.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {
namespace {

using global::detail::fork_chain;
using global::detail::offer;
using global::detail::offer_state;

struct counted_task {
  std::uint64_t number;
  std::uint32_t* forks;  // null: nothing is known of it
};

/// The task that the stack runs while `newest` is its newest fork.
counted_task task_under(const fork_chain& chain, offer* newest) noexcept {
  if (chain.given != nullptr && chain.given->below == newest)
    return {chain.given->number, &chain.given->forks};
  if (newest == nullptr || newest->task == 0) return {0, nullptr};
  // relaxed: others write `lent` and `gone`, this stack alone `taken`
  if (newest->state.load(std::memory_order_relaxed) == offer_state::taken)
    return {newest->offered_task(), &newest->forks[1]};
  return {newest->task, &newest->forks[0]};
}

}  // namespace

program_point task_points::here() {
  if (!pool_.inside()) return {};
  const fork_chain& chain = pool_.chain();
  const counted_task t = task_under(chain, chain.newest);
  return t.number == 0 ? program_point{} : program_point{t.number, *t.forks};
}

void task_points::fork(fork_chain& chain, bool first_is_offered, coherence& memory) {
  offer& o = *chain.newest;
  const counted_task t = task_under(chain, o.older);
  KASURI_EXPECT(cheap, o.state.load(std::memory_order_relaxed) == offer_state::local,
                "a fork of task %llu is shown in state %u",
                static_cast<unsigned long long>(t.number),
                static_cast<unsigned>(o.state.load(std::memory_order_relaxed)));
  const std::uint64_t first =
      memory.at_fork(t.number == 0 ? program_point{} : program_point{t.number, *t.forks});
  o.task = first != 0 && first_is_offered ? first + 1 : first;
  o.forks[0] = o.forks[1] = 0;
  if (t.number != 0) ++*t.forks;
}

}  // namespace kasuri::cluster
