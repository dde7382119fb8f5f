// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// What came of an attempt to put something into a container.

#include "kasuri/detail/needs_cxx20.hpp"

namespace kasuri::global {

/// What insert, add and update of a hash_map did. It has to be looked at: the third is a failure.
enum class [[nodiscard]] insertion : unsigned char {
  made,     ///< the key was not there, and is now
  present,  ///< the key was there before
  full      ///< the key is not there, and there is no room for it; nothing has changed
};

}  // namespace kasuri::global
