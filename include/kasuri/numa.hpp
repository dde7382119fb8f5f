// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Memory on machines of several NUMA nodes: where it is put, moved, and found. On a machine of one
/// node all of it works and places nothing; so it does where the system forbids a process to
/// choose.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "kasuri/detail/cxx_library.hpp"

namespace [[gnu::visibility("default")]] kasuri {

/// NUMA nodes, how data is distributed over them, and which node holds an address.
namespace numa {

/// A NUMA node that has memory for this process. A node without memory is none of these: its CPUs
/// count for the node whose memory is nearest to them.
struct node {
  int number;                  ///< the kernel's number; numbers may have gaps
  int cpus;                    ///< CPUs of this process that are nearest to it; 0: memory only
  std::uint64_t memory_bytes;  ///< all of its memory, free or not
};

/// The nodes that have memory for this process, ascending by number; at least one.
/// @par Thread-safety: any thread.
std::span<const node> nodes();

/// The number of the node that is nearest to the CPU the calling thread runs on.
/// @par Thread-safety: any thread.
int this_node() noexcept;

/// The rule that says on which node each page of a range is to be.
///
/// Pages are whole: one is put where its first byte belongs. Where a distribution goes round the
/// nodes, it goes round those of nodes() that have CPUs, ascending by number; all of nodes() if
/// none has.
/// @par Thread-safety: a value; const members from any thread.
class distribution {
 public:
  /// No place of its own: each page is where it is touched first, as the system has it.
  static distribution first_touch() noexcept { return {}; }

  /// All on one node.
  /// @param number  the kernel's number of a node of nodes(); other numbers are refused where the
  ///                distribution is used.
  static distribution on_node(int number) noexcept;

  /// One consecutive part to each node; parts differ by at most a page.
  static distribution blocked() noexcept;

  /// Page by page in turns; as cyclic(1).
  static distribution interleaved() noexcept { return cyclic(1); }

  /// In turns by `pages` pages.
  /// @param pages  pages of a turn, at least 1; 0 is refused where the distribution is used.
  static distribution cyclic(std::size_t pages) noexcept;

  /// In turns by blocks of bytes, which need not be whole pages.
  /// @param bytes  bytes of a block, at least 1; 0 is refused where the distribution is used.
  static distribution block_cyclic(std::size_t bytes) noexcept;

  /// A matrix row by row, cut into tiles that go round a grid of nodes in both directions: tile (i,
  /// j) is on node (i mod p) * q + j mod q, where p * q nodes form the grid and p is the largest
  /// divisor of their number that is at most its root. Four nodes form 2 x 2: tiles of half the
  /// rows and half the columns are quadrants. Rows beyond `rows` count for the last one.
  /// @param rows        rows of the matrix.
  /// @param row_bytes   bytes from one row to the next.
  /// @param tile_rows   rows of a tile.
  /// @param tile_bytes  bytes of a row in a tile; less than a page makes little sense.
  ///                    0 for any of them is refused where the distribution is used.
  static distribution tiles(std::size_t rows, std::size_t row_bytes, std::size_t tile_rows,
                            std::size_t tile_bytes) noexcept;

  /// Whether on_node was given a node of `numbers`, and the others no size of 0.
  bool is_valid(std::span<const int> numbers) const noexcept;

  /// Where a byte is to be: nothing but arithmetic, on any machine.
  /// @param offset   of the byte, from the range's first; less than `bytes`.
  /// @param bytes    of the range, at least 1.
  /// @param numbers  the nodes to go round; at least one.
  /// @param page     bytes of a page.
  /// @return one of `numbers`, on_node's own, or -1 for first_touch.
  int node_at(std::size_t offset, std::size_t bytes, std::span<const int> numbers,
              std::size_t page) const noexcept;

  /// The same for this process' nodes and its pages of usual size. Of huge pages, the last
  /// overload's `page` says the size.
  int node_at(std::size_t offset, std::size_t bytes) const;

  /// Whether both were made alike.
  friend bool operator==(const distribution&, const distribution&) = default;

 private:
  enum class kind : std::uint8_t { first_touch, on_node, blocked, cyclic, block_cyclic, tiles };

  std::size_t turn_of(std::size_t page_number, std::size_t total, std::size_t count,
                      std::size_t page) const noexcept;
  std::size_t tile_of(std::size_t first_byte, std::size_t count) const noexcept;

  kind kind_ = kind::first_touch;
  int node_ = -1;
  std::size_t unit_ = 0;  // pages or bytes of a turn
  std::size_t rows_ = 0;
  std::size_t row_bytes_ = 0;
  std::size_t tile_rows_ = 0;
  std::size_t tile_bytes_ = 0;
};

/// Wishes for alloc beside a distribution.
struct alloc_options {
  /// Ask for the system's transparent huge pages. The range then begins on the boundary of one, and
  /// the pages of its distribution are huge ones. Where the system gives none, small ones serve.
  bool huge_pages = false;
};

/// Memory of its own pages, zeroed. Pages are placed when they are touched; at once where a
/// distribution has more than 1024 pieces, because the kernel keeps a record for each piece.
/// cyclic(1) has one piece where the nodes are a power of two. A full node lets others help out.
/// @param bytes    0 counts as 1; rounded up to whole pages.
/// @param d        where they are to be.
/// @param options  huge pages.
/// @return the first byte, on a page boundary; to be given back by free with the same `bytes`.
/// @throw std::invalid_argument when the distribution is not valid on this machine;
///        std::bad_alloc when there is no memory.
/// @par Thread-safety: any thread.
void* alloc(std::size_t bytes, const distribution& d = {}, alloc_options options = {});

/// Gives memory of alloc back.
/// @param memory  what alloc returned; null is accepted.
/// @param bytes   what alloc was asked for.
/// @par Thread-safety: any thread.
void free(void* memory, std::size_t bytes) noexcept;

/// Moves the pages of a range, of any origin, to where the distribution has them; counted from the
/// boundary of the page that holds `start`, and each page that the range touches as a whole. Pages
/// that nobody has touched yet will be placed so when they are, unless the distribution has more
/// than 1024 pieces. first_touch moves nothing and takes earlier wishes back. Huge pages in which
/// two nodes meet are cut into small ones.
/// @param start  the first byte; contents and addresses stay as they are.
/// @param bytes  of the range.
/// @param d      where they are to be.
/// @return pages that are elsewhere afterwards: shared with other processes, pinned, no memory
///         there, or the system forbids it. Untouched ones do not count.
/// @throw std::invalid_argument when `start` is null with `bytes` other than 0, or the distribution
/// is not valid on this machine.
/// @par Thread-safety: any thread; others may use the memory meanwhile.
std::size_t move(void* start, std::size_t bytes, const distribution& d);

/// The number of the node that holds the page of an address, or is about to (alloc and move know it
/// before the page is touched). A look-up in a table that asks the kernel for many pages at once,
/// and for none again within a second or more: an answer may be stale where others than alloc, free
/// and move change the place of memory. On a machine of one node always that one.
/// @param address  any; need not be valid.
/// @return -1: unknown, not touched yet, nothing there, or the system does not tell.
/// @par Thread-safety: any thread. Never waits.
int node_of(const void* address) noexcept;

/// Makes node_of ask anew for a range: after munmap, mremap, or move_pages of the program's own.
/// @param start  the first byte.
/// @param bytes  of the range.
/// @par Thread-safety: any thread.
void forget(const void* start, std::size_t bytes) noexcept;

/// An array in memory of alloc that gives it back. Elements begin as zero bytes and are not
/// touched.
/// @tparam T  a type for which zero bytes are a value and no destructor runs.
/// @par Thread-safety: as a std::vector that never grows.
template <class T>
class array {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>,
                "numa::array: elements are bytes to it: no constructor and no destructor runs");

 public:
  /// No elements.
  array() noexcept = default;

  /// @param count    elements.
  /// @param d        where they are to be.
  /// @param options  as for alloc.
  /// @throw as alloc; std::bad_alloc also when the bytes are more than an address space.
  explicit array(std::size_t count, const distribution& d = {}, alloc_options options = {})
      : data_(static_cast<T*>(alloc(bytes_of(count), d, options))), size_(count) {}

  /// Takes over; the other is empty then.
  array(array&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  /// The same; frees what it had.
  array& operator=(array&& other) noexcept {
    array taken(std::move(other));
    std::swap(data_, taken.data_);
    std::swap(size_, taken.size_);
    return *this;
  }
  ~array() {
    if (data_ != nullptr) free(data_, bytes_of(size_));
  }

  /// The first element; null when empty by default or by a move.
  T* data() const noexcept { return data_; }
  /// How many.
  std::size_t size() const noexcept { return size_; }
  /// The element at `i`, which is less than size().
  T& operator[](std::size_t i) const noexcept { return data_[i]; }
  /// For loops.
  T* begin() const noexcept { return data_; }
  /// For loops.
  T* end() const noexcept { return data_ + size_; }

 private:
  static std::size_t bytes_of(std::size_t count) noexcept {
    return count <= SIZE_MAX / sizeof(T) ? count * sizeof(T) : SIZE_MAX;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace numa
}  // namespace kasuri
