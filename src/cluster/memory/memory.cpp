// SPDX-License-Identifier: Apache-2.0
// Beginning and end, release and acquire, the two ends of a run, the heap. Checkouts are in
// checkout.cpp.
#include "cluster/memory/memory.hpp"

#include <atomic>

#include "kasuri/detail/atomics.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {
namespace {

std::atomic<std::uint64_t> memories{0};

/// Before anything is made by them.
const memory_options& usable(transport& network, const memory_options& options) {
  expect_usable(network, options);
  return options;
}

}  // namespace

memory::memory(transport& network, const memory_options& options)
    : network_(network),
      options_(usable(network, options)),
      ranks_(network.size()),
      id_(memories.fetch_add(1, std::memory_order_relaxed) + 1),
      plain_(ranks_ > 1 && !options.checked),
      range_(network, options_),
      blocks_(range_.block_of(range_.bytes())),
      control_(network, notice_ring::bytes_for(options_.log_entries)),
      directory_(network, options_, range_, control_),
      checkouts_(id_, directory_),
      notices_(network, options_, control_, counts_),
      versions_(network, options_, control_, range_, directory_, counts_),
      cache_({network, options_, range_, directory_, checkouts_, blocks_, counts_}, versions_,
             notices_),
      at_begin_(notices_, options_, [this](const notice& n) { cache_.apply(n); }),
      checks_(network, options_, id_, directory_, checkouts_),
      words_(network, options_, directory_, cache_, checks_) {
  detail::prepare_fence_heavy();
}

memory::~memory() {
  cache_.land_all();
  KASURI_EXPECT(all, check() == nullptr, "%s at the end of the memory of rank %d", check(),
                network_.rank());
  network_.barrier();
  directory_.end([this](const region& r) { cache_.forget(r); });
  control_.end();
}

token memory::release() {
  checks_.expect_nothing_held();
  if (ranks_ == 1 || !options_.cached) return {};  // all writes are at home
  cache_.tell();
  return notices_.position();
}

void memory::acquire(const token& t) {
  checks_.expect_nothing_held();
  if (ranks_ == 1) return;
  notices_.learn(t, [this](const notice& n) { cache_.apply(n); });
}

token memory::release_at_report() {
  const token made = release();
  notices_.reported(made);
  return made;
}

carried* memory::at_begin() {
  if (ranks_ == 1 || !options_.cached) return nullptr;
  release();
  at_begin_.take();
  return &at_begin_;
}

void memory::tell_at_end(std::vector<std::byte>& to) {
  if (ranks_ == 1 || !options_.cached) return;
  release();
  const told_to_all told = notices_.written_in_run();
  if (!told.notices.empty()) told.write(to);
}

void memory::learn_at_end(std::span<const std::byte> told) {
  if (told.empty()) return;
  notices_.learn_at_end(told_to_all::read(told), [this](const notice& n) { cache_.apply(n); });
}

std::uint64_t memory::at_fork(const program_point& here) {
  checks_.expect_nothing_held();
  return checks_.at_fork(here);
}

void memory::begin_run() {
  KASURI_EXPECT(all, !checkouts_.none() || cache_.awaits_any() || check() == nullptr,
                "%s at the begin of a run on rank %d", check(), network_.rank());
  checks_.begin_run();
}

void memory::free_array(std::uint64_t offset) {
  directory_.remove(offset, [this](const region& r) {
    cache_.land_all();
    network_.barrier();  // nobody uses it any more
    cache_.forget(r);
  });
}

std::uint64_t memory::allocate(std::uint64_t bytes) {
  const std::uint64_t made = directory_.allocate(bytes);
  note_new(made, bytes);
  return made;
}

void memory::note_new(std::uint64_t offset, std::uint64_t bytes) {
  if (options_.checked)
    checks_.note_use(*directory_.find({offset, offset}), offset, bytes, use::allocate);
}

void memory::deallocate(std::uint64_t offset, std::uint64_t bytes) {
  const directory::object o = directory_.expect_object(offset, bytes);
  // Not all that belongs to it: allocate() begins the history of the bytes asked for anew, and no
  // more.
  if (options_.checked)
    checks_.note_use(*directory_.find({offset, offset}), offset, bytes, use::deallocate);
  // Not `bytes`: what was written behind them, if the size is a little wrong, is no more wanted
  // either.
  if (ranks_ > 1) cache_.forget_dirty({offset, offset + o.bytes});
  KASURI_EXPECT(cheap, bytes <= o.bytes && o.owner >= 0 && o.owner < ranks_,
                "an object of %llu bytes of rank %d was asked for as %llu",
                static_cast<unsigned long long>(o.bytes), o.owner,
                static_cast<unsigned long long>(bytes));
  directory_.deallocate(o);
}

const char* memory::check() {
  if (const char* wrong = directory_.check()) return wrong;
  if (const char* wrong = checkouts_.check()) return wrong;
  return cache_.check();
}

}  // namespace kasuri::cluster
