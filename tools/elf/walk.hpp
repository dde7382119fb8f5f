// SPDX-License-Identifier: Apache-2.0
// All that the dynamic loader would load with a program, in its order.
#pragma once

#include <string>
#include <vector>

#include "elf/object.hpp"
#include "elf/search.hpp"

namespace kasuri::elf {

struct request {
  std::string name;  // as the needing object has it
  std::size_t by;    // index into load_list::objects
  std::size_t what;  // index of what it got; load_list::none: nothing was found
};

struct load_list {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::vector<object> objects;  // the program, what is preloaded, what they need
  std::vector<request> requests;
  std::vector<std::string> complaints;  // "FILE is damaged: ...": of libraries
};

/// Throws `damaged` where the program itself cannot be read.
load_list walk(const std::string& program, const search_environment& environment,
               const std::vector<std::string_view>& names = {});

/// The same of a module that `program`, loaded with all of its list, opens by its path (dlopen):
/// what is there already under a name serves the module as well, and so does the DT_RPATH of the
/// program.
load_list walk_module(const std::string& module, const load_list& program,
                      const search_environment& environment,
                      const std::vector<std::string_view>& names = {});

}  // namespace kasuri::elf
