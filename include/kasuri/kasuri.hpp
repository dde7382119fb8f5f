// SPDX-License-Identifier: Apache-2.0
#pragma once

// Everything.

#include "kasuri/blocking.hpp"
#include "kasuri/future.hpp"
#include "kasuri/invoke.hpp"
#include "kasuri/parallel.hpp"
#include "kasuri/runtime.hpp"
#include "kasuri/sync.hpp"
#include "kasuri/task.hpp"
