// SPDX-License-Identifier: Apache-2.0
// kasuri symbol [--before | --code] FILE ADDRESS...
#include <charconv>
#include <cstdio>
#include <memory>
#include <optional>

#include "explain/commands.hpp"
#include "symbols/symbols.hpp"

namespace kasuri::command {
namespace {

struct form {
  bool before = false;
  bool code = false;
  std::string file;
  std::vector<std::string> addresses;
};

std::optional<std::uint64_t> address_in(std::string_view text) {
  if (text.starts_with("0x")) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                  : std::nullopt;
}

bool print(const std::string& address, const symbols::place& p) {
  bool written = std::printf("%s  %s\n", address.c_str(), symbols::text(p).c_str()) >= 0;
  for (const symbols::frame& f : p.inlined_into)
    written = std::printf("    inlined into %s at %s:%d\n", f.function.c_str(), f.file.c_str(),
                          f.line) >= 0 &&
              written;
  return written;
}

int tell(const form& chosen) {
  symbols::module all{.path = chosen.file, .end = ~std::uint64_t{0}, .build_id = ""};
  symbols::symboliser places({all});
  bool written = true;
  for (const std::string& word : chosen.addresses) {
    const std::optional<std::uint64_t> address = address_in(word);
    if (!address) {
      std::fprintf(stderr, "kasuri: symbol: %s: no address; accepted: hexadecimal digits\n",
                   word.c_str());
      return status_usage;
    }
    const symbols::place p = chosen.code     ? places.code(*address)
                             : chosen.before ? places.before(*address)
                                             : places.at(*address);
    written = print(word, p) && written;
  }
  for (const std::string& problem : places.problems())
    std::fprintf(stderr, "kasuri: symbol: %s\n", problem.c_str());
  if (!written || std::fflush(stdout) != 0) {
    std::perror("kasuri: symbol: standard output");
    return 1;
  }
  return places.problems().empty() ? status_ok : 1;
}

}  // namespace

command register_symbol(CLI::App& root) {
  auto chosen = std::make_shared<form>();
  CLI::App* parser = root.add_subcommand(
      "symbol", "Show the places of the source for addresses in a program or library.");
  CLI::Option* before = parser
                            ->add_flag("--before", chosen->before,
                                       "The addresses are where calls return to: show the calls.")
                            ->disable_flag_override();
  parser
      ->add_flag("--code", chosen->code,
                 "The addresses are where functions begin: show the declarations, of a task's "
                 "function that of its closure.")
      ->disable_flag_override()
      ->excludes(before);
  parser->add_option("FILE", chosen->file, "The program or library.")->required();
  parser->add_option("ADDRESS", chosen->addresses, "Addresses in the file, hexadecimal.")
      ->required();
  return {parser, [chosen] { return tell(*chosen); }};
}

}  // namespace kasuri::command
