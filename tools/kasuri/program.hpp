// SPDX-License-Identifier: Apache-2.0
// Programs and folders that this command finds, and becomes.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

namespace kasuri::command {

/// The first of the folders, each given relative to the folder of this command, that has a file of
/// that name; empty: none has.
std::string folder_beside_command(std::initializer_list<const char*> folders, const char* file);

/// Becomes the program words[0] with the others as its arguments. Returns only if it could not be
/// started: the status, after a line on stderr that begins with `who` and ends with `hint`.
int become(const std::vector<std::string>& words, const char* who, const char* hint = "");

}  // namespace kasuri::command
