// SPDX-License-Identifier: Apache-2.0
#include <kasuri/kasuri.hpp>

#include "input.hpp"

int main() {
  const std::vector<point> points = make_points();
  // Reduce:
  using indices = kasuri::blocked_range<std::size_t>;
  const nearest found = kasuri::parallel_reduce(
      indices(0, points.size()), nearest{},
      [&](const indices& part, nearest so_far) {  // the body's operator()
        for (std::size_t i = part.begin(); i != part.end(); ++i) so_far.look_at(points, i);
        return so_far;
      },
      [](nearest left, const nearest& right) {  // its join
        left.add(right);
        return left;
      });
  // end
  print(found);
}
