// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <kasuri/global/checkout.hpp>
#include <kasuri/global/invoke.hpp>
#include <kasuri/global/share.hpp>
#include <kasuri/global/vector.hpp>

/// The plate of apps/heat in global memory: rows in blocks on the ranks. The same operations on
/// every point, so the same bits.
namespace heat_cluster {

namespace global = kasuri::global;

/// One field: size x size points, row by row; the edge around it is held at 0 and not stored.
struct field {
  global::view<double> points;
  std::size_t size;

  global::view<double> rows(std::size_t begin, std::size_t end) const {
    return points.subview(begin * size, (end - begin) * size);
  }
};

/// Rows in blocks, a task each.
struct division {
  std::size_t size;
  std::size_t blocks;
  std::size_t first_row(std::size_t block) const { return size * block / blocks; }
};

/// Hot in a disc around the centre.
inline double initial(std::size_t size, std::size_t row, std::size_t column) {
  const double centre = static_cast<double>(size + 1) / 2;
  const double radius = static_cast<double>(size) / 4;
  const double y = static_cast<double>(row + 1) - centre;
  const double x = static_cast<double>(column + 1) - centre;
  return x * x + y * y <= radius * radius ? 1 : 0;
}

/// One row of the next field from three of the current one.
inline void update_row(const double* above, const double* here, const double* below, double* out,
                       std::size_t size) {
  constexpr double diffusion = 0.2;  // conductivity * dt / h^2; stable up to 0.25
  const auto at = [&](std::size_t i, double left, double right) {
    const double flow = ((above[i] + below[i]) + (left + right)) - 4 * here[i];
    out[i] = here[i] + diffusion * flow;
  };
  if (size == 1) return at(0, 0, 0);
  at(0, 0, here[1]);
  for (std::size_t i = 1; i + 1 < size; ++i) at(i, here[i - 1], here[i + 1]);
  at(size - 1, here[size - 2], 0);
}

/// The rows [begin, end) of `next`: reads these of `now`, and one more on each side.
inline void update_rows(field now, field next, std::size_t begin, std::size_t end) {
  const std::size_t n = now.size;
  const std::size_t from = begin == 0 ? 0 : begin - 1;
  const std::size_t to = end == n ? n : end + 1;
  const global::view<double> old_rows = now.rows(from, to);
  const global::view<double> new_rows = next.rows(begin, end);
  const auto [old, fresh] =
      global::checkout_all(global::request(old_rows.begin(), old_rows.size(), global::read),
                           global::request(new_rows.begin(), new_rows.size(), global::write));
  const std::vector<double> edge(from == begin || to == end ? n : 0);
  for (std::size_t row = begin; row < end; ++row) {
    const double* const here = old.data() + (row - from) * n;
    const double* const above = row == 0 ? edge.data() : here - n;
    const double* const below = row + 1 == n ? edge.data() : here + n;
    update_row(above, here, below, fresh.data() + (row - begin) * n, n);
  }
}

/// Calls body(block) for the blocks [begin, end), in halves that say how many rows they stand for:
/// the same block then meets the same rank in every sweep under KASURI_SCHED=adws.
template <class Body>
void each_block(division d, std::size_t begin, std::size_t end, Body body) {
  if (end - begin == 1) return body(begin);
  const std::size_t middle = begin + (end - begin) / 2;
  const auto rows = [=](std::size_t from, std::size_t to) {
    return static_cast<double>(d.first_row(to) - d.first_row(from));
  };
  global::parallel_invoke(
      global::share(rows(begin, middle), [=] { each_block(d, begin, middle, body); }),
      global::share(rows(middle, end), [=] { each_block(d, middle, end, body); }));
}

inline void start_rows(field f, std::size_t begin, std::size_t end) {
  const auto x = global::checkout(f.rows(begin, end), global::write);
  for (std::size_t row = begin; row < end; ++row)
    for (std::size_t column = 0; column < f.size; ++column)
      x[(row - begin) * f.size + column] = initial(f.size, row, column);
}

inline void start(field f, division d) {
  each_block(d, 0, d.blocks,
             [=](std::size_t block) { start_rows(f, d.first_row(block), d.first_row(block + 1)); });
}

/// One step of the whole plate.
inline void sweep(field now, field next, division d) {
  each_block(d, 0, d.blocks, [=](std::size_t block) {
    update_rows(now, next, d.first_row(block), d.first_row(block + 1));
  });
}

}  // namespace heat_cluster
