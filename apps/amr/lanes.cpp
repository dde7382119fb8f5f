// SPDX-License-Identifier: Apache-2.0
#include "amr/lanes.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace amr {

block_pool::chunk block_pool::take_spare_or_new(int numa_node) {
  const auto here = [numa_node](const chunk& c) { return c.numa_node == numa_node; };
  const auto found = std::ranges::find_if(spare_, here);
  if (found == spare_.end())
    return {kasuri::numa::array<node>(chunk_nodes, kasuri::numa::distribution::on_node(numa_node)),
            numa_node};
  chunk taken = std::move(*found);
  spare_.erase(found);
  return taken;
}

void block_pool::next_chunk() {
  chunks_.push_back(take_spare_or_new(kasuri::numa::this_node()));
  carve_ = chunks_.back().nodes.begin();
  carve_end_ = chunks_.back().nodes.end();
}

node* block_pool::allocate() {
  if (free_ != nullptr) {
    node* const block = free_;
    free_ = block->child;
    return block;
  }
  if (carve_ == carve_end_) next_chunk();
  node* const block = carve_;
  carve_ += 4;
  return block;
}

void block_pool::free(node* block) noexcept {
  block->child = free_;
  free_ = block;
}

void block_pool::begin_relocation() {
  old_.swap(chunks_);
  free_ = carve_ = carve_end_ = nullptr;
}

void block_pool::end_relocation() {
  spare_.insert(spare_.end(), std::make_move_iterator(old_.begin()),
                std::make_move_iterator(old_.end()));
  old_.clear();
}

}  // namespace amr
