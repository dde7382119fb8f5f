// SPDX-License-Identifier: Apache-2.0
// The end of a program that is compiled without exceptions, by one that the library throws.
//
// Not by a look at each throw: what calls may have a handler all the same, in a program of which
// only a part is without exceptions, or in the C interface, which makes codes of them.

#include <atomic>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>
#include <typeinfo>

#include "platform/base/fatal.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

bool end_with_a_line() noexcept;  // declared for such programs alone: detail/exceptions.hpp

namespace {

constinit std::atomic<std::terminate_handler> handler_before{nullptr};

/// The text without the name that the line begins with anyhow.
std::string_view text_of(const std::exception& e) noexcept {
  std::string_view text = e.what();
  for (const std::string_view prefix : {"kasuri::", "kasuri: "})
    if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  return text;
}

/// Of the library's own: of a type of namespace kasuri, or of std with a text that names it.
bool is_ours(const std::exception& e) noexcept {
  return std::string_view(typeid(e).name()).starts_with("N6kasuri") ||
         std::string_view(e.what()).starts_with("kasuri");
}

/// Returns where it is the program's own.
void end_by_ours(const std::exception_ptr& uncaught) {
  constexpr const char* reason = "nobody catches it in a program without exceptions";
  try {
    std::rethrow_exception(uncaught);
  } catch (const std::bad_alloc&) {
    platform::fatal("std::bad_alloc: no memory; %s", reason);
  } catch (const std::exception& e) {
    if (!is_ours(e)) return;
    const std::string_view text = text_of(e);
    platform::fatal("%.*s; %s", static_cast<int>(text.size()), text.data(), reason);
  } catch (...) {
    return;
  }
}

[[noreturn]] void terminate() {
  if (const std::exception_ptr uncaught = std::current_exception()) end_by_ours(uncaught);
  // acquire: pairs with the release in end_with_a_line
  const std::terminate_handler before = handler_before.load(std::memory_order_acquire);
  if (before != nullptr) before();
  std::abort();
}

}  // namespace

bool end_with_a_line() noexcept {
  if (std::get_terminate() == terminate) return true;
  // release: pairs with the acquire in terminate
  handler_before.store(std::get_terminate(), std::memory_order_release);
  std::set_terminate(terminate);
  return true;
}

}  // namespace detail
}  // namespace kasuri
