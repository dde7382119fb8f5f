// SPDX-License-Identifier: Apache-2.0
#include "input.hpp"

double integrate(const piece& p) {
  if (p.is_good()) return p.area();
  const double first = integrate(p.first());
  return first + integrate(p.second());
}

int main() { print(integrate(whole)); }
