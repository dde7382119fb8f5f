// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// The cluster layer: one fork-join program over the ranks of a job, with global memory. All of it.

#include "kasuri/detail/needs_cxx20.hpp"

#include "kasuri/global/algorithm.hpp"
#include "kasuri/global/tasks/at_home.hpp"
#include "kasuri/global/atomic.hpp"
#include "kasuri/global/begin_checkout.hpp"
#include "kasuri/global/checkout.hpp"
#include "kasuri/global/collective.hpp"
#include "kasuri/global/container/bag.hpp"
#include "kasuri/global/container/hash_map.hpp"
#include "kasuri/global/container/insertion.hpp"
#include "kasuri/global/counters.hpp"
#include "kasuri/global/error.hpp"
#include "kasuri/global/file.hpp"
#include "kasuri/global/files/checkpoint.hpp"
#include "kasuri/global/function_ref.hpp"
#include "kasuri/global/grid.hpp"
#include "kasuri/global/invoke.hpp"
#include "kasuri/global/memory.hpp"
#include "kasuri/global/memory_counters.hpp"
#include "kasuri/global/parallel_for.hpp"
#include "kasuri/global/ptr.hpp"
#include "kasuri/global/run.hpp"
#include "kasuri/global/share.hpp"
#include "kasuri/global/start.hpp"
#include "kasuri/global/tasks/task_group.hpp"
#include "kasuri/global/vector.hpp"
