// SPDX-License-Identifier: Apache-2.0
#include "runtimes/rml/recall.hpp"

#include <dlfcn.h>

#include "runtimes/rml/interface.hpp"

namespace kasuri::runtimes::rml {
namespace {

/// The file of the library that the client's functions lie in; null: nobody knows.
const char* file_of(const client_face& c) noexcept {
  const void* const functions = *reinterpret_cast<const void* const*>(&c);
  Dl_info where;
  return dladdr(functions, &where) != 0 ? where.dli_fname : nullptr;
}

}  // namespace

recall::recall(const client_face& of) noexcept {
  const char* const file = file_of(of);
  if (file != nullptr) file_ = file;
}

bool recall::hold_library() noexcept {
  library_ = dlopen(file_.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (library_ == nullptr) return false;
  // tbb::detail::r1::create and destroy (d1::global_control&)
  create_ = reinterpret_cast<function*>(
      dlsym(library_, "_ZN3tbb6detail2r16createERNS0_2d114global_controlE"));
  destroy_ = reinterpret_cast<function*>(
      dlsym(library_, "_ZN3tbb6detail2r17destroyERNS0_2d114global_controlE"));
  if (create_ != nullptr && destroy_ != nullptr) return true;
  dlclose(library_);
  return false;
}

void recall::limit_to(int workers) noexcept {
  lift();
  if (!hold_library()) return;
  here_ = {static_cast<std::size_t>(workers) + 1, 0, max_allowed_parallelism};
  limited_ = true;
  create_(here_);
}

void recall::lift() noexcept {
  if (!limited_) return;
  limited_ = false;
  destroy_(here_);
  dlclose(library_);
}

}  // namespace kasuri::runtimes::rml
