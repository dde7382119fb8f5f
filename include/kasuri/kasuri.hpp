// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Everything of the C++ interface.

/// The C++ interface.
namespace kasuri {}

#include "kasuri/detail/needs_cxx20.hpp"

#include "kasuri/blocking.hpp"
#include "kasuri/combinable.hpp"
#include "kasuri/future.hpp"
#include "kasuri/invoke.hpp"
#include "kasuri/locality.hpp"
#include "kasuri/numa.hpp"
#include "kasuri/parallel.hpp"
#include "kasuri/runtime.hpp"
#include "kasuri/sync.hpp"
#include "kasuri/task.hpp"
