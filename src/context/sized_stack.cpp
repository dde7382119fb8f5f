// SPDX-License-Identifier: Apache-2.0
#include "context/sized_stack.hpp"

#include <cstdint>
#include <new>

#include "context/valgrind.hpp"
#include "platform/memory/memory.hpp"

namespace kasuri::context {
namespace {

/// The page of the guard comes on top.
std::size_t whole_pages(std::size_t bytes) noexcept {
  const std::size_t page = platform::page_size();
  return (bytes + sizeof(stack) + page - 1) / page * page;
}

}  // namespace

stack* make_stack(std::size_t bytes) noexcept {
  const std::size_t page = platform::page_size();
  const std::size_t all = page + whole_pages(bytes);
  auto* const start = static_cast<std::byte*>(platform::reserve_for_stacks(all));
  if (start == nullptr) return nullptr;
  static_cast<void>(platform::install_guard(start, page));
  const auto at =
      reinterpret_cast<std::uintptr_t>(start + all - sizeof(stack)) & ~std::uintptr_t{63};
  auto* const s = new (reinterpret_cast<void*>(at)) stack;
  s->low = start + page;
  s->high = reinterpret_cast<std::byte*>(s);
  tell_valgrind_of_stack(s->low, s->high);
  return s;
}

void end_stack(stack* s) noexcept {
  const std::size_t page = platform::page_size();
  std::byte* const start = s->low - page;
  const auto end = (reinterpret_cast<std::uintptr_t>(s + 1) + page - 1) / page * page;
  platform::release(start, end - reinterpret_cast<std::uintptr_t>(start));
}

}  // namespace kasuri::context
