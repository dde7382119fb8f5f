// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/front/faces.hpp"

#include <string>

#include "cluster/base/kept_list.hpp"
#include "cluster/base/process.hpp"
#include "cluster/sched/front/strands.hpp"
#include "cluster/sched/scheduler.hpp"
#include "context/stack.hpp"
#include "kasuri/global/detail/fork.hpp"
#include "kasuri/global/error.hpp"
#include "platform/base/expect.hpp"
#include "sched/worker/worker.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace global::detail {

constinit spread_face* kasuri_spread_face = nullptr;

namespace {

cluster::scheduler* scheduler_here() noexcept {
  return cluster::current_process == nullptr ? nullptr : cluster::current_process->scheduler;
}

/// The face of the rank that runs; null where it is between the beginning and the end of its
/// scheduler.
spread_face* simulated_face() {
  cluster::scheduler* const s = scheduler_here();
  return s == nullptr ? nullptr : &s->face();
}

constinit spread_face all_simulated{.of_this_rank = &simulated_face};
constinit int simulated_ranks = 0;

/// A stack's chain. All stand in a list that nobody walks: leak checkers do not look into stacks
/// that nobody runs on.
struct kept_chain {
  fork_chain chain;
  kept_chain* next = nullptr;
};
constinit cluster::kept_list<kept_chain> kept_chains;

cluster::strands& strands_here() noexcept {
  return static_cast<cluster::strands&>(scheduler_here()->pool());
}

}  // namespace

fork_chain* chain_of_simulated() noexcept {
  return strands_here().inside() ? &strands_here().chain() : nullptr;
}

fork_chain* make_chain() noexcept {
  context::stack& stack = *sched::current()->face.stack;
  auto* const kept = new kept_chain;
  kept_chains.add(*kept);
  stack.forks = &kept->chain;  // stays with the stack
  return stack.forks;
}

void spread(spread_face& face, fork_chain& chain, double first_work, double second_work) {
  static_cast<cluster::scheduler*>(face.scheduler)->spread(chain, first_work, second_work);
}

void show_fork(spread_face& face, fork_chain& chain) {
  static_cast<cluster::scheduler*>(face.scheduler)->show_fork(chain, true);
}

void send_to(spread_face& face, fork_chain& chain, int rank) {
  static_cast<cluster::scheduler*>(face.scheduler)->send_to(chain, rank);
}

void refuse_at_home(int rank) {
  throw error("global::at_home of an element of rank " + std::to_string(rank) +
              ": used outside of global::run; accepted: inside of it");
}

bool second_first(const spread_face& face, fork_chain& chain, double first_work,
                  double second_work) noexcept {
  return static_cast<const cluster::scheduler*>(face.scheduler)
      ->second_first(chain, first_work, second_work);
}

bool take_or_wait(offer& o, void* result) { return scheduler_here()->take_or_wait(o, result); }

void abandon(offer& o) noexcept { scheduler_here()->abandon(o); }

void local_push(local_frame* f) noexcept { strands_here().push(f); }

bool local_pop_or_wait(local_frame* f) noexcept { return strands_here().pop_or_wait(f); }

}  // namespace global::detail

namespace cluster {

void set_process_scheduler(scheduler* s) {
  global::detail::kasuri_spread_face = s == nullptr ? nullptr : &s->face();
}

void begin_simulated_rank(scheduler& s) {
  s.face().of_this_rank = &global::detail::simulated_face;
  if (global::detail::simulated_ranks++ == 0)
    global::detail::kasuri_spread_face = &global::detail::all_simulated;
}

void end_simulated_rank() {
  KASURI_EXPECT(cheap, global::detail::simulated_ranks > 0, "%d simulated ranks, and one ends",
                global::detail::simulated_ranks);
  if (--global::detail::simulated_ranks == 0) global::detail::kasuri_spread_face = nullptr;
}

}  // namespace cluster
}  // namespace kasuri
