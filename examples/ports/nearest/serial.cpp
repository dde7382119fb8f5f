// SPDX-License-Identifier: Apache-2.0
#include "input.hpp"

int main() {
  const std::vector<point> points = make_points();
  nearest found;
  for (std::size_t i = 0; i != points.size(); ++i) found.look_at(points, i);
  print(found);
}
