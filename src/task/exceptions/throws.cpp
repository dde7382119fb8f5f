// SPDX-License-Identifier: Apache-2.0
#include "kasuri/detail/throws.hpp"

#include <new>
#include <stdexcept>
#include <string>

#include "kasuri/promise.hpp"

namespace [[gnu::visibility("default")]] kasuri {

broken_promise::~broken_promise() = default;

namespace detail {

void throw_bad_alloc() { throw std::bad_alloc(); }
void throw_logic_error(const char* what) { throw std::logic_error(what); }
void throw_invalid_argument(const char* what) { throw std::invalid_argument(what); }
void throw_out_of_range(const char* what) { throw std::out_of_range(what); }
void throw_future_without_task(std::size_t index) {
  throw std::logic_error("kasuri: of the futures that are waited for as one, number " +
                         std::to_string(index) + " has no task behind it");
}

std::exception_ptr logic_error_of(const char* what) noexcept {
  return std::make_exception_ptr(std::logic_error(what));
}
std::exception_ptr broken_promise_of() noexcept {
  return std::make_exception_ptr(broken_promise());
}

}  // namespace detail
}  // namespace kasuri
