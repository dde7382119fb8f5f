// SPDX-License-Identifier: Apache-2.0
// The public templates end here: the memory of the process that the caller belongs to.

#include "kasuri/global/detail/memory_face.hpp"

#include <string>
#include <vector>

#include "cluster/base/process.hpp"
#include "cluster/memory/base/checkout_sums.hpp"
#include "cluster/memory/here.hpp"
#include "cluster/memory/memory.hpp"
#include "kasuri/global/error.hpp"
#include "kasuri/global/memory_counters.hpp"
#include "platform/base/fatal.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace global {
namespace detail {
namespace {

cluster::memory& here() { return cluster::memory_here(); }
using cluster::expect_no_task;

}  // namespace

held check_out(std::uint64_t offset, std::uint64_t bytes, access mode) {
  const cluster::measured_checkout measured(__builtin_return_address(0));
  const cluster::held h = here().checkout(offset, bytes, mode);
  return {h.data, h.kept};
}

void check_out_all(const want* wanted, held* results, std::size_t count) {
  const cluster::measured_checkout measured(__builtin_return_address(0));
  std::vector<cluster::checkout_request> requests;
  for (std::size_t i = 0; i != count; ++i)
    requests.push_back({wanted[i].offset, wanted[i].bytes, wanted[i].mode});
  std::vector<cluster::held> got(count);
  here().checkout_all(requests, got);
  for (std::size_t i = 0; i != count; ++i) results[i] = {got[i].data, got[i].kept};
}

begun begin_check_out(const want& wanted) {
  const cluster::memory::begun b = here().begin({wanted.offset, wanted.bytes, wanted.mode});
  return {b.kept, b.number};
}

held finish_check_out(const want& wanted, begun b) {
  const cluster::held h =
      here().finish({wanted.offset, wanted.bytes, wanted.mode}, {b.kept, b.number});
  return {h.data, h.kept};
}

void abandon_check_out(begun b) noexcept { here().abandon({b.kept, b.number}); }

void check_in_slow(pin& p) noexcept { here().check_in(p); }

std::uint64_t allocate_bytes(std::uint64_t bytes) { return here().allocate(bytes); }

void deallocate_bytes(std::uint64_t offset, std::uint64_t bytes) {
  here().deallocate(offset, bytes);
}

std::size_t elements_of_grid(std::size_t rows, std::size_t columns) {
  if (columns != 0 && rows > SIZE_MAX / columns)
    throw error("global::grid: " + std::to_string(rows) + " rows of " + std::to_string(columns) +
                " elements; accepted: at most " + std::to_string(SIZE_MAX) + " elements in all");
  return rows * columns;
}

std::uint64_t make_blocked(std::uint64_t bytes, std::uint64_t element) {
  expect_no_task("global::vector");
  return here().arrays().add_blocked(bytes, element);
}

std::uint64_t make_cyclic(std::uint64_t bytes, std::uint64_t chunk, std::uint64_t element) {
  expect_no_task("global::vector");
  return here().arrays().add_cyclic(bytes, chunk, element);
}

std::uint64_t make_listed(std::uint64_t bytes, std::uint64_t chunk, owner_function owner,
                          const void* context, std::uint64_t element) {
  expect_no_task("global::vector");
  const auto rank_of = [=](std::uint64_t byte) { return owner(context, byte); };
  return here().arrays().add_listed(bytes, chunk, rank_of, element);
}

std::uint64_t map_file(const char* path, std::uint64_t& bytes) {
  expect_no_task("global::file_view");
  return here().arrays().add_file(path, bytes);
}

void end_array(std::uint64_t offset) noexcept {
  const cluster::process* p = cluster::current_process;
  if (p == nullptr || p->memory == nullptr) return;  // the cluster layer has ended before the array
  try {
    expect_no_task("the end of a global array");
    p->memory->free_array(offset);
  } catch (const error& e) {
    platform::fatal("%s", e.what());
  }
}

int home_of(std::uint64_t offset) { return here().arrays().home_rank(offset); }

std::uint64_t word_apply(std::uint64_t offset, word_operation what, unsigned bytes,
                         std::uint64_t value, std::uint64_t expected) {
  using kind = cluster::atomic_operation::kind;
  static_assert(static_cast<int>(kind::load) == static_cast<int>(word_operation::load) &&
                static_cast<int>(kind::add) == static_cast<int>(word_operation::add) &&
                static_cast<int>(kind::exchange) == static_cast<int>(word_operation::exchange) &&
                static_cast<int>(kind::compare_swap) ==
                    static_cast<int>(word_operation::compare_swap));
  return here().words().apply(offset, {static_cast<kind>(what), bytes, value, expected});
}

std::uint64_t word_add(std::uint64_t offset, std::uint64_t value) {
  return here().words().fetch_add(offset, value);
}

std::uint64_t word_swap(std::uint64_t offset, std::uint64_t expected, std::uint64_t desired) {
  return here().words().compare_swap(offset, expected, desired);
}

std::uint64_t word_load(std::uint64_t offset) { return here().words().load(offset); }

void word_store(std::uint64_t offset, std::uint64_t value) { here().words().store(offset, value); }

}  // namespace detail

memory_counters count_memory() {
  const cluster::memory_counts c = detail::here().counts();
  return {c.hits,           c.misses,    c.fetched_bytes,  c.refetched_bytes, c.written_back_bytes,
          c.version_checks, c.unchanged, c.evicted_blocks, c.waited_ns};
}

}  // namespace global
}  // namespace kasuri
