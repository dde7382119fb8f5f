// SPDX-License-Identifier: Apache-2.0
// Completion for bash: tables as case statements, and one function that goes through the line. It
// needs nothing but bash. Where bash-completion is loaded, that completes the words of a program.
#include "pages/document.hpp"

namespace kasuri::pages {
namespace {

constexpr const char* functions = R"bash(
# The functions above say, into REPLY, what an option of a command takes: "choice WORDS...", file,
# folder, program, setting, text; an empty REPLY: nothing. This one joins words at "=", where bash
# takes them apart.
_kasuri() {
  local cur prev command="" first=0 i at=-1 REPLY
  local -a words=() starts=()
  COMPREPLY=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    local word=${COMP_WORDS[i]}
    if ((i > 0)) && [[ $word == "=" || ${COMP_WORDS[i - 1]} == "=" ]]; then
      words[at]+=$word
    else
      words[++at]=$word
      starts[at]=$i
    fi
  done
  cur=${words[at]}
  prev=
  ((at > 0)) && prev=${words[at - 1]}

  if ((at == 1)); then
    _kasuri_options ""
    [[ $cur == -* ]] || REPLY=$_kasuri_commands
    _kasuri_offer "$REPLY" "$cur"
    return
  fi
  command=${words[1]}

  # Where the command line goes over to a program's.
  if _kasuri_ends_in_program "$command"; then
    for ((i = 2; i < at; i++)); do
      if [[ ${words[i]} == -- ]]; then
        first=$((i + 1))
        break
      elif [[ ${words[i]} == -* ]]; then
        _kasuri_value "$command" "${words[i]}"
        [[ -z $REPLY ]] || ((i++))
      else
        first=$i
        break
      fi
    done
    ((first == 0 && i == at)) && [[ $cur != -* ]] && first=$at
    if ((first > 0)); then
      _kasuri_program "$cur" $((at - first)) "${starts[first]:-$COMP_CWORD}"
      return
    fi
  fi

  # --option=value, then --option value, then options and arguments.
  if [[ $cur == --*=* ]]; then
    _kasuri_value "$command" "${cur%%=*}"
    _kasuri_take "$REPLY" "${cur#*=}"
    return
  fi
  if [[ $prev == -* ]]; then
    _kasuri_value "$command" "$prev"
    if [[ -n $REPLY ]]; then
      _kasuri_take "$REPLY" "$cur"
      return
    fi
  fi
  if [[ $cur == -* ]]; then
    _kasuri_options "$command"
    _kasuri_offer "$REPLY" "$cur"
  else
    _kasuri_argument "$command"
    _kasuri_take "$REPLY" "$cur"
  fi
}

# WORDS CURRENT: those of the words that begin so.
_kasuri_offer() {
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}

# KIND CURRENT
_kasuri_take() {
  case $1 in
    choice\ *) _kasuri_offer "${1#choice }" "$2" ;;
    file)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$2")
      ;;
    folder)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -d -- "$2")
      ;;
    program) _kasuri_program "$2" 0 "$COMP_CWORD" ;;
    setting)
      if [[ $2 == *=* ]]; then
        _kasuri_setting "${2%%=*}"
        _kasuri_offer "$REPLY" "${2#*=}"
        [[ $COMP_WORDBREAKS == *=* ]] || COMPREPLY=("${COMPREPLY[@]/#/${2%%=*}=}")
      else
        compopt -o nospace 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -S = -W "$_kasuri_settings" -- "$2")
      fi
      ;;
  esac
}

# CURRENT N START: word N of a program's line, which begins at word START of bash's.
_kasuri_program() {
  if (($2 == 0)); then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <({
      [[ $1 == */* ]] || compgen -c -- "$1"
      compgen -f -- "$1"
    } | sort -u)
  elif declare -F _command_offset >/dev/null; then
    _command_offset "$3"
  else
    _kasuri_take file "$1"
  fi
}

complete -F _kasuri kasuri
)bash";

const char* word_of(kind k) {
  switch (k) {
    case kind::none:
      return "";
    case kind::text:
      return "text";
    case kind::file:
      return "file";
    case kind::folder:
      return "folder";
    case kind::program:
      return "program";
    case kind::setting:
      return "setting";
  }
  return "";
}

std::string row(const std::string& pattern, const std::string& value) {
  return "    " + pattern + ") REPLY=" + shell_word(value) + " ;;\n";
}

std::string function(const char* name, const char* subject, const std::string& rows) {
  return std::string(name) + "() {\n  REPLY=\n  case " + subject + " in\n" + rows + "  esac\n}\n\n";
}

std::string names_of(const command& c) {
  std::string names;
  for (const option& each : c.options)
    names += (names.empty() ? "" : " ") + joined(each.names, " ");
  return names;
}

std::string value_rows(const command& c) {
  std::string rows;
  for (const option& each : c.options) {
    if (each.of_value == kind::none) continue;
    std::string pattern;
    for (const std::string& name : each.names)
      pattern += (pattern.empty() ? "" : " | ") + shell_word(c.name + " " + name);
    rows += row(pattern, each.choices.empty() ? word_of(each.of_value)
                                              : "choice " + joined(each.choices, " "));
  }
  return rows;
}

}  // namespace

std::string bash_completion(const document& all) {
  std::string commands, programs, settings;
  std::string options = row("''", names_of(all.root)), values, arguments, choices;
  for (const command& each : all.commands) {
    commands += (commands.empty() ? "" : " ") + each.name;
    options += row(each.name, names_of(each));
    values += value_rows(each);
    // All arguments count as the first: only `symbol` has others, addresses, which nobody knows.
    if (!each.arguments.empty()) arguments += row(each.name, word_of(each.arguments.front().of));
    if (each.ends_in_program) programs += (programs.empty() ? "" : "|") + each.name;
  }
  for (const setting& each : all.settings) {
    if (each.category == "internal") continue;
    settings += (settings.empty() ? "" : " ") + each.name;
    if (!each.choices.empty()) choices += row(each.name, joined(each.choices, " "));
  }
  return "# bash completion for kasuri " + all.version +
         ", made of the tables of the command when it was built.\n\n_kasuri_commands=" +
         shell_word(commands) + "\n_kasuri_settings=" + shell_word(settings) + "\n\n" +
         function("_kasuri_options", "$1", options) +
         function("_kasuri_value", "\"$1 $2\"", values) +
         function("_kasuri_argument", "$1", arguments) +
         function("_kasuri_setting", "$1", choices) + "_kasuri_ends_in_program() { [[ $1 == @(" +
         programs + ") ]]; }\n" + functions;
}

}  // namespace kasuri::pages
