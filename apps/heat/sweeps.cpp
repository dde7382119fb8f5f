// SPDX-License-Identifier: Apache-2.0
#include "heat/sweeps.hpp"

#include <kasuri/kasuri.hpp>

#include "heat/placement.hpp"

namespace heat {

sweeps::sweeps(plate& p, std::size_t blocks, int imbalance, loop kind)
    : plate_(p), blocks_(blocks), imbalance_(imbalance), kind_(kind) {}

void sweeps::run(std::size_t index) noexcept {
  block& b = blocks_[index];
  const int worker = this_worker();
  b.on_same_worker += b.last_worker == worker ? 1 : 0;
  b.last_worker = worker;
  const int times = 2 * index < blocks_.size() ? imbalance_ : 1;
  for (int i = 0; i < times; ++i) plate_.update(first_row(index), first_row(index + 1));
}

void sweeps::halve(std::size_t begin, std::size_t end) {
  if (end - begin == 1) return run(begin);
  const std::size_t middle = begin + (end - begin) / 2;
  fork(begin, middle, end, [&] { halve(begin, middle); }, [&] { halve(middle, end); });
}

void sweeps::sweep() {
  switch (kind_) {
    case loop::recursive:
      halve(0, blocks_.size());
      break;
    case loop::flat:
      kasuri::parallel_for(std::size_t{0}, blocks_.size(), std::size_t{1},
                           [&](std::size_t index) { run(index); });
      break;
    case loop::serial:
      for (std::size_t index = 0; index < blocks_.size(); ++index) run(index);
      break;
  }
  plate_.advance();
}

std::uint64_t sweeps::on_same_worker() const noexcept {
  std::uint64_t sum = 0;
  for (const block& each : blocks_) sum += each.on_same_worker;
  return sum;
}

}  // namespace heat
