// SPDX-License-Identifier: Apache-2.0
// A bag over all ranks. Each rank adds to its own part, without a message:
//
//   count     elements that are there
//   chunks    where each chunk lies, in the rank's heap; 0: it is not there yet. The first has what
//             fits into 4 KiB, each further one twice as many elements as the one before
//
// A task sees to it that the chunk of the next element is there, and then raises the count by a
// compare-and-swap from what it saw. So nobody waits, and where there is no memory nothing has
// changed. Of two tasks that make a chunk one frees its own again. The elements are written and
// read by checkouts, as those of any array.

#include "kasuri/global/detail/bag_parts.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "cluster/base/process.hpp"
#include "cluster/memory/here.hpp"
#include "cluster/transport/meet.hpp"
#include "kasuri/global/error.hpp"
#include "platform/base/fatal.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace global::detail {
namespace {

constexpr std::uint64_t count_word = 0;
constexpr std::uint64_t chunks_start = 8;
constexpr std::uint64_t most_chunks = 48;
constexpr std::uint64_t part_bytes = chunks_start + 8 * most_chunks;
// With the 16 bytes of the heap's own, twice which is the next one's, and so on.
constexpr std::uint64_t first_chunk_bytes = 4096 - 16;

std::uint64_t word_at(const bag_parts& b, std::uint64_t part, std::uint64_t word) noexcept {
  return b.begin + part * b.part_bytes + word;
}
std::uint64_t chunk_word(const bag_parts& b, std::uint64_t part, std::uint64_t which) noexcept {
  return word_at(b, part, chunks_start + 8 * which);
}

std::uint64_t first_size(std::uint64_t element) noexcept {
  return std::max<std::uint64_t>(1, first_chunk_bytes / element);
}
/// Elements of a chunk, and of all before it.
std::uint64_t size_of(std::uint64_t element, std::uint64_t which) noexcept {
  return first_size(element) << which;
}
std::uint64_t before(std::uint64_t element, std::uint64_t which) noexcept {
  return first_size(element) * ((std::uint64_t{1} << which) - 1);
}
/// The chunk of an element.
std::uint64_t chunk_with(std::uint64_t element, std::uint64_t number) noexcept {
  return static_cast<std::uint64_t>(std::bit_width(number / first_size(element) + 1)) - 1;
}

/// Where chunk `which` of this rank lies, which it makes if it is not there.
std::uint64_t chunk_here(cluster::memory& m, std::uint64_t word, std::uint64_t element,
                         std::uint64_t which) {
  if (const std::uint64_t there = m.words().load(word); there != 0) return there;
  const std::uint64_t bytes = size_of(element, which) * element;
  // Not memory::allocate: under checks the bytes would be this task's; each element is its adder's.
  const std::uint64_t made = m.arrays().allocate(bytes);
  const std::uint64_t there = m.words().compare_swap(word, 0, made);
  if (there == 0) return made;
  m.arrays().deallocate(m.arrays().expect_object(made, bytes));
  return there;
}

}  // namespace

bag_parts make_bag(std::uint64_t element) {
  cluster::expect_no_task("global::bag");
  cluster::memory& m = cluster::memory_here();
  cluster::meet(m.network(), {.what = cluster::collective_call::kind::bag, .sizes = {element, 0}});
  bag_parts b;
  b.ranks = static_cast<std::uint64_t>(m.network().size());
  b.part_bytes = part_bytes;
  b.begin = m.arrays().add_parts(b.part_bytes, "a global::bag");
  return b;
}

void end_bag(const bag_parts& b, std::uint64_t element) noexcept {
  const cluster::process* p = cluster::current_process;
  if (p == nullptr || p->memory == nullptr) return;  // the cluster layer has ended before the bag
  cluster::memory& m = *p->memory;
  try {
    cluster::expect_no_task("the end of a global::bag");
    std::array<std::uint64_t, most_chunks> chunks;
    const auto mine = static_cast<std::uint64_t>(m.network().rank());
    for (std::uint64_t which = 0; which != most_chunks; ++which)
      chunks[which] = m.words().load(chunk_word(b, mine, which));
    m.free_array(b.begin);  // nobody uses it any more
    for (std::uint64_t which = 0; which != most_chunks; ++which)
      if (chunks[which] != 0) m.deallocate(chunks[which], size_of(element, which) * element);
  } catch (const error& e) {
    platform::fatal("%s", e.what());
  }
}

std::uint64_t place_in(const bag_parts& b, std::uint64_t element) {
  cluster::memory& m = cluster::memory_here();
  const auto mine = static_cast<std::uint64_t>(m.network().rank());
  const std::uint64_t count = word_at(b, mine, count_word);
  std::uint64_t number = m.words().load(count);
  while (true) {
    const std::uint64_t which = chunk_with(element, number);
    const std::uint64_t chunk = chunk_here(m, chunk_word(b, mine, which), element, which);
    const std::uint64_t seen = m.words().compare_swap(count, number, number + 1);
    if (seen == number) {
      const std::uint64_t at = chunk + (number - before(element, which)) * element;
      m.note_new(at, element);
      return at;
    }
    number = seen;
  }
}

std::uint64_t count_of(const bag_parts& b, std::uint64_t part) {
  return cluster::memory_here().words().load(word_at(b, part, count_word));
}

void empty(const bag_parts& b) {
  for (std::uint64_t part = 0; part != b.ranks; ++part)
    cluster::memory_here().words().store(word_at(b, part, count_word), 0);
}

std::uint64_t chunks_for(std::uint64_t element, std::uint64_t count) noexcept {
  return count == 0 ? 0 : chunk_with(element, count - 1) + 1;
}

bag_chunk chunk_of(const bag_parts& b, std::uint64_t element, std::uint64_t part,
                   std::uint64_t which, std::uint64_t count) {
  const std::uint64_t first = before(element, which);
  return {cluster::memory_here().words().load(chunk_word(b, part, which)), first,
          std::min(size_of(element, which), count - first)};
}

}  // namespace global::detail
}  // namespace kasuri
