// SPDX-License-Identifier: Apache-2.0
#include "common/chosen_system.hpp"

#include "uts/kernel.hpp"
#include "uts/problem.hpp"

namespace {

using namespace bench::uts;

template <class Way>
count search(const node& n, int max_depth) {
  const int number = kernel::children(n, max_depth);
  return itself(n, number) +
         kasuri::model::sum_of<Way, max_children>(number, [&n, max_depth](int i) {
           return search<Way>(kernel::child(n, i), max_depth);
         });
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_model<problem>(
      argc, argv, []<class Way>(problem& p) { return search<Way>(root(), p.max_depth); });
}
