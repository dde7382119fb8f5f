// SPDX-License-Identifier: Apache-2.0
#include <kasuri/kasuri.hpp>

#include <memory>

#include "problem.hpp"
#include "uts/problem.hpp"
