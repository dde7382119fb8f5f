// SPDX-License-Identifier: Apache-2.0
#include <kasuri/kasuri.hpp>

#include "input.hpp"

// Tasks:
double integrate(const piece& p) {
  if (p.is_good()) return p.area();
  const auto [first, second] = kasuri::parallel_invoke([p] { return integrate(p.first()); },
                                                       [p] { return integrate(p.second()); });
  return first + second;
}
// end

int main() {
  // Region:
  const double area = integrate(whole);
  // end
  print(area);
}
