// SPDX-License-Identifier: Apache-2.0
// Manual pages, in the macros of man(7).
#include <algorithm>
#include <cctype>

#include "pages/document.hpp"

namespace kasuri::pages {
namespace {

/// Text that roff takes as it is, wherever in a line it stands. A list without blanks may be cut
/// behind its commas.
std::string roff(std::string_view text) {
  std::string safe;
  bool line_begins = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (line_begins && (c == '.' || c == '\'')) safe += "\\&";
    line_begins = c == '\n';
    if (c == '\\')
      safe += "\\e";
    else if (c == '-')
      safe += "\\-";
    else
      safe += c;
    if (c == ',' && i + 1 < text.size() && text[i + 1] != ' ') safe += "\\:";
  }
  return safe;
}

/// A paragraph in lines that a person can read in the source of the page.
std::string lines_of(std::string_view text) {
  constexpr std::size_t width = 60;  // with escapes it stays below 80
  std::string lines, line;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (!line.empty() && line.size() + end - at > width) {
      lines += roff(line) + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + std::string(text.substr(at, end - at));
    at = end + 1;
    if (line.ends_with('.') && !line.ends_with("...")) {  // a sentence ends with its line
      lines += roff(line) + "\n";
      line.clear();
    }
  }
  if (!line.empty()) lines += roff(line) + "\n";
  return lines;
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

/// "print the version": a description as the line of NAME has it.
std::string after_name(std::string text) {
  if (text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])))
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  if (!text.empty() && text.back() == '.') text.pop_back();
  return roff(text);
}

std::string head(const document& all, const std::string& name, const char* section) {
  return ".\\\" Made of the tables of the command, when Kasuri was built.\n.TH \"" +
         roff(upper(name)) + "\" " + section + " \"\" \"Kasuri " + all.version + "\" \"Kasuri\"\n" +
         // Words of a program are neither divided nor set to both margins.
         ".nh\n.ad l\n";
}

/// A tagged paragraph; an empty text is a tag alone.
std::string item(const std::string& tag, const std::string& text) {
  return ".TP\n" + tag + "\n" + (text.empty() ? std::string("\\&\n") : lines_of(text));
}

std::string options_section(const command& c) {
  std::string page;
  for (const option& each : c.options) {
    std::string tag;
    for (const std::string& name : each.names) tag += (tag.empty() ? "" : ", ") + bold(name);
    if (!each.value.empty()) tag += " " + italic(each.value);
    std::string text = each.help;
    if (!each.needs.empty()) text += " Only with " + joined(each.needs, ", ") + ".";
    if (!each.excludes.empty()) text += " Not with " + joined(each.excludes, ", ") + ".";
    page += item(tag, text);
  }
  return page.empty() ? "" : ".SH OPTIONS\n" + page;
}

std::string arguments_section(const command& c) {
  std::string page;
  for (const argument& each : c.arguments) page += item(italic(each.name), each.help);
  return page.empty() ? "" : ".SH ARGUMENTS\n" + page;
}

std::string synopsis(const command& c) {
  std::string line = bold("kasuri " + c.name);
  if (!c.options.empty()) line += " [" + italic("OPTIONS") + "]";
  if (c.ends_in_program)
    line += " [" + bold("--") + "] " + italic("PROGRAM") + " [" + italic("ARGS") + "...]";
  for (const argument& each : c.arguments) {
    const std::string name = italic(each.name) + (each.repeatable ? "..." : "");
    line += " " + (each.required ? name : "[" + name + "]");
  }
  return ".SH SYNOPSIS\n" + line + "\n";
}

std::string see_also(const std::vector<std::string>& pages) {
  std::string line;
  for (const std::string& each : pages) {
    const std::size_t open = each.find('(');
    line += (line.empty() ? "" : ",\n") + bold(each.substr(0, open)) + each.substr(open);
  }
  return ".SH \"SEE ALSO\"\n" + line + "\n";
}

}  // namespace

std::string manual(const document& all) {
  std::string page = head(all, "kasuri", "1");
  page += ".SH NAME\nkasuri \\- task\\-parallel runtime, and the command for it\n";
  page += ".SH SYNOPSIS\n" + bold("kasuri") + " [" + bold("--help") + " | " + bold("--version") +
          "]\n.br\n" + bold("kasuri") + " " + italic("COMMAND") + " [" + italic("OPTIONS") + "] [" +
          italic("ARGUMENTS") + "]\n";
  page += ".SH DESCRIPTION\n" + lines_of(all.root.description);
  page += ".PP\n.nf\n" + roff(all.root.footer) + "\n.fi\n";
  page += ".SH COMMANDS\n";
  std::vector<std::string> others;
  for (const command& each : all.commands) {
    page += item(bold(each.name), each.description);
    others.push_back("kasuri-" + each.name + "(1)");
  }
  page += options_section(all.root);
  page +=
      ".SH \"EXIT STATUS\"\n2 where an option, a value or a setting is not accepted, with one "
      "line that names it and what is.\n" +
      bold("kasuri run") + " ends as its program does.\n";
  others.push_back("kasuri(7)");
  return page + see_also(others);
}

std::string manual(const document& all, const command& one) {
  const std::string name = "kasuri-" + one.name;
  std::string page = head(all, name, "1");
  page += ".SH NAME\n" + roff(name) + " \\- " + after_name(one.description) + "\n";
  page += synopsis(one);
  page += ".SH DESCRIPTION\n" + lines_of(one.description);
  if (one.ends_in_program)
    page += "The words behind " + italic("PROGRAM") + " are its own;\n" + bold("--") +
            " stands before a program whose name begins with a dash.\n";
  page += arguments_section(one) + options_section(one);
  std::vector<std::string> others = {"kasuri(1)"};
  if (one.ends_in_program) others.emplace_back("kasuri(7)");
  return page + see_also(others);
}

std::string settings_manual(const document& all) {
  std::string page = head(all, "kasuri", "7");
  page += ".SH NAME\nkasuri \\- settings of the task\\-parallel runtime\n";
  page +=
      ".SH DESCRIPTION\nSettings are environment variables, read once, at the first use of the "
      "runtime.\n" +
      bold("kasuri run") +
      " sets them from options, and what a program passes to kasuri::initialize or "
      "kasuri_init wins over both.\n" +
      bold("kasuri info") + " shows the values in force and where each came from.\n" +
      "A value that is not accepted ends the process with status 2 and one line that says "
      "what would be.\n";
  std::string category;
  for (const setting& each : all.settings) {
    if (each.category != category) {
      category = each.category;
      page += ".SH " + roff(upper(category)) + "\n";
    }
    page += item(bold(each.name), each.meaning);
    page += ".RS\n.PP\nAccepted: " + roff(each.accepted) + ".\n.br\nDefault: " +
            (each.default_text.empty() ? std::string("empty") : roff(each.default_text)) +
            ".\n.RE\n";
  }
  return page + see_also({"kasuri(1)", "kasuri-info(1)", "kasuri-run(1)"});
}

}  // namespace kasuri::pages
