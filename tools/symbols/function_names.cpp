// SPDX-License-Identifier: Apache-2.0
#include "symbols/function_names.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <vector>

#include "symbols/part_of_text.hpp"

namespace kasuri::symbols {
namespace {

constexpr std::string_view lambda = "{lambda}";

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text ? text.get() : name;
}

char closing(char opening) {
  switch (opening) {
    case '(':
      return ')';
    case '<':
      return '>';
    case '{':
      return '}';
    default:
      return ']';
  }
}

// Behind the bracket that closes the one at `at`. Names of operators with < or > in arguments of
// templates are rare enough to be left out.
std::size_t behind_bracket(std::string_view text, std::size_t at) {
  const char open = text[at];
  const char close = closing(open);
  int depth = 0;
  for (std::size_t i = at; i < text.size(); ++i) {
    if (text[i] == open) ++depth;
    if (text[i] == close && !(close == '>' && i > 0 && text[i - 1] == '-') && --depth == 0)
      return i + 1;
  }
  return text.size();
}

// Reads a demangled name from left to right and keeps what a reader needs.
class shortener {
 public:
  explicit shortener(std::string_view text) : text_(text) {}

  std::string run() {
    while (at_ < text_.size()) step();
    return std::move(kept_);
  }

 private:
  std::string_view rest() const { return text_.substr(at_); }
  bool behind_operator() const {
    constexpr std::string_view word = "operator";
    if (!kept_.ends_with(word)) return false;
    return kept_.size() == word.size() || kept_[kept_.size() - word.size() - 1] == ':';
  }

  void step() {
    const char c = text_[at_];
    if (behind_operator() && c != ':') {
      take_operator();
    } else if (rest().starts_with("(anonymous namespace)::")) {
      at_ = behind_bracket(text_, at_) + 2;
    } else if (c == '{' || rest().starts_with("$_") || rest().starts_with("'lambda")) {
      take_lambda(c);
    } else if (c == '<') {
      take_template_arguments();
    } else if (c == '(' || c == '[') {
      at_ = behind_bracket(text_, at_);
    } else if (c == ' ') {
      take_space();
    } else {
      kept_ += c;
      ++at_;
    }
  }

  void take_operator() {
    if (rest().starts_with("()")) {
      at_ += 2;
      // A lambda's operator is the lambda.
      constexpr std::string_view name = "::operator";
      if (kept_.ends_with(std::string(lambda) + std::string(name)))
        kept_.resize(kept_.size() - name.size());
      else
        kept_ += "()";
      return;
    }
    const std::size_t end = std::min(text_.find('(', at_), text_.size());
    kept_ += text_.substr(at_, end - at_);
    at_ = end;
  }

  void take_lambda(char c) {
    if (c == '{') {
      const std::size_t end = behind_bracket(text_, at_);
      const std::string_view inner = text_.substr(at_, end - at_);
      kept_ += inner.starts_with("{lambda") ? lambda : inner;
      at_ = end;
      return;
    }
    kept_ += lambda;
    at_ += c == '$' ? 2 : 1;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0)) ++at_;
    if (at_ < text_.size() && text_[at_] == '\'') ++at_;
  }

  void take_template_arguments() {
    constexpr std::size_t most = 24;
    const std::size_t end = behind_bracket(text_, at_);
    const std::string_view arguments = text_.substr(at_, end - at_);
    if (arguments.size() > 2 && arguments.size() <= most && !has(arguments, "lambda") &&
        !has(arguments, "$_"))
      kept_ += arguments;
    at_ = end;
  }

  void take_space() {
    ++at_;
    for (const std::string_view word : {"const", "volatile", "&", "[clone"}) {
      if (rest().starts_with(word)) {
        at_ = word[0] == '[' ? behind_bracket(text_, at_) : at_ + word.size();
        return;
      }
    }
    if (!kept_.empty()) kept_.clear();  // what was kept so far is the type of the result
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string kept_;
};

// The parts between commas that stand in no bracket.
std::vector<std::string_view> parts_of(std::string_view list) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < list.size();) {
    const char c = list[i];
    if (c == '<' || c == '(' || c == '{') {
      i = behind_bracket(list, i);
    } else {
      if (c == ',') {
        parts.push_back(list.substr(begin, i - begin));
        begin = i + 1;
      }
      ++i;
    }
  }
  parts.push_back(list.substr(begin));
  for (std::string_view& part : parts)
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
  return parts;
}

std::string_view template_arguments(std::string_view text) {
  const std::size_t open = text.find('<');
  if (open == std::string_view::npos) return "";
  const std::size_t end = behind_bracket(text, open);
  return end > open + 1 ? text.substr(open + 1, end - open - 2) : "";
}

bool is_lambda(std::string_view type) {
  return has(type, "{lambda") || has(type, "$_") || has(type, "'lambda");
}

bool is_of_library(std::string_view type) {
  return type.starts_with("kasuri::") || type.starts_with("std::");
}

std::string_view unqualified(std::string_view type) {
  if (type.starts_with("const ")) type.remove_prefix(6);
  if (is_lambda(type)) {
    while (type.ends_with('&') || type.ends_with('*')) type.remove_suffix(1);
    if (type.ends_with(" const")) type.remove_suffix(6);
  }
  return type;
}

bool is_class_name(std::string_view type) {
  constexpr std::string_view nameless = "(anonymous namespace)::";
  if (type.starts_with(nameless)) type.remove_prefix(nameless.size());
  return !type.empty() && type.find_first_of("*&() ") == std::string_view::npos;
}

// The type of the user's closure among the arguments of a template of Kasuri: a lambda anywhere in
// it, a class of the user only where it is the first argument itself.
std::string_view users_closure(std::string_view arguments, bool outermost) {
  bool first = outermost;
  for (const std::string_view part : parts_of(arguments)) {
    const std::string_view type = unqualified(part);
    if (is_of_library(type)) {
      const std::string_view inner = users_closure(template_arguments(type), false);
      if (!inner.empty()) return inner;
    } else if (is_lambda(type) || (first && is_class_name(type))) {
      return type;
    }
    first = false;
  }
  return "";
}

// The innermost of Kasuri's own lambdas: what is around it is how loops are divided.
std::string_view innermost_closure(std::string_view arguments) {
  for (const std::string_view part : parts_of(arguments)) {
    const std::string_view type = unqualified(part);
    const std::string_view within = template_arguments(type);
    const std::string_view inner = within.empty() ? within : innermost_closure(within);
    if (!inner.empty()) return inner;
    if (is_lambda(type)) return type;
  }
  return "";
}

struct suffixed {
  std::string name;
  std::string suffix;
};

suffixed split(const std::string& symbol) {
  const std::size_t dot = symbol.find('.');
  return dot == std::string::npos ? suffixed{symbol, ""}
                                  : suffixed{symbol.substr(0, dot), symbol.substr(dot)};
}

std::string of_construct(const std::string& function, const char* what) {
  return (function.empty() ? "" : function + " ") + "(" + what + ")";
}

}  // namespace

bool is_outlined(std::string_view symbol) {
  return has(symbol, "._omp_fn.") || has(symbol, ".omp_outlined") || has(symbol, ".omp_task_entry");
}

bool is_of_kasuri(std::string_view symbol) {
  return symbol.starts_with("_ZN6kasuri") || symbol.starts_with("_ZNK6kasuri");
}

bool can_be_read(const std::string& symbol) {
  const std::string name = split(symbol).name;
  return !name.starts_with("_Z") || demangled(name) != name;
}

std::string shortened_function(std::string_view text) { return shortener(text).run(); }

std::string readable(const std::string& symbol) {
  const auto [name, suffix] = split(symbol);
  const std::string function = shortened_function(demangled(name));
  if (has(suffix, "omp_task_entry")) return of_construct(function, "task");
  return is_outlined(suffix) ? of_construct(function, "parallel region") : function;
}

std::string closure_name(const std::string& symbol) {
  const std::string text = demangled(split(symbol).name);
  if (!text.starts_with("kasuri::")) return "";
  const std::string_view arguments = template_arguments(text);
  if (arguments.empty()) return "";
  const std::string_view users = users_closure(arguments, true);
  return shortened_function(users.empty() ? innermost_closure(arguments) : users);
}

}  // namespace kasuri::symbols
