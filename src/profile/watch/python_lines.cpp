// SPDX-License-Identifier: Apache-2.0
#include "profile/watch/python_lines.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <tuple>

#include "platform/base/processor_time.hpp"
#include "platform/thread/os_thread.hpp"
#include "profile/base/section.hpp"
#include "profile/thread/thread.hpp"

namespace kasuri::profile {
namespace {

constexpr useconds_t between_looks_us = 50'000;

struct object;  // Python's own

/// Python's public functions, by their names; their types are those of its reference.
struct functions {
  int (*is_initialized)();
  int (*lock)();
  void (*unlock)(int);
  object* (*import)(const char*);
  object* (*call)(object*, const char*, const char*, ...);
  int (*next)(object*, std::intptr_t*, object**, object**);
  unsigned long (*number)(object*);
  object* (*code)(object*);
  object* (*back)(object*);
  int (*line)(object*);
  object* (*attribute)(object*, const char*);
  const char* (*text)(object*);
  void (*release)(object*);
  void (*forget_error)();
};

template <class F>
bool find(const char* name, F& to) noexcept {
  to = reinterpret_cast<F>(dlsym(RTLD_DEFAULT, name));
  return to != nullptr;
}

bool find_all(functions& f) noexcept {
  return find("Py_IsInitialized", f.is_initialized) && find("PyGILState_Ensure", f.lock) &&
         find("PyGILState_Release", f.unlock) && find("PyImport_ImportModule", f.import) &&
         find("PyObject_CallMethod", f.call) && find("PyDict_Next", f.next) &&
         find("PyLong_AsUnsignedLong", f.number) && find("PyFrame_GetCode", f.code) &&
         find("PyFrame_GetBack", f.back) && find("PyFrame_GetLineNumber", f.line) &&
         find("PyObject_GetAttrString", f.attribute) && find("PyUnicode_AsUTF8", f.text) &&
         find("Py_DecRef", f.release) && find("PyErr_Clear", f.forget_error);
}

class python_section final : public section {
 public:
  python_section() noexcept : section("python_lines") {}

  void add(const char* file, int line, const char* function, site_id site) {
    const std::lock_guard hold(lock_);
    ++looks_[{file, line, function, site}];
  }
  void write(json& to) override {
    const std::lock_guard hold(lock_);
    to.begin_array();
    for (const auto& [at, n] : looks_) {
      const auto& [file, line, function, site] = at;
      to.begin_object().pair("file", std::string_view(file)).pair("line", line);
      to.pair("function", std::string_view(function)).pair("site", static_cast<int>(site));
      to.pair("looks", n).pair("look_s", 1e-6 * between_looks_us).end_object();
    }
    to.end_array();
  }
  void begin_anew() noexcept override {
    // Another thread may have held the lock at the fork; the map is as it was left.
    new (&lock_) std::mutex;
    new (&looks_) std::map<key, std::uint64_t>;
  }

 private:
  using key = std::tuple<std::string, int, std::string, site_id>;
  std::mutex lock_;
  std::map<key, std::uint64_t> looks_;
};

python_section lines;
functions python;
std::atomic<bool> asks{false};
bool started = false;

/// The thread of that number of pthread_self; null: it has no record.
thread* thread_of(unsigned long self) noexcept {
  thread* found = nullptr;
  each_thread([&](thread& t) {
    if (t.self() == self && !t.ended()) found = &t;
  });
  return found;
}

/// Whether it has run since the last look: threads that wait for others, or for the interpreter's
/// lock alone, are where they wait.
bool has_run(thread& t) noexcept {
  constexpr std::uint64_t little_ns = 1'000'000;
  const std::uint64_t now = platform::processor_nanoseconds_of(t.number(), t.processor_at_python);
  const std::uint64_t ran = now - t.processor_at_python;
  t.processor_at_python = now;
  return ran >= little_ns;
}

/// An attribute of a code object that is a string.
std::string text_of(object* code, const char* name) {
  object* const value = python.attribute(code, name);
  if (value == nullptr) {
    python.forget_error();
    return {};
  }
  const char* const text = python.text(value);
  std::string copy = text != nullptr ? text : "";
  if (text == nullptr) python.forget_error();
  python.release(value);
  return copy;
}

struct frame_place {
  std::string file;
  std::string function;
  int line = 0;
};

frame_place place_of_frame(object* frame) {
  object* const code = python.code(frame);
  if (code == nullptr) return {};
  frame_place p{text_of(code, "co_filename"), text_of(code, "co_name"), python.line(frame)};
  python.release(code);
  return p;
}

/// Neither Python's own nor of a package that is installed.
bool is_of_user(const std::string& file) {
  const auto within = [&file](const char* part) { return file.find(part) != std::string::npos; };
  return !file.empty() && !file.starts_with("<frozen") && !within("/site-packages/") &&
         !within("/dist-packages/") && !within("/lib/python");
}

/// The innermost frame of the user's own files; the innermost of all where there is none.
frame_place place_of_user(object* frame) {
  const frame_place innermost = place_of_frame(frame);
  frame_place p = innermost;
  object* around = nullptr;
  while (!is_of_user(p.file)) {
    object* const next = python.back(around != nullptr ? around : frame);
    if (around != nullptr) python.release(around);
    around = next;
    if (around == nullptr) return innermost;
    p = place_of_frame(around);
  }
  if (around != nullptr) python.release(around);
  return p;
}

void note_frame(object* of, object* frame) {
  thread* const t = thread_of(python.number(of));
  if (t != nullptr && !has_run(*t)) return;
  const frame_place p = place_of_user(frame);
  if (p.file.empty()) return;
  lines.add(p.file.c_str(), p.line, p.function.c_str(), t != nullptr ? t->site() : site_id{0});
}

/// With the interpreter's lock.
void look_at_threads() {
  object* const system = python.import("sys");
  if (system == nullptr) return python.forget_error();
  object* const frames = python.call(system, "_current_frames", nullptr);
  python.release(system);
  if (frames == nullptr) return python.forget_error();
  std::intptr_t at = 0;
  object* of = nullptr;
  object* frame = nullptr;
  const auto own = static_cast<unsigned long>(pthread_self());
  while (python.next(frames, &at, &of, &frame) != 0)
    if (python.number(of) != own) note_frame(of, frame);
  python.release(frames);
}

/// Python may end the thread within lock(): nothing here has an end of its own to be run.
void* ask_python(void*) {
  while (asks.load(std::memory_order_relaxed)) {
    usleep(between_looks_us);
    if (python.is_initialized() == 0) break;
    const int state = python.lock();
    if (asks.load(std::memory_order_relaxed)) look_at_threads();
    python.unlock(state);
  }
  return nullptr;
}

}  // namespace

void look_for_python() noexcept {
  if (started || !find_all(python) || python.is_initialized() == 0) return;
  started = true;
  enter(lines);
  asks.store(true, std::memory_order_relaxed);
  pthread_t number{};
  if (platform::start_os_thread(number, ask_python, nullptr, "kasuri-python"))
    pthread_detach(number);
}

void leave_python() noexcept { asks.store(false, std::memory_order_relaxed); }

void forget_python() noexcept {
  leave_python();
  started = false;
}

}  // namespace kasuri::profile
