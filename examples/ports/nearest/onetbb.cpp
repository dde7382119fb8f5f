// SPDX-License-Identifier: Apache-2.0
#include <oneapi/tbb.h>

#include "input.hpp"

// Body:
class find_nearest {
 public:
  explicit find_nearest(const std::vector<point>& points) : points_(points) {}
  find_nearest(find_nearest& other, tbb::split) : points_(other.points_) {}

  void operator()(const tbb::blocked_range<std::size_t>& part) {
    for (std::size_t i = part.begin(); i != part.end(); ++i) found.look_at(points_, i);
  }
  void join(const find_nearest& right) { found.add(right.found); }

  nearest found;

 private:
  const std::vector<point>& points_;
};
// end

int main() {
  const std::vector<point> points = make_points();
  // Reduce:
  find_nearest body(points);
  tbb::parallel_reduce(tbb::blocked_range<std::size_t>(0, points.size(), 1000), body);
  const nearest found = body.found;
  // end
  print(found);
}
