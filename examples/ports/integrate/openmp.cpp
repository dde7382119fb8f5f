// SPDX-License-Identifier: Apache-2.0
#include "input.hpp"

// Tasks:
double integrate(const piece& p, int depth) {
  if (p.is_good()) return p.area();
  double first;
  double second;
#pragma omp task shared(first) if (depth < 8)
  first = integrate(p.first(), depth + 1);
  second = integrate(p.second(), depth + 1);
#pragma omp taskwait
  return first + second;
}
// end

int main() {
  // Region:
  double area;
#pragma omp parallel
#pragma omp single
  area = integrate(whole, 0);
  // end
  print(area);
}
