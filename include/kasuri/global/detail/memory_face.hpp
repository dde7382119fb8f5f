// SPDX-License-Identifier: Apache-2.0
#pragma once

// Global memory as the templates of these headers see it: in bytes.

#include <cstddef>
#include <cstdint>

#include "kasuri/global/access.hpp"
#include "kasuri/global/detail/pin.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace global::detail {

/// Of n elements; what does not fit into the result is as many as do, which no allocation has.
template <class T>
constexpr std::uint64_t bytes_of(std::size_t n) noexcept {
  return n > UINT64_MAX / sizeof(T) ? UINT64_MAX : n * sizeof(T);
}

/// Bytes of global memory that are to be checked out.
struct want {
  std::uint64_t offset;
  std::uint64_t bytes;
  access mode;
};

/// A checkout: where its bytes are, and what says that they are in use (null where nobody asks).
struct held {
  void* data;
  pin* kept;
};

held check_out(std::uint64_t offset, std::uint64_t bytes, access mode);
void check_out_all(const want* wanted, held* results, std::size_t count);

/// A checkout that is to come: what says that it lasts, and the number of what is on its way.
struct begun {
  pin* kept = nullptr;
  std::uint64_t number = 0;
};

begun begin_check_out(const want& wanted);
held finish_check_out(const want& wanted, begun b);
void abandon_check_out(begun b) noexcept;

/// Ends a checkout that leaves more to do than to drop its pin.
void check_in_slow(pin& p) noexcept;
/// Ends a checkout.
inline void check_in(pin& p) noexcept {
  if (p.ends_slowly()) [[unlikely]]
    check_in_slow(p);
  else
    p.drop();
}

std::uint64_t allocate_bytes(std::uint64_t bytes);
void deallocate_bytes(std::uint64_t offset, std::uint64_t bytes);

/// rows * columns; throws error where that does not fit into std::size_t.
std::size_t elements_of_grid(std::size_t rows, std::size_t columns);

/// Arrays of elements of `element` bytes. Calls `owner(context, byte)` for the first byte of each
/// chunk.
using owner_function = int (*)(const void* context, std::uint64_t byte);
std::uint64_t make_blocked(std::uint64_t bytes, std::uint64_t element);
std::uint64_t make_cyclic(std::uint64_t bytes, std::uint64_t chunk, std::uint64_t element);
std::uint64_t make_listed(std::uint64_t bytes, std::uint64_t chunk, owner_function owner,
                          const void* context, std::uint64_t element);
std::uint64_t map_file(const char* path, std::uint64_t& bytes);
void end_array(std::uint64_t offset) noexcept;

/// Collective: the bytes as a file.
void write_range(const char* path, std::uint64_t offset, std::uint64_t bytes);

int home_of(std::uint64_t offset);

/// What is done to a word of 4 or 8 bytes. Returns what it was; `expected` counts for compare_swap
/// alone.
enum class word_operation : unsigned char { load, add, exchange, compare_swap };
std::uint64_t word_apply(std::uint64_t offset, word_operation what, unsigned bytes,
                         std::uint64_t value, std::uint64_t expected);

// For programs that were compiled with headers that had these.
std::uint64_t word_add(std::uint64_t offset, std::uint64_t value);
std::uint64_t word_swap(std::uint64_t offset, std::uint64_t expected, std::uint64_t desired);
std::uint64_t word_load(std::uint64_t offset);
void word_store(std::uint64_t offset, std::uint64_t value);

}  // namespace global::detail
}  // namespace kasuri
