// SPDX-License-Identifier: Apache-2.0
#pragma once

// Everything.

#include "kasuri/invoke.hpp"
#include "kasuri/runtime.hpp"
#include "kasuri/task.hpp"
