// SPDX-License-Identifier: Apache-2.0
#pragma once

// Parts of a rank's scheduler by themselves, on simulated ranks that run nothing.

#include <functional>

#include "cluster/base/coherence.hpp"
#include "cluster/sched/base/site.hpp"
#include "cluster/sched/base/travelled.hpp"
#include "cluster/transport/simulated/simulated.hpp"
#include "kasuri/global/detail/fork.hpp"

namespace kasuri::cluster::test {

/// There is one task, the rank's own code: it naps while it waits.
class lone_task final : public pool_side {
 public:
  explicit lone_task(transport& net) : net_(net) {}

  std::function<void()> meanwhile = [] {};
  int blocked = 0;  // times

  void block(publish p, void* arg) override {
    ready_ = false;
    if (!p(arg, this)) return;
    ++blocked;
    while (!ready_) {
      meanwhile();
      if (!ready_) net_.nap(1000);
    }
  }
  void make_ready(void* task) override { ready_ = task == this; }
  global::detail::fork_chain& chain() override { return chain_; }
  [[nodiscard]] bool shares_process() const noexcept override { return true; }
  [[nodiscard]] bool inside() const override { return inside_; }
  void enter(void (*call)(void*), void* arg) override {
    inside_ = true;
    call(arg);
    inside_ = false;
  }

 private:
  transport& net_;
  global::detail::fork_chain chain_;
  bool ready_ = false;
  bool inside_ = false;
};

/// What the parts of one rank need.
struct rank_parts {
  rank_parts(transport& net, const scheduler_options& how)
      : pool(net),
        site{net, memory, pool, how, net.rank(), net.size(), net.allocate(layout::bytes), {}} {}
  ~rank_parts() { site.net.free(site.words); }

  no_coherence memory;
  lone_task pool;
  sched_site site;
  travelled_store store{nullptr};
};

/// body(parts) at each rank.
template <class Body>
void on_parts(int ranks, Body body, const scheduler_options& how = {}) {
  simulation_options network;
  network.ranks = ranks;
  simulation all(network);
  all.run([&](int, transport& net) {
    rank_parts parts(net, how);
    body(parts);
    net.barrier();
  });
}

/// A fork that nobody runs; `half` is its second one.
template <class G>
struct idle_fork : global::detail::offer_of<G> {
  idle_fork(global::detail::fork_chain& on, G half)
      : global::detail::offer_of<G>(std::move(half), &on) {}
  ~idle_fork() { this->finished = true; }
};

}  // namespace kasuri::cluster::test
