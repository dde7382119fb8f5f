// SPDX-License-Identifier: Apache-2.0
#include "runtimes/rml/recall.hpp"

#include <dlfcn.h>

#include "runtimes/rml/interface.hpp"

namespace kasuri::runtimes::rml {
namespace {

/// The library that the client's functions lie in; null: the program itself, or unknown.
void* library_of(const client_face& c) noexcept {
  const void* const functions = *reinterpret_cast<const void* const*>(&c);
  Dl_info where;
  if (dladdr(functions, &where) == 0 || where.dli_fname == nullptr) return nullptr;
  return dlopen(where.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

}  // namespace

recall::recall(const client_face& of) noexcept {
  void* const library = library_of(of);
  if (library == nullptr) return;
  // tbb::detail::r1::create and destroy (d1::global_control&)
  create_ = reinterpret_cast<function*>(
      dlsym(library, "_ZN3tbb6detail2r16createERNS0_2d114global_controlE"));
  destroy_ = reinterpret_cast<function*>(
      dlsym(library, "_ZN3tbb6detail2r17destroyERNS0_2d114global_controlE"));
  if (create_ == nullptr || destroy_ == nullptr) create_ = nullptr;
  dlclose(library);  // it stays: whoever made the client uses it
}

void recall::limit_to(int workers) noexcept {
  if (create_ == nullptr) return;
  lift();
  here_ = {static_cast<std::size_t>(workers) + 1, 0, max_allowed_parallelism};
  create_(here_);
  limited_ = true;
}

void recall::lift() noexcept {
  if (!limited_) return;
  limited_ = false;
  destroy_(here_);
}

}  // namespace kasuri::runtimes::rml
