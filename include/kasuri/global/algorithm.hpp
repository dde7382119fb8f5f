// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// The algorithms over global memory; their common rules are in kasuri/global/algorithm/policy.hpp.

#include "kasuri/detail/needs_cxx20.hpp"

#include "kasuri/global/algorithm/copy.hpp"
#include "kasuri/global/algorithm/fill.hpp"
#include "kasuri/global/algorithm/find.hpp"
#include "kasuri/global/algorithm/for_each.hpp"
#include "kasuri/global/algorithm/histogram.hpp"
#include "kasuri/global/algorithm/merge.hpp"
#include "kasuri/global/algorithm/minmax_element.hpp"
#include "kasuri/global/algorithm/partition.hpp"
#include "kasuri/global/algorithm/policy.hpp"
#include "kasuri/global/algorithm/reduce.hpp"
#include "kasuri/global/algorithm/scan.hpp"
#include "kasuri/global/algorithm/search.hpp"
#include "kasuri/global/algorithm/sort.hpp"
#include "kasuri/global/algorithm/transform.hpp"
