// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "amr/simulation.hpp"

namespace amr {

/// Writes mesh and field to `path`: a picture of `side` pixels square where it ends in .png, else
/// an unstructured grid in VTK's legacy format (for ParaView and VisIt) with each cell's value,
/// level and the worker that ran it last.
/// @throw std::system_error when the file cannot be written.
void write_output(const simulation& s, const std::string& path, std::size_t side);

}  // namespace amr
