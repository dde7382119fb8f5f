// SPDX-License-Identifier: Apache-2.0
#pragma once

// For code that gets no argument for it: the memory of the process that the caller belongs to.

#include <string>

#include "cluster/base/process.hpp"
#include "cluster/memory/memory.hpp"
#include "kasuri/detail/self.hpp"
#include "kasuri/global/error.hpp"

namespace kasuri::cluster {

inline memory& memory_here() {
  const process* p = current_process;
  if (p == nullptr) [[unlikely]]
    p = &started_process();
  return *p->memory;
}

/// A collective call would wait for ever in a task, which one of the ranks runs.
inline void expect_no_task(const char* what) {
  if (kasuri::detail::self() != nullptr)
    throw global::error(std::string(what) +
                        ": used inside a task; accepted: outside of tasks, by all ranks "
                        "(inside, use global::allocate)");
}

}  // namespace kasuri::cluster
