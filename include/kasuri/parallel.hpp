// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// The parallel algorithms: loops, work that brings work, reduction, prefix sums, sorting.

#include "kasuri/detail/needs_cxx20.hpp"

#include "kasuri/parallel_for.hpp"
#include "kasuri/parallel_for_each.hpp"
#include "kasuri/parallel_reduce.hpp"
#include "kasuri/parallel_scan.hpp"
#include "kasuri/parallel_sort.hpp"
#include "kasuri/range.hpp"
