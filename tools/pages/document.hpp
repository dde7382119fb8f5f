// SPDX-License-Identifier: Apache-2.0
// The command line as its programs describe it (tools/kasuri/description.cpp), and the texts that
// tools/pages writes from that.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kasuri::pages {

/// The sort of a word, for a shell that completes it.
enum class kind { none, text, file, folder, program, setting };

struct option {
  std::vector<std::string> names;  // short ones first
  std::string value;               // its name; empty: the option takes none
  kind of_value;
  std::vector<std::string> choices;
  bool repeatable;
  std::vector<std::string> excludes;
  std::vector<std::string> needs;
  std::string help;

  const std::string& name() const { return names.back(); }
};

struct argument {
  std::string name;
  kind of;
  bool required;
  bool repeatable;
  std::string help;
};

struct command {
  std::string name;
  std::string description;
  std::string footer;
  bool ends_in_program;
  std::vector<option> options;
  std::vector<argument> arguments;
};

struct setting {
  std::string name;
  std::string category;
  std::string default_text;
  std::string accepted;
  std::vector<std::string> choices;
  std::string meaning;
};

struct document {
  std::string version;
  command root;
  std::vector<command> commands;
  std::vector<setting> settings;
};

/// Of several descriptions of a command the last holds, but for the sentence about it: the first.
/// @throw std::exception: a file that cannot be read, or is no description
document read_document(const std::vector<std::string>& files);

/// kasuri(1), kasuri-NAME(1), kasuri(7), in roff.
std::string manual(const document& all);
std::string manual(const document& all, const command& one);
std::string settings_manual(const document& all);

std::string bash_completion(const document& all);
std::string zsh_completion(const document& all);
std::string fish_completion(const document& all);

/// `words` with `between` between them.
std::string joined(const std::vector<std::string>& words, std::string_view between);

/// `text` as one word of a shell, in single quotes; `quote` stands for a quote inside.
std::string shell_word(std::string_view text, std::string_view quote = "'\\''");

/// The first sentence of a help text, short enough for a list.
std::string first_sentence(const std::string& help);

}  // namespace kasuri::pages
