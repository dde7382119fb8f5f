// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// The algorithms of the standard library in parallel: see kasuri/algorithm/policy.hpp. Not part of
/// kasuri.hpp, which would take longer to compile with it.

#include "kasuri/detail/needs_cxx20.hpp"

#include "kasuri/algorithm/count.hpp"
#include "kasuri/algorithm/extremes.hpp"
#include "kasuri/algorithm/find.hpp"
#include "kasuri/algorithm/merge.hpp"
#include "kasuri/algorithm/modify.hpp"
#include "kasuri/algorithm/numeric.hpp"
#include "kasuri/algorithm/order.hpp"
#include "kasuri/algorithm/pack.hpp"
#include "kasuri/algorithm/policy.hpp"
