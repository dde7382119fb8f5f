// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// The C++ interface, but for what takes long to compile or is needed seldom: coroutine.hpp,
/// algorithm.hpp (the algorithms of the standard library, kasuri::par) and global.hpp (several
/// machines) are included by themselves.

/// The C++ interface.
namespace kasuri {}

#include "kasuri/detail/needs_cxx20.hpp"

#include "kasuri/arena.hpp"
#include "kasuri/blocking.hpp"
#include "kasuri/channel.hpp"
#include "kasuri/combinable.hpp"
#include "kasuri/future.hpp"
#include "kasuri/invoke.hpp"
#include "kasuri/locality.hpp"
#include "kasuri/numa.hpp"
#include "kasuri/parallel.hpp"
#include "kasuri/pipeline.hpp"
#include "kasuri/promise.hpp"
#include "kasuri/recursive_mutex.hpp"
#include "kasuri/runtime.hpp"
#include "kasuri/shared_mutex.hpp"
#include "kasuri/stop.hpp"
#include "kasuri/sync.hpp"
#include "kasuri/task.hpp"
#include "kasuri/time.hpp"
#include "kasuri/when.hpp"
