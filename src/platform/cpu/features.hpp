// SPDX-License-Identifier: Apache-2.0
// Features of this kernel and CPU, for `kasuri info`. The code that uses a feature asks for itself.
#pragma once

#include <string>

namespace kasuri::platform {

struct features {
  bool membarrier = false;     // MEMBARRIER_CMD_PRIVATE_EXPEDITED: the asymmetric fence
  bool fsgsbase = false;       // user code may read and write the thread pointer (x86)
  bool guard_install = false;  // MADV_GUARD_INSTALL: guard pages without a mapping each
  std::string huge_pages;      // transparent huge pages: "always", "madvise", "never" or "none"
};

/// Tries each of them; harmless, and 0.1 ms.
features probe_features();

}  // namespace kasuri::platform
