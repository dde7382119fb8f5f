// SPDX-License-Identifier: Apache-2.0
#include "amr/lanes.hpp"

#include <cstdlib>
#include <iterator>
#include <new>

namespace amr {

void block_pool::release::operator()(node* chunk) const noexcept { std::free(chunk); }

void block_pool::next_chunk() {
  if (!spare_.empty()) {
    chunks_.push_back(std::move(spare_.back()));
    spare_.pop_back();
  } else {
    constexpr std::size_t page = 4096;
    auto* fresh = static_cast<node*>(std::aligned_alloc(page, chunk_bytes));
    if (fresh == nullptr) throw std::bad_alloc();
    chunks_.emplace_back(fresh);
  }
  carve_ = chunks_.back().get();
  carve_end_ = carve_ + chunk_nodes;
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
