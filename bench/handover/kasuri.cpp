// SPDX-License-Identifier: Apache-2.0
#include "common/chosen_system.hpp"

#include <mutex>

#include "handover/problem.hpp"

namespace {

struct kasuri_tasks : bench::chosen_system {
  using chosen_system::chosen_system;
  using mutex = kasuri::mutex;
  using condition_variable = kasuri::condition_variable;
  using unique_lock = std::unique_lock<kasuri::mutex>;
  using barrier = kasuri::barrier;

  template <class F, class G>
  static void both(const F& f, const G& g) {
    kasuri::task_group group;
    group.run([&f] { f(); });
    group.run([&g] { g(); });
    group.wait();
  }
};

}  // namespace

int main(int argc, char** argv) {
  using namespace bench::handover;
  return bench::run<kasuri_tasks, problem>(argc, argv, solver<kasuri_tasks>::variants());
}
