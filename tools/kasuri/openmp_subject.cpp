// SPDX-License-Identifier: Apache-2.0
#include "openmp_subject.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "elf/bytes.hpp"

namespace kasuri::command {
namespace {

namespace fs = std::filesystem;

constexpr int most_scripts = 8;  // more interpreters of interpreters than a kernel follows

// As execvp() looks.
std::string in_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream places(path == nullptr ? "/bin:/usr/bin" : path);
  for (std::string place; std::getline(places, place, ':');) {
    const std::string file = (place.empty() ? "." : place) + "/" + name;
    std::error_code error;
    if (fs::is_regular_file(file, error) && ::access(file.c_str(), X_OK) == 0) {
      return file;
    }
  }
  return "";
}

// The words of a "#!" line; none: this is no script.
std::vector<std::string> script_words(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::string line(256, '\0');  // as much as a kernel reads
  in.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(static_cast<std::size_t>(in.gcount()));
  if (!line.starts_with("#!")) {
    return {};
  }
  std::istringstream words(line.substr(2, line.find('\n') - 2));
  std::vector<std::string> list;
  for (std::string word; words >> word;) {
    list.push_back(word);
  }
  return list;
}

// "/usr/bin/env python3" starts python3, after options and assignments of env.
std::string interpreter_of(const std::vector<std::string>& words) {
  if (fs::path(words.front()).filename() != "env") {
    return words.front();
  }
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (!words[i].starts_with('-') && words[i].find('=') == std::string::npos) {
      return words[i].find('/') == std::string::npos ? in_path(words[i]) : words[i];
    }
  }
  return words.front();
}

std::string environment_interpreter(const std::string& folder) {
  for (const char* name : {"/bin/python3", "/bin/python"}) {
    std::error_code error;
    if (fs::is_regular_file(folder + name, error)) {
      return folder + name;
    }
  }
  throw elf::damaged(
      "is a folder without bin/python; accepted: a program, or the folder of a "
      "Python environment");
}

std::string start_of(const std::string& name) {
  std::error_code error;
  if (name.find('/') == std::string::npos) {
    if (const std::string found = in_path(name); !found.empty()) {
      return found;
    }
  }
  if (fs::is_directory(name, error)) {
    return environment_interpreter(name);
  }
  if (!fs::exists(name, error)) {
    throw elf::damaged(name.find('/') == std::string::npos ? "is neither in PATH nor in this folder"
                                                           : "does not exist");
  }
  return name;
}

// "python3.11" of that file, behind all links: "3.11"; "": it has no version in its name.
std::string python_version(const fs::path& interpreter) {
  const std::string name = interpreter.filename().string();
  const std::size_t digits = name.find_first_of("0123456789");
  const std::string version = digits == std::string::npos ? "" : name.substr(digits);
  return version.find('.') == std::string::npos ? "" : version;
}

bool is_python(const fs::path& file) {
  const std::string name = file.filename().string();
  for (const std::string kind : {"python", "pypy"}) {
    if (name.starts_with(kind) &&
        name.find_first_not_of("0123456789.", kind.size()) == std::string::npos) {
      return true;
    }
  }
  return false;
}

// Often lib64 is a link to lib.
void add_folder(const fs::path& folder, std::vector<std::string>& folders) {
  std::error_code error;
  const bool known = std::ranges::any_of(
      folders, [&](const std::string& each) { return fs::equivalent(each, folder, error); });
  if (!known && fs::is_directory(folder, error)) {
    folders.push_back(folder.string());
  }
}

void add_modules_below(const fs::path& prefix, const std::string& version,
                       std::vector<std::string>& folders) {
  for (const char* library : {"lib", "lib64", "local/lib"}) {
    std::error_code error;
    for (const fs::directory_entry& each : fs::directory_iterator(prefix / library, error)) {
      const std::string name = each.path().filename().string();
      if (!name.starts_with("python") && !name.starts_with("pypy")) {
        continue;
      }
      if (!version.empty() && name != "python3" && !name.ends_with(version)) {
        continue;
      }
      for (const char* kind : {"site-packages", "dist-packages"}) {
        add_folder(each.path() / kind, folders);
      }
    }
  }
}

// The value of a line "key = value" in pyvenv.cfg.
std::string venv_value(const fs::path& file, const std::string& key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string name, equals, value;
    if (words >> name >> equals >> value && name == key && equals == "=") {
      return value;
    }
  }
  return "";
}

// Rscript starts the R beside it, which is a script.
std::string script_of_r(const std::string& program) {
  const fs::path path(program);
  std::error_code error;
  const fs::path beside = path.parent_path() / "R";
  return path.filename() == "Rscript" && fs::is_regular_file(beside, error) ? beside.string()
                                                                            : program;
}

// The folder that a line "R_HOME_DIR=..." of the script R names; "": it is another script.
std::string home_of_r(const std::string& script) {
  constexpr std::string_view name = "R_HOME_DIR=";
  std::ifstream in(script);
  std::string line;
  for (int i = 0; i < 100 && std::getline(in, line); ++i) {
    if (line.starts_with(name)) {
      line.erase(0, name.size());
      std::erase(line, '"');
      return line;
    }
  }
  return "";
}

// R's script starts bin/exec/R of its home, which loads the packages' libraries by their paths.
void add_r(openmp_subject& subject) {
  std::error_code error;
  const fs::path home = home_of_r(subject.scripts.back());
  const fs::path program = home / "bin/exec/R";
  if (home.empty() || !fs::is_regular_file(program, error)) {
    return;
  }
  subject.program = program.string();
  subject.library_folders.push_back((home / "lib").string());
  for (const char* variable : {"R_LIBS", "R_LIBS_USER", "R_LIBS_SITE"}) {
    const char* value = std::getenv(variable);
    std::istringstream places(value == nullptr ? "" : value);
    for (std::string place; std::getline(places, place, ':');) {
      add_folder(place, subject.module_folders);
    }
  }
  for (const fs::path& each :
       {home / "library", home / "site-library", fs::path("/usr/local/lib/R/site-library"),
        fs::path("/usr/lib/R/site-library")}) {
    add_folder(each, subject.module_folders);
  }
  // The user's own: R/PLATFORM-library/VERSION in the home folder.
  const char* user = std::getenv("HOME");
  for (const auto& platform :
       fs::directory_iterator(fs::path(user == nullptr ? "" : user) / "R", error)) {
    add_folder(platform.path(), subject.module_folders);
  }
}

}  // namespace

std::vector<std::string> python_folders_of(const std::string& interpreter) {
  std::error_code error;
  const fs::path given = fs::absolute(interpreter, error);
  const fs::path real = fs::canonical(interpreter, error);
  std::vector<std::string> folders;
  if (!is_python(given) && !is_python(real)) {
    return folders;
  }
  const std::string version = python_version(real);
  fs::path prefix = given.parent_path().parent_path();
  const fs::path settings = prefix / "pyvenv.cfg";
  if (fs::exists(settings, error)) {
    add_modules_below(prefix, version, folders);
    if (venv_value(settings, "include-system-site-packages") != "true") {
      return folders;
    }
    prefix = fs::path(venv_value(settings, "home")).parent_path();
  } else {
    prefix = real.parent_path().parent_path();
  }
  add_modules_below(prefix, version, folders);
  return folders;
}

std::vector<std::string> extension_modules(const std::vector<std::string>& folders) {
  std::vector<std::string> files;
  for (const std::string& folder : folders) {
    std::error_code error;
    fs::recursive_directory_iterator each(folder, fs::directory_options::skip_permission_denied,
                                          error);
    for (; !error && each != fs::recursive_directory_iterator(); each.increment(error)) {
      const std::string name = each->path().filename().string();
      std::error_code ignored;
      if ((name.ends_with(".so") || name.find(".so.") != std::string::npos) &&
          each->is_regular_file(ignored) && !each->is_symlink(ignored)) {
        files.push_back(each->path().string());
      }
    }
  }
  return files;
}

openmp_subject find_subject(const std::string& name, const std::vector<std::string>& folders) {
  openmp_subject subject;
  subject.program = script_of_r(start_of(name));
  for (int i = 0; i < most_scripts; ++i) {
    const std::vector<std::string> words = script_words(subject.program);
    if (words.empty()) {
      break;
    }
    subject.scripts.push_back(subject.program);
    subject.program = interpreter_of(words);
    std::error_code error;
    if (!fs::is_regular_file(subject.program, error)) {
      throw elf::damaged("is a script of an interpreter that is not there: " + words.front());
    }
  }
  subject.python_folders = python_folders_of(subject.program);
  if (!subject.scripts.empty()) {
    add_r(subject);
  }
  for (const std::string& folder : folders) {
    std::error_code error;
    if (!fs::is_directory(folder, error)) {
      throw elf::damaged("cannot be looked at with --folder " + folder + ", which is no folder");
    }
    subject.module_folders.push_back(folder);
  }
  return subject;
}

}  // namespace kasuri::command
