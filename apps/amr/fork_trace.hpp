// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "amr/node.hpp"

namespace amr {

/// Writes the tasks into which a phase divides the tree: a line {"id":i,"parent":p,"work":n} for
/// each node above the cut-off, which forks, and for each child of one, which runs serially unless
/// it forks itself. Ids count from 0 in the tree's order; the root's parent is -1; work is the
/// subtree's nodes.
/// @throw std::system_error when the file cannot be written.
void write_forks(const node& root, int cut_off, const std::string& path);

}  // namespace amr
