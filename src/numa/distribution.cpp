// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kasuri/numa.hpp"
#include "numa/nodes.hpp"
#include "platform/memory/memory.hpp"

namespace kasuri::numa {
namespace {

/// Rows of the grid that `count` nodes form: the largest divisor up to the root.
std::size_t grid_rows(std::size_t count) noexcept {
  std::size_t rows = 1;
  for (std::size_t d = 2; d * d <= count; ++d)
    if (count % d == 0) rows = d;
  return rows;
}

}  // namespace

distribution distribution::on_node(int number) noexcept {
  distribution d;
  d.kind_ = kind::on_node;
  d.node_ = number;
  return d;
}

distribution distribution::blocked() noexcept {
  distribution d;
  d.kind_ = kind::blocked;
  return d;
}

distribution distribution::cyclic(std::size_t pages) noexcept {
  distribution d;
  d.kind_ = kind::cyclic;
  d.unit_ = pages;
  return d;
}

distribution distribution::block_cyclic(std::size_t bytes) noexcept {
  distribution d;
  d.kind_ = kind::block_cyclic;
  d.unit_ = bytes;
  return d;
}

distribution distribution::tiles(std::size_t rows, std::size_t row_bytes, std::size_t tile_rows,
                                 std::size_t tile_bytes) noexcept {
  distribution d;
  d.kind_ = kind::tiles;
  d.rows_ = rows;
  d.row_bytes_ = row_bytes;
  d.tile_rows_ = tile_rows;
  d.tile_bytes_ = tile_bytes;
  return d;
}

bool distribution::is_valid(std::span<const int> numbers) const noexcept {
  switch (kind_) {
    case kind::on_node:
      return std::ranges::find(numbers, node_) != numbers.end();
    case kind::cyclic:
    case kind::block_cyclic:
      return unit_ != 0;
    case kind::tiles:
      return rows_ != 0 && row_bytes_ != 0 && tile_rows_ != 0 && tile_bytes_ != 0;
    case kind::first_touch:
    case kind::blocked:
      break;
  }
  return true;
}

int distribution::node_at(std::size_t offset, std::size_t bytes, std::span<const int> numbers,
                          std::size_t page) const noexcept {
  if (kind_ == kind::first_touch || kind_ == kind::on_node) return node_;
  const std::size_t total = bytes / page + (bytes % page != 0);
  return numbers[turn_of(offset / page, total, numbers.size(), page)];
}

std::size_t distribution::turn_of(std::size_t page_number, std::size_t total, std::size_t count,
                                  std::size_t page) const noexcept {
  switch (kind_) {
    case kind::blocked:
      return page_number * count / total;
    case kind::cyclic:
      return page_number / unit_ % count;
    case kind::block_cyclic:
      return page_number * page / unit_ % count;
    case kind::tiles:
      return tile_of(page_number * page, count);
    case kind::first_touch:
    case kind::on_node:
      break;
  }
  return 0;
}

std::size_t distribution::tile_of(std::size_t first_byte, std::size_t count) const noexcept {
  const std::size_t p = grid_rows(count);
  const std::size_t q = count / p;
  const std::size_t i = std::min(first_byte / row_bytes_, rows_ - 1) / tile_rows_;
  const std::size_t j = first_byte % row_bytes_ / tile_bytes_;
  return i % p * q + j % q;
}

int distribution::node_at(std::size_t offset, std::size_t bytes) const {
  return node_at(offset, bytes, this_machine().round(), platform::page_size());
}

}  // namespace kasuri::numa
